"""Linking what a change concerns comes to what linking all papers would, and a store keeps it."""

import sqlite3
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from examples import scaled
from filled import drop, put
from latest import exported
from stemma.graph.linking import link, relinking, sense
from stemma.graph.linking.contradiction import Claim, Verdict
from stemma.graph.linking.linked_entity import Links
from stemma.graph.linking.naming import Name, NameUse, PaperNames, uses_in
from stemma.graph.linking.relinking import Relinking, keys_of
from stemma.graph.linking.sense import dated
from stemma.graph.sqlite import SqliteStore, writer
from stemma.schema import (
    Catalogue,
    Decision,
    Entity,
    EntityKind,
    Extraction,
    Fact,
    Field,
    FoundEntity,
    FoundRelation,
    Mention,
    Paper,
    RelationType,
)
from stemma.schema.decision import ChangeKind, Confirm, Merge, Reject, Rename, Split
from stemma.schema.name import match_key

# Few names and long forms, so that they meet often. Each may be the title of a paper.
_FORMS = [
    "SGR", "Sparse Gate Routing", "Soft Graph Rewiring", "sgrs", "SGR+", "A100", "NVIDIA A100",
    "CUDA", "Curves Under Drifting Axes", "Wombat", "Wombat-2", "Intel Wombat", "AMD Wombat",
    "Triton", "Triton Server", "Quoll", "Numbat", "A Title of Wombats", "NVIDIA Quoll",
    "Another Long Title", "日本 Wombat",
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
        )
    },
    (
        Fact("entity/triton", RelationType.BUILDS_ON, "entity/cuda"),
        Fact("entity/triton-server", RelationType.IMPROVES_ON, "entity/triton"),
        Fact("entity/numbat", RelationType.BUILDS_ON, "entity/quoll"),
    ),
    "small",
)  # fmt: skip
_CONCEPTS = [*[None] * 30, *CATALOGUE.concepts]
Claims = dict[Claim, str | None]
TELLING = 2
"""Papers that tell what a concept is about: fewer than the names of these graphs have."""


