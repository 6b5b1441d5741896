"""Caches of clients: Apollo's and urql's keep one object per work over pages."""

import json
import subprocess
from pathlib import Path
from typing import Any

import httpx
import pytest

pytestmark = [pytest.mark.process, pytest.mark.npm]
QUERY = """query Papers($after: String) {
  papers(entity: "LoRA", first: 4, after: $after) {
    edges { cursor node { id title statements { nodes { id relation entity { id name } } } } }
    pageInfo { hasNextPage endCursor } } }"""
URQL = """
import { Client, fetchExchange } from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import { relayPagination } from '@urql/exchange-graphcache/extras';

const without = () => null;  // What has no id of its own is kept within what has it.
const client = new Client({
  url: URL,
  preferGetMethod: false,
  exchanges: [
    cacheExchange({
      resolvers: { Query: { papers: relayPagination() } },
      keys: { PaperConnection: without, PaperEdge: without, PageInfo: without,
        StatementConnection: without },
      logger: (level, text) => console.error(level, text),
    }),
    fetchExchange,
  ],
});
let page, listed;
do {
  const variables = page ? { after: page.endCursor } : {};
  const { data, error } = await client.query(QUERY, variables).toPromise();
  if (error) throw error;
  page = data.papers.pageInfo;
  listed = data.papers.edges.map(({ node }) => node.id);
} while (page.hasNextPage);
const again = await client.query(QUERY, {}, { requestPolicy: 'cache-only' }).toPromise();
console.log(JSON.stringify({
  listed: again.data.papers.edges.map(({ node }) => node.id),
  last: listed,
}));
"""


@pytest.fixture
def run(node: tuple[str, Path], server_url: str, tmp_path: Path) -> Any:
    program, packages = node
    (tmp_path / "node_modules").symlink_to(packages)

    def run(text: str) -> tuple[dict[str, Any], str]:
        constants = f"const URL = '{server_url}/graphql', QUERY = `{QUERY}`;\n"
        (tmp_path / "ask.mjs").write_text(constants + text)
        ran = subprocess.run(
            [program, "ask.mjs"],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )
        assert ran.returncode == 0, ran.stdout + ran.stderr
        found: dict[str, Any] = json.loads(ran.stdout)
        return found, ran.stderr

    return run


@pytest.fixture
def expected(server_url: str) -> list[str]:
    query = '{ papers(entity: "LoRA", first: 100) { nodes { id } } }'
    found = httpx.post(f"{server_url}/graphql", json={"query": query}).json()
    return [each["id"] for each in found["data"]["papers"]["nodes"]]


def test_urql_merges_pages_and_answers_from_its_cache(run: Any, expected: list[str]) -> None:
    found, complaints = run(URQL)
    assert found["listed"] == expected
    assert "key" not in complaints, "every object has a key, or is within one that has"
