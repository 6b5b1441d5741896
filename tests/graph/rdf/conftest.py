"""A store with at least one of everything that a graph can hold."""

from dataclasses import replace

import pytest

from described import described
from filled import append, put
from stemma.graph.sqlite import SqliteStore
from stemma.schema import Addition, Catalogue, Evidence, Extraction, RelationType
from stemma.schema.catalogue import extended
from stemma.schema.comparison import Bound, Comparison, Direction
from stemma.schema.decision import Confirm, Merge, Reject, Rename
from stemma.schema.paper import Author, Citation, Field, FullText, Reference, Section, Source

QUILL = "paper/quill-a-store"


OWN = Addition("own.ttl", b"""
    @prefix skos: <http://www.w3.org/2004/02/skos/core#> .
    @prefix my: <https://example.org/terms/> .
    my:adam a <https://w3id.org/stemma/ontology#Technique> ; skos:prefLabel "Adam" ;
        skos:closeMatch <https://example.org/other/adam> .
    my:pen a <https://w3id.org/stemma/ontology#Technique> ; skos:prefLabel "Feder"@de ;
        skos:inScheme my:pens ; skos:exactMatch <https://example.org/other/pen> .
""")  # fmt: skip
NIBS = "Our nibs follow [3]."
KEPT = Section(Field.METHOD, "2 Nibs", NIBS, (Citation(17, 18, Reference(None, "A Nib")),))


def compared(found: Extraction, **comparisons: Comparison) -> Extraction:
    """Add comparisons to relations, by their types."""
    relations = (replace(each, comparison=comparisons.get(each.type)) for each in found.relations)
    return replace(found, relations=tuple(relations))


def told(extraction: Extraction, number: int, evidence: Evidence) -> Extraction:
    """Add evidence to the relation with a number."""
    relations = list(extraction.relations)
    relations[number] = replace(relations[number], evidence=(*relations[number].evidence, evidence))
    return replace(extraction, relations=tuple(relations))


def papers() -> list[Extraction]:
    quill, ink, nib, blot, states = described("""
        Quill: a store (2021-04-15) | Quill is a store on Ink. It uses Adam on A100. Faster than Ink
            by 2x. It takes one to three bottles. Nib came first.
            | framework Quill: INTRODUCES 0.95 | technique Ink: BUILDS_ON 0.8
            | technique Ink: COMPARES_WITH 0.7 | technique Adam: USES 0.6
            | hardware A100: RUNS_ON [entity/nvidia-a100] | model Nib: MENTIONS 0.3
            | framework bottles: IMPROVES_ON 0.4
        Ink (2020) | Ink flows. Like Nib, it is evaluated on Paper. | technique Ink: INTRODUCES
            | dataset Paper: EVALUATED_ON | model Nib: COMPARES_WITH
        Nib and ZeRO-Infinity | Nib builds on ZeRO-Infinity, by 3 points.
            | model Nib: INTRODUCES | framework ZeRO-Infinity: BUILDS_ON
        Blot | Paper is a dataset of blots. It is drawn with Ink.
            | dataset Paper: INTRODUCES | technique Ink: USES
        States of ZeRO (2021) | We present adam, after ZeRO.
            | technique adam: INTRODUCES | technique ZeRO: BUILDS_ON
    """)
    quill = compared(
        quill,
        COMPARES_WITH=Comparison(direction=Direction.BETTER, metric="speed"),
        IMPROVES_ON=Comparison(
            low=1.0, high=3.0, unit="points", bound=Bound.UP_TO, condition="by hand"
        ),
    )
    quill = told(quill, 0, quill.relations[2].evidence[0])
    quill = told(quill, 3, Evidence(NIBS, Field.METHOD, 0, len(NIBS)))
    paper = replace(
        quill.paper,
        full_text=FullText((KEPT,), 4000, "abc"),
        author_count=3,
        organization="Example University",
        links=("https://example.org/quill.pdf",),
        authors=(
            Author("Ada Quill", "0000-0002-1825-0097", "Example University", "openalex:A7"),
            Author("Bo Nib"),
            Author("Ada Quill", affiliation="Elsewhere"),
        ),
        venue="Journal of Pens",
        doi="10.1000/quill",
        arxiv_id="2104.07857v2",
        references=(
            Reference(None, "A Pen"),
            Reference("arxiv:2101.00001"),
            Reference("doi:10.1000/nib", "A Nib"),
        ),
        sources=(*quill.paper.sources, Source("other.txt", "1" * 64, 7, "XXXX-05-06", 2021)),
    )
    by_quill = (Author("A. Quill", "0000-0002-1825-0097"),)
    citing = (Reference(None, "Nib and ZeRO-Infinity"),)
    ink = replace(ink, paper=replace(ink.paper, authors=by_quill, references=citing))
    return [
        replace(quill, paper=paper),
        compared(ink, COMPARES_WITH=Comparison(factor=2.0, bound=Bound.ABOUT)),
        compared(nib, BUILDS_ON=Comparison(difference=3.0, unit="points")),
        blot,
        states,
    ]


@pytest.fixture(scope="session")
def own_catalogue(catalogue) -> Catalogue:
    """The catalogue with a vocabulary that was added to it."""
    return extended(catalogue, [OWN])[0]


@pytest.fixture(scope="session")
def everything(tmp_path_factory, own_catalogue) -> SqliteStore:
    """A store that no test changes."""
    path = tmp_path_factory.mktemp("everything") / "stemma.db"
    store = SqliteStore(path, None, own_catalogue)
    for each in (
        Reject(QUILL, RelationType.MENTIONS, "Nib"),
        Confirm(QUILL, RelationType.RUNS_ON, "A100"),
        Merge(("entity/ink", "entity/bottles"), "what is in them"),
        Rename("Nowhere", "Nothing"),
    ):
        append(store.decisions, each)
    put(store, *papers())
    return store
