"""What a large lineage costs as a document and by GraphQL, beside building the same JSON by hand.

The document is asked of a server, the JSON by hand is built in this process from the same store:
`trace`, the works, dicts, and one `json.dumps`. Ratios are to the dicts and the dump alone.

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
from typing import Any

import figures
import httpx

from stemma.graph import Lineage, Reader, Work, open_store, trace
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
from stemma.schema.identifier import paper_id
from stemma.server.web import lineage_document

sys.path.append(str(Path(__file__).parents[1] / "tests" / "support"))
from service import serving

_ROOT = "entity/work-0"
_CHILDREN = 50
_DEPTH = 4
_QUERY = Path(lineage_document.__file__).with_name("document.graphql").read_text("utf-8")


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

        def by_hand() -> bytes:
            return json.dumps(build(reader, *fetch(reader)), ensure_ascii=False).encode()

        def as_document() -> bytes:
            return client.get(f"/lineage/{_ROOT}.json", params={"maxDepth": _DEPTH}).content

        def by_graphql() -> bytes:
            variables = {"of": _ROOT, "maxDepth": _DEPTH, "first": len(document["nodes"])}
            return client.post("/graphql", json={"query": _QUERY, "variables": variables}).content

        document = json.loads(as_document())
        assert document == json.loads(by_hand())
        assert document["nodes"] == json.loads(by_graphql())["data"]["lineage"]["nodes"]
        print(
            f"{len(document['nodes'])} works, {len(document['edges'])} edges, "
            f"{len(as_document()) / 1e6:.1f} MB of JSON"
        )
        lineage, sources = fetch(reader)
        ways: dict[str, Callable[[], object]] = {
            "by hand: build and dump": lambda: json.dumps(build(reader, lineage, sources)),
            "by hand: read, build and dump": by_hand,
            "GET /lineage/{id}.json": as_document,
            "POST /graphql": by_graphql,
        }
        best = dict.fromkeys(ways, float("inf"))
        for _ in range(times):
            for name, run in ways.items():
                best[name] = min(best[name], seconds(run))
    for name, taken in best.items():
        ratio = taken / best["by hand: build and dump"]
        print(f"{name:32}{1000 * taken:9.1f} ms{ratio:8.2f}")
    everything = "reading, dicts and json.dumps, without HTTP"
    for name in ("GET /lineage/{id}.json", "POST /graphql"):
        figures.keep(
            f"a lineage of {len(document['nodes']):,} works: {name}",
            1000 * best[name],
            "ms",
            everything,
            best["by hand: read, build and dump"] / best[name],
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


def fetch(reader: Reader) -> tuple[Lineage, dict[str, Work]]:
    """Read the lineage, and the papers that say so."""
    lineage = trace(reader, _ROOT, Selection(max_depth=_DEPTH, first=1_000_000))
    subjects = {each.subject for edge in lineage.edges for each in edge.statements}
    return lineage, reader.works(subjects)


def build(reader: Reader, lineage: Lineage, sources: dict[str, Work]) -> dict[str, Any]:
    """Build the whole document at once, as one would who had but this one to build."""
    names = {node.work.id: node.work.name for node in lineage.nodes}
    names[lineage.root.id] = lineage.root.name
    return {
        "generation": reader.generation,
        "root": work_json(lineage.root),
        "nodes": [
            {
                "work": work_json(node.work),
                "depth": node.depth,
                "published": str(node.published) if node.published else None,
            }
            for node in lineage.nodes
        ],
        "edges": [
            {
                "child": {"id": edge.child, "name": names[edge.child]},
                "parent": {"id": edge.parent, "name": names[edge.parent]},
                "relations": [each.name for each in edge.relations],
                "confidences": [
                    {"relation": relation.name, "confidence": sure}
                    for relation, sure in edge.confidences.items()
                ],
                "confidence": edge.confidence,
                "anachronism": edge.anachronism,
                "statements": [
                    {
                        "subject": {"id": each.subject, "name": sources[each.subject].name},
                        "relation": each.relation.name,
                        "entity": {"id": each.entity, "name": names[each.entity]},
                        "confidence": each.confidence,
                        "origin": each.origin,
                        "confirmed": each.confirmed,
                        "paper": paper_json(sources[each.subject]),
                        "evidence": [
                            {"text": e.text, "field": e.field.value, "start": e.start, "end": e.end}
                            for e in each.evidence
                        ],
                    }
                    for each in edge.statements
                ],
            }
            for edge in lineage.edges
        ],
    }


def work_json(work: Work) -> dict[str, Any]:
    """Show a work of these papers: an entity."""
    assert not isinstance(work, Paper)
    return {
        "type": "Entity",
        "id": work.id,
        "name": work.name,
        "kind": work.kind.name,
        "aliases": work.aliases,
    }


def paper_json(work: Work) -> dict[str, Any]:
    """Show the paper behind a statement."""
    assert isinstance(work, Paper)
    return {
        "id": work.id,
        "name": work.title,
        "published": str(work.published),
        "links": work.links,
    }


@contextmanager
def asking(store: str) -> Iterator[httpx.Client]:
    """Run a server on a store, and give a client that asks for what is not compressed."""
    headers = {"accept-encoding": "identity"}
    with (
        serving(store, "--query-cost", str(10**9)) as service,
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
