"""A writer looks only at what a change concerns, with the result of writing all at once."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from database_contents import Everything, contents
from filled import put
from stemma.graph import Store, batching_writer, open_store
from stemma.graph.linking import region, sense
from stemma.graph.linking.references import keys_of
from stemma.graph.neo4j import digests, writer
from stemma.schema import (
    EntityKind,
    Extraction,
    Field,
    FoundEntity,
    FoundRelation,
    Mention,
    Paper,
    RelationType,
)
from stemma.schema.decision import ChangeKind, Merge, Reject, Rename
from stemma.schema.paper import Author, Reference

DECISIONS = [
    Rename("Quoll3", "Quoll Three"),
    Merge(("CUDA", "Quoll5")),
    Reject("paper/quoll-4", RelationType.USES, "CUDA"),
    Merge(("Quoll7", "Numbat")),
]


@pytest.fixture
def papers(quolls: list[Extraction]) -> list[Extraction]:
    """The last of them has authors and a reference of others as well."""
    *others, last = quolls
    others[2] = _with(others[2], authors=(Author("Ada Quill"), Author("Bo Nib")))
    return [
        *others,
        _with(
            last,
            authors=(Author("ada quill", "0000-0002-1825-0097"), Author("Bo Nib")),
            references=(Reference(None, "Quoll 2"),),
        ),
    ]


def _with(extraction: Extraction, **own: object) -> Extraction:
    return replace(extraction, paper=replace(extraction.paper, **own))  # type: ignore[arg-type]


@pytest.fixture
def all_read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was done for which all papers are read."""
    done: list[str] = []

    def record(module: object, name: str) -> None:
        function = getattr(module, name)

        def recorded(*arguments: object, **named: object) -> object:
            done.append(name)
            return function(*arguments, **named)

        monkeypatch.setattr(module, name, recorded)

    for name in ("identifiers", "counted"):
        record(writer, name)
    return done


def works(all_: Everything) -> list[Any]:
    """All but the notes on the whole: of decisions, a text is left."""
    return [each for each in all_["nodes"] if each[0] != ["_StemmaNote"]]


def held(url: str) -> Everything:
    return contents(url, ties=True)


def at_once(url: str, catalogue, cypher, papers, decisions=()) -> Everything:
    """What a database holds in which all is written at once."""
    cypher("MATCH (n) DETACH DELETE n")
    with open_store(url, catalogue=catalogue) as store, store.writer() as opened:
        opened.put(papers, "hand")
        for each in decisions:
            opened.decide(each)
        opened.commit()
        assert not [each for each in store.check() if each.fault]
    return held(url)


def test_one_more_paper_and_its_removal(
    store: Store, neo4j_url, catalogue, papers, cypher, all_read
) -> None:
    put(store, *papers[:-1])
    before = held(neo4j_url)
    all_read.clear()
    with store.writer() as opened:
        assert opened.known_as(keys_of(papers[2].paper)[0]) == ["paper/quoll-2"]
        assert not opened.known_as(keys_of(papers[-1].paper)[0])
        opened.put(papers[-1:], "hand")
        opened.commit()
        assert not list(store.check())
    after = held(neo4j_url)
    with store.writer() as opened:
        opened.drop([papers[-1].paper.id])
        opened.commit()
        assert not list(store.check())
    assert not all_read
    assert held(neo4j_url) == before
    assert after == at_once(neo4j_url, catalogue, cypher, papers)


def test_with_decisions(store: Store, neo4j_url, catalogue, papers, cypher, all_read) -> None:
    put(store, *papers[:-1])
    before = held(neo4j_url)
    all_read.clear()
    with store.writer() as opened:
        for each in DECISIONS:
            opened.decide(each)
        opened.commit()
    assert set(store.unapplied()) == {4}
    put(store, papers[-1])
    assert not store.unapplied()
    after = held(neo4j_url)
    with store.writer() as opened:
        opened.drop([papers[-1].paper.id])
        for number in (4, 3, 2, 1):
            opened.undo(number)
        opened.commit()
    assert not all_read
    assert works(held(neo4j_url)) == works(before)
    assert after == at_once(neo4j_url, catalogue, cypher, papers, DECISIONS)


def test_a_graph_of_the_format_before_gets_its_ties_with_the_first_write(
    store: Store, neo4j_url, catalogue, papers, cypher, all_read
) -> None:
    put(store, *papers[:-2])
    cypher("MATCH (n:_StemmaTie) DETACH DELETE n")
    cypher("MATCH (g:_StemmaNote {name: 'graph'}) SET g.format = 4 "
           "REMOVE g.ties, g.decision_tables")  # fmt: skip
    assert store.statistics().papers == 11
    all_read.clear()
    put(store, papers[-2])
    assert all_read
    all_read.clear()
    put(store, papers[-1])
    assert not all_read
    assert held(neo4j_url) == at_once(neo4j_url, catalogue, cypher, papers)


