"""However papers and decisions came and went, a store is what one build of those left makes."""

import sqlite3
from collections.abc import Collection, Iterable
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from described import described
from filled import append, drop, put
from latest import exported
from stemma.graph.linking import naming, sense
from stemma.graph.sqlite import SqliteStore, writer
from stemma.schema import (
    Catalogue,
    Entity,
    EntityKind,
    Evidence,
    Extraction,
    Fact,
    FoundEntity,
    FoundRelation,
    Mention,
    RelationType,
)
from stemma.schema.decision import ChangeKind, Confirm, Decision, Merge, Reject, Rename, Split
from stemma.schema.name import paper_id
from stemma.schema.paper import Author, Field, Paper, Reference, Source

# Few names and long forms, so that they meet often. Each may be the title of a paper.
_FORMS = [
    "SGR", "Sparse Gate Routing", "Soft Graph Rewiring", "sgrs", "SGR+", "A100", "NVIDIA A100",
    "CUDA", "Curves Under Drifting Axes", "Wombat", "Wombat-2", "Intel Wombat", "AMD Wombat",
    "Triton", "Triton Server", "Quoll", "Numbat", "A Title of Wombats", "NVIDIA Quoll",
    "Another Long Title", "日本 Wombat", "Routing Sparse Gates",
]  # fmt: skip
_TITLES = ["A Title of Wombats", "Another Long Title", "Nothing but Words"]
_WORDS = ["ring", "chunk", "dropout", "kernel", "server", "poison", "image", "tensor", "queue"]
_RELATIONS = [RelationType.BUILDS_ON, RelationType.IMPROVES_ON, RelationType.USES]
CATALOGUE = Catalogue(
    {
        each.id: each
        for each in (
            Entity("entity/gpu", "GPU", EntityKind.HARDWARE),
            Entity("entity/nvidia-gpu", "NVIDIA GPU", EntityKind.HARDWARE, (), ("entity/gpu",)),
            Entity("entity/nvidia-a100", "NVIDIA A100", EntityKind.HARDWARE, ("A100",),
                   ("entity/nvidia-gpu",)),
            Entity("entity/cuda", "CUDA", EntityKind.FRAMEWORK, year=2020),
            Entity("entity/triton", "Triton", EntityKind.FRAMEWORK, year=2021),
            Entity("entity/triton-server", "Triton Server", EntityKind.FRAMEWORK, ("Triton",),
                   year=2020),
            Entity("entity/quoll", "Quoll", EntityKind.TECHNIQUE, year=2021),
            Entity("entity/numbat", "Numbat", EntityKind.TECHNIQUE, ("SGR",), year=2019),
            Entity("entity/intel-gaudi", "Intel Gaudi", EntityKind.HARDWARE, ("Dingo",)),
            Entity("entity/bilby", "Bilby", EntityKind.FRAMEWORK),
            Entity("entity/potoroo", "Potoroo", EntityKind.FRAMEWORK),
            Entity("entity/wombat-dataset", "Wombat dataset", EntityKind.DATASET, year=2020),
        )
    },
    (
        Fact("entity/triton", RelationType.BUILDS_ON, "entity/cuda"),
        Fact("entity/triton-server", RelationType.IMPROVES_ON, "entity/triton"),
        Fact("entity/numbat", RelationType.BUILDS_ON, "entity/quoll"),
        Fact("entity/bilby", RelationType.IMPROVES_ON, "entity/triton-server"),
        Fact("entity/potoroo", RelationType.BUILDS_ON, "entity/bilby"),
    ),
    "small",
)  # fmt: skip


