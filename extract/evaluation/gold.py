"""Gold annotations: what people found in papers, as JSON lines; and beside it what was extracted.

A record has a `title`, `entities` (name, kind, and mentions as plain texts) and `relations` (type,
the entity's name, and the sentence that states it as evidence)::

    {"title": "…", "entities": [{"name": "LoRA", "kind": "technique", "mentions": ["LoRA"]}],
     "relations": [{"type": "BUILDS_ON", "entity": "LoRA", "evidence": "…"}]}

What `stemma extract` writes is read as well, so that one extraction can be compared with another.
"""

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from stemma.extract.formats.document import Document, NothingReadError
from stemma.extract.formats.json_reader import values_of_lines
from stemma.schema import EntityKind, Extraction, FoundEntity, Problem, RelationType
from stemma.schema.problem import reason_of
from stemma.schema.text_line import MAX_RECORD_SIZE

_COUNTED = re.compile(r"[0-9a-zα-ω+]+")


def annotation_key(text: str) -> str:
    """Return the key that all spellings of `text` share: no case, spaces, punctuation, plural s.

    Looser than the names of a graph (`stemma.schema.name`), where 2.7 and 27 are two: a scorer
    should not punish a hyphen.
    """
    key = "".join(_COUNTED.findall(text.casefold()))
    plural = len(key) > 3 and key[-1] == "s" and key[-2] != "s"
    return key[:-1] if plural else key


def annotation_keys(name: str, mentions: Iterable[str]) -> frozenset[str]:
    """Return the keys of an entity's name and of all its mentions, without empty ones."""
    return frozenset(key for form in (name, *mentions) if (key := annotation_key(form)))


@dataclass(frozen=True, slots=True)
class AnnotatedEntity:
    """An entity as the annotator named it; `mentions` are its distinct surface forms."""

    name: str
    kind: EntityKind
    mentions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AnnotatedRelation:
    """A relation of the paper to the entity of that name, with the sentences that state it."""

    type: RelationType
    entity: str
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Annotation:
    """All that was annotated in one paper; entity names are unique within it. `line`: its line in
    the file that it was read from."""

    title: str
    entities: tuple[AnnotatedEntity, ...] = ()
    relations: tuple[AnnotatedRelation, ...] = ()
    line: int | None = field(default=None, compare=False)

    @property
    def key(self) -> str:
        """The key of the title, by which annotation and prediction of a paper are paired."""
        return annotation_key(self.title)


def read_gold(path: Path) -> tuple[list[Annotation], list[Problem]]:
    """Read the annotations of a file (.gz too), and what is wrong with its other lines.

    Of two annotations of one paper the later counts. Raises OSError if `path` cannot be read.
    """
    annotations: dict[str, Annotation] = {}
    document = Document(path, path.name)
    with suppress(NothingReadError):
        for line, value in values_of_lines(document, MAX_RECORD_SIZE):
            try:
                annotation = replace(_annotation(value), line=line)
            except (KeyError, TypeError, ValueError) as error:
                document.note(f"not an annotation: {reason_of(error)}", line, skipped=True)
                continue
            if earlier := annotations.pop(annotation.key, None):
                reason = (
                    f"this paper is in line {earlier.line} already: the later annotation is used"
                )
                document.note(reason, line)
            annotations[annotation.key] = annotation
    return list(annotations.values()), document.problems


def _annotation(record: Any) -> Annotation:
    title = _text(_object(record).get("title") or _object(record["paper"])["title"], "title")
    if not annotation_key(title):
        raise ValueError("the title has no letters")
    entities = tuple(_entity(_object(each)) for each in record["entities"])
    names = {entity.name for entity in entities}
    if len(names) < len(entities):
        raise ValueError("two entities have the same name")
    relations = tuple(_relation(_object(each), names) for each in record["relations"])
    return Annotation(title, entities, relations)


def _entity(data: dict[str, Any]) -> AnnotatedEntity:
    mentions = dict.fromkeys(_texts(data.get("mentions"), "mention"))
    return AnnotatedEntity(_text(data["name"], "name"), EntityKind(data["kind"]), tuple(mentions))


