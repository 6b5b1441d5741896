"""Pushing a graph to Neo4j: the graph as its users see it, changes, and what users add to it."""

import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import pushed
from described import describe, described
from filled import decide, drop, put
from latest import latest
from stemma.graph import Store, StoreError, UnknownNameError, open_store
from stemma.graph.neo4j import push as pushing
from stemma.graph.neo4j import reader
from stemma.graph.neo4j.push import Pushed
from stemma.graph.sqlite import SqliteStore
from stemma.schema import Extraction, Merge, Paper
from stemma.schema.paper import Author, Reference

NEO4J_MD = (Path(__file__).parents[3] / "docs" / "neo4j.md").read_text("utf-8")
Cypher = Callable[..., list[dict[str, Any]]]
Push = Callable[..., Pushed]
MINE = (
    ({"doi": "10.1000/QUILL"}, "paper/quill-a-store"),
    ({"arxiv": "2104.00001v3"}, "paper/quill-a-store"),
    ({"title": "Nib: two"}, "paper/nib-two"),
    ({"orcid": "0000-0002-1825-0097"}, "author/ada-lovelace"),
    ({"tool": "ZeRO"}, "entity/zero"),
)
"""Properties of a reading, and what it is joined with, in the order of the queries."""


@pytest.fixture
def papers() -> list[Extraction]:
    return described("""
        Quill: a Store (2021-04) | We present Quill. It runs on A100. Quill extends ZeRO.
            | framework Quill: INTRODUCES 0.95 | hardware A100: RUNS_ON
            | technique ZeRO: BUILDS_ON 0.8
        Nib: two | Nib extends Quill. Nib beats Ink. | model Nib: INTRODUCES
            | framework Quill: BUILDS_ON 0.5 | framework Ink: COMPARES_WITH
    """)


@pytest.fixture
def filled(store: SqliteStore, papers: list[Extraction]) -> SqliteStore:
    """The local store with the papers."""
    put(store, *papers)
    return store


@pytest.fixture
def push(store: SqliteStore, neo4j_url: str) -> Callable[..., Pushed]:
    """Push the local store to an empty database, or once more."""
    return partial(pushed.push, store, neo4j_url)


@pytest.fixture
def there(neo4j_url: str) -> Iterator[Store]:
    """The graph in Neo4j."""
    with open_store(neo4j_url) as opened:
        yield opened


@pytest.fixture
def same(store: Store, there: Store, answers: Callable[..., Any]) -> Callable[[], bool]:
    """Return whether Neo4j answers as the local store does."""

    def is_same() -> bool:
        with store.snapshot() as one, there.snapshot() as other:
            expected, found = answers(one), answers(other)
            differing = [about for about in expected if found[about] != expected[about]]
            for about in differing:
                sys.stdout.write(f"{about}:\n{expected[about]}\n{found[about]}\n")
            return not differing

    return is_same


