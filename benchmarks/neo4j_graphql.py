"""A lineage with its sentences over GraphQL, beside @neo4j/graphql with Cypher written by hand.

Usage: python benchmarks/neo4j_graphql.py EXTRACTIONS.jsonl.gz [--papers N] [--seconds N]

The same papers are in a file and, pushed from it, in a Neo4j of its own
(tests/support/neo4j_server.py). ``stemma serve`` answers from either, with two workers; the
baseline is two processes as well, Neo4j and a server in JavaScript (benchmarks/neo4j_graphql,
installed by npm), which asks it one statement for each answer. All of them answer about the same
works, up to 100 works within three steps, in turn.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

import figures
import httpx
from load import by_wrk
from neo4j_store import driver_of, put, read, running

from stemma.graph import open_store
from stemma.graph.neo4j import Address

sys.path.append(str(Path(__file__).parents[1] / "tests" / "support"))
from neo4j_server import PASSWORD, USER
from pushed import push
from service import serving

BASELINE = Path(__file__).with_suffix("")
_CLIENTS = (1, 8)
_WORKERS = ("--workers", "2")
_OURS = """
query ($of: String!) { lineage(of: $of, maxDepth: 3, first: 100) {
  nodes { depth work { id name } }
  edges { child { id } parent { id } confidence statements { evidence { text } } } } }
"""
_THEIRS = """
query ($of: ID!) { lineage(of: $of) {
  nodes { depth id name }
  edges { child parent confidence sentences } } }
"""
_MOST_DERIVED = """
MATCH (x:Entity)<-[d:DERIVES_FROM]-() WITH x, count(d) AS children
RETURN x.id AS id ORDER BY children DESC, id SKIP 10 LIMIT 50
"""


def main() -> None:
    """Print answers per second, and ratios."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("extractions", type=Path)
    parser.add_argument("--papers", type=int, default=5_000)
    parser.add_argument("--seconds", type=float, default=5.0, help="of each run")
    parser.add_argument("--rounds", type=int, default=3, help="of which the best counts")
    arguments = parser.parse_args()
    extractions = list(islice(read(arguments.extractions), arguments.papers))
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        url = stack.enter_context(running(folder / "neo4j"))
        file = str(folder / "stemma.db")
        with open_store(file) as store:
            put(store, extractions)
            push(store, url)
        with driver_of(url) as driver, driver.session() as session:
            works = session.run(_MOST_DERIVED).value("id")
        servers = {
            "@neo4j/graphql": stack.enter_context(baseline(url)),
            "Stemma, a file": f"{stack.enter_context(serving(file, *_WORKERS)).url}/graphql",
            "Stemma, Neo4j": f"{stack.enter_context(serving(url, *_WORKERS)).url}/graphql",
        }
        queries = {name: _OURS if name.startswith("Stemma") else _THEIRS for name in servers}
        for work in works:
            sizes = {name: size(at, queries[name], work) for name, at in servers.items()}
            assert len(set(sizes.values())) == 1, (work, sizes)
        for clients in _CLIENTS:
            rates = dict.fromkeys(servers, 0.0)
            for _ in range(arguments.rounds):
                for name, at in servers.items():
                    bodies = [body(queries[name], work) for work in works]
                    speed = by_wrk(at, bodies, arguments.seconds, clients)
                    rates[name] = max(rates[name], speed.rate)
            report(clients, rates)


@contextmanager
def baseline(url: str) -> Iterator[str]:
    """Serve a graph in Neo4j with @neo4j/graphql, and give the URL."""
    install = ["npm", "ci", "--no-audit", "--no-fund", "--silent"]
    subprocess.run(install, cwd=BASELINE, check=True)
    command = ["node", "server.js", Address.parse(url).server, USER, PASSWORD]
    with subprocess.Popen(command, cwd=BASELINE, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout
        try:
            yield server.stdout.readline().strip()
        finally:
            server.terminate()


def body(query: str, of: str) -> bytes:
    """Return the body of a request."""
    return json.dumps({"query": query, "variables": {"of": of}}).encode()


def size(url: str, query: str, of: str) -> tuple[int, int]:
    """Return the number of works and of edges in an answer."""
    headers = {"content-type": "application/json"}
    answer: dict[str, Any] = httpx.post(
        url, content=body(query, of), headers=headers, timeout=60
    ).json()
    assert "errors" not in answer, answer
    lineage = answer["data"]["lineage"]
    return len(lineage["nodes"]), len(lineage["edges"])


def report(clients: int, rates: dict[str, float]) -> None:
    """Print a line for each server."""
    named: Sequence[str] = list(rates)
    least = rates[named[0]]
    for name in named:
        print(f"{name:24}{clients:4} clients{rates[name]:10.1f}/s{rates[name] / least:8.2f}")
    number = "1 client" if clients == 1 else f"{clients} clients"
    for name in named[1:]:
        ratio = rates[name] / least
        what = f"GraphQL lineage, {name.removeprefix('Stemma, ')}, {number}"
        figures.keep(what, rates[name], "answers/s", named[0], ratio)


if __name__ == "__main__":
    main()
