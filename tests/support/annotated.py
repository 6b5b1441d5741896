"""Annotations and extractions, written down briefly."""

from collections.abc import Mapping, Sequence

from stemma.extract.evaluation import Annotation
from stemma.extract.evaluation.gold import AnnotatedEntity, AnnotatedRelation
from stemma.schema import (
    EntityKind,
    Evidence,
    Extraction,
    Field,
    FoundEntity,
    FoundRelation,
    Mention,
    Paper,
    RelationType,
)
from stemma.schema.name import paper_id

Entities = Mapping[str, str]
"""The kind of each name; other surface forms follow the name after bars: "GPU|GPUs"."""
Relations = Sequence[tuple[str, str, str, float]]
"""Type, name, evidence, confidence."""


def annotated(entities: Entities, relations: Relations = (), title: str = "A Paper") -> Annotation:
    """Return the annotation of a paper."""
    return Annotation(
        title,
        tuple(
            AnnotatedEntity(forms.split("|")[0], EntityKind(kind), tuple(forms.split("|")))
            for forms, kind in entities.items()
        ),
        tuple(
            AnnotatedRelation(RelationType(relation), name, (evidence,) if evidence else ())
            for relation, name, evidence, _ in relations
        ),
    )


def extracted(entities: Entities, relations: Relations = (), title: str = "A Paper") -> Extraction:
    """Return what is found in a paper."""
    found = []
    for forms, kind in entities.items():
        mentions = tuple(Mention(each, Field.ABSTRACT, 0, len(each)) for each in forms.split("|"))
        found.append(FoundEntity(mentions[0].text, EntityKind(kind), None, mentions))
    stated = []
    for relation, name, text, confidence in relations:
        evidence = (Evidence(text, Field.ABSTRACT, 0, len(text)),) if text else ()
        stated.append(FoundRelation(RelationType(relation), name, confidence, evidence, "a test"))
    return Extraction(Paper(paper_id(title), title), tuple(found), tuple(stated))
