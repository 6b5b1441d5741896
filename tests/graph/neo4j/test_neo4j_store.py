"""What is Neo4j's own: the graph as its users see it, what they add to it, and bad days."""

import os
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from filled import put
from latest import latest
from stemma.graph import Store, StoreError, open_store, trace
from stemma.graph.neo4j import Address
from stemma.graph.neo4j import connection as connections
from stemma.graph.neo4j.layout import statements
from stemma.graph.sqlite import SqliteStore
from stemma.schema import Extraction, Rename, interchange
from stemma.schema.interchange import LONGEST_NAME

Cypher = Callable[..., list[dict[str, Any]]]
ODD_NAMES = [
    'it\'s "quoted"',
    "back\\slash",
    "new\nline",
    "x'}) DETACH DELETE (n) //",
    "`tick` $param {id: 1}",
    "\\u0027 OR 1=1",
    "ä" * LONGEST_NAME,
]


class TestTheGraph:
    def test_is_modelled_as_its_users_would(self, store, papers, cypher: Cypher) -> None:
        put(store, *papers)
        (paper,) = cypher("MATCH (p:Paper {title: 'Quill: a Store'}) RETURN p {.*} AS own")
        assert paper["own"]["id"] == "paper/quill-a-store"
        assert (paper["own"]["published"], paper["own"]["year"]) == ("2021-04", 2021)
        (said,) = cypher(
            "MATCH (:Paper)-[r:RUNS_ON]->(e:Entity:Hardware) RETURN properties(r) AS own, e.name"
        )
        assert said == {
            "own": {
                "confidence": 0.9,
                "origin": "by-hand 1",
                "evidence_text": ["It runs on A100."],
                "evidence_field": ["abstract"],
                "evidence_start": [18],
                "evidence_end": [34],
            },
            "e.name": "NVIDIA A100",
        }
        found = cypher("MATCH (:Entity {name: 'ZeRO'})<-[:DERIVES_FROM*1..3]-(y) RETURN y.name")
        assert sorted(row["y.name"] for row in found) == ["Nib", "Quill"]
        (edge,) = cypher(
            "MATCH (:Entity {name: 'Nib'})-[d:DERIVES_FROM]->() RETURN d.relations, d.confidence, "
            "d.builds_on, d.improves_on, d.paper, d.sentence, d.statement_sentence"
        )
        (stated,) = cypher(
            "MATCH (p:Paper)-[r:BUILDS_ON]->(), (:Entity {name: 'Nib'})<-[:INTRODUCES]-(p) "
            "RETURN p.id AS id, r.evidence_text AS sentences"
        )
        assert edge == {
            "d.paper": stated["id"],
            "d.sentence": stated["sentences"][0],
            "d.statement_sentence": stated["sentences"][:1],
            "d.relations": ["BUILDS_ON"],
            "d.confidence": 0.5,
            "d.builds_on": 0.5,
            "d.improves_on": None,
        }
        assert cypher("MATCH (e:Baseline) RETURN e.name") == [{"e.name": "Ink"}]
        assert cypher(
            "CALL db.index.fulltext.queryNodes('stemma_names', 'nib') YIELD node "
            "RETURN count(node) AS found"
        ) == [{"found": 2}]
        assert cypher("MATCH (:Entity {name: 'NVIDIA A100'})-[:BROADER]->(e) RETURN e.name") == [
            {"e.name": "GPU"}
        ]

    def test_keeps_its_own_notes_out_of_sight(self, store, papers, cypher: Cypher) -> None:
        put(store, *papers)
        assert not cypher(
            "MATCH (n)--(other) WHERE any(l IN labels(n) WHERE l STARTS WITH '_') "
            "AND NOT any(l IN labels(other) WHERE l STARTS WITH '_') RETURN n"
        )
        hidden = cypher("MATCH (n:Paper|Entity) UNWIND keys(n) AS k WITH DISTINCT k WHERE "
                        "k STARTS WITH '_' RETURN k ORDER BY k")  # fmt: skip
        assert [row["k"] for row in hidden] == [
            "_keys",
            "_order",
            "_organizations",
            "_venues",
            "_year",
        ]

    def test_is_not_written_where_nothing_changed(self, store, papers, describe, cypher) -> None:
        put(store, *papers)
        cypher("MATCH (n:Paper|Entity) SET n.seen = n.title")
        before = {row["id"]: row for row in versions(cypher)}
        put(store, describe("New", "Nothing.", "framework Novelty: USES"))
        after = {row["id"]: row for row in versions(cypher)}
        assert {id_: after[id_] for id_ in before} == before
        assert after.keys() - before.keys() == {"paper/new", "entity/novelty"}

    def test_has_the_layout_that_the_file_lists(self, store, papers, cypher: Cypher) -> None:
        put(store, *papers)
        names = {
            row["name"]
            for shown in ("SHOW INDEXES YIELD name", "SHOW CONSTRAINTS YIELD name")
            for row in cypher(shown)
        }
        for statement in statements():
            assert statement.split()[statement.split().index("IF") - 1] in names

    def test_takes_any_name_for_a_name(self, store, describe, tmp_path, catalogue, answers) -> None:
        found = describe("About X", "We use X here.", "framework X: USES")
        (entity,), (relation,) = found.entities, found.relations
        papers = [
            replace(
                describe(f"About {name}", f"We use {name} here."),
                entities=(replace(entity, name=name, mentions=()),),
                relations=(replace(relation, entity=name, evidence=()),),
            )
            for name in ODD_NAMES
        ]
        default = SqliteStore(tmp_path / "same.db", catalogue=catalogue)
        for each in (store, default):
            put(each, describe("Safe", "Nothing."), *papers)
        assert store.statistics().papers == 1 + len(ODD_NAMES)
        for name in ODD_NAMES:
            for text in (name, f"About {name}"):
                assert latest(store).resolve(text) == latest(default).resolve(text)
                assert latest(store).matching(text) == latest(default).matching(text)
        with store.snapshot() as one, default.snapshot() as other:
            assert answers(one) == answers(other)


