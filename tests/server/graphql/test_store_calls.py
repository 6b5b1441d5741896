"""How often the store is read hangs on how deep a query goes, not on how many works it meets."""

import asyncio
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from described import describe
from filled import stored
from stemma.graph import Reader, open_store
from stemma.schema import Extraction
from stemma.server.graphql.context import Context
from stemma.server.graphql.schema import StemmaSchema

FEW, MANY = 5, 20
DEEP = """
  id name ... on Paper { statements { nodes { subject { id } entity { id } evidence { text } } }
    introduces { id } baselines { id } hardware { name } }
  ... on Entity { broader { id } narrower { id } introducedBy { id title }
    statements { nodes { paper { id } entity { id } } }
    papers(first: 5) { totalCount nodes { title } } }
"""
QUERIES = {
    "lineage": f"""query ($first: Int!) {{ lineage(of: "Tool 0", first: $first) {{
      nodes {{ work {{ {DEEP} }} }}
      edges {{ child {{ {DEEP} }} parent {{ name }} statements {{ paper {{ hardware {{ name }} }}
        subject {{ name }} entity {{ introducedBy {{ title }} }} evidence {{ text }} }} }} }} }}""",
    "papers": """query ($first: Int!) { papers(first: $first) { nodes {
      statements { nodes { subject { id } entity { id } evidence { text } } } introduces { id name }
      baselines { id } hardware { name narrower { name } broader { name } } } } }""",
    "papers of criteria": """query ($first: Int!) {
      papers(all: [{entity: "GPU"}], first: $first) { edges { node { title }
        statements { entity { papers(first: 3) { nodes { introduces { name } } } } } } } }""",
    "entities": f"""query ($first: Int!) {{ entities(first: $first, kinds: [FRAMEWORK]) {{
      nodes {{ ...on Work {{ {DEEP} }} more: papers {{ nodes {{
        statements {{ nodes {{ entity {{ aliases }} }} }} }} }} }} }} }}""",
    "namesakes": """query ($first: Int!) { entities(first: $first, kinds: [FRAMEWORK]) { nodes {
      name namesakes { name published } introducedBy { namesakes { id } } } } }""",
    "an entity": """query ($first: Int!) { entity(name: "GPU") {
      papers(first: $first) { nodes {
        introduces { name } statements { nodes { subject { name } } } } }
      statements(first: $first) { nodes { subject { name } paper { title hardware { name } } } } }
      }""",
}
MOST_CALLS = 24
"""Of any of these queries; the deepest has seven levels that read, several things each."""


class Counting:
    """A reader that counts what it is asked."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self.calls: Counter[str] = Counter()

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._reader, name)
        if not callable(found):
            return found

        def counted(*arguments: Any, **others: Any) -> Any:
            self.calls[name] += 1
            return found(*arguments, **others)

        return counted


@pytest.fixture(scope="module")
def reader(tmp_path_factory) -> Iterator[Reader]:
    """A graph in which each of many tools builds on the first."""
    path = stored(tmp_path_factory.mktemp("calls"), *map(_paper, range(MANY + 1)))
    with open_store(path) as store, store.snapshot() as reader:
        yield reader


def _paper(number: int) -> Extraction:
    name, parent = f"Tool {number}", "Tool 0"
    return describe(
        f"{name}, a tool for everybody",
        f"{name} grows out of {parent} and runs on a GPU.",
        f"framework {name}: INTRODUCES",
        "hardware GPU: RUNS_ON",
        *([f"framework {parent}: BUILDS_ON"] if number else ()),
        published=str(2000 + number % 20),
    )


def calls(reader: Reader, query: str, first: int) -> Counter[str]:
    counting: Any = Counting(reader)
    result = asyncio.run(StemmaSchema().execute(query, {"first": first}, Context(counting)))
    assert not result.errors, result.errors
    assert str(result.data).count("Tool") >= min(first, FEW), result.data
    found: Counter[str] = counting.calls
    return found


@pytest.mark.parametrize("name", QUERIES)
def test_more_works_take_no_more_calls(reader, name):
    few, many = (calls(reader, QUERIES[name], first) for first in (FEW, MANY))
    assert many <= few
    assert many.total() <= MOST_CALLS