class TestTheGraph:
    def test_is_modelled_as_its_users_would(self, filled, push: Push, cypher: Cypher) -> None:
        put(filled, describe("Untold", ""))
        push()
        (paper,) = cypher("MATCH (p:Paper {title: 'Quill: a Store'}) RETURN p {.*} AS own")
        assert paper["own"]["id"] == "paper/quill-a-store"
        assert paper["own"]["published"].to_native() == date(2021, 4, 1)
        assert (paper["own"]["published_edtf"], paper["own"]["year"]) == ("2021-04", 2021)
        said = "MATCH (:Paper)-[r:RUNS_ON]->(e:Entity:Hardware) RETURN r {.*} AS own, e.name"
        own = {
            **{"confidence": 0.9, "origin": "by-hand 1", "evidence_text": ["It runs on A100."]},
            **{"evidence_field": ["abstract"], "evidence_start": [18], "evidence_end": [34]},
        }
        assert cypher(said) == [{"own": own, "e.name": "NVIDIA A100"}]
        found = cypher("MATCH (:Entity {name: 'ZeRO'})<-[:DERIVES_FROM*1..3]-(y) RETURN y.name")
        assert sorted(row["y.name"] for row in found) == ["Nib", "Quill"]
        (edge,) = cypher("MATCH (:Entity {name: 'Nib'})-[d:DERIVES_FROM]->() RETURN d {.*} AS own")
        expected = {
            **{"paper": "paper/nib-two", "sentence": "Nib extends Quill."},
            **{"statement_sentence": ["Nib extends Quill."], "relations": ["BUILDS_ON"]},
            **{"confidence": 0.5, "builds_on": 0.5},
        }
        assert {name: edge["own"].get(name) for name in expected} == expected
        assert "improves_on" not in edge["own"]
        assert cypher("MATCH (e:Baseline) RETURN e.name") == [{"e.name": "Ink"}]
        for index, word, count in (
            ("Nodes('stemma_names'", "nib", 2),
            ("Relationships('stemma_evidence'", "beats", 1),
        ):
            query = f"CALL db.index.fulltext.query{index}, '{word}') YIELD score RETURN score"
            assert len(cypher(query)) == count
        broader = "MATCH (:Entity {name: 'NVIDIA A100'})-[:BROADER]->(e) RETURN e.name"
        assert cypher(broader) == [{"e.name": "GPU"}]
        beside = "MATCH (n) WHERE NOT n:Paper AND NOT n:Entity AND NOT n:Author RETURN labels(n)"
        assert cypher(beside) == [{"labels(n)": ["StemmaPush"]}] * 2, "the state, and the push"
        for found in ("(n)", "()-[n]->()"):
            for row in cypher(f"MATCH {found} RETURN properties(n) AS own"):
                assert all(name[0] != "_" for name in row["own"])
                assert all(own not in ("", []) for own in row["own"].values())

    def test_takes_any_text(self, store, push: Push, there, same, hostile, fill) -> None:
        fill(store)
        push()
        assert same()
        for each in hostile[-3:]:
            assert latest(there).resolve(each.paper.title) == each.paper.id
            for text in (each.paper.title, each.paper.venue):
                assert latest(there).matching(text) == latest(store).matching(text)


def test_each_join_of_the_page_finds_what_it_should_by_an_index(
    store, papers, push, cypher, neo4j_driver
):
    quill, nib = papers
    ada = (Author("Ada Lovelace", "0000-0002-1825-0097"),)
    known = replace(quill.paper, doi="10.1000/Quill", arxiv_id="2104.00001v2", authors=ada)
    put(store, replace(quill, paper=known), nib)
    push()
    (section,) = re.findall(r"^## Joining your own data$(.+?)^## ", NEO4J_MD, re.M | re.S)
    *joins, question = re.findall(r"^```cypher\n(.+?)\n```$", section, re.M | re.S)
    for query, (own, expected) in zip(joins, MINE, strict=True):
        cypher("CREATE (mine:Reading) SET mine = $own", own=own)
        plan = neo4j_driver[1].execute_query(f"PROFILE {query}").summary.profile
        assert "IndexSeek" in str(plan), query
        (found,) = cypher("MATCH (:Reading)-[:ABOUT|BY]->(n) RETURN n.id AS id")
        assert found["id"] == expected
        cypher("MATCH (mine:Reading) DETACH DELETE mine")
    cypher("CREATE (:Reading {title: 'Quill: a Store'})")
    cypher(joins[2])
    (unread,) = cypher(question)
    assert unread == {"unread": "Nib: two", "work": "Nib", "builds_on": "Quill"}


def test_a_reader_that_forgets_answers_in_full(filled, push, there, monkeypatch) -> None:
    monkeypatch.setattr(reader, "_MOST_REMEMBERED", 1)
    push()
    with there.snapshot() as opened:
        for id_ in ("entity/ink", "entity/zero", "paper/nib-two"):
            assert list(opened.works(["entity/quill", id_])) == ["entity/quill", id_]
            assert "entity/quill" in opened.published(["entity/quill", id_])
        assert opened.contributions(["paper/nib-two"]) == {"paper/nib-two": "entity/nib"}


