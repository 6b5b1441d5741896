"""Papers, written by hand, and a catalogue small enough to know by heart."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from described import describe, described, rows
from filled import append
from stemma.graph import Store
from stemma.graph.sqlite import SqliteStore
from stemma.schema import (
    Catalogue,
    Entity,
    EntityKind,
    Extraction,
    Fact,
    Reject,
    RelationType,
    Rename,
)
from stemma.schema.general_wording import names_a_class
from stemma.schema.interchange import LONGEST_NAME
from stemma.schema.paper import Author, Reference

CONCEPTS = """
    gpu | GPU | hardware | graphics processing unit
    nvidia-a100 | NVIDIA A100 | hardware | A100 | gpu | 2020
    gaudi | Gaudi | hardware
    cuda | CUDA | framework | Compute Unified Device Architecture
    triton | Triton | framework | Triton language
    triton-inference-server | Triton Inference Server | framework | Triton
    zero | ZeRO | technique | Zero Redundancy Optimizer
    zero-infinity | ZeRO-Infinity | framework |  |  | 2021
    adam | Adam | technique |  |  | 2014
"""
"""The last part of an id, a name, a kind, another name, what is broader, and a year."""


def _concepts() -> Iterator[Entity]:
    for row in rows(CONCEPTS):
        slug, name, kind, alias, broader, year = [*row, "", "", ""][:6]
        aliases, wider = (alias,) * bool(alias), (f"entity/{broader}",) * bool(broader)
        general = names_a_class(name, aliases, EntityKind(kind))
        own = (f"entity/{slug}", name, EntityKind(kind), aliases, wider, general)
        yield Entity(*own, int(year) if year else None)


@pytest.fixture(scope="session")
def catalogue() -> Catalogue:
    facts = [
        Fact("entity/zero-infinity", RelationType.BUILDS_ON, "entity/zero"),
        Fact("entity/zero", RelationType.BUILDS_ON, "entity/adam"),
    ]
    return Catalogue({each.id: each for each in _concepts()}, facts, "small")


@pytest.fixture(scope="session")
def library_papers() -> list[Extraction]:
    """Three papers that name each other's works."""
    return described("""
        Quill: a Store of Things (2021-04)
            | We present Quill. It runs on A100. Unlike Ink, Quill is quick.
            | framework Quill: INTRODUCES 0.95 | hardware A100: RUNS_ON 0.9
            | technique Ink: IMPROVES_ON 0.7 | technique Ink: COMPARES_WITH 0.6
        Mélange of Inks (2023) | Ink Blend extends Quill. | model Ink Blend: INTRODUCES
            | framework Quill: BUILDS_ON 0.8
        A Study | Of A100 alone. | hardware A100: RUNS_ON 0.4
    """)


@pytest.fixture
def store(tmp_path: Path, catalogue: Catalogue) -> SqliteStore:
    """A new store of the default kind."""
    return SqliteStore(tmp_path / "stemma.db", catalogue=catalogue)


@pytest.fixture(scope="module")
def store_of_module(
    tmp_path_factory: pytest.TempPathFactory, catalogue: Catalogue
) -> Iterator[Store]:
    """A new store for a module that fills it once and whose tests only read it."""
    with SqliteStore(tmp_path_factory.mktemp("store") / "stemma.db", None, catalogue) as opened:
        yield opened


HOSTILE = [
    "\\u0022}) DETACH DELETE n //",
    '"; MATCH (n) DETACH DELETE n; //',
    "'] AS row MATCH (n) DETACH DELETE n RETURN ['",
    "ends with a backslash \\",
    "lines\nof\r\nseveral\n:exit\n",
    'a "quoted", comma; and\ttab',
    "control \x00\x01\x1f\x7f\x85\u2028 characters",
    "noncharacters \ufdd0\ufdef\ufeff",
    "δ 中 🦊",
    "`tick` $rows {a: 1} /* c */ // d",
    "ä" * LONGEST_NAME,
]
"""Texts that could be taken for something else."""


@pytest.fixture(scope="session")
def hostile() -> list[Extraction]:
    """Papers with every hostile text in every place of a text, and papers as they should be."""
    papers = described("""
        Quill: “a” Store (2021-04)
            | We present Quill. It extends ZeRO on A100. Unlike Ink, Quill is quick.
            | framework Quill: INTRODUCES 0.95 | technique ZeRO = Zero Redundancy: BUILDS_ON 0.25
            | hardware A100: RUNS_ON | technique Ink: COMPARES_WITH 0.6
        Nib (XXXX-05-06) | Nib extends ZeRO, as Quill does. Nib extends Quill.
            | framework Nib: INTRODUCES | technique ZeRO: BUILDS_ON | framework Quill: BUILDS_ON
            | framework ZeRO-Infinity: IMPROVES_ON 0.4
        Undated and Silent
    """)
    return papers + [_hostile(*each) for each in enumerate(HOSTILE)]


def _hostile(number: int, text: str) -> Extraction:
    found = describe(
        f"Number {number}: {text}",
        f"{text} is extended by Nib.",
        "framework Nib: BUILDS_ON 0.5",
        "dataset Bottle: EVALUATED_ON",
        file=f"{text}.txt",
    )
    paper = replace(
        found.paper,
        organization=text,
        links=(text, "https://example.org/"),
        venue=text,
        authors=(Author(text, None, text), Author("Ada", "0000-0002-1825-0097")),
        references=(Reference("doi:10.1000/x", "A Pen"),),
    )
    (nib, bottle), (builds, evaluated) = found.entities, found.relations
    entities, relations = (
        (nib, replace(bottle, name=text)),
        (builds, replace(evaluated, entity=text)),
    )
    return replace(found, paper=paper, entities=entities, relations=relations)


@pytest.fixture(scope="session")
def fill(hostile: list[Extraction]) -> Callable[[Store], None]:
    """Write the hostile library into a new store, with decisions and notes of what was read."""

    def fill(store: Store) -> None:
        nib = hostile[1].paper.id
        append(store.decisions, Reject(nib, RelationType.BUILDS_ON, "entity/quill", "no"))
        append(store.decisions, Rename("entity/ink", 'The "Ink"'))
        with store.writer() as writer:
            writer.put(hostile, "hand 1")
            writer.mark_read('a "file".txt', "0" * 64, "reading 1")
            writer.mark_read("another.txt", "1" * 64, "reading 1")
            writer.commit()

    return fill
