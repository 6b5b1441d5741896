"""The component that adds to each COMPARES_WITH how the comparison turned out."""

from collections.abc import Sequence
from dataclasses import replace

from spacy.tokens import Doc, Span

from stemma.extract.comparison.compare import compare
from stemma.extract.recognition import Relation, component, relations_of, set_relations
from stemma.schema import Comparison, RelationType


@component("stemma_comparisons", requires=["doc._.relations"], assigns=["doc._.relations"])
def comparison_reader(doc: Doc) -> Doc:
    """Add to each comparison what the strongest of its sentences that states a result says."""
    entities = doc.ents
    set_relations(
        doc,
        [
            replace(each, comparison=_comparison(each, entities))
            if each.type is RelationType.COMPARES_WITH
            else each
            for each in relations_of(doc)
        ],
    )
    return doc


def _comparison(relation: Relation, entities: Sequence[Span]) -> Comparison | None:
    for sentence in relation.evidence:
        offset = sentence.start_char
        named = [
            (each.start_char - offset, each.end_char - offset, each.id_ or each.text)
            for each in entities
            if sentence.start <= each.start < sentence.end
        ]
        for start, end, name in named:
            if name == relation.entity:
                others = [each[:2] for each in named if each != (start, end, name)]
                if comparison := compare(sentence.text, start, end, others):
                    return comparison
    return None
