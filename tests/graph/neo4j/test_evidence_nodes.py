"""Evidence nodes in Neo4j: each sentence as a node, always in step with the statements."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from filled import put
from stemma.graph import StoreError
from stemma.schema import Merge
from stemma.server.cli.app import app

Cypher = Callable[..., list[dict[str, Any]]]
_NODES = """
MATCH (p:Paper)-[:HAS_EVIDENCE]->(v:Evidence)-[s:SUPPORTS]->(e:Entity)
RETURN p.id AS paper, s.relation AS relation, e.id AS entity, v.text AS text, s.confidence AS sure
"""
_LISTS = """
MATCH (p:Paper)-[r]->(e:Entity) WHERE r.origin IS NOT NULL UNWIND r.evidence_text AS text
RETURN p.id AS paper, type(r) AS relation, e.id AS entity, text, r.confidence AS sure
"""


def assert_in_step(cypher: Cypher) -> int:
    """The nodes hold what the lists of the statements hold; return how many sentences these are."""
    nodes, lists = (sorted(map(str, cypher(each))) for each in (_NODES, _LISTS))
    assert nodes == lists
    assert not cypher("MATCH (v:Evidence) WHERE NOT EXISTS { (v)-[:SUPPORTS]->() } RETURN v")
    return len(lists)


def test_they_are_made_of_what_is_there_and_kept_in_step(
    store, papers, describe, cypher: Cypher
) -> None:
    put(store, papers[0])
    store.keep_evidence_nodes(True)
    assert assert_in_step(cypher) == 3
    put(store, papers[1])
    assert assert_in_step(cypher) == 6
    put(store, describe("Nib: two", "Nib extends Ink.", "model Nib: INTRODUCES",
                        "framework Ink: BUILDS_ON"))  # fmt: skip
    assert assert_in_step(cypher) == 5
    with store.writer() as writer:
        writer.decide(Merge(("entity/ink", "entity/quill")))
        writer.commit()
    assert_in_step(cypher)
    with store.writer() as writer:
        writer.drop(["paper/quill-a-store"])
        writer.commit()
    assert assert_in_step(cypher) == 2
    assert not cypher("MATCH (n:_StemmaRemoved) RETURN n")
    assert not [each for each in store.check() if each.fault]


def test_what_others_added_to_a_sentence_stays_while_it_is_evidence(
    store, papers, cypher: Cypher
) -> None:
    store.keep_evidence_nodes(True)
    put(store, *papers)
    cypher("MATCH (v:Evidence {text: 'It runs on A100.'}) CREATE (:Review)-[:OF]->(v)")
    put(store, papers[0])
    assert cypher("MATCH (:Review)-[:OF]->(v) RETURN v.text AS text") == [
        {"text": "It runs on A100."}
    ]


def test_they_are_found_by_their_words_while_they_are_wanted(store, papers, cypher: Cypher) -> None:
    put(store, *papers)
    assert not cypher("MATCH (v:Evidence) RETURN v")
    store.keep_evidence_nodes(True)
    found = cypher(
        "CALL db.index.fulltext.queryNodes('stemma_evidence', 'beats') YIELD node "
        "MATCH (node)-[s:SUPPORTS]->(e) RETURN node.text AS text, s.relation AS relation, "
        "e.name AS name"
    )
    assert {"text": "Nib beats Ink.", "relation": "COMPARES_WITH", "name": "Ink"} in found
    store.keep_evidence_nodes(False)
    assert not cypher("MATCH (v:Evidence) RETURN v")
    assert not cypher("SHOW INDEXES YIELD name WHERE name CONTAINS 'evidence' RETURN name")
    put(store, papers[0])
    assert not cypher("MATCH (v:Evidence) RETURN v")
    cypher("CREATE (:Evidence {name: 'fingerprint'})")
    with pytest.raises(StoreError, match="Evidence nodes that are not Stemma's"):
        store.keep_evidence_nodes(True)


def test_build_makes_them_and_a_folder_has_none(
    neo4j_url, cypher: Cypher, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    paper = {"title": "Sparing", "abstract": "We present Sparing, which builds on LoRA."}
    Path("papers.jsonl").write_text(json.dumps(paper))
    command = ["build", "papers.jsonl", "--fast", "--evidence-nodes", "--store"]
    built = CliRunner().invoke(app, [*command, neo4j_url], prog_name="stemma")
    assert built.exit_code == 0, built.output
    assert assert_in_step(cypher) >= 2
    refused = CliRunner().invoke(app, [*command, "folder.db"], prog_name="stemma")
    assert "only a graph there can have evidence nodes" in str(refused.exception or refused.output)
