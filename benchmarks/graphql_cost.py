"""What the GraphQL executor costs: beside building the same JSON by hand, and beside constants.

A lineage of many works with its evidence is made in a temporary folder, and compared with a build
of the same content by hand and `json.dumps`. With a store, three usual questions are asked of it:
beside the bare store calls, and beside a strawberry schema that has the same answers as constants,
which is as fast as strawberry gets. All in this process, without HTTP, and in processor time, so
that others on the machine count for little.

Usage: python benchmarks/graphql_cost.py [STORE] [--works N] [--times N]
"""

import argparse
import asyncio
import gc
import json
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, cast

import strawberry
from big_answer import build, fetch, papers
from strawberry.extensions import ParserCache, ValidationCache
from strawberry.schema.config import StrawberryConfig

from stemma.graph import PageOrder, Reader, Work, WorkType, open_store, trace
from stemma.schema import Entity, EntityKind, Paper, PartialDate, RelationType, Statement
from stemma.server import lineage_document
from stemma.server.graphql import enums  # noqa: F401 - registers the enumerations
from stemma.server.graphql.context import Context
from stemma.server.graphql.schema import make_schema

_BIG = Path(lineage_document.__file__).with_name("document.graphql").read_text("utf-8")
_LINEAGE = """query ($of: String!) { lineage(of: $of, maxDepth: 3) {
  root { id name } truncated endCursor
  nodes { depth published work { id name } }
  edges { child { id name } parent { id name } relations confidence
    statements { confidence paper { id name published } evidence { text field start end } } } } }"""
_ENTITY = """query ($of: String!) { entity(name: $of) { id name kind aliases
  broader { id name } narrower { id name } introducedBy { id title published }
  papers(first: 20) { totalCount nodes { id title published } pageInfo { hasNextPage endCursor } }
  statements(first: 20) { relation confidence subject { id name } entity { id name }
    evidence { text field start end } } } }"""
_SEARCH = "query ($text: String!) { search(text: $text, first: 20) { __typename id name } }"


