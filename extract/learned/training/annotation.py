"""Annotated papers: the marks of people laid over a document."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from stemma.extract.document import Findings
from stemma.extract.evaluation import Annotation
from stemma.extract.learned.document import Document, Span
from stemma.extract.learned.form import normal_form
from stemma.extract.learned.tagger import LABELS
from stemma.schema import Paper

_LONGEST = 12


@dataclass(slots=True)
class Annotated:
    """A paper with its annotation, and what the rules found in it.

    `names`: normal form -> index of the entity; `spans`: (span, index of the entity).
    """

    paper: Paper
    found: Findings
    document: Document
    record: Annotation
    names: dict[str, int]
    spans: list[tuple[Span, int]]

    @classmethod
    def read(cls, paper: Paper, found: Findings, record: Annotation) -> "Annotated":
        """Find every mention of `record` in the text, longest first, without overlaps."""
        document = Document.of(found)
        exact: dict[str, int] = {}
        names: dict[str, int] = {}
        for k, entity in enumerate(record.entities):
            for mention in [*entity.mentions, entity.name]:
                exact.setdefault(mention, k)
                if form := normal_form(mention):
                    names.setdefault(form, k)
        return cls(paper, found, document, record, names, list(_find(document, exact, names)))

    @property
    def kinds(self) -> list[str]:
        """Kind of each entity."""
        return [e.kind.value for e in self.record.entities]

    @property
    def marked(self) -> dict[str, str]:
        """Normal form of each name -> kind."""
        kinds = self.kinds
        return {form: kinds[k] for form, k in self.names.items()}

    def labels(self) -> list[list[str]]:
        """Return the tagger's label of each token, by sentence."""
        result = [["O"] * len(s.words) for s in self.document.sentences]
        kinds = self.kinds
        for (s, start, end), k in self.spans:
            result[s][start:end] = [f"B-{kinds[k]}"] + [f"I-{kinds[k]}"] * (end - start - 1)
        assert all(label in LABELS for row in result for label in row)
        return result

    def relations(self) -> list[dict[str, tuple[str, ...]]]:
        """Return for each entity its relations with their evidence."""
        index = {e.name: k for k, e in enumerate(self.record.entities)}
        found: list[dict[str, tuple[str, ...]]] = [{} for _ in self.record.entities]
        for relation in self.record.relations:
            held = found[index[relation.entity]]
            held[relation.type] = held.get(relation.type, ()) + relation.evidence
        return found


def _find(
    document: Document, exact: Mapping[str, int], names: Mapping[str, int]
) -> Iterable[tuple[Span, int]]:
    shorts = {mention.rstrip("s") for mention in exact}
    for s, sentence in enumerate(document.sentences):
        i, length = 0, len(sentence.words)
        while i < length:
            for end in range(min(length, i + _LONGEST), i, -1):
                span = (s, i, end)
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
