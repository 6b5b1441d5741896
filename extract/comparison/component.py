"""The component that adds to each COMPARES_WITH how the comparison turned out."""

from dataclasses import replace

from spacy.language import Language
from spacy.tokens import Doc

from stemma.extract.comparison.reading import compare
from stemma.extract.document import Findings, Verdict, findings
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
        if any(each.relation is RelationType.COMPARES_WITH for each in found.verdicts):
            places = _places(found)
            found.verdicts = [
                replace(verdict, comparison=_comparison(verdict, found, places))
                if verdict.relation is RelationType.COMPARES_WITH
                else verdict
                for verdict in found.verdicts
            ]
        return doc


Places = dict[int, list[tuple[int, int, int]]]
"""By sentence (its number), where it names an entity: start and end within it, and the number."""


def _places(found: Findings) -> Places:
    """Return where the sentences name entities."""
    places: Places = {}
    for entity, named in enumerate(found.entities):
        for start, end in named.spans:
            number = found.sentence_at(start)
            sentence = found.sentences[number]
            if end <= sentence.end:
                place = (start - sentence.start, end - sentence.start, entity)
                places.setdefault(number, []).append(place)
    return places


def _comparison(verdict: Verdict, found: Findings, places: Places) -> Comparison | None:
    for number in verdict.sentences:
        sentence = found.sentences[number]
        text = found.text[sentence.start : sentence.end]
        named = sorted(places.get(number, ()))
        for start, end, entity in named:
            if entity == verdict.entity:
                others = [each[:2] for each in named if each != (start, end, entity)]
                if said := compare(text, start, end, others):
                    return said
    return None