def main() -> None:
    """Print milliseconds and ratios."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("store", nargs="?")
    parser.add_argument("--works", type=int, default=2000)
    parser.add_argument("--times", type=int, default=7)
    parser.add_argument("--of", default=None, help="the entity that is asked for")
    parser.add_argument("--text", default="attention", help="the text that is sought")
    arguments = parser.parse_args()
    gc.freeze()
    with tempfile.TemporaryDirectory(prefix="stemma-graphql-") as folder:
        store = open_store(str(Path(folder) / "stemma.db"))
        with store, store.writer() as writer:
            writer.put(papers(arguments.works), "benchmark")
            writer.commit()
            with store.snapshot() as reader:
                big_answer(reader, arguments.works, arguments.times)
    if arguments.store:
        with open_store(arguments.store) as store, store.snapshot() as reader:
            usual_questions(reader, arguments.of, arguments.text, 20 * arguments.times)


def big_answer(reader: Reader, works: int, times: int) -> None:
    """Compare the executor with a build by hand."""
    schema = make_schema()
    variables = {"of": "entity/work-0", "maxDepth": 4, "first": 2000}
    lineage, sources = fetch(reader)

    def executed() -> str:
        result = asyncio.run(schema.execute(_BIG, variables, Context(reader)))
        assert not result.errors, result.errors
        return json.dumps(result.data, separators=(",", ":"))

    def by_hand() -> str:
        return json.dumps(build(reader, lineage, sources), separators=(",", ":"))

    size = len(executed())
    read = best(lambda: fetch(reader), times)
    hand, whole = best(by_hand, times), best(executed, times)
    print(f"a lineage of {works} works with evidence, {size / 1e6:.2f} MB")
    print(f"  reading the store                {1000 * read:9.1f} ms")
    print(f"  build by hand and json.dumps     {1000 * hand:9.1f} ms")
    print(f"  the executor and json.dumps      {1000 * whole:9.1f} ms, reading included")
    print(f"  without reading                  {(whole - read) / hand:9.1f} times by hand")
    print(f"  with reading on both sides       {whole / (read + hand):9.1f} times by hand")


@strawberry.interface
class _Work:
    id: strawberry.ID
    name: str

    @classmethod
    def resolve_type(cls, work: object, *_: object) -> str:
        return type(work).__name__[1:]


@strawberry.type(name="Paper")
class _Paper(_Work):
    title: str
    published: PartialDate | None


@strawberry.type(name="Entity")
class _Entity(_Work):
    pass


@strawberry.type
class _Evidence:
    text: str
    field: str
    start: int
    end: int


@strawberry.type
class _Statement:
    confidence: float
    evidence: list[_Evidence]
    paper: _Paper | None
    relation: RelationType
    subject: _Work
    entity: _Entity


@strawberry.type
class _Edge:
    child: _Work
    parent: _Work
    relations: list[RelationType]
    confidence: float
    statements: list[_Statement]


@strawberry.type
class _Node:
    depth: int
    published: PartialDate | None
    work: _Work


@strawberry.type
class _Lineage:
    root: _Work
    nodes: list[_Node]
    edges: list[_Edge]
    truncated: bool
    end_cursor: str | None


@strawberry.type
class _PageInfo:
    has_next_page: bool
    end_cursor: str | None


@strawberry.type
class _Papers:
    total_count: int
    nodes: list[_Paper]
    page_info: _PageInfo


@strawberry.type
class _EntityPage:
    id: strawberry.ID
    name: str
    kind: EntityKind
    aliases: list[str]
    broader: list[_Entity]
    narrower: list[_Entity]
    introduced_by: list[_Paper]
    papers: _Papers = strawberry.field(name="papersPage")
    statements: list[_Statement] = strawberry.field(name="statementsShown")


_LOOSENED = {"papers(first: 20)": "papersPage", "statements(first: 20)": "statementsShown"}
"""Constants of an object have no arguments."""


def _work(work: Work) -> _Paper | _Entity:
    id_ = strawberry.ID(work.id)
    if isinstance(work, Paper):
        return _Paper(id=id_, name=work.title, title=work.title, published=work.published)
    return _Entity(id=id_, name=work.name)


def _statements(found: Sequence[Statement], works: Mapping[str, Work]) -> list[Any]:
    shown = []
    for each in found:
        subject = _work(works[each.subject])
        shown.append(
            _Statement(
                confidence=each.confidence,
                evidence=[
                    _Evidence(text=e.text, field=e.field.value, start=e.start, end=e.end)
                    for e in each.evidence
                ],
                paper=subject if isinstance(subject, _Paper) else None,
                relation=each.relation,
                subject=subject,
                entity=cast(_Entity, _work(works[each.entity])),
            )
        )
    return shown


def constant_lineage(reader: Reader, of: str) -> _Lineage:
    """Make the answer of a lineage beforehand."""
    found = trace(reader, reader.resolve(of))
    statements = [each for edge in found.edges for each in edge.statements]
    works = reader.works({id_ for each in statements for id_ in (each.subject, each.entity)})
    works |= {work.id: work for work in (found.root, *(node.work for node in found.nodes))}
    return _Lineage(
        root=_work(found.root),
        nodes=[
            _Node(depth=node.depth, published=node.published, work=_work(node.work))
            for node in found.nodes
        ],
        edges=[
            _Edge(
                child=_work(works[edge.child]),
                parent=_work(works[edge.parent]),
                relations=list(edge.relations),
                confidence=edge.confidence,
                statements=_statements(edge.statements, works),
            )
            for edge in found.edges
        ],
        truncated=found.truncated,
        end_cursor=found.end_cursor,
    )


class _Read(NamedTuple):
    """What an entity's page shows, as the store has it."""

    work: Entity
    statements: Sequence[Statement]
    naming: list[str]
    introducing: list[str]
    narrower: list[str]
    works: Mapping[str, Work]


def entity_page(reader: Reader, of: str) -> _Read:
    """Read what an entity's page shows."""
    found = reader.resolve(of)
    work = reader.works([found])[found]
    assert isinstance(work, Entity)
    statements = reader.statements([found])[found][:20]
    naming = reader.papers_naming([found])[found]
    introducing = reader.papers_naming([found], [RelationType.INTRODUCES])[found]
    narrower = reader.narrower([found])[found]
    ends = {each for one in statements for each in (one.subject, one.entity)}
    works = reader.works({*ends, *work.broader, *narrower, *naming[:20], *introducing})
    return _Read(work, statements, naming, introducing, narrower, works)


