"""Papers, written by hand, and a catalogue small enough to know by heart."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from described import describe, described
from stemma.graph import Store
from stemma.graph.sqlite import SqliteStore
from stemma.schema import (
    Catalogue,
    Entity,
    EntityKind,
    Extraction,
    Fact,
    RelationType,
)
from stemma.schema.general_wording import names_a_class

Describe = Callable[..., Extraction]


@pytest.fixture(scope="session", name="describe")
def _describe() -> Describe:
    return describe


def _concept(
    slug: str,
    name: str,
    kind: EntityKind,
    *aliases: str,
    broader: str = "",
    year: int | None = None,
) -> Entity:
    wider = (f"entity/{broader}",) if broader else ()
    general = names_a_class(name, aliases, kind)
    return Entity(f"entity/{slug}", name, kind, tuple(sorted(aliases)), wider, general, year)


@pytest.fixture(scope="session")
def catalogue() -> Catalogue:
    hardware, framework = EntityKind.HARDWARE, EntityKind.FRAMEWORK
    concepts = [
        _concept("gpu", "GPU", hardware, "graphics processing unit"),
        _concept("nvidia-a100", "NVIDIA A100", hardware, "A100", broader="gpu", year=2020),
        _concept("gaudi", "Gaudi", hardware),
        _concept("cuda", "CUDA", framework, "Compute Unified Device Architecture"),
        _concept("triton", "Triton", framework, "Triton language"),
        _concept("triton-inference-server", "Triton Inference Server", framework, "Triton"),
        _concept("zero", "ZeRO", EntityKind.TECHNIQUE, "Zero Redundancy Optimizer"),
        _concept("zero-infinity", "ZeRO-Infinity", framework, year=2021),
        _concept("adam", "Adam", EntityKind.TECHNIQUE, year=2014),
    ]
    facts = [
        Fact("entity/zero-infinity", RelationType.BUILDS_ON, "entity/zero"),
        Fact("entity/zero", RelationType.BUILDS_ON, "entity/adam"),
    ]
    return Catalogue({each.id: each for each in concepts}, facts, "small")


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


@pytest.fixture
def open_again(tmp_path: Path, catalogue: Catalogue) -> Iterator[Callable[..., Store]]:
    """Open the store of this test once more, perhaps with another catalogue."""
    opened = []

    def open_(other: Catalogue | None = None) -> Store:
        opened.append(SqliteStore(tmp_path / "stemma.db", None, other or catalogue))
        return opened[-1]

    yield open_
    for each in opened:
        each.close()


@pytest.fixture
def quolls(describe: Describe) -> list[Extraction]:
    """Enough papers that one more is few; the last one has names of others."""
    others = [
        describe(f"Quoll {number}", f"We present Quoll{number}, on CUDA.",
                 f"technique Quoll{number}: INTRODUCES", "framework CUDA: USES",
                 published=f"2021-{number + 1:02}")
        for number in range(12)
    ]  # fmt: skip
    last = describe("Numbat", "Numbat extends Quoll3. It runs on Gaudi.",
                    "technique Numbat: INTRODUCES", "technique Quoll3: BUILDS_ON",
                    "hardware Gaudi: RUNS_ON")  # fmt: skip
    return [*others, last]
