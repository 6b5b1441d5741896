"""Stand-off annotations: marks kept apart from the texts that they are about.

A record is a line: a paper's title, its entities, and relations whose evidence is a stretch of the
title or abstract, half open, in code points. The texts come from elsewhere, or stand as `abstract`
beside the title::

    {"title": "…", "entities": [{"name": "LoRA", "kind": "technique", "mentions": ["LoRA"]}],
     "relations": [{"type": "BUILDS_ON", "entity": "LoRA", "at": ["abstract", 120, 215]}]}

A relation on which two annotators differed is marked `"disputed": true`: it is not used in
training. `"judged": ["BUILDS_ON", "IMPROVES_ON"]` says that only these were judged, of the names
that are listed: other names, kinds and other relations are not trained on.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stemma.extract.evaluation.gold import (
    AnnotatedEntity,
    AnnotatedRelation,
    Annotation,
    annotation_key,
)
from stemma.schema import EntityKind, Field, Paper, RelationType


@dataclass(frozen=True, slots=True)
class Marked:
    """A paper and what is annotated in it.

    `disputed`: pairs of an entity's name and a relation that annotators disagree on; `judged`: the
    relations that were judged, None where all were, and the entities themselves; `weight`: how much
    the annotation counts beside teachers, as a multiple of the usual.
    """

    paper: Paper
    annotation: Annotation
    disputed: frozenset[tuple[str, RelationType]] = frozenset()
    judged: frozenset[RelationType] | None = None
    weight: float = 1.0


def read_standoff(path: Path, texts: Mapping[str, Paper]) -> Iterator[Marked]:
    """Yield the papers whose texts are at hand, with their annotations.

    `texts`: key of the title -> paper. Raises ValueError where marks do not fit the text.
    """
    for number, record in enumerate(records(path), 1):
        if paper := texts.get(annotation_key(record["title"])):
            try:
                yield _marked(record, paper)
            except ValueError as error:
                raise ValueError(f"{path}, line {number}: {error}") from error


def write_standoff(annotations: Iterable[tuple[Paper, Annotation]], path: Path) -> None:
    """Write annotations without the texts. Raises ValueError where evidence is not in the text."""
    some = [_record(paper, annotation) for paper, annotation in annotations]
    lines = "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in some)
    path.write_text(lines, encoding="utf-8")


def place(text: str, paper: Paper) -> tuple[Field, int, int]:
    """Return the field and the offsets at which a text stands in a paper, whatever its blanks.

    Raises ValueError where the title and the abstract do not have the text.
    """
    pattern = re.compile(r"\s+".join(map(re.escape, text.split())))
    for field, whole in (Field.TITLE, paper.title), (Field.ABSTRACT, paper.abstract):
        if text and (match := pattern.search(whole)):
            return field, *match.span()
    raise ValueError(f"{text!r} does not occur in {paper.title!r}")


def records(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the records of a file of JSON lines."""
    with path.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def _marked(record: dict[str, Any], paper: Paper) -> Marked:
    entities = tuple(
        AnnotatedEntity(each["name"], EntityKind(each["kind"]), tuple(each["mentions"]))
        for each in record["entities"]
    )
    whole = f"{paper.title}\n{paper.abstract}"
    for entity in entities:
        for mention in entity.mentions:
            if mention not in whole:
                raise ValueError(f"{mention!r} does not occur in {paper.title!r}")
    relations, disputed = [], set()
    for relation in record["relations"]:
        kind, name = RelationType(relation["type"]), relation["entity"]
        if relation.get("disputed"):
            disputed.add((name, kind))
        else:
            relations.append(AnnotatedRelation(kind, name, (_stretch(relation["at"], paper),)))
    judged = frozenset(map(RelationType, record["judged"])) if "judged" in record else None
    annotation = Annotation(paper.title, entities, tuple(relations))
    return Marked(paper, annotation, frozenset(disputed), judged)


def _stretch(at: tuple[str, int, int], paper: Paper) -> str:
    field, start, end = at
    text = paper.title if field == "title" else paper.abstract
    if not 0 <= start < end <= len(text):
        raise ValueError(f"offsets {start}-{end} out of range in the {field} of {paper.title!r}")
    return text[start:end]


def _record(paper: Paper, annotation: Annotation) -> dict[str, Any]:
    return {
        "title": paper.title,
        "entities": [
            {"name": entity.name, "kind": entity.kind, "mentions": list(entity.mentions)}
            for entity in annotation.entities
        ],
        "relations": [
            {"type": relation.type, "entity": relation.entity, "at": place(evidence, paper)}
            for relation in annotation.relations
            for evidence in relation.evidence
        ],
    }