@pytest.fixture(autouse=True)
def changes_are_linked_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many papers change; and fewer papers tell what a concept is about than name it, and
    fewer words what a paper is about."""
    monkeypatch.setattr(writer, "MOST_CHANGED", 1000)
    monkeypatch.setattr(naming, "_AN_ABSTRACT", 2)
    monkeypatch.setattr(sense, "TELLING_PAPERS", 2)


class Names(NamedTuple):
    """How a paper names an entity."""

    name: str
    kind: EntityKind
    concept: str | None
    others: Collection[str]
    introduced: bool
    titled: bool

    @property
    def forms(self) -> list[str]:
        return sorted({self.name, *self.others})


names = st.builds(
    Names,
    st.sampled_from(_FORMS),
    st.sampled_from(EntityKind),
    st.sampled_from([*[None] * 30, *CATALOGUE.concepts]),
    st.sets(st.sampled_from(_FORMS), max_size=2),
    st.booleans(),
    st.booleans(),
)
concepts = st.builds(
    lambda each, *how: Names(each.name, each.kind, each.id, (), *how),
    st.sampled_from([*CATALOGUE.concepts.values()]),
    st.booleans(),
    st.booleans(),
)
people = st.sampled_from([
    *(Author(name, orcid) for name in ("Ada Quill", "A. Quill", "Bo Nib")
      for orcid in (None, "0000-0002-1825-0097", "0000-0001-5109-3700")),
    Author("Bo Nib", id="s2:1"), Author("Cy Ink", id="s2:1"), Author("Cy Ink"),
])  # fmt: skip
references = st.builds(
    Reference, st.sampled_from([None, "doi:10.1000/0", "doi:10.1000/1"]), st.sampled_from(_TITLES)
)


@st.composite
def papers(draw: st.DrawFn, names: st.SearchStrategy[Names] = names) -> Extraction:
    """A paper with what it names, claims, and cites, and its authors."""
    number = draw(st.integers(0, 9))
    named = draw(st.lists(names, max_size=4, unique_by=lambda each: each.name))
    words = draw(st.sets(st.sampled_from(_WORDS), min_size=1))
    if number < len(_TITLES):
        title = _TITLES[number]
    else:
        title = ", ".join([f"Paper {number}", *(each.name for each in named if each.titled)])
    paper = Paper(
        paper_id(title) if number < len(_TITLES) else f"paper/{number}",
        title,
        ", ".join([*sorted(words), *(form for each in named for form in each.forms)]),
        sources=(Source("a", "0", 1, str(draw(st.integers(2017, 2022)))),),
        authors=tuple(draw(st.lists(people, max_size=2))),
        references=tuple(draw(st.lists(references, max_size=1))),
        doi=draw(st.sampled_from([None, None, "10.1000/0", "10.1000/1"])),
    )
    entities, relations = [], []
    for each in named:
        mentions = [
            Mention(form, field, start, start + len(form))
            for form in each.forms
            for field, text in ((Field.TITLE, title), (Field.ABSTRACT, paper.abstract))
            if (start := text.find(form)) >= 0
        ]
        entities.append(FoundEntity(each.name, each.kind, each.concept, tuple(mentions)))
        types = [RelationType.INTRODUCES] * each.introduced
        types += draw(st.lists(st.sampled_from(_RELATIONS), max_size=1))
        # Whose lineage it is depends on what a sentence names.
        evidence = (Evidence(title, Field.TITLE, 0, len(title)),) * draw(st.booleans())
        relations += [FoundRelation(type_, each.name, 0.5, evidence, "hand") for type_ in types]
    return Extraction(paper, tuple(entities), tuple(relations))


def decisions_on(held: Collection[Extraction]) -> st.SearchStrategy[list[Decision]]:
    """Decisions, on what papers state and on what there may be, by name or id, and may not."""
    slugs = "wombat sgr quoll-two sparse-gate-routing wombat--paper-5 sgr--paper-4 sgr--dataset"
    there = [*_FORMS, *CATALOGUE.concepts, *(f"entity/{slug}" for slug in slugs.split())]
    ids = [extraction.paper.id for extraction in held]
    stated = [(id_, relation.type, relation.entity) for id_, found in zip(ids, held, strict=True)
              for relation in found.relations]  # fmt: skip
    references, papers = st.sampled_from(there), st.sampled_from([*ids, "paper/3", *_TITLES])
    statements = st.tuples(papers | references, st.sampled_from(_RELATIONS), references)
    statements |= st.sampled_from(stated) if stated else st.nothing()
    some_papers = st.lists(papers, min_size=1, max_size=3).map(tuple)
    merged = st.lists(references, min_size=2, max_size=3, unique=True).map(tuple)
    name = st.sampled_from(["Quoll Two", "Wombat", "CUDA"])
    return st.lists(
        st.one_of(
            merged.map(Merge),
            st.builds(Split, references, some_papers, st.none() | name),
            st.builds(Rename, references, name),
            st.builds(ChangeKind, references, st.sampled_from(EntityKind)),
            statements.map(lambda each: Reject(*each)),
            statements.map(lambda each: Confirm(*each)),
        ),
        max_size=4,
    )


def kept(path: Path) -> list[list[tuple]]:
    """What is kept for linking, by the ids of papers: their numbers hang on their order."""
    with closing(sqlite3.connect(path)) as db:
        return [
            db.execute(query).fetchall()
            for query in (
                "SELECT * FROM way_of_use ORDER BY code",
                "SELECT * FROM filed ORDER BY key, way",
                "SELECT way, p.id, e.id FROM name_use JOIN work p ON p.no = paper "
                "JOIN work e ON e.no = entity ORDER BY 1, 2",
                "SELECT * FROM meta WHERE key IN ('former', 'referred', 'unapplied', 'verdicts')",
            )
        ]


class Growing:
    """A store that is changed step by step."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.held: dict[str, Extraction] = {}
        self.decisions: list[Decision] = []

    def change(
        self,
        new: Iterable[Extraction],
        gone: Collection[int],
        decisions: Iterable[Decision] | None = None,
    ) -> None:
        """Take papers (by their places) out, put others in, and perhaps decide otherwise.

        What follows from all papers then has to be what `check` derives from them anew.
        """
        added = {each.paper.id: each for each in new}
        leaving = {sorted(self.held)[place] for place in gone if place < len(self.held)} - {*added}
        self.held = {id_: each for id_, each in self.held.items() if id_ not in leaving} | added
        self.decisions = self.decisions if decisions is None else [*decisions]
        store = self._store("grown")
        with store.writer() as writer:
            writer.drop(leaving)
            writer.put(added.values(), "hand")
            writer.commit()
        assert not [finding for finding in store.check() if finding.fault]

    def _store(self, name: str) -> SqliteStore:
        store = SqliteStore(self._folder / f"{name}.db", catalogue=CATALOGUE)
        store.decisions.path.unlink(missing_ok=True)
        for decision in self.decisions:
            append(store.decisions, decision)
        return store

    def compare(self) -> None:
        """See that a store which gets all at once, the last paper first, is the same."""
        grown, whole = self._store("grown"), self._store("whole")
        put(whole, *reversed(self.held.values()))
        assert kept(Path(grown.url)) == kept(Path(whole.url))
        assert exported(grown) == exported(whole)


