"""Annotated papers: the marks of people laid over a document."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from spacy.tokens import Doc

from stemma.extract.document import sentences_of
from stemma.extract.encoder.document import KINDS, Document, Span
from stemma.extract.encoder.form import normal_form
from stemma.extract.encoder.network import RELATIONS, WIDEST
from stemma.extract.evaluation import Annotation
from stemma.schema import Paper, RelationType


@dataclass(slots=True)
class Annotated:
    """A paper with its annotation, and what the rules found in it.

    `names`: normal form -> number of the entity; `spans`: span -> number of the entity;
    `disputed`: relations, by number of the entity and of the relation, of which nothing is learnt;
    `judged`: the relations, by number, that were judged of each entity, None where all were, and
    the entities themselves.
    """

    paper: Paper
    sentences: list[str]
    document: Document
    record: Annotation
    names: dict[str, int]
    spans: dict[Span, int]
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
            frozenset((numbers[name], RELATIONS.index(relation)) for name, relation in disputed),
            None if judged is None else frozenset(map(RELATIONS.index, judged)),
        )

    @property
    def kinds(self) -> list[int]:
        """Kind of each entity, by its number in KINDS."""
        return [KINDS.index(each.kind) for each in self.record.entities]

    def relations(self) -> list[dict[int, list[int]]]:
        """Return for each entity its relations, by their number in RELATIONS, with the sentences
        that are evidence."""
        index = {each.name: k for k, each in enumerate(self.record.entities)}
        result: list[dict[int, list[int]]] = [{} for _ in self.record.entities]
        for relation in self.record.relations:
            stating = [
                number
                for number, text in enumerate(self.sentences)
                if any(each in text or text in each for each in relation.evidence)
            ]
            held = result[index[relation.entity]]
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