def versions(cypher: Cypher) -> list[dict[str, Any]]:
    """All of our nodes, with element ids that change when they are made again."""
    return cypher(
        "MATCH (n:Paper|Entity) OPTIONAL MATCH (n)-[r]->() "
        "RETURN n.id AS id, elementId(n) AS node, properties(n) AS own, "
        "collect(elementId(r)) AS relationships"
    )


class TestWhatUsersAdded:
    @pytest.fixture
    def annotated(self, store, papers, cypher: Cypher) -> Store:
        put(store, *papers)
        cypher(
            "MATCH (p:Paper {id: 'paper/nib-two'})-[r:BUILDS_ON]->(e:Entity {id: 'entity/quill'}) "
            "SET p:ToRead, p.rating = 5, r.checked = true, e:Favourite, e.colour = 'blue' "
            "CREATE (p)-[:BUILDS_ON {by: 'me'}]->(e), (e)-[:DERIVES_FROM {by: 'me'}]->(p), "
            "(:Person {name: 'Ada'})-[:LIKES]->(p)"
        )
        return store

    def left(self, cypher: Cypher) -> None:
        assert cypher("MATCH (p:ToRead {rating: 5}) RETURN p.title AS title") == [
            {"title": "Nib: two"}
        ]
        assert len(cypher("MATCH (e:Favourite {colour: 'blue', name: 'Quill'}) RETURN e")) == 1
        assert len(cypher("MATCH (:ToRead)-[r:BUILDS_ON {by: 'me'}]->(:Favourite) RETURN r")) == 1
        assert len(cypher("MATCH (:Favourite)-[r:DERIVES_FROM {by: 'me'}]->() RETURN r")) == 1
        assert len(cypher("MATCH (:Person {name: 'Ada'})-[r:LIKES]->(:ToRead) RETURN r")) == 1

    def test_stays_when_a_paper_is_read_again(self, annotated, papers, describe, cypher) -> None:
        with annotated.writer() as writer:
            writer.put(papers, "better hand")
            writer.commit()
        self.left(cypher)
        (kept,) = cypher("MATCH (:ToRead)-[r:BUILDS_ON {checked: true}]->(:Favourite) RETURN "
                         "r.confidence AS confidence")  # fmt: skip
        assert kept == {"confidence": 0.5}
        put(annotated, describe("Nib: two", "Nib is new.", "model Nib: INTRODUCES"))
        self.left(cypher)
        assert (
            latest(annotated).statements(["entity/quill"])["entity/quill"][0].subject
            != "paper/nib-two"
        )

    def test_is_no_part_of_any_answer(
        self, annotated, papers, tmp_path, catalogue, answers
    ) -> None:
        default = SqliteStore(tmp_path / "same.db", catalogue=catalogue)
        put(default, *papers)
        with annotated.snapshot() as found, default.snapshot() as expected:
            assert answers(found) == answers(expected)

    def test_stays_when_papers_are_taken_out_and_is_theirs_again_when_they_come_back(
        self, annotated, papers, cypher, tmp_path, catalogue, answers
    ) -> None:
        with annotated.writer() as writer:
            writer.drop([each.paper.id for each in papers])
            writer.commit()
        self.left(cypher)
        assert cypher("MATCH (n:Paper|Entity) RETURN n") == []
        assert annotated.statistics().papers == annotated.statistics().entities == 0
        put(annotated, *papers)
        self.left(cypher)
        assert cypher("MATCH (n:_StemmaRemoved) RETURN n") == []
        default = SqliteStore(tmp_path / "same.db", catalogue=catalogue)
        put(default, *papers)
        with annotated.snapshot() as found, default.snapshot() as expected:
            assert answers(found) == answers(expected)

    def test_other_data_in_the_database_is_left_alone(self, store, papers, cypher: Cypher) -> None:
        cypher("CREATE (:Customer {id: 'entity/quill'})-[:USES]->(:Product {name: 'Quill'})")
        put(store, *papers)
        assert latest(store).resolve("Quill") == "entity/quill"
        with store.writer() as writer:
            writer.drop([each.paper.id for each in papers])
            writer.commit()
        assert len(cypher("MATCH (:Customer)-[r:USES]->(:Product) RETURN r")) == 1

    def test_papers_that_are_not_ours_are_a_reason_to_refuse(self, store, papers, cypher) -> None:
        cypher("CREATE (:Paper {title: 'Mine'})")
        with pytest.raises(StoreError, match="not Stemma's"):
            put(store, *papers)
        assert cypher("MATCH (n) RETURN count(n) AS count") == [{"count": 1}]