def several(named: st.SearchStrategy[Names]) -> st.SearchStrategy[list[Extraction]]:
    """Some papers with such names."""
    return st.lists(papers(named), min_size=1, max_size=5, unique_by=lambda each: each.paper.id)


def changes(of_papers: st.SearchStrategy[list[Extraction]]):
    """Papers that come, each time with the places of those that go."""
    leaving = st.sets(st.integers(0, 9), max_size=2)
    return st.lists(st.tuples(of_papers, leaving), min_size=2, max_size=4)


alike = st.lists(names, min_size=1, max_size=4).flatmap(lambda few: several(st.sampled_from(few)))
# Only papers on the lineages of the catalogue can contradict it, or each other about it.
steps = changes(several(names) | alike) | changes(several(concepts))
of_fixtures = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


@of_fixtures
@given(steps=steps)
def test_whatever_came_and_went_before(steps, tmp_path_factory) -> None:
    store = Growing(tmp_path_factory.mktemp("growing"))
    for new, gone in steps:
        store.change(new, gone)
    store.compare()


@of_fixtures
@given(steps=steps, data=st.data())
def test_whatever_people_decide_and_take_back(steps, data, tmp_path_factory) -> None:
    store = Growing(tmp_path_factory.mktemp("growing"))
    for new, gone in steps:
        left = [decision for decision in store.decisions if data.draw(st.booleans())]
        decided = data.draw(decisions_on([*store.held.values(), *new]))
        store.change(new, gone, [*left, *decided])
    store.compare()


