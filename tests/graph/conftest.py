"""Papers, written by hand, and a catalogue small enough to know by heart."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from stemma.graph import Store, open_store
from stemma.graph.sqlite import SqliteStore
from stemma.schema import (
    Catalogue,
    Entity,
    EntityKind,
    Evidence,
    Extraction,
    Fact,
    Field,
    FoundEntity,
    FoundRelation,
    Mention,
    Paper,
    RelationType,
    Source,
)
from stemma.schema.general_wording import names_a_class
from stemma.schema.identifier import paper_id

Describe = Callable[..., Extraction]


def _sentences(paper: Paper) -> Iterator[Evidence]:
    yield Evidence(paper.title, Field.TITLE, 0, len(paper.title))
    for found in re.finditer(r"\S[^.]*\.(?=\s|$)", paper.abstract):
        yield Evidence(found[0], Field.ABSTRACT, *found.span())


def _mentions(paper: Paper, form: str) -> Iterator[Mention]:
    for field in Field:
        for found in re.finditer(rf"(?<!\w){re.escape(form)}(?!\w)", paper.text(field)):
            yield Mention(found[0], field, *found.span())


@pytest.fixture(scope="session")
def describe() -> Describe:
    """Make an extraction of a title, an abstract, and lines such as

    ``framework ZeRO-Offload = Zero Offload: BUILDS_ON 0.8``: a kind, a name with other forms, and
    a relation with a confidence. Its evidence is the first sentence of the abstract that names the
    entity (for a second relation to it, the second), else the title. ``[entity/x]`` at the end
    names a certain concept.
    """

    def _describe(
        title: str,
        abstract: str = "",
        *lines: str,
        published: str | None = None,
        file: str = "listing.txt",
        position: int = 1,
    ) -> Extraction:
        source = Source(file, "0" * 64, position, published)
        paper = Paper(paper_id(title), title, abstract, sources=(source,))
        entities, relations = [], []
        for line in lines:
            parts = re.fullmatch(r"(\w+) (.+?): (\w+)(?: ([\d.]+))?(?: \[(.+)\])?", line)
            assert parts, line
            kind, forms, relation, confidence, concept = parts.groups()
            name, *others = forms.split(" = ")
            mentions = [each for form in (name, *others) for each in _mentions(paper, form)]
            found = FoundEntity(name, EntityKind(kind), concept, tuple(mentions))
            if all(each.name != name for each in entities):
                entities.append(found)
            places = {(each.field, each.start) for each in mentions}
            evidence = [
                each
                for each in _sentences(paper)
                if any(
                    field is each.field and each.start <= start < each.end
                    for field, start in places
                )
            ]
            told = sum(each.entity == name for each in relations)
            evidence.sort(key=lambda each: each.field is Field.TITLE)
            relations.append(
                FoundRelation(
                    RelationType(relation),
                    name,
                    float(confidence or 0.9),
                    tuple(evidence[told : told + 1] or evidence[-1:]),
                    "by-hand 1",
                )
            )
        return Extraction(paper, tuple(entities), tuple(relations))

    return _describe


def _concept(slug: str, name: str, kind: EntityKind, *aliases: str, broader: str = "") -> Entity:
    wider = (f"entity/{broader}",) if broader else ()
    general = names_a_class(name, aliases, kind)
    return Entity(f"entity/{slug}", name, kind, tuple(sorted(aliases)), wider, general)


@pytest.fixture(scope="session")
def catalogue() -> Catalogue:
    hardware, framework = EntityKind.HARDWARE, EntityKind.FRAMEWORK
    concepts = [
        _concept("gpu", "GPU", hardware, "graphics processing unit"),
        _concept("nvidia-a100", "NVIDIA A100", hardware, "A100", broader="gpu"),
        _concept("gaudi", "Gaudi", hardware),
        _concept("cuda", "CUDA", framework, "Compute Unified Device Architecture"),
        _concept("triton", "Triton", framework, "Triton language"),
        _concept("triton-inference-server", "Triton Inference Server", framework, "Triton"),
        _concept("zero", "ZeRO", EntityKind.TECHNIQUE, "Zero Redundancy Optimizer"),
        _concept("zero-infinity", "ZeRO-Infinity", framework),
        _concept("adam", "Adam", EntityKind.TECHNIQUE),
    ]
    facts = [
        Fact("entity/zero-infinity", RelationType.BUILDS_ON, "entity/zero"),
        Fact("entity/zero", RelationType.BUILDS_ON, "entity/adam"),
    ]
    return Catalogue({each.id: each for each in concepts}, facts, "small")


@pytest.fixture(scope="session")
def library_papers(describe: Describe) -> list[Extraction]:
    """Three papers that name each other's works."""
    return [
        describe(
            "Quill: a Store of Things",
            "We present Quill. It runs on A100. Unlike Ink, Quill is quick.",
            "framework Quill: INTRODUCES 0.95",
            "hardware A100: RUNS_ON 0.9",
            "technique Ink: IMPROVES_ON 0.7",
            "technique Ink: COMPARES_WITH 0.6",
            published="2021-04",
        ),
        describe(
            "Mélange of Inks",
            "Ink Blend extends Quill.",
            "model Ink Blend: INTRODUCES",
            "framework Quill: BUILDS_ON 0.8",
            published="2023",
        ),
        describe("A Study", "Of A100 alone.", "hardware A100: RUNS_ON 0.4"),
    ]


@pytest.fixture
def store(tmp_path: Path, catalogue: Catalogue) -> SqliteStore:
    """A new store of the default kind."""
    return SqliteStore(tmp_path / "stemma.db", catalogue=catalogue)


@pytest.fixture(params=["sqlite", "neo4j"])
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a new store may be made, of each kind."""
    if request.param == "neo4j":
        url: str = request.getfixturevalue("neo4j_url")
        return url
    return str(tmp_path / "stemma.db")


@pytest.fixture(scope="module", params=["sqlite", "neo4j"])
def store_of_module(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, catalogue: Catalogue
) -> Iterator[Store]:
    """A new store of each kind, for a module that fills it once and whose tests only read it."""
    if request.param == "neo4j":
        url = request.getfixturevalue("neo4j_url_of_module")
    else:
        url = str(tmp_path_factory.mktemp("store") / "stemma.db")
    with open_store(url, catalogue=catalogue) as opened:
        yield opened


@pytest.fixture
def open_again(store_url: str, catalogue: Catalogue) -> Iterator[Callable[..., Store]]:
    """Open the store of this test once more, perhaps with another catalogue."""
    opened = []

    def open_(other: Catalogue | None = None) -> Store:
        opened.append(open_store(store_url, catalogue=other or catalogue))
        return opened[-1]

    yield open_
    for each in opened:
        each.close()


@pytest.fixture
def any_store(open_again: Callable[..., Store]) -> Store:
    """A new store: a test that asks for it is run for every kind of store."""
    return open_again()


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
