"""A GraphQL server that knows its answers by heart: the most that strawberry and uvicorn allow.

Its types are those of Stemma's schema, as far as `serving.py` asks for them, without resolvers.
"""

from types import NoneType
from typing import Any, get_args, get_origin, get_type_hints

import strawberry
import uvicorn
from starlette.applications import Starlette
from starlette.routing import Route
from strawberry.asgi import GraphQL
from strawberry.extensions import ParserCache, ValidationCache
from strawberry.utils.str_converters import to_camel_case


@strawberry.interface
class Work:
    """A paper or an entity."""

    id: strawberry.ID
    name: str
    published: str | None


@strawberry.type
class Paper(Work):
    """A paper."""


@strawberry.type
class PaperConnection:
    """A page of papers."""

    total_count: int
    nodes: list[Paper]


@strawberry.type
class Evidence:
    """A sentence."""

    text: str
    field: str
    start: int
    end: int


@strawberry.type
class Statement:
    """What a paper says."""

    relation: str
    confidence: float
    subject: Work
    paper: Paper | None
    evidence: list[Evidence]


@strawberry.type
class StatementPage:
    """Statements on a page."""

    nodes: list[Statement]


@strawberry.type
class WorkPage:
    """Works on a page."""

    nodes: list[Work]


@strawberry.type
class Entity(Work):
    """An entity, and what is known of it."""

    kind: str
    aliases: list[str]
    broader: list["Entity"]
    narrower: list["Entity"]
    introduced_by: list[Paper]
    statements_: strawberry.Private[StatementPage]
    papers_: strawberry.Private[PaperConnection]

    @strawberry.field
    def statements(self, first: int) -> StatementPage:
        """Return what is said of it."""
        return self.statements_

    @strawberry.field
    def papers(self, first: int) -> PaperConnection:
        """Return the papers that name it."""
        return self.papers_


@strawberry.type
class LineageNode:
    """A work on a lineage."""

    work: Work
    depth: int


@strawberry.type
class LineageEdge:
    """What makes a lineage."""

    child: Work
    parent: Work
    relations: list[str]
    confidence: float
    statements: list[Statement]


@strawberry.type
class PageInfo:
    """Where a page is."""

    has_next_page: bool
    end_cursor: str | None


@strawberry.type
class Lineage:
    """The descendants of a work."""

    root: Work
    nodes: list[LineageNode]
    edges: list[LineageEdge]
    page_info: PageInfo


def serve(answers: dict[str, Any], port: int) -> None:
    """Answer the queries of `serving.py` about the works that are the keys of `answers`."""
    hints = {"lineage": Lineage, "entity": Entity, "search": WorkPage}
    known: dict[tuple[str, str], Any] = {
        (field, of): made(hints[field], value)
        for of, data in answers.items()
        for field, value in data.items()
    }

    @strawberry.type
    class Query:
        @strawberry.field
        async def lineage(self, of: str, max_depth: int) -> Lineage:
            return known["lineage", of]

        @strawberry.field
        async def entity(self, name: str) -> Entity:
            return known["entity", name]

        @strawberry.field
        async def search(self, text: str, first: int) -> WorkPage:
            return known["search", text]

    extensions = [ParserCache, ValidationCache]
    schema = strawberry.Schema(Query, types=[Entity, Paper], extensions=extensions)
    uvicorn.run(
        Starlette(routes=[Route("/graphql", GraphQL(schema))]),
        port=port,
        log_level="warning",
        access_log=False,
    )


def made(hint: Any, value: Any) -> Any:
    """Turn JSON into the types above; what a query left out is None."""
    if value is None:
        return None
    if get_origin(hint) is list:
        return [made(get_args(hint)[0], each) for each in value]
    if NoneType in get_args(hint):
        return made(get_args(hint)[0], value)
    if not isinstance(value, dict):
        return value
    type_ = _concrete(value) if hint is Work else hint
    hints = get_type_hints(type_)
    return type_(
        **{
            name: made(each, value.get(to_camel_case(name.rstrip("_"))))
            for name, each in hints.items()
        }
    )


def _concrete(work: dict[str, Any]) -> type[Work]:
    return Paper if work["id"].startswith("paper/") else Entity