def _relation(data: dict[str, Any], names: set[str]) -> AnnotatedRelation:
    entity = _text(data["entity"], "entity")
    if entity not in names:
        raise ValueError(f"a relation to {entity!r}, which is not among the entities")
    evidence = tuple(_texts(data.get("evidence"), "evidence"))
    return AnnotatedRelation(RelationType(data["type"]), entity, evidence)


def _texts(value: Any, what: str) -> list[str]:
    """Read one text or several, each plain or an object with its place in the paper."""
    several = value if isinstance(value, list) else [value] if value else []
    return [_text(each["text"] if isinstance(each, dict) else each, what) for each in several]


def _text(value: Any, what: str) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{what} should be a string, not {value!r}")
    return value


def _object(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise TypeError(f"expected an object, not {value!r}")
    return value


Target = int | str
"""The index of a gold entity, or the name of a predicted one that pairs with none."""
Claim = tuple[RelationType, Target]
"""That the paper has a relation to an entity: the same on both sides if they agree."""


@dataclass(frozen=True, slots=True)
class ClaimSupport:
    """The support of a claim: its sentences, and its confidence (1 for gold)."""

    evidence: tuple[str, ...] = ()
    confidence: float = 0.0

    def __add__(self, other: "ClaimSupport") -> "ClaimSupport":
        return ClaimSupport(self.evidence + other.evidence, max(self.confidence, other.confidence))


@dataclass(frozen=True)
class Alignment:
    """One paper; `predicted` is None where no prediction has it.

    A predicted entity pairs with a gold one if they share a surface form, each at most once.
    """

    gold: Annotation
    predicted: Extraction | None

    @property
    def found(self) -> tuple[FoundEntity, ...]:
        """The predicted entities."""
        return self.predicted.entities if self.predicted else ()

    @cached_property
    def pairs(self) -> Mapping[str, int]:
        """The index of the gold entity for each predicted one that has a partner, by name."""
        return _paired(self.gold.entities, self.found)

    def target(self, name: str) -> Target:
        """Return the index of the gold entity that a predicted name pairs with, or the name."""
        return self.pairs.get(name, name)

    def name(self, target: Target) -> str:
        """Return the name of a target, as the annotator gave it if there is one."""
        return self.gold.entities[target].name if isinstance(target, int) else target

    @cached_property
    def gold_claims(self) -> Mapping[Claim, ClaimSupport]:
        """The claims that the annotator makes about the paper, with their support."""
        indexes = {entity.name: index for index, entity in enumerate(self.gold.entities)}
        return _supported(
            ((relation.type, indexes[relation.entity]), ClaimSupport(relation.evidence, 1.0))
            for relation in self.gold.relations
        )

    @cached_property
    def predicted_claims(self) -> Mapping[Claim, ClaimSupport]:
        """The claims that the extractor makes about the paper, with their support."""
        relations = self.predicted.relations if self.predicted else ()
        return _supported(
            (
                (relation.type, self.target(relation.entity)),
                ClaimSupport(
                    tuple(evidence.text for evidence in relation.evidence), relation.confidence
                ),
            )
            for relation in relations
        )


def _paired(gold: tuple[AnnotatedEntity, ...], found: tuple[FoundEntity, ...]) -> Mapping[str, int]:
    """Pair greedily: those that share most forms first, then those of one kind, then in order."""
    gold_forms = [annotation_keys(entity.name, entity.mentions) for entity in gold]
    found_forms = [
        annotation_keys(entity.name, (m.text for m in entity.mentions)) for entity in found
    ]
    candidates = sorted(
        (-len(ours & theirs), gold[i].kind != found[j].kind, i, j)
        for i, ours in enumerate(gold_forms)
        for j, theirs in enumerate(found_forms)
        if not ours.isdisjoint(theirs)
    )
    pairs: dict[str, int] = {}
    taken: set[int] = set()
    for _, _, i, j in candidates:
        if i not in taken and found[j].name not in pairs:
            pairs[found[j].name] = i
            taken.add(i)
    return pairs


def _supported(claims: Iterable[tuple[Claim, ClaimSupport]]) -> Mapping[Claim, ClaimSupport]:
    """Gather the support of claims that are made more than once."""
    gathered: dict[Claim, ClaimSupport] = {}
    for claim, support in claims:
        gathered[claim] = gathered.get(claim, ClaimSupport()) + support
    return gathered