def constant_page(read: _Read) -> _EntityPage:
    """Make the answer of an entity's page beforehand."""

    def shown(ids: Sequence[str]) -> list[Any]:
        return [_work(read.works[id_]) for id_ in ids]

    return _EntityPage(
        id=strawberry.ID(read.work.id),
        name=read.work.name,
        kind=read.work.kind,
        aliases=list(read.work.aliases),
        broader=shown(read.work.broader),
        narrower=shown(read.narrower),
        introduced_by=shown(read.introducing),
        papers=_Papers(
            total_count=len(read.naming),
            nodes=shown(read.naming[:20]),
            page_info=_PageInfo(
                has_next_page=len(read.naming) > 20,
                end_cursor=read.naming[:20][-1] if read.naming else None,
            ),
        ),
        statements=_statements(read.statements, read.works),
    )


def constants(reader: Reader, of: str, text: str) -> strawberry.Schema:
    """Return a schema whose fields have the same answers, made beforehand."""
    one, other = constant_lineage(reader, of), constant_page(entity_page(reader, of))
    works = [_work(each) for each in reader.search(text)]

    @strawberry.type
    class Query:
        @strawberry.field
        def lineage(self, of: str, max_depth: int) -> _Lineage:
            return one

        @strawberry.field
        def entity(self, name: str) -> _EntityPage:
            return other

        @strawberry.field
        def search(self, text: str, first: int) -> list[_Work]:
            return works

    scalar = strawberry.scalar(name="PartialDate", serialize=str, parse_value=PartialDate.parse)
    return strawberry.Schema(
        query=Query,
        types=[_Paper, _Entity],
        extensions=[ParserCache, ValidationCache],
        config=StrawberryConfig(scalar_map={PartialDate: scalar}),
    )


def usual_questions(reader: Reader, of: str | None, text: str, times: int) -> None:
    """Compare three questions with the bare store calls, and with constants."""
    if of is None:
        of = most_derived(reader)
    schema = make_schema()
    asked = {
        "lineage at depth 3": (_LINEAGE, {"of": of}),
        "an entity's page": (_ENTITY, {"of": of}),
        "search": (_SEARCH, {"text": text}),
    }
    fixed = constants(reader, of, text)
    bare: dict[str, Callable[[], object]] = {
        "lineage at depth 3": lambda: trace(reader, reader.resolve(of)),
        "an entity's page": lambda: entity_page(reader, of),
        "search": lambda: reader.search(text),
    }
    print(f"{of}, “{text}”: requests per second")
    print(f"  {'':20}{'bare store':>12}{'GraphQL':>10}{'constants':>11}{'share':>8}")
    for name, (query, variables) in asked.items():
        same = query
        for written, constant in _LOOSENED.items():
            same = same.replace(written, constant)
        assert_same(schema, fixed, reader, query, same, variables)
        ours = rate(schema, query, variables, lambda: Context(reader), times)
        ceiling = rate(fixed, same, variables, lambda: None, times)
        store = 1 / best(bare[name], times)
        print(f"  {name:20}{store:12.0f}{ours:10.0f}{ceiling:11.0f}{ours / ceiling:8.0%}")


def assert_same(
    schema: strawberry.Schema,
    fixed: strawberry.Schema,
    reader: Reader,
    query: str,
    same: str,
    variables: dict[str, Any],
) -> None:
    """See that the constants are the answer."""
    ours = asyncio.run(schema.execute(query, variables, Context(reader)))
    theirs = asyncio.run(fixed.execute(same, variables))
    assert not ours.errors, ours.errors
    assert not theirs.errors, theirs.errors
    text = json.dumps(theirs.data)
    for written, constant in _LOOSENED.items():
        text = text.replace(constant, written.partition("(")[0])
    assert json.loads(text) == ours.data


def most_derived(reader: Reader) -> str:
    """Return the entity of most papers."""
    page = reader.page(WorkType.ENTITY, order=PageOrder.PAPERS, first=1)
    return page.works[0].id


def rate(
    schema: strawberry.Schema,
    query: str,
    variables: dict[str, Any],
    make_context: Callable[[], object],
    times: int,
) -> float:
    """Return how often a query can be answered in a second, the best of five tries."""

    async def run() -> float:
        start = time.process_time()
        for _ in range(times):
            result = await schema.execute(query, variables, make_context())
            assert not result.errors, result.errors
        return time.process_time() - start

    return times / min(asyncio.run(run()) for _ in range(5))


def best(run: Callable[[], object], times: int) -> float:
    """Return the least of the seconds that `run` takes."""
    taken = []
    for _ in range(times):
        start = time.process_time()
        run()
        taken.append(time.process_time() - start)
    return min(taken)


if __name__ == "__main__":
    main()