class TestChanges:
    def test_are_all_that_is_written(self, filled, push: Push, cypher, same) -> None:
        assert push().everything
        cypher("MATCH (n) SET n.seen = true")
        put(filled, describe("New", "Nothing.", "framework Novelty: USES"))
        assert push() == Pushed(everything=False, nodes=2, relationships=1)
        assert push() == Pushed(everything=False)
        assert same()
        unseen = cypher("MATCH (n:Paper|Entity) WHERE n.seen IS NULL RETURN n.id AS id")
        assert sorted(row["id"] for row in unseen) == ["entity/novelty", "paper/new"]
        (query,) = re.findall(r"came with which push.+?```cypher\n(.+?)```", NEO4J_MD, re.S)
        first, *_ = rows = cypher(query)
        assert {row["name"] for row in rows if row["at"] == first["at"]} == {"New", "Novelty"}
        assert len({row["at"] for row in rows}) == 2

    def test_of_every_sort_lead_to_the_same_graph(self, filled, papers, push, same):
        push()
        ada = (Author("Ada Lovelace", "0000-0002-1825-0097"), Author("Bob"))
        quill, nib = papers
        cited = replace(quill.paper, doi="10.1000/quill", authors=ada)
        citing = replace(nib.paper, references=(Reference("doi:10.1000/quill", ""),), authors=ada)
        better = describe("Nib: two", "Nib is new.", "model Nib: INTRODUCES")
        for change in (
            lambda writer: (
                writer.put([replace(quill, paper=cited), replace(nib, paper=citing)], "hand"),
                writer.decide(Merge(("entity/ink", "entity/quill"))),
            ),
            lambda writer: (writer.undo(1), writer.put([better], "better hand")),
            lambda writer: (writer.drop([quill.paper.id]), writer.put([nib], "hand")),
            lambda writer: writer.drop([nib.paper.id]),
        ):
            with filled.writer() as writer:
                change(writer)
                writer.commit()
            assert not push().everything
            assert same()

    def test_of_another_store_are_compared_as_a_whole(
        self, filled, push: Push, neo4j_url, tmp_path, answers
    ) -> None:
        push()
        with open_store(str(tmp_path / "other.db")) as other, open_store(neo4j_url) as there:
            put(other, describe("Reed", "Reed runs on CUDA.", "framework CUDA: USES"))
            with other.snapshot() as reader:
                done = pushing.push(reader, there.connection)
                assert done.everything
                assert done.removed > 4
                with there.snapshot() as found:
                    assert answers(found) == answers(reader)

    def test_by_others_are_put_right_by_a_full_push(self, filled, push, there, cypher, same):
        push()
        cypher("MATCH (n:Entity {name: 'Nib'}) DETACH DELETE n")
        cypher("MATCH (n:Entity {name: 'Ink'}) SET n.name = 'Inc'")
        cypher("MATCH (:Paper)-[r:RUNS_ON]->() SET r.confidence = 0.1")
        assert [found.fault for found in there.check()] == [True] * 3
        assert not same()
        assert push(full=True).everything
        assert list(there.check()) == []
        assert same()


