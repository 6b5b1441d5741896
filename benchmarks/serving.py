"""How many requests a server answers, beside its store alone and beside GraphQL without a store.

Three questions: a lineage of depth 3 with its sentences, the page of an entity, a search; each of
several works in turn. `served` asks ``stemma serve`` on a port. `constants` asks a server of the
same kind, whose GraphQL types are filled with the same answers beforehand, so that strawberry and
uvicorn are all that it needs: the most that can be had. `store` reads the same from the store, in
this process, without any server.

Requests are sent by wrk (https://github.com/wg/wrk) where it is installed, else by this script.

Usage: python benchmarks/serving.py STORE [--seconds N] [--rounds N] [--connections N]
"""

import argparse
import json
import multiprocessing
import shutil
import socket
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import constant_answers
import figures
import httpx
from load import Speed, by_script, by_wrk

from stemma.graph import PageOrder, Reader, Selection, WorkType, open_store, trace
from stemma.schema import Entity, RelationType

sys.path.append(str(Path(__file__).parents[1] / "tests" / "support"))
from ports import free_port
from service import serving

_WORKS = 12
"""How many works are asked about, in turn."""
_SMALLEST_LINEAGE = 5


@dataclass(frozen=True, slots=True)
class Question:
    """A query with one argument, and what the store alone is asked to answer it."""

    name: str
    query: str
    read: Callable[[Reader, str], object]


def main() -> None:
    """Print a table of all questions."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("store")
    parser.add_argument("--seconds", type=float, default=5.0, help="of each run")
    parser.add_argument("--rounds", type=int, default=3, help="of which the best counts")
    parser.add_argument("--connections", type=int, default=8)
    arguments = parser.parse_args()
    load = by_wrk if shutil.which("wrk") else by_script
    sent = "wrk" if load is by_wrk else "this script"
    print(f"sent by {sent}, {arguments.connections} connections, {arguments.seconds:g} s per run")
    print(f"{'':24}{'answers/s':>12}{'p50 ms':>10}{'p99 ms':>10}{'of constants':>14}")
    with open_store(arguments.store) as store, store.snapshot() as reader:
        works = chosen(reader)
        for question in QUESTIONS:
            bodies = [body(question, work) for work in works]
            with serving(arguments.store) as service:
                url = service.url
                answers = {
                    work: answer(url, each) for work, each in zip(works, bodies, strict=True)
                }
                with constants(answers) as ceiling:
                    for work, each in zip(works, bodies, strict=True):
                        assert answer(ceiling, each) == answers[work]
                    speeds: dict[str, list[Speed]] = {"served": [], "constants": [], "store": []}
                    for _ in range(arguments.rounds):
                        for name, address in (("served", url), ("constants", ceiling)):
                            speeds[name].append(
                                load(
                                    f"{address}/graphql",
                                    bodies,
                                    arguments.seconds,
                                    arguments.connections,
                                )
                            )
                        speeds["store"].append(alone(reader, question, works, arguments.seconds))
            report(question.name, {name: max(all_, key=_rate) for name, all_ in speeds.items()})


def _rate(speed: Speed) -> float:
    return speed.rate


def report(question: str, speeds: dict[str, Speed]) -> None:
    """Print the lines of one question."""
    print(question)
    for name, speed in speeds.items():
        ratio = speed.rate / speeds["constants"].rate
        share = f"{ratio:14.0%}" if name == "served" else ""
        if name == "served":
            figures.keep(
                f"GraphQL over HTTP: {question}", speed.rate, "answers/s", "constant answers", ratio
            )
        print(f"  {name:22}{speed.rate:12.1f}{speed.p50:10.2f}{speed.p99:10.2f}{share}", flush=True)


# What is asked.


def chosen(reader: Reader) -> list[str]:
    """Return the names of works that many papers name, and that others build on."""
    page = reader.page(WorkType.ENTITY, Selection(order=PageOrder.PAPERS, first=2000))
    found = []
    for work in page.items:
        if len(trace(reader, work.id).nodes) >= _SMALLEST_LINEAGE:
            found.append(work.name)
        if len(found) == _WORKS:
            break
    if not found:
        raise SystemExit("no work of this store has a lineage: build it of more papers")
    return found


def read_lineage(reader: Reader, name: str) -> object:
    """Read a lineage, and the papers that say so."""
    found = trace(reader, reader.resolve(name))
    return found, reader.works({each.subject for edge in found.edges for each in edge.statements})


def read_entity(reader: Reader, name: str) -> object:
    """Read an entity, what is said of it, its family, and the papers that name it."""
    id_ = reader.resolve(name)
    entity = reader.works([id_])[id_]
    assert isinstance(entity, Entity)
    statements = reader.statements([id_], first=20)[id_]
    introducing = reader.statements([id_], [RelationType.INTRODUCES])[id_]
    family = {*entity.broader, *reader.narrower([id_])[id_]}
    works = reader.works({*family, *(each.subject for each in (*statements, *introducing))})
    naming = Selection(entity=id_, order=PageOrder.PUBLISHED, first=10)
    return works, reader.page(WorkType.PAPER, naming)


def search(reader: Reader, name: str) -> object:
    """Search for the first word of a name."""
    return list(reader.works(reader.matching(name, Selection(first=20))).values())


QUESTIONS = (
    Question(
        "lineage, depth 3",
        """query ($of: String!) { lineage(of: $of, maxDepth: 3) {
          root { id name } pageInfo { hasNextPage endCursor }
          nodes { depth work { id name published } }
          edges { child { id name } parent { id name } relations confidence
            statements { relation confidence paper { id name published }
              evidence { text field start end } } } } }""",
        read_lineage,
    ),
    Question(
        "page of an entity",
        """query ($of: String!) { entity(name: $of) {
          id name kind aliases broader { id name } narrower { id name }
          introducedBy { id name published }
          statements(first: 20) {
            nodes { relation confidence subject { id name } evidence { text } } }
          papers(first: 10) { totalCount nodes { id name published } } } }""",
        read_entity,
    ),
    Question(
        "search",
        """query ($of: String!) {
          search(text: $of, first: 20) { nodes { __typename id name } } }""",
        search,
    ),
)


def body(question: Question, work: str) -> bytes:
    """Return a request's body."""
    return json.dumps({"query": question.query, "variables": {"of": work}}).encode()


def answer(url: str, request: bytes) -> Any:
    """Return what a server answers."""
    headers = {"content-type": "application/json"}
    answered = httpx.post(f"{url}/graphql", content=request, headers=headers, timeout=60).json()
    if "errors" in answered:
        raise SystemExit(f"a query is refused: {answered['errors']}")
    return answered["data"]


# Who answers.


def alone(reader: Reader, question: Question, works: Sequence[str], seconds: float) -> Speed:
    """Ask the store, in this process."""
    times: list[float] = []
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        start = time.perf_counter()
        question.read(reader, works[len(times) % len(works)])
        times.append(time.perf_counter() - start)
    return Speed.of(times, sum(times))


@contextmanager
def constants(answers: dict[str, Any]) -> Iterator[str]:
    """Run a server of the same shapes that knows all answers by heart, and give its URL."""
    port = free_port()
    process = multiprocessing.get_context("spawn").Process(
        target=constant_answers.serve, args=(answers, port)
    )
    process.start()
    try:
        url = f"http://127.0.0.1:{port}"
        for _ in range(300):
            with socket.socket() as attempt:
                if attempt.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        yield url
    finally:
        process.terminate()
        process.join()


if __name__ == "__main__":
    main()
