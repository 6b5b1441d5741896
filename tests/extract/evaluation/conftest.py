"""Annotations and extractions, written down briefly."""

from collections.abc import Callable, Mapping, Sequence

import pytest

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


@pytest.fixture(scope="session")
def annotated() -> Callable[..., Annotation]:
    def annotated(
        entities: Entities, relations: Relations = (), title: str = "A Paper"
    ) -> Annotation:
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

    return annotated


@pytest.fixture(scope="session")
def extracted() -> Callable[..., Extraction]:
    def extracted(
        entities: Entities,
        relations: Relations = (),
        title: str = "A Paper",
        abstract: str = "",
    ) -> Extraction:
        def mention(form: str) -> Mention:
            start = max(abstract.find(form), 0)
            return Mention(form, Field.ABSTRACT, start, start + len(form))

        def evidence(text: str) -> tuple[Evidence, ...]:
            return (Evidence(text, Field.ABSTRACT, 0, len(text)),) if text else ()

        return Extraction(
            Paper(paper_id(title), title, abstract),
            tuple(
                FoundEntity(
                    forms.split("|")[0],
                    EntityKind(kind),
                    None,
                    tuple(mention(form) for form in forms.split("|")),
                )
                for forms, kind in entities.items()
            ),
            tuple(
                FoundRelation(RelationType(relation), name, confidence, evidence(text), "a test")
                for relation, name, text, confidence in relations
            ),
        )

    return extracted