class TestDecisions:
    def test_are_kept_in_the_database_and_can_be_read_there(self, store, papers, cypher) -> None:
        put(store, *papers)
        store.decisions.append(Rename("entity/quill", "QUILL"))
        assert store.lacks_decisions()
        put(store)
        assert latest(store).works(["entity/quill"])["entity/quill"].name == "QUILL"
        (note,) = cypher("MATCH (d:_StemmaNote {name: 'decisions'}) RETURN d.text AS text")
        assert 'rename = "entity/quill"' in note["text"]


class TestOpening:
    def test_user_password_and_database_come_from_url_or_environment(self, monkeypatch) -> None:
        for name in ("USERNAME", "PASSWORD", "DATABASE"):
            monkeypatch.delenv(f"NEO4J_{name}", raising=False)
        address = Address.parse("neo4j+s://ada:p%40ss%2F1@graph.example.org:7777/papers")
        assert address == Address("neo4j+s://graph.example.org:7777", "ada", "p@ss/1", "papers")
        assert str(address) == "neo4j+s://graph.example.org:7777/papers"
        assert Address.parse("bolt://[::1]:7687").server == "bolt://[::1]:7687"
        monkeypatch.setenv("NEO4J_USERNAME", "bob")
        monkeypatch.setenv("NEO4J_PASSWORD", "secret")
        monkeypatch.setenv("NEO4J_DATABASE", "other")
        assert Address.parse("bolt://localhost") == Address(
            "bolt://localhost", "bob", "secret", "other"
        )
        assert Address.parse("bolt://localhost", "given").database == "given"

    @pytest.mark.parametrize(
        "url", ["neo4j://", "bolt://host:port", "neo4j+x://host", "bolt://u:a#b@host"]
    )
    def test_an_invalid_address_is_rejected(self, url) -> None:
        with pytest.raises(StoreError, match="write"):
            open_store(url)

    def test_a_wrong_password_and_none_are_distinguished(self, neo4j_url, monkeypatch) -> None:
        server = Address.parse(neo4j_url).server
        monkeypatch.delenv("NEO4J_PASSWORD", raising=False)
        with pytest.raises(StoreError, match="does not accept user neo4j"):
            open_store(server.replace("://", "://neo4j:wrong-password@")).statistics()
        with pytest.raises(StoreError, match="NEO4J_PASSWORD"):
            open_store(server).statistics()

    def test_a_database_that_is_not_there(self, neo4j_url) -> None:
        with pytest.raises(StoreError, match="no database 'nowhere'"):
            open_store(neo4j_url, database="nowhere").statistics()

    def test_a_server_that_is_not_there(self) -> None:
        with pytest.raises(StoreError, match=r"No Neo4j server answers at bolt://127.0.0.1:\d+"):
            open_store(f"bolt://neo4j:x@127.0.0.1:{closed_port()}").statistics()

    def test_a_server_without_tls(self, neo4j_url) -> None:
        address = Address.parse(neo4j_url)
        secure = address.server.replace("bolt://", "bolt+s://").replace("neo4j://", "neo4j+s://")
        with pytest.raises(StoreError, match="TLS"):
            open_store(f"{secure}").statistics()

    def test_a_certificate_that_cannot_be_verified(self, tmp_path) -> None:
        with tls_server(tmp_path) as port, pytest.raises(StoreError, match=r"\+ssc"):
            open_store(f"bolt+s://neo4j:x@127.0.0.1:{port}").statistics()

    @pytest.mark.parametrize("agent", ["Neo4j/4.4.30", "Neo4j/5.12.0", "Memgraph/2", "Neo4j/dev"])
    def test_a_server_of_another_version(self, agent) -> None:
        with pytest.raises(StoreError, match=r"needs Neo4j 5\.26 or later"):
            connections._check_version(agent, Address("bolt://host", None, None, None))

    @pytest.mark.parametrize("agent", ["Neo4j/5.26.29", "Neo4j/2025.10.1", "Neo4j/5.27-aura"])
    def test_servers_of_this_and_later_versions(self, agent) -> None:
        connections._check_version(agent, Address("bolt://host", None, None, None))


