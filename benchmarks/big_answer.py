"""What a large lineage costs as a document and by GraphQL, beside its JSON in Python.

The document and GraphQL are asked of a server; in Python, the view is made in this process from the
same store, and written by one `json.dumps`.

Usage: python benchmarks/big_answer.py [--works N] [--times N]
"""

import argparse
import json
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import figures
import httpx

from stemma.graph import open_store, trace
from stemma.graph.selection import Selection
from stemma.schema import (
    EntityKind,
    Evidence,
    Extraction,
    Field,
    FoundEntity,
    FoundRelation,
    Mention,
    Paper,
    RelationType,
    Source,
)
from stemma.schema.name import paper_id
from stemma.server.views.lineage import LineageView

sys.path.append(str(Path(__file__).parents[1] / "tests" / "support"))
from requested import requested_fields
from service import serving

_ROOT = "entity/work-0"
_CHILDREN = 50
_DEPTH = 4
_FIELDS = requested_fields(LineageView)
_BASELINE = "the view and json.dumps, without HTTP"


def main() -> None:
    """Print the milliseconds of each way, the best of all runs, and their ratio to dumping."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--works", type=int, default=2000)
    parser.add_argument("--times", type=int, default=7)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="stemma-big-answer-") as folder:
        store = str(Path(folder) / "stemma.db")
        with open_store(store) as graph, graph.writer() as writer:
            writer.put(papers(arguments.works), "benchmark")
            writer.commit()
        measure(store, arguments.times)


def measure(store: str, times: int) -> None:
    """Compare all ways on a store."""
    with open_store(store) as graph, graph.snapshot() as reader, asking(store) as client:

        def in_python() -> bytes:
            found = trace(reader, _ROOT, Selection(max_depth=_DEPTH, first=1_000_000))
            return json.dumps(LineageView.of(reader, found).to_json(), ensure_ascii=False).encode()

        def as_document() -> bytes:
            return client.get(f"/lineage/{_ROOT}.json", params={"maxDepth": _DEPTH}).content

        def by_graphql() -> bytes:
            query = f'{{ lineage(of: "{_ROOT}", maxDepth: {_DEPTH}, first: {size}) {_FIELDS} }}'
            return client.post("/graphql", json={"query": query}).content

        view, document = json.loads(in_python()), json.loads(as_document())
        size = len(view["nodes"])
        assert document == {"generation": reader.generation, **view}
        by_name = json.loads(by_graphql())["data"]["lineage"]
        assert by_name == view
        print(
            f"{size} works, {len(view['edges'])} edges, {len(as_document()) / 1e6:.1f} MB of JSON"
        )
        ways: dict[str, Callable[[], object]] = {
            _BASELINE: in_python,
            "GET /lineage/{id}.json": as_document,
            "POST /graphql": by_graphql,
        }
        best = dict.fromkeys(ways, float("inf"))
        for _ in range(times):
            for name, run in ways.items():
                best[name] = min(best[name], seconds(run))
    for name, taken in best.items():
        print(f"{name:40}{1000 * taken:9.1f} ms{taken / best[_BASELINE]:8.2f}")
        if name != _BASELINE:
            figures.keep(
                f"a lineage of {size:,} works: {name}",
                1000 * taken,
                "ms",
                _BASELINE,
                best[_BASELINE] / taken,
            )


def papers(count: int) -> Iterator[Extraction]:
    """Make papers, each of which introduces a work that builds on an earlier one."""
    for number in range(count + 1):
        name, parent = f"Work-{number}", f"Work-{(number - 1) // _CHILDREN}"
        sentence = (
            f"We present {name}, which extends {parent} to schedules that neither the memory of "
            "one device nor the bandwidth between several devices had room for until now."
        )
        title = f"{name}: larger schedules on the same devices"
        source = Source("listing.jsonl", "0" * 64, number + 1, f"20{10 + number % 15}-03-01")
        link = f"https://example.org/{number}"
        paper = Paper(paper_id(title), title, sentence, links=(link,), sources=(source,))
        evidence = (Evidence(sentence, Field.ABSTRACT, 0, len(sentence)),)
        relations = [(RelationType.INTRODUCES, name)] + [(RelationType.BUILDS_ON, parent)] * (
            number > 0
        )
        entities = tuple(
            FoundEntity(
                each,
                EntityKind.FRAMEWORK,
                None,
                tuple(
                    Mention(each, Field.ABSTRACT, *found.span())
                    for found in re.finditer(rf"\b{each}\b", sentence)
                ),
            )
            for _, each in relations
        )
        yield Extraction(
            paper,
            entities,
            tuple(
                FoundRelation(type_, each, 0.9, evidence, "benchmark") for type_, each in relations
            ),
        )


@contextmanager
def asking(store: str) -> Iterator[httpx.Client]:
    """Run a server on a store, and give a client that asks for what is not compressed."""
    headers = {"accept-encoding": "identity"}
    with (
        serving(store, configured={"query-cost": 10**9}) as service,
        httpx.Client(base_url=service.url, timeout=120, headers=headers) as client,
    ):
        yield client


def seconds(run: Callable[[], object]) -> float:
    """Return how long something takes."""
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
