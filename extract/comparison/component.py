"""The component that adds to each COMPARES_WITH how the comparison turned out."""

from collections.abc import Iterable
from dataclasses import replace

from spacy.language import Language
from spacy.tokens import Doc

from stemma.extract.comparison.reading import compare
from stemma.extract.document import Findings, Sentence, Verdict, findings
from stemma.schema import Comparison, RelationType


@Language.factory("stemma_comparisons")
def comparison_reader(nlp: Language, name: str) -> "ComparisonReader":
    """Return the component."""
    return ComparisonReader()


class ComparisonReader:
    """Reads the sentences behind each comparison, the strongest first, until one tells."""

    def __call__(self, doc: Doc) -> Doc:
        """Add the comparisons to the verdicts."""
        found = findings(doc)
        found.verdicts = [
            replace(verdict, comparison=_comparison(verdict, found))
            if verdict.relation is RelationType.COMPARES_WITH
            else verdict
            for verdict in found.verdicts
        ]
        return doc


def _comparison(verdict: Verdict, found: Findings) -> Comparison | None:
    for number in verdict.sentences:
        sentence = found.sentences[number]
        text = found.text[sentence.start : sentence.end]
        own = list(_within(sentence, found.entities[verdict.entity].spans))
        others = [
            span
            for entity, named in enumerate(found.entities)
            if entity != verdict.entity
            for span in _within(sentence, named.spans)
        ]
        for start, end in own:
            again = [span for span in own if span != (start, end)]
            if said := compare(text, start, end, sorted([*others, *again])):
                return said
    return None


def _within(sentence: Sentence, spans: Iterable[tuple[int, int]]) -> Iterable[tuple[int, int]]:
    """Yield those `spans` that lie in `sentence`, with offsets into it."""
    for start, end in spans:
        if sentence.start <= start and end <= sentence.end:
            yield start - sentence.start, end - sentence.start
