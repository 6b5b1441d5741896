"""Papers page by page, with filters: ``/papers?entity=LoRA&relations=USES&order=newest``."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response

from stemma.graph import PageOrder, Reader, UnknownNameError, WorkFilter, WorkType
from stemma.graph.criteria import ALL_YEARS, Years
from stemma.schema import Entity, Paper, RelationType
from stemma.server.explorer.graphql_text import LARGEST_PAGE, arguments, string
from stemma.server.explorer.view import MOST_PAPERS, Row, View
from stemma.server.http.query_parameters import QueryParameters
from stemma.server.linked_data.listing import ROLES, turns
from stemma.server.presentation.data import work_json
from stemma.server.presentation.notes import asked_as

_A_PAGE = 50
_PARAMETERS = (
    *("entity", "relations", "text", "yearFrom", "yearTo", "order"),
    *("after", "before"),
)


class Order(StrEnum):
    """Which papers come first; those without a date come last."""

    OLDEST = "oldest"
    NEWEST = "newest"

    @property
    def page_order(self) -> PageOrder:
        return PageOrder.PUBLISHED if self is Order.OLDEST else PageOrder.NEWEST


@dataclass(frozen=True, slots=True)
class PapersRequest:
    """Which papers are listed.

    With `entity` (an id), those that have one of `relations` to it, or any if none is given; `text`
    is part of their titles.
    """

    entity: str | None = None
    relations: tuple[RelationType, ...] = ()
    years: Years = ALL_YEARS
    text: str | None = None
    order: Order = Order.OLDEST

    @property
    def filter(self) -> WorkFilter:
        return WorkFilter(
            text=self.text,
            relations=self.relations,
            entity=self.entity,
            year_from=self.years.first,
            year_to=self.years.last,
        )

    def query(self, **cursor: str) -> str:
        """Return the query that asks for this."""
        given = {
            "entity": self.entity,
            "relations": ",".join(self.relations),
            "text": self.text,
            "yearFrom": self.years.first,
            "yearTo": self.years.last,
            "order": self.order.value if self.order is not Order.OLDEST else None,
            **cursor,
        }
        return urlencode({name: value for name, value in given.items() if value}, safe=",/")

    @property
    def feed(self) -> str:
        """Return the address of the feed of such papers, of all years."""
        query = replace(self, years=ALL_YEARS, order=Order.OLDEST).query()
        return f"/feeds/papers.atom{'?' if query else ''}{query}"

    def address(self, **cursor: str) -> str:
        """Return the address of the page that lists them."""
        query = self.query(**cursor)
        return f"/papers{'?' if query else ''}{query}"


def papers_view(request: Request, reader: Reader) -> View | Response:
    """Return a page of papers; files have those of all pages, as many as a file holds."""
    given = QueryParameters(request.query_params, _PARAMETERS)
    name = given.text("entity")
    entity = entity_called(reader, name) if name else None
    asked = PapersRequest(
        entity.id if entity else None,
        given.choices("relations", list(RelationType)),
        Years(given.year("yearFrom"), given.year("yearTo")),
        given.text("text"),
        given.choice("order", list(Order), Order.OLDEST),
    )
    is_page = request.url.path == "/papers"
    before = given.text("before") if is_page else None
    page = reader.page(
        WorkType.PAPER,
        asked.filter,
        asked.order.page_order,
        after=given.text("after") if is_page else None,
        before=before,
        first=_A_PAGE if is_page else MOST_PAPERS,
        backward=before is not None,
    )
    papers = [each for each in page.works if isinstance(each, Paper)]
    previous, next_ = turns(page, asked.address)
    values: dict[str, Any] = {
        "heading": heading(entity, asked),
        "asked": asked,
        "entity": entity,
        "named": asked_as(reader, entity) if entity else "",
        "papers": papers,
        "total": page.total,
        "previous": previous,
        "next": next_,
        "relations": list(RelationType),
        "orders": list(Order),
        "most_in_files": MOST_PAPERS,
    }
    return View(
        name="papers" if entity is None else f"papers-{entity.id.partition('/')[2]}",
        template="papers.html",
        values=values,
        data=lambda: {
            "papers": [work_json(each) for each in papers],
            "totalCount": page.total,
        },
        table=lambda: _rows(papers),
        papers=[each.id for each in papers],
        graphql=_graphql(asked),
    )


def entity_called(reader: Reader, name: str) -> Entity:
    """Return the entity of this name; a paper stands for what it introduces."""
    id_ = reader.resolve(name)
    found = reader.works([reader.contributions([id_]).get(id_, id_)])
    for each in found.values():
        if isinstance(each, Entity):
            return each
    raise UnknownNameError(name, ())


def heading(entity: Entity | None, asked: PapersRequest) -> str:
    years = _in_years(asked.years)
    if entity is None:
        relations = _words(asked.relations)
        return f"Papers{f' that have the relation {relations}' if relations else ''}{years}"
    if not asked.relations:
        return f"Papers that name {entity.name}{years}"
    if len(asked.relations) == 1 and (role := ROLES.get(asked.relations[0])):
        return role.format(entity.name) + years
    return f"Papers with a relation to {entity.name}: {_words(asked.relations)}{years}"


def _words(relations: Collection[RelationType]) -> str:
    return " or ".join(each.words for each in relations)


def _in_years(years: Years) -> str:
    if years.first == years.last:
        return f", {years.first}" if years else ""
    since = f" from {years.first}" if years.first is not None else ""
    return f",{since}{f' until {years.last}' if years.last is not None else ''}"


def _rows(papers: Collection[Paper]) -> Iterator[Row]:
    yield ("id", "title", "published", "venue", "links")
    for each in papers:
        published = str(each.published or "")
        yield (each.id, each.title, published, each.venue or "", " ".join(each.links))


def _graphql(asked: PapersRequest) -> str:
    first, last = asked.years.first, asked.years.last
    relations = ", ".join(asked.relations)
    given = arguments(
        {
            "entity": string(asked.entity) if asked.entity else None,
            "relations": f"[{relations}]" if relations else None,
            "text": string(asked.text) if asked.text else None,
            "yearFrom": str(first) if first else None,
            "yearTo": str(last) if last else None,
            "order": asked.order.page_order.name,
            "first": str(LARGEST_PAGE),
        }
    )
    return (
        f"query Papers {{\n  papers({given}) {{\n    totalCount\n"
        "    nodes { id title published }\n    pageInfo { hasNextPage endCursor }\n  }\n}\n"
    )