@pytest.fixture(autouse=True)
def few_telling_papers(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (relinking, sense):
        monkeypatch.setattr(module, "TELLING_PAPERS", TELLING)


class Graph:
    """A graph in memory that is changed bit by bit."""

    def __init__(self) -> None:
        self._papers: dict[str, PaperNames] = {}
        self.claims: dict[str, Claims] = {}
        self.words: dict[str, frozenset[str]] = {}
        self.ids: dict[str, dict[str, str]] = {}
        self.entities: dict[str, Entity] = {}
        self.of_catalogue: Sequence[Fact] = []
        self.taken_away: Mapping[str, str] = {}
        self.unapplied: Mapping[int, str] = {}
        self.decisions: Sequence[Decision] = ()
        self.verdicts: dict[str, Mapping[Claim, Verdict]] = {}

    def uses(self, keys: Collection[str]) -> list[NameUse]:
        wanted = set(keys)
        return [each for each in self._uses() if not wanted.isdisjoint(keys_of(each, CATALOGUE))]

    def meaning(self, entities: Collection[str]) -> list[NameUse]:
        return [each for each in self._uses() if each.meant in entities]

    def _uses(self) -> Iterable[NameUse]:
        for use in uses_in(self._papers.values()):
            meaning = defaultdict(list)
            for paper in use.papers:
                meaning[self.ids[paper[1]][use.name.name]].append(paper)
            for id_, some in meaning.items():
                yield NameUse(use.name, some, meant=id_)

    def papers(self, ids: Collection[str]):
        return {each: (self._papers[each], self.ids[each]) for each in ids if each in self.ids}

    def rivals(self, slugs: Collection[str]) -> Collection[str]:
        return [each for each in self.entities if each.partition("--")[0] in slugs]

    def concepts(self) -> Mapping[str, bool]:
        used = {id_ for ids in self.ids.values() for id_ in ids.values()}
        return {id_: id_ in used for id_ in self.entities.keys() & CATALOGUE.concepts.keys()}

    def facts(self) -> Collection[Fact]:
        return self.of_catalogue

    def former(self) -> Mapping[str, str]:
        return self.taken_away

    def called(self, key: str) -> Collection[str]:
        return [
            id_
            for id_, each in self.entities.items()
            if key in map(match_key, (each.name, *each.aliases))
        ]

    def change(
        self,
        gone: Collection[str],
        new: Collection[PaperNames],
        decisions: Sequence[Decision] | None = None,
    ) -> None:
        """Take papers out, put others in, and link what that and other decisions concern."""
        claims, words = self.claims.__getitem__, self.words.__getitem__
        before, self.decisions = self.decisions, self.decisions if decisions is None else decisions
        decided = self.decisions, before
        found = Relinking(self, gone, new, CATALOGUE, words, claims, *decided).links()
        for id_ in gone:
            del self._papers[id_], self.ids[id_]
            self.verdicts.pop(id_, None)
        self._papers |= {each.paper: dated(each, CATALOGUE) for each in new}
        self.ids |= {id_: dict(ids) for id_, ids in found.ids.items()}
        self.entities = {
            id_: each for id_, each in self.entities.items() if id_ not in found.gone
        } | dict(found.entities)
        self.of_catalogue = found.facts
        self.taken_away, self.unapplied = found.former, found.unapplied
        self.verdicts |= found.verdicts

    def links(self) -> Links:
        """Link all papers from nothing, in whichever order they come."""
        claims, words = self.claims.__getitem__, self.words.__getitem__
        papers = [*self._papers.values()]
        found = link(papers, CATALOGUE, words, self.decisions, claims)
        assert link(papers[::-1], CATALOGUE, words, self.decisions, claims) == found
        return found


@st.composite
def papers(draw: st.DrawFn) -> tuple[PaperNames, Claims, frozenset[str]]:
    """A paper, what it claims, and its words."""
    number = draw(st.integers(0, 9))
    id_ = f"paper/{number}"
    if number < len(_TITLES):
        id_ = f"paper/{_TITLES[number].lower().replace(' ', '-')}"
    spelt = draw(st.lists(st.sampled_from(_FORMS), min_size=1, max_size=4, unique=True))
    names = tuple(
        Name(
            name,
            draw(st.sampled_from(list(EntityKind))),
            draw(st.sampled_from(_CONCEPTS)),
            tuple(sorted({name, *draw(st.sets(st.sampled_from(_FORMS), max_size=2))})),
            draw(st.booleans()),
            draw(st.booleans()),
        )
        for name in sorted(spelt)
    )
    own = [None, *(each.name for each in names if each.introduced)]
    claims: Claims = {
        (RelationType.INTRODUCES, each.name): None for each in names if each.introduced
    }
    for each in names:
        if draw(st.booleans()):
            claims[draw(st.sampled_from(_RELATIONS)), each.name] = draw(st.sampled_from(own))
    date = (draw(st.integers(2017, 2022)), 13, 32)
    return PaperNames(id_, date, names), claims, draw(st.frozensets(st.sampled_from(_WORDS)))


# What there may be, by name or id, and what there is not.
_REFERENCES = [
    *_FORMS, *CATALOGUE.concepts, "entity/wombat", "entity/sgr", "entity/quoll-two",
    "entity/sparse-gate-routing", "entity/wombat--5", "entity/sgr--4", "entity/quoll--7",
]  # fmt: skip


def decisions_on(graph: Graph) -> st.SearchStrategy[list[Decision]]:
    """Decisions on what is in a graph, most of them."""
    names = {each.name for each in graph.entities.values()}
    there = [*sorted(graph.entities), *sorted(names), *graph.taken_away]
    references = st.sampled_from(there) if there else st.sampled_from(_REFERENCES)
    references |= st.sampled_from(_REFERENCES)
    papers = st.sampled_from([*graph.ids, "paper/3", *_TITLES])
    stated = [(paper, relation, name) for paper, each in graph.claims.items()
              for relation, name in each]  # fmt: skip
    statements = st.tuples(papers | references, st.sampled_from(_RELATIONS), references)
    if stated:
        statements |= st.sampled_from(stated)
    kinds = st.sampled_from(EntityKind)
    return st.lists(
        st.one_of(
            st.lists(references, min_size=2, max_size=3, unique=True).map(
                lambda each: Merge(tuple(each))
            ),
            st.builds(
                Split,
                references,
                st.lists(papers, min_size=1, max_size=3).map(tuple),
                st.sampled_from([None, "Quoll Two", "Wombat", "CUDA"]),
            ),
            st.builds(Rename, references, st.sampled_from(["Quoll Two", "Numbat", "Emu"])),
            st.builds(ChangeKind, references, kinds),
            statements.map(lambda each: Reject(*each)),
            statements.map(lambda each: Confirm(*each)),
        ),
        max_size=4,
    )


some_papers = st.lists(papers(), max_size=7, unique_by=lambda each: each[0].paper)
leaving = st.sets(st.integers(0, 9), max_size=2)
changes = st.lists(
    st.tuples(some_papers.map(lambda each: each[:3]), leaving), min_size=1, max_size=5
)


def check(graph: Graph, new: Iterable, gone: Collection[int], decided=None) -> None:
    """Change a graph, and see that it is what linking all its papers makes."""
    held = sorted(graph.ids)
    leaving = {held[each] for each in gone if each < len(held)}
    leaving -= {each.paper for each, _, _ in new}
    leaving |= {each.paper for each, _, _ in new} & graph.ids.keys()
    for each, claims, words in new:
        graph.claims[each.paper], graph.words[each.paper] = claims, words
    graph.change(leaving, [each for each, _, _ in new], decided)
    expected = graph.links()
    assert {each for ids in graph.ids.values() for each in ids.values()} <= graph.entities.keys()
    assert not any(each.name in each.aliases for each in graph.entities.values())
    assert graph.ids == {each: dict(ids) for each, ids in expected.ids.items()}
    assert graph.entities == dict(expected.entities)
    assert graph.of_catalogue == expected.facts
    assert graph.taken_away == expected.former
    assert graph.unapplied == expected.unapplied
    found = {paper: each for paper, each in graph.verdicts.items() if each}
    assert found == {paper: each for paper, each in expected.verdicts.items() if each}


@given(first=some_papers, changes=changes)
def test_whatever_came_and_went_before(first, changes) -> None:
    graph = Graph()
    for new, gone in [(first, ()), *changes]:
        check(graph, new, gone)


@st.composite
def papers_like_each_other(draw: st.DrawFn) -> list[list[tuple[PaperNames, Claims, frozenset]]]:
    """Builds of papers that use a few names, most of them in the same ways."""
    named = [each for paper, _, _ in draw(st.lists(papers(), min_size=2, max_size=3))
             for each in paper.names]  # fmt: skip
    builds = []
    number = 0
    for _ in range(draw(st.integers(1, 4))):
        builds.append([])
        for _ in range(draw(st.integers(1, 5))):
            number += 1
            some = draw(st.lists(st.sampled_from(named), min_size=1, max_size=3))
            names = {
                each.name: replace(
                    each,
                    introduced=each.introduced and draw(st.integers(0, 3)) == 0,
                    titled=draw(st.booleans()),
                )
                for each in some
            }
            date = (draw(st.integers(2017, 2022)), 13, 32)
            words = draw(st.frozensets(st.sampled_from(_WORDS)))
            id_ = draw(st.sampled_from([f"paper/{number}", f"paper/0{number}"]))
            builds[-1].append((PaperNames(id_, date, tuple(names.values())), {}, words))
    return builds


@given(builds=papers_like_each_other(), gone=st.sets(st.integers(0, 9), max_size=2))
def test_whatever_many_papers_call_the_same(builds, gone) -> None:
    graph = Graph()
    for new in builds:
        check(graph, new, ())
    check(graph, (), gone)
    check(graph, builds[0][:1], ())


@given(first=some_papers, changes=changes, data=st.data())
def test_whatever_people_decide_and_take_back(first, changes, data) -> None:
    graph = Graph()
    check(graph, first, ())
    for new, gone in [((), ()), *changes]:
        decided = graph.decisions
        if data.draw(st.booleans()):
            kept = [each for each in decided if data.draw(st.booleans())]
            decided = [*kept, *data.draw(decisions_on(graph))]
        check(graph, new, gone, decided)


def framework(name: str, concept: str | None = None, introduced: bool = False) -> Name:
    return Name(name, EntityKind.FRAMEWORK, concept, (name,), introduced, False)


def link_names(graph: Graph, paper: str, *names: Name, **claims: Claims) -> None:
    graph.claims[paper], graph.words[paper] = claims.get("claims", {}), frozenset()
    graph.change((), [PaperNames(paper, (2020, 13, 32), names)])
    assert graph.ids == graph.links().ids


def test_an_entity_between_two_others_changes_what_papers_on_those_can_say() -> None:
    graph = Graph()
    claim = (RelationType.BUILDS_ON, "Triton Server")
    cuda = framework("CUDA", "entity/cuda", introduced=True)
    server = framework("Triton Server", "entity/triton-server")
    link_names(graph, "paper/1", cuda, server, claims={claim: "CUDA"})
    assert not graph.verdicts["paper/1"]
    link_names(graph, "paper/2", framework("Triton", "entity/triton"))
    assert graph.verdicts["paper/1"] == graph.links().verdicts["paper/1"] == {claim: False}


def test_a_vendor_that_only_a_known_name_has_makes_a_class_of_a_product() -> None:
    graph = Graph()

    link_names(graph, "paper/1", framework("Intel Wombat"))
    link_names(graph, "paper/2", framework("Wombat"))
    assert graph.ids["paper/1"]["Intel Wombat"] == graph.ids["paper/2"]["Wombat"]
    link_names(graph, "paper/3", framework("AMD Wombat", "entity/cuda"))
    assert graph.ids["paper/1"]["Intel Wombat"] != graph.ids["paper/2"]["Wombat"]


def test_a_decision_on_a_paper_leaves_what_it_means_by_a_known_name() -> None:
    graph = Graph()
    own = Name("Wombat", EntityKind.DATASET, None, ("Triton Server", "Wombat"), True, False)
    use = Name("Triton Server", EntityKind.DATASET, None, ("Triton Server",), False, False)
    words = frozenset(_WORDS)
    check(graph, [(PaperNames("paper/1", (2020, 13, 32), (own,)), {}, words)], ())
    check(graph, [(PaperNames("paper/2", (2020, 13, 32), (use,)), {}, words)], ())
    assert graph.ids["paper/2"] == {"Triton Server": "entity/wombat"}
    check(graph, (), (), [Split("entity/numbat", ("paper/2",), "CUDA")])


def test_what_stands_for_a_broader_concept_alone_goes_with_that() -> None:
    graph = Graph()
    board = Name("Board", EntityKind.HARDWARE, None, ("Board",), True, False)
    device = Name("A100", EntityKind.HARDWARE, None, ("A100",), False, False)
    first = [
        (PaperNames(f"paper/{number}", (2020, 13, 32), (name,)), {}, frozenset())
        for number, name in enumerate((device, board))
    ]
    check(graph, first, ())
    decided = [Split("Board", ("paper/1",), "Plank"), Merge(("Board", "entity/nvidia-gpu"))]
    check(graph, (), (), decided)
    assert "entity/board" in graph.entities
    check(graph, (), [0])
    assert "entity/board" not in graph.entities


@pytest.fixture
def held(store: SqliteStore, quolls) -> SqliteStore:
    """The store with all but the last of the papers."""
    put(store, *quolls[:-1])
    return store


@pytest.fixture
def other(tmp_path: Path, catalogue) -> SqliteStore:
    """A store to compare with, into which everything is put at once."""
    return SqliteStore(tmp_path / "other.db", catalogue=catalogue)


@pytest.fixture
def all_linked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many papers were linked whenever all of them were."""
    calls, whole = list[int](), writer.link
    monkeypatch.setattr(
        writer, "link", lambda names, *rest: calls.append(len(names)) or whole(names, *rest)
    )
    return calls


def test_one_more_paper_is_linked_with_few(held, other, quolls, all_linked) -> None:
    before = exported(held)
    put(held, quolls[-1])
    assert not list(held.check())
    added = exported(held)
    drop(held, quolls[-1].paper.id)
    assert exported(held) == before
    assert not all_linked
    put(other, *quolls)
    assert added == exported(other)


def test_a_store_without_the_names_gets_them(held, other, quolls, all_linked) -> None:
    with sqlite3.connect(held.url) as db:
        db.execute("DELETE FROM name_use")
        db.execute("UPDATE meta SET value = '0.0' WHERE key = 'linked_by'")
    put(held, quolls[-1])
    assert all_linked == [13]
    added = exported(held)
    put(held, quolls[0], quolls[-1])
    drop(held, quolls[-1].paper.id)
    assert all_linked == [13]
    put(other, *quolls)
    assert added == exported(other)


def of_cuda(number: int, form: str, certain: bool, introduced: bool) -> Extraction:
    """A paper that calls CUDA by this form."""
    name, concept = ("CUDA", "entity/cuda") if certain else (form, None)
    mention = Mention(form, Field.TITLE, 0, len(form))
    entity = FoundEntity(name, EntityKind.FRAMEWORK, concept, (mention,))
    relations = (FoundRelation(RelationType.INTRODUCES, name, 0.5, (), "hand"),) * introduced
    return Extraction(Paper(f"paper/{number}", f"{form} of {number}"), (entity,), relations)


forms = st.sampled_from(["CUDA", "Cuda", "CUDA 11", "Compute Unified"])
one_of_cuda = st.builds(of_cuda, st.integers(0, 9), forms, st.booleans(), st.booleans())
some_of_cuda = st.lists(one_of_cuda, max_size=5, unique_by=lambda each: each.paper.id)


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
            )
        ]


@settings(max_examples=scaled(20), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(st.tuples(some_of_cuda, st.sets(st.integers(0, 9), max_size=4)), max_size=5))
def test_what_is_kept_is_the_same_whatever_was_done_before(
    steps, catalogue, tmp_path_factory, monkeypatch
) -> None:
    for module in (relinking, sense):
        monkeypatch.setattr(module, "TELLING_PAPERS", 2)
    monkeypatch.setattr(writer, "MOST_CHANGED", 1000)
    folder = tmp_path_factory.mktemp("stores")
    held: dict[str, Extraction] = {}
    for papers, left in [([of_cuda(10, "CUDA", True, False)], ()), *steps]:
        gone = {f"paper/{number}" for number in left} - {each.paper.id for each in papers}
        held = {id_: each for id_, each in held.items() if id_ not in gone}
        held |= {each.paper.id: each for each in papers}
        with SqliteStore(folder / "steps.db", catalogue=catalogue) as store, store.writer() as one:
            one.put(papers, "hand")
            one.drop(gone)
            one.commit()
    whole = SqliteStore(folder / "whole.db", catalogue=catalogue)
    put(whole, *held.values())
    assert kept(folder / "steps.db") == kept(folder / "whole.db")
    assert exported(SqliteStore(folder / "steps.db", catalogue=catalogue)) == exported(whole)