class TestWhatUsersAdded:
    @pytest.fixture
    def annotated(self, filled, push: Push, cypher: Cypher) -> Store:
        push()
        cypher(
            "MATCH (p:Paper {id: 'paper/nib-two'})-[r:BUILDS_ON]->(e:Entity {id: 'entity/quill'}) "
            "SET p:ToRead, p.rating = 5, r.checked = true, e:Favourite, e.colour = 'blue' "
            "CREATE (p)-[:BUILDS_ON {by: 'me'}]->(e), (e)-[:DERIVES_FROM {by: 'me'}]->(p), "
            "(:Person {name: 'Ada'})-[:LIKES]->(p)"
        )
        return filled

    def left(self, cypher: Cypher) -> None:
        (paper,) = cypher("MATCH (p:ToRead {rating: 5}) RETURN p.title AS title")
        assert paper == {"title": "Nib: two"}
        for pattern in (
            "(:Favourite {colour: 'blue', name: 'Quill'})",
            "(:ToRead)-[:BUILDS_ON {by: 'me'}]->(:Favourite)",
            "(:Favourite)-[:DERIVES_FROM {by: 'me'}]->()",
            "(:Person {name: 'Ada'})-[:LIKES]->(:ToRead)",
        ):
            assert len(cypher(f"MATCH {pattern} RETURN 1")) == 1

    def test_stays_with_every_push(self, annotated, push: Push, cypher, same) -> None:
        push(full=True)
        self.left(cypher)
        assert cypher("MATCH (:ToRead)-[r:BUILDS_ON {checked: true}]->(:Favourite) "
                      "RETURN r.confidence AS sure") == [{"sure": 0.5}]  # fmt: skip
        put(annotated, describe("Nib: two", "Nib is new.", "model Nib: INTRODUCES"))
        push()
        self.left(cypher)
        assert same()

    def test_stays_with_what_is_removed_and_is_theirs_again_when_it_comes_back(
        self, annotated, papers, push: Push, cypher, there, same
    ) -> None:
        drop(annotated, *(extraction.paper.id for extraction in papers))
        done = push()
        assert done.retired == {"paper/nib-two": None, "entity/quill": None}
        self.left(cypher)
        assert cypher("MATCH (n:Paper|Entity) RETURN n") == []
        (retired,) = cypher("MATCH (n:Retired:ToRead) RETURN n {.*} AS own")
        assert retired["own"] == {"id": "paper/nib-two", "title": "Nib: two", "rating": 5}
        put(annotated, *papers)
        push()
        self.left(cypher)
        assert cypher("MATCH (n:Retired) RETURN n") == []
        assert list(there.check()) == []
        assert same()

    def test_leads_to_what_took_the_place_of_a_merged_entity(self, annotated, push, cypher, same):
        decide(annotated, Merge(("entity/nib", "entity/quill")))
        successor = (
            "MATCH (n:Favourite:Retired)-[:MERGED_INTO]->(e:Entity) "
            "RETURN n.merged_into AS id, e.name AS name"
        )
        assert push().retired == {"entity/quill": "entity/nib"}
        assert cypher(successor) == [{"id": "entity/nib", "name": "Nib"}]
        self.left(cypher)
        decide(annotated, Merge(("entity/ink", "entity/nib")))
        assert push().retired == {}, "nobody added anything to the entity in between"
        assert cypher(successor) == [{"id": "entity/ink", "name": "Ink"}]
        with annotated.writer() as writer:
            writer.undo(2)
            writer.undo(1)
            writer.commit()
        push()
        assert cypher("MATCH ()-[m:MERGED_INTO]->() RETURN m") == []
        assert same()

    def test_elsewhere_in_the_database_is_left_alone(self, filled, push, cypher, there, same):
        cypher("CREATE (:Customer {id: 'entity/quill'})-[:USES]->(:Product {name: 'Quill'})")
        push()
        assert len(cypher("MATCH (:Customer)-[r:USES]->(:Product) RETURN r")) == 1
        mine = ["paper/mine", "entity/mine--model", "author/mine"]
        cypher(
            "CREATE (:Author {id: $ids[2]}), (:Entity {id: $ids[1]}), (:Paper {title: 'Ours'}), "
            "(:Paper {id: $ids[0], title: 'Mine', identifiers: ['doi:10.1000/1']})",
            ids=mine,
        )
        with there.snapshot() as reader:
            for name in ("Ours", *mine[:2], "entity/mine", "10.1000/1"):
                with pytest.raises(UnknownNameError):
                    reader.resolve(name)
            assert reader.people(mine) == reader.works(mine) == {}
        names = ("model Mine: USES", "model Δ-Nib: USES", "model α-Nib: USES")
        put(filled, describe("Mine", "Nothing.", *names))
        push()
        assert list(there.check()) == [], "its ids are the graph's now"
        assert same()

    def test_under_the_same_labels_needs_a_prefix(self, filled, push, cypher, there):
        cypher("CREATE (:Paper {id: 'paper/nib-two', title: 'Mine'})")
        with pytest.raises(StoreError, match="--label-prefix"):
            push()
        push(prefix="Stemma")
        assert there.statistics() == filled.statistics(), "the prefix is found there"
        push(prefix="Other")
        assert list(there.check()) == [], "of two graphs, each is compared with its own push"
        assert len(cypher("MATCH (:StemmaPaper)-[:USES|RUNS_ON]->(:StemmaHardware) RETURN 1")) == 1
        assert cypher("MATCH (p:Paper) RETURN p.title AS title") == [{"title": "Mine"}]
        with pytest.raises(StoreError, match="cannot begin labels"):
            push(prefix="x y")