def test_what_a_writer_left_half_done_is_made_anew(
    store: Store, neo4j_url, catalogue, papers, cypher, monkeypatch
) -> None:
    put(store, *papers[:-1])
    with store.writer() as opened, monkeypatch.context() as patched:
        patched.setattr(writer, "put_people", _fail)
        opened.put(papers[-1:], "hand")
        with pytest.raises(ZeroDivisionError):
            opened.commit()
    cypher("MATCH (t:_StemmaTie) WITH t LIMIT 3 DETACH DELETE t")
    put(store, papers[-1])
    assert held(neo4j_url) == at_once(neo4j_url, catalogue, cypher, papers)


def _fail(*_: object) -> None:
    raise ZeroDivisionError


def _paper(number: int, form: str, certain: bool, introduced: bool, record: dict) -> Extraction:
    """A paper that calls something by this form."""
    name = "CUDA" if certain else form
    entity = FoundEntity(
        name,
        EntityKind.FRAMEWORK,
        "entity/cuda" if certain else None,
        (Mention(form, Field.TITLE, 0, len(form)),),
    )
    relation = FoundRelation(RelationType.INTRODUCES, name, 0.5, (), "hand")
    paper = Paper(f"paper/{number}", f"{form} of {number}", **record)
    return Extraction(paper, (entity,), (relation,) if introduced else ())


_AUTHORS = st.builds(
    Author,
    st.sampled_from(["Ada Quill", "A. Quill", "ada quill", "Bo Nib"]),
    st.sampled_from([None, None, "0000-0002-1825-0097", "0000-0001-5109-3700"]),
    st.none(),
    st.sampled_from([None, None, "s2:1"]),
)
_REFERENCES = st.builds(
    Reference,
    st.sampled_from([None, "doi:10.1000/0", "doi:10.1000/1"]),
    st.sampled_from(["CUDA of 1", "Cuda of 2", "Wombat of 3"]),
)
_RECORDS = st.fixed_dictionaries(
    {
        "authors": st.lists(_AUTHORS, max_size=3).map(tuple),
        "references": st.lists(_REFERENCES, max_size=2).map(tuple),
        "doi": st.sampled_from([None, "10.1000/0", "10.1000/1"]),
    }
)
_PAPERS = st.lists(
    st.builds(
        _paper,
        st.integers(0, 9),
        st.sampled_from(["CUDA", "Cuda", "CUDA 11", "Compute Unified", "Wombat"]),
        st.booleans(),
        st.booleans(),
        _RECORDS,
    ),
    max_size=5,
    unique_by=lambda each: each.paper.id,
)
_DECIDED = [
    Rename("entity/cuda", "Cudgel"),
    Merge(("entity/wombat", "entity/cuda")),
    ChangeKind("entity/wombat", EntityKind.DATASET),
]
_STEPS = st.lists(
    st.tuples(
        _PAPERS,
        st.sets(st.integers(0, 9), max_size=4),
        st.lists(st.sampled_from(_DECIDED), max_size=1),
    ),
    min_size=1,
    max_size=4,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=_STEPS)
def test_whatever_came_and_went_before(steps, neo4j_url, catalogue, cypher, monkeypatch) -> None:
    for module in (region, sense):
        monkeypatch.setattr(module, "TELLING_PAPERS", 2)
    monkeypatch.setattr(batching_writer, "MOST_CHANGED", 1000)
    monkeypatch.setattr(digests, "MOST_SINGLY", 2)
    cypher("MATCH (n) DETACH DELETE n")
    present: dict[str, Extraction] = {}
    decisions = []
    first = [_paper(10, "CUDA", True, False, {})]
    for papers, left, decided in [(first, (), []), *steps]:
        gone = {f"paper/{number}" for number in left} - {each.paper.id for each in papers}
        present = {id_: each for id_, each in present.items() if id_ not in gone}
        present |= {each.paper.id: each for each in papers}
        with open_store(neo4j_url, catalogue=catalogue) as store, store.writer() as opened:
            opened.put(papers, "hand")
            opened.drop(gone)
            for each in decided:
                if each not in decisions:
                    decisions.append(each)
                    opened.decide(each)
            opened.commit()
            assert not [each for each in store.check() if each.fault]
    found = held(neo4j_url)
    assert found == at_once(neo4j_url, catalogue, cypher, present.values(), decisions)
