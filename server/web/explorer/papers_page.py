"""Papers page by page, with filters: ``/papers?entity=LoRA&relations=USES&order=newest``."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request

from stemma.graph import (
    Page,
    PageOrder,
    Reader,
    Selection,
    UnknownNameError,
    Work,
    WorkFilter,
    WorkType,
)
from stemma.graph.filters import Years
from stemma.graph.selection import EVERYTHING
from stemma.schema import Entity, RelationType
from stemma.server.http.selection_parameters import read_parameters, written
from stemma.server.views.notes import asked_as
from stemma.server.views.page import PageView
from stemma.server.web.explorer.explorer_page import MOST_PAPERS, ExplorerPage
from stemma.server.web.graphql_text import LARGEST_PAGE, arguments, selected
from stemma.server.web.paper_table import Row, table_of

ROLES = {
    RelationType.COMPARES_WITH: "Papers that compare with {}",
    RelationType.USES: "Papers that use {}",
    RelationType.RUNS_ON: "Papers that run on {}",
    RelationType.EVALUATED_ON: "Papers evaluated on {}",
    RelationType.MENTIONS: "Papers that mention {}",
}
"""What papers are to an entity that they relate to in this way, besides its lineage."""
_A_PAGE = 50
_FILTERS = ("entity", "relations", "text", "since", "until", "order")


@dataclass(frozen=True, slots=True)
class PapersRequest:
    """Which papers are listed: the selected ones, newest first; `entity` is an id."""

    selection: Selection = EVERYTHING

    @property
    def order(self) -> PageOrder:
        """The order: papers without a date come last."""
        return self.selection.order or PageOrder.NEWEST

    @property
    def filter(self) -> WorkFilter:
        """The filter that lets these papers through."""
        selection = self.selection
        return WorkFilter(
            text=selection.text,
            relations=selection.relations,
            entity=selection.entity,
            year_from=selection.since,
            year_to=selection.until,
        )

    @property
    def feed(self) -> str:
        """The address of the feed of such papers, of all years."""
        query = PapersRequest(self.selection.changed(since=None, until=None, order=None)).query()
        return f"/feeds/papers.atom{'?' if query else ''}{query}"

    def address(self, **cursor: str) -> str:
        """Return the address of the page that lists them."""
        query = self.query(**cursor)
        return f"/papers{'?' if query else ''}{query}"

    def query(self, **cursor: str) -> str:
        """Return the query parameters that ask for them."""
        return urlencode({**written(self.selection, _FILTERS), **cursor}, safe=",/")


def make_papers_page(request: Request, reader: Reader) -> ExplorerPage:
    """Return a page of papers; files have those of all pages, as many as a file holds."""
    selection, given = read_parameters(request.query_params, _FILTERS, ("after", "before"))
    entity = entity_called(reader, selection.entity) if selection.entity else None
    asked = PapersRequest(selection.changed(entity=entity.id if entity else None))
    is_page = request.url.path == "/papers"
    before = given.text("before") if is_page else None
    page = reader.page(
        WorkType.PAPER,
        asked.filter,
        asked.order,
        after=given.text("after") if is_page else None,
        before=before,
        first=_A_PAGE if is_page else MOST_PAPERS,
        backward=before is not None,
    )
    first, last = (page.works[each].id if page.works else "" for each in (0, -1))

    def values() -> dict[str, Any]:
        about = entity.id if entity else None
        return {
            "heading": heading(entity, asked),
            "asked": asked,
            "entity": entity,
            "named": asked_as(reader, entity) if entity else "",
            "papers": papers_about(reader, about, page.works, asked.selection),
            "total": page.total,
            "previous": asked.address(before=first) if page.has_previous else None,
            "next": asked.address(after=last) if page.has_next else None,
            "relations": [(each.value, each.words) for each in RelationType],
            "orders": (PageOrder.NEWEST, PageOrder.PUBLISHED),
            "most_in_files": MOST_PAPERS,
        }

    return ExplorerPage(
        name="papers" if entity is None else f"papers-{entity.id.partition('/')[2]}",
        template="papers.html",
        values=values,
        view=lambda: PageView.of_works(reader, page),
        papers=[each.id for each in page.works],
        graphql=_graphql(asked),
    )


def papers_about(
    reader: Reader, entity: str | None, papers: Collection[Work], selection: Selection = EVERYTHING
) -> list[Row]:
    """Return rows of papers, each with its strongest sentence about an entity (an id)."""
    works = list(papers)
    if entity is None:
        return table_of(reader, works)
    sentences: dict[str, str] = {}
    stated = reader.statements([work.id for work in works], selection.relations)
    for paper, statements in stated.items():
        own = [s for s in statements if s.entity == entity and s.evidence]
        if own:
            best = max(own, key=lambda s: (s.relation is not RelationType.MENTIONS, s.confidence))
            sentences[paper] = best.evidence[0].text
    return table_of(reader, works, sentences)


def newest_papers(reader: Reader, filter: WorkFilter, first: int) -> Page:
    """Return the newest papers that pass a filter."""
    return reader.page(WorkType.PAPER, filter, PageOrder.NEWEST, first=first)


def entity_called(reader: Reader, name: str) -> Entity:
    """Return the entity of this name; a paper stands for what it introduces."""
    id_ = reader.resolve(name)
    found = reader.works([reader.contributions([id_]).get(id_, id_)])
    for each in found.values():
        if isinstance(each, Entity):
            return each
    raise UnknownNameError(name, ())


def heading(entity: Entity | None, asked: PapersRequest) -> str:
    """Return what is listed, in words."""
    chosen = asked.selection
    years = _in_years(chosen.years)
    words = " or ".join(each.words for each in chosen.relations)
    if entity is None:
        return f"Papers{f' that have the relation {words}' if words else ''}{years}"
    if not chosen.relations:
        return f"Papers that name {entity.name}{years}"
    if len(chosen.relations) == 1 and (role := ROLES.get(chosen.relations[0])):
        return role.format(entity.name) + years
    return f"Papers with a relation to {entity.name}: {words}{years}"


def _in_years(years: Years) -> str:
    if years.first == years.last:
        return f", {years.first}" if years else ""
    since = f" from {years.first}" if years.first is not None else ""
    return f",{since}{f' until {years.last}' if years.last is not None else ''}"


def _graphql(asked: PapersRequest) -> str:
    names = [name for name in _FILTERS if name != "order"]
    given = arguments(
        {
            **selected(asked.selection, names),
            "order": asked.order.name,
            "first": str(LARGEST_PAGE),
        }
    )
    return (
        f"query Papers {{\n  papers({given}) {{\n    totalCount\n"
        "    nodes { id title published }\n    pageInfo { hasNextPage endCursor }\n  }\n}\n"
    )
