"""Annotated papers: the marks of people laid over a document."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from spacy.tokens import Doc

from stemma.extract.document import sentences_of
from stemma.extract.encoder.document import KINDS, Document, Span
from stemma.extract.encoder.form import normal_form
from stemma.extract.encoder.grouping import Group
from stemma.extract.encoder.network import RELATIONS, WIDEST
from stemma.extract.evaluation import Annotation
from stemma.schema import Paper, RelationType


@dataclass(slots=True)
class Annotated:
    """A paper with its annotation, and what the rules found in it.

    `names`: normal form -> number of the entity; `spans`: span -> number of the entity;
    `kinds`: that of each entity, by its number in KINDS; `relations`: for each entity its
    relations, by number, with the sentences that are evidence;
    `disputed`: relations, by number of the entity and of the relation, which are not trained on;
    `judged`: the relations, by number, that were judged of each entity, None where all were, and
    the entities themselves.
    """

    paper: Paper
    sentences: list[str]
    document: Document
    record: Annotation
    names: dict[str, int]
    spans: dict[Span, int]
    kinds: list[int]
    relations: list[dict[int, list[int]]]
    disputed: frozenset[tuple[int, int]]
    judged: frozenset[int] | None = None

    @classmethod
    def read(
        cls,
        paper: Paper,
        doc: Doc,
        record: Annotation,
        disputed: Iterable[tuple[str, RelationType]] = (),
        judged: Iterable[RelationType] | None = None,
    ) -> "Annotated":
        """Find every mention of `record` in the text, longest first, without overlaps."""
        document = Document.of(doc)
        sentences = [document.text[each.start : each.end] for each in sentences_of(doc)]
        exact: dict[str, int] = {}
        names: dict[str, int] = {}
        for k, entity in enumerate(record.entities):
            for mention in [*entity.mentions, entity.name]:
                exact.setdefault(mention, k)
                if form := normal_form(mention):
                    names.setdefault(form, k)
        numbers = {each.name: k for k, each in enumerate(record.entities)}
        return cls(
            paper,
            sentences,
            document,
            record,
            names,
            dict(_find(document, exact, names)),
            [KINDS.index(each.kind) for each in record.entities],
            _relations(record, sentences),
            frozenset((numbers[name], RELATIONS.index(relation)) for name, relation in disputed),
            None if judged is None else frozenset(map(RELATIONS.index, judged)),
        )

    def settled(self, entity: int | None) -> list[int]:
        """Return the relations, by number, for which it is annotated whether an entity has them, or
        something that is not an entity."""
        if self.judged is None:
            known: Collection[int] = range(len(RELATIONS))
        else:
            known = self.judged if entity is not None else ()
        return [each for each in known if (entity, each) not in self.disputed]

    def matches(self, groups: Sequence[Group]) -> list[int | None]:
        """Return which annotated entity each group is."""
        return [self._match(each) for each in groups]

    def _match(self, group: Group) -> int | None:
        for span in group.spans:
            if span in self.spans:
                return self.spans[span]
        for span in group.spans:
            if len(form := self.document.form(span)) > 3 and form in self.names:
                return self.names[form]
        return None


def quotes(evidence: str, sentence: str) -> bool:
    """Return whether evidence is from a sentence, or the reverse, apart from line breaks."""
    own, other = (" ".join(each.split()) for each in (evidence, sentence))
    return own in other or other in own


def _relations(record: Annotation, sentences: Sequence[str]) -> list[dict[int, list[int]]]:
    numbers = {each.name: k for k, each in enumerate(record.entities)}
    result: list[dict[int, list[int]]] = [{} for _ in record.entities]
    for relation in record.relations:
        stating = [
            number
            for number, text in enumerate(sentences)
            if any(quotes(each, text) for each in relation.evidence)
        ]
        held = result[numbers[relation.entity]]
        held.setdefault(RELATIONS.index(relation.type), []).extend(stating)
    return result


def _find(
    document: Document, exact: Mapping[str, int], names: Mapping[str, int]
) -> Iterable[tuple[Span, int]]:
    shorts = {mention.rstrip("s") for mention in exact}
    i, count = 0, len(document.words)
    while i < count:
        for end in range(min(count, i + WIDEST), i, -1):
            if document.sentences[end - 1] != document.sentences[i]:
                continue
            span = (i, end)
            text = document.surface(span)
            k = exact.get(text)
            if k is None and text[0].isalnum() and (text[-1].isalnum() or text[-1] == "+"):
                form = document.form(span)
                if len(form) > 3 or text.rstrip("s") in shorts or text.isupper():
                    k = names.get(form)
            if k is not None:
                yield span, k
                i = end - 1
                break
        i += 1
