"""A store with at least one of everything that a graph can hold."""

from dataclasses import replace

import pytest

from filled import append
from stemma.graph.sqlite import SqliteStore
from stemma.schema import (
    Bound,
    Citation,
    Comparison,
    Confirm,
    Direction,
    Evidence,
    Extraction,
    Field,
    FullText,
    Merge,
    Reject,
    RelationType,
    Section,
    Source,
)
from stemma.schema.paper import Author, Reference

QUILL = "paper/quill-a-store"


@pytest.fixture
def papers(describe) -> list[Extraction]:
    quill = describe(
        "Quill: a store", "Quill is a store on Ink. It uses Adam on A100. Faster than Ink by 2x. "
        "It takes one to three bottles. Nib came first.",
        "framework Quill: INTRODUCES 0.95", "technique Ink: BUILDS_ON 0.8",
        "technique Ink: COMPARES_WITH 0.7", "technique Adam: USES 0.6",
        "hardware A100: RUNS_ON [entity/nvidia-a100]",
        "model Nib: MENTIONS 0.3", "framework bottles: IMPROVES_ON 0.4",
        published="2021-04-15",
    )  # fmt: skip
    compared = {
        "COMPARES_WITH": Comparison(
            direction=Direction.BETTER, metric="speed"
        ),
        "IMPROVES_ON": Comparison(
            low=1.0, high=3.0, unit="points", bound=Bound.UP_TO, condition="by hand"
        ),
    }  # fmt: skip
    relations = tuple(replace(each, comparison=compared.get(each.type)) for each in quill.relations)
    second = relations[2].evidence
    relations = (
        replace(relations[0], evidence=(*relations[0].evidence, *second)),
        *relations[1:],
    )
    kept = Section(
        Field.METHOD,
        "2 Nibs",
        "Our nibs follow [3].",
        (Citation(17, 18, Reference(None, "A Nib")),),
    )
    own = Evidence(kept.text, Field.METHOD, 0, len(kept.text))
    relations = (
        *relations[:3],
        replace(relations[3], evidence=(*relations[3].evidence, own)),
        *relations[4:],
    )
    paper = replace(
        quill.paper,
        full_text=FullText((kept,), 4000, "abc"),
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
    ink = describe(
        "Ink", "Ink flows. Like Nib, it is evaluated on Paper.",
        "technique Ink: INTRODUCES", "dataset Paper: EVALUATED_ON", "model Nib: COMPARES_WITH",
        published="2020",
    )  # fmt: skip
    ink = replace(
        ink,
        paper=replace(
            ink.paper,
            authors=(Author("A. Quill", "0000-0002-1825-0097"),),
            references=(Reference(None, "Nib and ZeRO-Infinity"),),
        ),
    )
    ink_compared = {"COMPARES_WITH": Comparison(factor=2.0, bound=Bound.ABOUT)}
    ink = replace(
        ink,
        relations=tuple(
            replace(each, comparison=ink_compared.get(each.type)) for each in ink.relations
        ),
    )
    nib = describe("Nib and ZeRO-Infinity", "Nib builds on ZeRO-Infinity, by 3 points.",
                   "model Nib: INTRODUCES", "framework ZeRO-Infinity: BUILDS_ON")  # fmt: skip
    nib = replace(
        nib,
        relations=(
            nib.relations[0],
            replace(nib.relations[1], comparison=Comparison(difference=3.0, unit="points")),
        ),
    )
    blot = describe("Blot", "Paper is a dataset of blots. It is drawn with Ink.",
                    "dataset Paper: INTRODUCES", "technique Ink: USES")  # fmt: skip
    return [replace(quill, paper=paper, relations=relations), ink, nib, blot]


@pytest.fixture
def everything(store: SqliteStore, papers) -> SqliteStore:
    for each in (
        Reject(QUILL, RelationType.MENTIONS, "Nib"),
        Confirm(QUILL, RelationType.RUNS_ON, "A100"),
        Merge(("entity/ink", "entity/bottles"), "what is in them"),
    ):
        append(store.decisions, each)
    with store.writer() as writer:
        writer.put(papers, "hand")
        writer.commit()
    return store
