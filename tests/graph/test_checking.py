"""Checking: a store that is whole is said to be, and what is wrong is found wherever it is."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pyoxigraph as ox
import pytest

from latest import latest
from stemma.graph import LineageDirection, Store, StoreError
from stemma.graph.finding import Finding
from stemma.graph.sqlite import SqliteStore
from stemma.graph.sqlite.projection import seal
from stemma.schema import Merge, Reject, RelationType, Rename


def faults(store: Store) -> list[Finding]:
    return [each for each in store.check() if each.fault]


def fill(store: Store, describe, *more: str) -> None:
    """Write papers with names, comparisons, a decision of each kind of effect, and titles."""
    papers = [
        describe("Nibbler: small bites", "Nibbler builds on bite scheduling. Gnawer is slow.",
                 "framework Nibbler: INTRODUCES", "technique bite scheduling: BUILDS_ON 0.6",
                 "framework Gnawer = Gnawers: IMPROVES_ON 0.5", published="2022-03"),
        describe("Gnawer: big bites", "Gnawer uses ZeRO-Infinity on A100.",
                 "framework Gnawer: INTRODUCES", "framework ZeRO-Infinity: BUILDS_ON 0.7",
                 "hardware A100: RUNS_ON", published="2021"),
        *(describe(title, "Gnawer again.", "framework Gnawer: USES") for title in more),
    ]  # fmt: skip
    with store.writer() as writer:
        writer.put(papers, "hand")
        writer.commit()
        writer.decide(Rename("Gnawer", "GNAW"))
        writer.decide(Merge(("entity/nibbler", "entity/bite-scheduling")))
        writer.decide(Reject("paper/gnawer-big-bites", RelationType.RUNS_ON, "A100"))
        writer.commit()


def test_a_store_that_was_written_is_whole(any_store: Store, describe) -> None:
    fill(any_store, describe, "Three")
    assert list(any_store.check()) == []
    with any_store.writer() as writer:
        writer.drop(["paper/three"])
        writer.undo(2)
        writer.put([describe("Four", "Of Gnawer.", "framework Gnawer: EVALUATED_ON")], "hand")
        writer.commit()
    assert list(any_store.check()) == []


def test_what_only_papers_that_were_removed_named_leaves_nothing(
    any_store: Store, describe
) -> None:
    """Facts of the catalogue go with their entities, and are not taken for those of others."""
    fill(any_store, describe)
    named = ("framework ZeRO-Infinity: USES", "technique ZeRO: USES")
    with any_store.writer() as writer:
        writer.put([describe("Five", "Of ZeRO-Infinity and ZeRO.", *named)], "hand")
        writer.commit()
    assert latest(any_store).lineage_edges(["entity/zero-infinity"], LineageDirection.ANCESTORS)
    with any_store.writer() as writer:
        writer.drop(["paper/five", "paper/gnawer-big-bites"])
        writer.commit()
    assert faults(any_store) == []
    with any_store.writer() as writer:
        writer.put([describe("Four", "Of Chewer.", "framework Chewer: INTRODUCES")], "hand")
        writer.commit()
    assert faults(any_store) == []


def test_where_there_is_no_store_there_is_nothing_to_check(any_store: Store) -> None:
    with pytest.raises(StoreError, match="stemma build"):
        list(any_store.check())


def test_decisions_that_wait_or_do_not_apply_are_noted(any_store: Store, describe) -> None:
    fill(any_store, describe)
    any_store.decisions.append(Rename("Chewer", "CHEW"))
    (found,) = any_store.check()
    assert not found.fault
    assert "stemma build" in found.remedy
    with any_store.writer() as writer:
        writer.commit()
    (found,) = any_store.check()
    assert not found.fault
    assert found.what.startswith("Decision 4, rename Chewer")
    assert "undo 4" in found.remedy


@pytest.fixture
def generation(store: SqliteStore, describe) -> Path:
    fill(store, describe)
    return Path(store.url) / "generations" / "000002"


def test_a_paper_without_a_record_is_reported_as_damage(
    store: SqliteStore, generation: Path
) -> None:
    with closing(sqlite3.connect(generation / "index.db")) as index, index:
        index.execute("DELETE FROM record")
    with store.snapshot() as reader, pytest.raises(StoreError, match="no record of paper/"):
        reader.statements(["entity/gnawer"])


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ("UPDATE work SET name = 'Other' WHERE id = 'entity/gnawer'", "works"),
        ("UPDATE work SET papers = 7 WHERE id = 'entity/gnawer'", "works"),
        ("DELETE FROM spelling WHERE text = 'Nibbler'", "names of works"),
        ("INSERT INTO trigram (rowid, names) VALUES (1, 'quill')", "trigrams of names"),
        ("UPDATE statement SET confidence = 0.1 WHERE relation = 'BUILDS_ON'", "statements"),
        ("DELETE FROM derivation", "lineage edges"),
        ("UPDATE paper SET digest = x'00'", "papers"),
        ("UPDATE concept SET aliases = NULL", "concepts"),
    ],
)
def test_what_does_not_follow_from_the_records_of_papers_is_found(
    store: SqliteStore, generation: Path, change: str, what: str
) -> None:
    with closing(sqlite3.connect(generation / "index.db")) as index, index:
        index.execute(change)
    found, *also = faults(store)
    assert any(f"differ in {what}: " in each.what for each in (found, *also))
    assert "write 000001 into" in found.remedy, "the generation before is whole"


def test_the_store_of_a_version_that_had_no_years_of_entities_is_whole(
    store: SqliteStore, generation: Path
) -> None:
    with closing(sqlite3.connect(generation / "index.db")) as index, index:
        dated = "json_extract(details, '$[2]') IS NOT NULL"
        index.execute(f"UPDATE work SET published = NULL WHERE {dated}")
        index.execute("UPDATE work SET details = json_remove(details, '$[2]')")
        index.execute("UPDATE meta SET value = 'another' WHERE key = 'catalogue'")
    assert faults(store) == []


@pytest.mark.parametrize("column", ["record.extraction", "paper.names"])
def test_a_record_that_cannot_be_read_is_found(
    store: SqliteStore, generation: Path, column: str
) -> None:
    table, _, name = column.partition(".")
    with closing(sqlite3.connect(generation / "index.db")) as index, index:
        index.execute(f"UPDATE {table} SET {name} = substr({name}, 1, length({name}) / 2)")
    (found,) = faults(SqliteStore(store.url))
    assert "the record of paper/" in found.what
    assert "write 000001 into" in found.remedy


@pytest.mark.parametrize(
    "damage",
    [
        b"\xdd\xff\n",
        b"{\n",
        b"[1]\n",
        b'{"number": 1, "papers": {}}\n',
        b'{"number": 1, "anew": true, "papers": {"added": {"count": 0, "some": []}, "removed": '
        b'{"count": 0, "some": []}}}\n',
    ],
)
def test_a_damaged_list_of_builds_is_found_and_can_be_removed(
    store: SqliteStore, generation: Path, describe, damage: bytes
) -> None:
    history = generation / "history.jsonl"
    history.write_bytes(damage)
    (found,) = faults(store)
    assert f"{history} is damaged" in found.what
    assert f"Remove {history}, " in found.remedy
    with store.snapshot() as reader, pytest.raises(StoreError, match="stemma check"):
        reader.builds()
    with pytest.raises(StoreError, match="stemma check"), store.writer():
        pass
    history.unlink()
    assert faults(store) == []
    fill(store, describe, "Three")
    with store.snapshot() as reader:
        assert [each.number for each in reader.builds()] == [1]


def test_rdf_that_differs_from_the_index_is_found(store: SqliteStore, generation: Path) -> None:
    with store.snapshot() as reader:
        path = reader.project()
        assert len(reader.rdf)
    assert faults(store) == []
    store.close()
    rdf = ox.Store(str(path))
    quad = next(rdf.quads_for_pattern(None, None, None, ox.NamedNode(f"{store.base}entities")))
    rdf.remove(quad)
    rdf.flush()
    del rdf
    seal(path)
    (found,) = faults(SqliteStore(store.url))
    assert f"differs from the index in the graph <{store.base}entities>" in found.what
    assert f"Remove {path}" in found.remedy


def test_damaged_rdf_is_found_though_the_index_is_whole(
    store: SqliteStore, generation: Path
) -> None:
    with store.snapshot() as reader:
        reader.project()
    for file in (generation / "rdf").glob("*.sst"):
        data = bytearray(file.read_bytes())
        data[len(data) // 4 : len(data) // 2] = bytes(len(data) // 2 - len(data) // 4)
        file.write_bytes(data)
    fresh = SqliteStore(store.url)
    assert fresh.statistics().papers == 2
    (found,) = faults(fresh)
    assert "Corruption" in found.what
    assert f"Remove {generation / 'rdf'}" in found.remedy


def test_damage_is_found_where_there_is_nothing_to_go_back_to(
    store: SqliteStore, generation: Path
) -> None:
    (generation.parent / "000001" / "lock").unlink()
    index = generation / "index.db"
    index.write_bytes(index.read_bytes()[:5000])
    (found,) = faults(SqliteStore(store.url))
    assert "index.db" in found.what or "malformed" in found.what
    assert "backup" in found.remedy


def test_a_lost_current_is_noted_where_the_newest_is_whole(
    store: SqliteStore, generation: Path
) -> None:
    current = Path(store.url) / "CURRENT"
    current.unlink()
    (found,) = store.check()
    assert not found.fault
    assert "000002" in found.what
    (generation / "index.db").unlink()
    (found,) = faults(store)
    assert "write 000001 into" in found.what


@pytest.mark.parametrize("store_url", ["neo4j"], indirect=True)
@pytest.mark.parametrize(
    ("change", "what"),
    [
        (
            "MATCH (n:_StemmaReading {paper: 'paper/nibbler-small-bites'}) DETACH DELETE n",
            "what was read",
        ),
        ("MATCH (p:Paper {id: 'paper/nibbler-small-bites'}) DETACH DELETE p", "though they were"),
        ("MATCH (e:Entity {id: 'entity/gnawer'}) DETACH DELETE e", "though papers name them"),
        ("MATCH ()-[r:BUILDS_ON]->() DELETE r", "statements"),
        ("MATCH (g:_StemmaNote {name: 'graph'}) SET g.unfinished = true", "stopped before"),
    ],
)
def test_what_is_lacking_in_a_database_is_found(
    any_store: Store, describe, cypher, change: str, what: str
) -> None:
    fill(any_store, describe)
    cypher(change)
    found = faults(any_store)
    assert any(what in each.what for each in found)
    assert all(each.remedy for each in found)


@pytest.mark.parametrize("store_url", ["neo4j"], indirect=True)
@pytest.mark.parametrize(
    "change",
    [
        "MATCH (:_StemmaReading)-[r:_GOES_BY]->() WITH r LIMIT 1 DELETE r",
        "MATCH (n:_StemmaReading), (t:_StemmaTie) WITH * LIMIT 1 CREATE (n)-[:_REFERS_TO]->(t)",
        "CREATE (:_StemmaTie {code: 7})",
    ],
)
def test_ties_that_do_not_follow_from_the_papers_are_found_and_made_again(
    any_store: Store, describe, cypher, change: str
) -> None:
    fill(any_store, describe)
    cypher(change)
    (found,) = faults(any_store)
    assert "ties" in found.what
    cypher(found.remedy.split("`")[1])
    assert faults(any_store) == []
    with any_store.writer() as writer:
        writer.put([describe("Four", "Of Chewer.", "framework Chewer: INTRODUCES")], "hand")
        writer.commit()
    assert faults(any_store) == []


@pytest.mark.parametrize("store_url", ["neo4j"], indirect=True)
def test_a_dropped_index_is_found_and_made_again_with_a_new_layout(
    any_store: Store, describe, cypher
) -> None:
    fill(any_store, describe)
    cypher("DROP INDEX stemma_entity_keys")
    (found,) = faults(any_store)
    assert "stemma_entity_keys" in found.what
    cypher("MATCH (g:_StemmaNote {name: 'graph'}) SET g.layout = 'of an older version'")
    with any_store.writer():
        assert faults(any_store) == []