CUDA_ON_SERVER = """
    A | CUDA extends Triton Server. | framework CUDA: INTRODUCES [entity/cuda]
      | framework Triton Server: BUILDS_ON [entity/triton-server]
"""
TWO_CUDAS = """
    A | CUDA or Wombat. | framework CUDA = Wombat: USES [entity/cuda]
    B | CUDA. | framework CUDA: USES [entity/cuda]
"""
TWO_QUOLLS = """
    C | Quoll or Plank. | technique Quoll = Plank: USES [entity/quoll]
    D | Quoll. | technique Quoll: USES [entity/quoll]
"""
WORDS = " ".join(_WORDS)
GROWN: dict[str, list[tuple[str, list[int], list[Decision] | None]]] = {
    "an entity between two others changes what papers on those can say": [
        (CUDA_ON_SERVER, [], None),
        ("B | Triton. | framework Triton: USES [entity/triton]", [], None),
    ],
    "a vendor that only a known name has makes a class of a product": [
        ("A | Intel Wombat. | framework Intel Wombat: USES", [], None),
        ("B | Wombat. | framework Wombat: USES", [], None),
        ("C | AMD Wombat. | framework AMD Wombat: USES [entity/cuda]", [], None),
    ],
    "a decision on a paper leaves what it means by a known name": [
        (f"A | Wombat or Triton Server, {WORDS}. | dataset Wombat = Triton Server: INTRODUCES",
         [], None),
        (f"B | Triton Server, {WORDS}. | dataset Triton Server: USES", [], None),
        ("", [], [Split("entity/numbat", ("paper/b",), "CUDA")]),
    ],
    "so it does for those who say it of what comes long after": [
        ("""
            A | CUDA extends Potoroo. | framework CUDA: INTRODUCES | framework Potoroo: BUILDS_ON
            B | Triton Server, Bilby. | framework Triton Server: USES | framework Bilby: USES
         """, [], None),
        ("C | Triton. | framework Triton: USES [entity/triton]", [], None),
    ],
    "what a paper introduces by a known name is meant by others that fit it better": [
        (f"A | A100, {WORDS}. | dataset A100: USES", [], None),
        (f"B | A100, {WORDS}. | dataset A100: INTRODUCES", [], None),
    ],
    "a name that is split off a concept comes back to it": [
        (TWO_CUDAS, [], None),
        ("", [], [Split("entity/cuda", ("paper/a",), "Plank")]),
        ("", [], []),
    ],
    "a decision on a form was about a concept that has no longer that form": [
        (TWO_CUDAS, [], None),
        ("", [], [Rename("Wombat", "Numpad"), Split("Wombat", ("paper/a",), "Plank")]),
        ("", [0], None),
    ],
    "concepts were merged by forms that neither has any longer": [
        (TWO_CUDAS.rstrip() + TWO_QUOLLS, [], None),
        ("", [], [Merge(("Wombat", "Plank")), Split("Wombat", ("paper/a", "paper/c"), "Board")]),
        ("", [], []),
    ],
    "what was merged no longer competes for an id": [
        ("A | Wombat. | model Wombat: USES\nB | 日本 Wombat. | model 日本 Wombat: USES", [], None),
        ("", [], [Merge(("entity/cuda", "Wombat"))]),
        ("", [0], None),
    ],
    "what stands for a broader concept alone goes with that": [
        ("A | A100. | hardware A100: USES\nB | Board. | hardware Board: INTRODUCES", [], None),
        ("", [], [Split("Board", ("paper/b",), "Plank"), Merge(("Board", "entity/nvidia-gpu"))]),
        ("", [0], None),
    ],
}  # fmt: skip


@pytest.mark.parametrize("steps", GROWN.values(), ids=GROWN)
def test_what_hangs_on_what_far_away(steps, tmp_path) -> None:
    store = Growing(tmp_path)
    for table, gone, decisions in steps:
        store.change(described(table) if table else (), gone, decisions)
    store.compare()


QUOLLS = described("\n".join(
    f"Quoll {n} | Quoll{n} is on CUDA. | technique Quoll{n}: INTRODUCES | framework CUDA: USES"
    for n in range(12)
))  # fmt: skip
"""Enough papers that one more is few."""
(NUMBAT,) = described("""
    Numbat | Numbat extends Quoll3, on Gaudi. | technique Numbat: INTRODUCES
        | technique Quoll3: BUILDS_ON | hardware Gaudi: RUNS_ON
""")


@pytest.fixture
def all_linked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many papers were linked whenever all of them were."""
    monkeypatch.undo()
    calls, whole = list[int](), writer.link
    monkeypatch.setattr(
        writer, "link", lambda names, *rest: calls.append(len(names)) or whole(names, *rest)
    )
    return calls


def test_one_more_paper_is_linked_with_few(store, all_linked) -> None:
    put(store, *QUOLLS)
    before = exported(store)
    put(store, NUMBAT)
    assert not list(store.check())
    drop(store, NUMBAT.paper.id)
    assert exported(store) == before
    assert all_linked == [12]


def test_a_store_without_the_names_gets_them(store, all_linked) -> None:
    put(store, *QUOLLS)
    with sqlite3.connect(store.url) as db:
        db.execute("DELETE FROM name_use")
        db.execute("UPDATE meta SET value = '0.0' WHERE key = 'linked_by'")
    put(store, NUMBAT)
    assert all_linked == [12, 13]
    put(store, QUOLLS[0], NUMBAT)
    drop(store, NUMBAT.paper.id)
    assert all_linked == [12, 13]
    assert not list(store.check())
