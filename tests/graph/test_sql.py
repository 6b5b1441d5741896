"""SQL: what docs/sql.md says of a store, as any program that reads SQLite has it."""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from described import described
from filled import decide, put
from stemma.graph import WorkType
from stemma.graph.sqlite import SqliteStore
from stemma.schema import Merge
from stemma.schema.paper import Author, Reference

PAGE = (Path(__file__).parents[2] / "docs" / "sql.md").read_text("utf-8")
QUERIES = re.findall(r"```sql\n(.*?)```", PAGE, re.DOTALL)
COLUMNS = dict(re.findall(r"^\| `(\w+)` \| [^|]+ \| (.*) \|$", PAGE, re.MULTILINE))
LORA = "LoRA freezes the weights."
QLORA = "QLoRA backpropagates through LoRA."
DORA = "LoRA has a limited capacity to learn."
IDENTIFIED = ("paper/lora", "LoRA", "2021-06", 2021, "10.1000/lora", "2106.09685", "ICLR")


@pytest.fixture
def db(store: SqliteStore) -> Iterator[sqlite3.Connection]:
    first, second, *others = described(f"""
        LoRA (2021-06) | {LORA} It ran on A100. | technique LoRA: INTRODUCES 0.9
            | hardware A100: RUNS_ON 0.8
        QLoRA (2023) | {QLORA} It beats Adapter on A100. | technique QLoRA: INTRODUCES 0.9
            | technique LoRA: BUILDS_ON 0.7 | technique Adapter: COMPARES_WITH 0.6
            | hardware A100: RUNS_ON 0.5
        DoRA | {DORA} DoRA extends QLoRA. | technique DoRA: INTRODUCES
            | technique LoRA: IMPROVES_ON 0.8 | technique QLoRA: BUILDS_ON 0.9
        Roads | Roads of QLoRA. | technique QLoRA: BUILDS_ON 0.4
    """)
    wrote = (Author("Ada Quill", "0000-0002-1825-0097"),)
    citing = replace(second.paper, authors=wrote, references=(Reference(None, "LoRA"),))
    ids = {"doi": "10.1000/LORA", "arxiv_id": "2106.09685v2", "venue": "ICLR"}
    written = replace(first, paper=replace(first.paper, authors=wrote, **ids))
    put(store, written, replace(second, paper=citing), *others)
    with closing(sqlite3.connect(f"file:{store.url}?mode=ro", uri=True)) as db:
        yield db


ANSWERS: list[list[tuple]] = [
    [("DoRA", "IMPROVES_ON", 0.8, DORA), ("QLoRA", "BUILDS_ON", 0.7, QLORA)],
    [(1, "DoRA"), (1, "QLoRA"), (2, "Roads")],
    [("Adapter", 1, 0.6)],
    [("2021", "NVIDIA A100", 1), ("2023", "NVIDIA A100", 1)],
    [("Ada Quill", 2)],
]


@pytest.mark.parametrize(("query", "answer"), [*zip(QUERIES, ANSWERS, strict=True)])
def test_each_query_of_the_page_is_answered(db, query, answer):
    assert db.execute(query).fetchall() == answer


def test_each_view_has_the_columns_that_the_page_lists(db):
    for view, row in COLUMNS.items():
        columns = [name for name, *_ in db.execute(f"SELECT * FROM {view}").description]
        listed = re.findall(r"`(\w+)`", re.sub(r"\([^)]*\)", "", row))
        assert columns == listed, view
    views = db.execute("SELECT name FROM sqlite_schema WHERE type = 'view'")
    assert {name for (name,) in views} == COLUMNS.keys()


def test_offsets_lead_to_the_sentence(db, store):
    ((start, end),) = db.execute(
        "SELECT starts, ends FROM evidence "
        "WHERE subject = 'paper/dora' AND relation = 'IMPROVES_ON'"
    )
    with store.snapshot() as reader:
        abstract = reader.works(["paper/dora"])["paper/dora"].abstract
    assert abstract[start:end] == DORA


def test_papers_entities_citations_and_builds(db):
    for query, answer in (
        ("SELECT * FROM papers WHERE id = 'paper/lora'", IDENTIFIED),
        ("SELECT kind, general, papers FROM entities WHERE name = 'LoRA'", ("technique", 0, 3)),
        ("SELECT citing, cited_title FROM citations", ("paper/qlora", "LoRA")),
        ("SELECT number, papers_added FROM builds", (1, 4)),
    ):
        assert db.execute(query).fetchall() == [answer]


def test_statements_are_those_that_readers_return(db, store):
    decide(store, Merge(("entity/qlora", "entity/dora")))
    with store.snapshot() as reader:
        stated = {
            (each.subject, each.relation.value, each.entity): (
                each.confidence,
                " ".join(evidence.text for evidence in each.evidence) or None,
                each.origin,
                int(each.confirmed),
            )
            for own in reader.statements(reader.all_ids(WorkType.ENTITY)).values()
            for each in own
        }
    rows = db.execute(
        "SELECT subject, relation, entity, confidence, evidence, origin, confirmed FROM statements"
    )
    assert {row[:3]: row[3:] for row in rows} == stated