class TestBadDays:
    @pytest.fixture(autouse=True)
    def in_small_steps(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(pushing, "_BATCH", 1)

    @pytest.mark.parametrize("before", [[], ["paper/quill-a-store"]], ids=["first", "later"])
    def test_a_push_that_is_stopped_anywhere_goes_on(
        self, filled, push: Push, there, same, before
    ) -> None:
        if before:
            push()
            with filled.writer() as writer:
                writer.drop(before)
                writer.put([describe("Reed", "Reed.", "model Reed: INTRODUCES")], "hand")
                writer.commit()
        stops, left = 0, list[int]()

        def stopping(done: int, total: int) -> None:
            left.append(total - done)
            if len(left) > 2 * stops:  # Each goes on for longer than the last.
                raise StoreError("stopped")

        while True:
            left.clear()
            try:
                push(tick=stopping)
                break
            except StoreError:
                stops += 1
            if before:
                assert [found.fault for found in there.check()] == [False]
            elif stops == 1:
                with pytest.raises(StoreError, match="first push was not finished"):
                    there.statistics()
        assert stops > 1
        assert left == [*reversed(range(len(left)))], "it tells how far it is until all is done"
        assert same()

    def test_one_of_changes_does_not_go_on_where_one_of_everything_stopped(
        self, filled, push: Push, same
    ) -> None:
        push()
        reed = describe("Reed", "Reed.", "model Reed: INTRODUCES")
        put(filled, replace(reed, paper=replace(reed.paper, authors=(Author("Ada Lovelace"),))))

        def stopping(done: int, total: int) -> None:
            if done == filled.statistics().entities:
                raise StoreError("stopped")

        with pytest.raises(StoreError, match="stopped"):
            push(full=True, tick=stopping)
        push()
        assert same(), "with the author, who comes before papers where changes alone are written"

    def test_one_that_was_overtaken_stops(self, filled, push: Push, same) -> None:
        others = [push]
        with pytest.raises(StoreError, match="Another push"):
            push(tick=lambda *_: others and others.pop()())
        assert same()


def test_nothing_is_built_or_decided_there(filled, push: Push, there: Store, tmp_path) -> None:
    push()
    refused = "is a copy for queries.*stemma push"
    for change in (there.writer, lambda: there.decisions, lambda: there.already_read("")):
        with pytest.raises(StoreError, match=refused):
            change()
    with pytest.raises(StoreError, match="neo4j-admin database dump"):
        there.back_up(tmp_path / "copy")


def test_a_graph_of_another_format_is_pushed_again(filled, push, there, cypher):
    push()
    cypher("MATCH (g:StemmaPush) SET g.format = 3")
    with pytest.raises(StoreError, match="has the graph format 3; this version of Stemma reads"):
        there.statistics()
    assert push().everything
    assert isinstance(latest(there).works(["paper/nib-two"])["paper/nib-two"], Paper)
