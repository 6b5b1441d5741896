"""The queries of docs/neo4j.md that join the graph with data of its users."""

import re
from dataclasses import replace
from pathlib import Path

from filled import put
from stemma.schema.paper import Author

_SECTION = re.compile(r"^## Joining your own data$(.+?)^## ", re.M | re.S)
_QUERY = re.compile(r"^```cypher\n(.+?)\n```$", re.M | re.S)
MINE = (
    ({"doi": "10.1000/QUILL"}, "paper/quill-a-store"),
    ({"arxiv": "2104.00001v3"}, "paper/quill-a-store"),
    ({"title": "Nib: two"}, "paper/nib-two"),
    ({"orcid": "0000-0002-1825-0097"}, "author/ada-lovelace"),
    ({"tool": "ZeRO"}, "entity/zero"),
)
"""Properties of a reading, and what it is joined with, in the order of the queries."""


def test_each_join_finds_what_it_should_by_an_index(store, papers, push, cypher, neo4j_driver):
    quill, nib = papers
    ada = (Author("Ada Lovelace", "0000-0002-1825-0097"),)
    known = replace(quill.paper, doi="10.1000/Quill", arxiv_id="2104.00001v2", authors=ada)
    put(store, replace(quill, paper=known), nib)
    push()
    (section,) = _SECTION.findall(Path(__file__).parents[3].joinpath("docs/neo4j.md").read_text())
    *joins, question = _QUERY.findall(section)
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