def closed_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


class tls_server:  # noqa: N801 - reads as a function
    """A port that speaks TLS, with an unsigned certificate."""

    def __init__(self, folder: Path) -> None:
        if not shutil.which("openssl"):
            pytest.skip("no openssl to make a certificate with")
        self._key, self._certificate = folder / "key.pem", folder / "certificate.pem"
        command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]
        command += ["-keyout", str(self._key), "-out", str(self._certificate)]
        command += ["-subj", "/CN=localhost"]
        subprocess.run(command, check=True, capture_output=True)

    def __enter__(self) -> int:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self._certificate, self._key)
        self._socket = socket.create_server(("127.0.0.1", 0))

        def answer() -> None:
            while True:
                try:
                    accepted, _ = self._socket.accept()
                    context.wrap_socket(accepted, server_side=True).close()
                except ssl.SSLError:
                    continue
                except OSError:
                    return

        threading.Thread(target=answer, daemon=True).start()
        return int(self._socket.getsockname()[1])

    def __exit__(self, *_: object) -> None:
        self._socket.close()


def many(describe, count: int) -> list[Extraction]:
    """Papers that all build on one thing."""
    return [
        describe(f"Tool{number}: made", f"Tool{number} extends Quill on A100.",
                 f"framework Tool{number}: INTRODUCES", "framework Quill: BUILDS_ON",
                 "hardware A100: RUNS_ON")
        for number in range(count)
    ]  # fmt: skip


PAPERS = 150
_LOAD = """
import sys
from pathlib import Path
from stemma.graph import open_store
from stemma.graph.neo4j import writer as neo4j_writer
from stemma.schema import interchange
neo4j_writer._BATCH = 30
with open_store(sys.argv[1]) as store, store.writer() as writer, open(sys.argv[2], "rb") as file:
    writer.put(interchange.read(file, "many.jsonl", "0" * 64), "hand")
    writer.commit()
"""


@pytest.fixture
def loading(describe, tmp_path) -> Callable[[str], subprocess.Popen[str]]:
    """Begin to load many papers in another process."""
    file = tmp_path / "many.jsonl"
    with file.open("w") as out:
        for each in many(describe, PAPERS):
            out.write(f"{interchange.dump(each)}\n")

    def begin(url: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-c", _LOAD, url, str(file)]
        return subprocess.Popen(command, stderr=subprocess.PIPE, text=True)

    return begin


@pytest.fixture
def expected(describe, tmp_path, answers) -> dict[str, Any]:
    """What the default store answers when all is loaded."""
    with open_store(str(tmp_path / "expected.db")) as store:
        put(store, *many(describe, PAPERS))
        with store.snapshot() as reader:
            found: dict[str, Any] = answers(reader)
    return found


def wait_for_papers(count: Callable[[], int], process: subprocess.Popen[str]) -> None:
    """Wait until some papers are there, but not all."""
    end = time.monotonic() + 600
    while not count():
        assert process.poll() is None, process.stderr and process.stderr.read()
        assert time.monotonic() < end
        time.sleep(0.01)


def test_a_graph_of_an_older_format_is_neither_read_nor_written(store, papers, cypher) -> None:
    put(store, *papers)
    cypher("MATCH (g:_StemmaNote {name: 'graph'}) SET g.format = 3")
    refused = "has the graph format 3; this version of Stemma reads and writes [0-9]+. Rebuild"
    with pytest.raises(StoreError, match=refused):
        store.statistics()
    with pytest.raises(StoreError, match=refused), store.writer():
        pass


class TestBadDays:
    @pytest.mark.long  # That a writer which fails leaves nothing half is tested of every store.
    def test_a_loader_that_is_killed_leaves_whole_papers_and_the_next_goes_on(
        self, neo4j_url, loading, expected, cypher: Cypher, answers
    ) -> None:
        def count() -> int:
            return int(cypher("MATCH (p:Paper) RETURN count(p) AS count")[0]["count"])

        process = loading(neo4j_url)
        wait_for_papers(count, process)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        assert 0 < count() < PAPERS
        halves = cypher(
            "MATCH (p:Paper) WHERE NOT EXISTS { (p)-[:INTRODUCES]->()-[:DERIVES_FROM]->() } "
            "RETURN p"
        )
        assert halves == []
        assert loading(neo4j_url).wait(timeout=600) == 0
        with open_store(neo4j_url) as store, store.snapshot() as reader:
            assert answers(reader) == expected

    @pytest.mark.xdist_group("a server that is killed")
    @pytest.mark.long
    def test_a_server_that_is_killed_has_lost_nothing_and_one_that_is_read_only_can_be_read(
        self, start_neo4j, loading, expected, answers
    ) -> None:
        server = start_neo4j()
        process = loading(server.url)
        with server.driver() as driver:

            def count() -> int:
                found = driver.execute_query("MATCH (p:Paper) RETURN count(p) AS count")
                return int(found.records[0]["count"])

            wait_for_papers(count, process)
            server.kill()
        server.start()
        # Either the loader waited for the server, or it said that it was gone.
        if process.wait(timeout=600):
            assert process.stderr
            assert "StoreError" in process.stderr.read()
            assert loading(server.url).wait(timeout=600) == 0
        with open_store(server.url) as store:
            with store.snapshot() as reader:
                assert answers(reader) == expected

            server.stop()
            server.configure({"server.databases.read_only": "neo4j"})
            server.start()
            assert trace(latest(store), latest(store).resolve("Quill")).nodes
            with pytest.raises(StoreError, match="read-only"), store.writer() as writer:
                writer.drop(["paper/tool1-made"])
                writer.commit()
            server.kill()
            before = time.monotonic()
            with pytest.raises(StoreError, match="No Neo4j server answers"):
                store.statistics()
            assert time.monotonic() - before < 60
