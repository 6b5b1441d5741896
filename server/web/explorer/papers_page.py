"""Papers page by page, with filters: ``/papers?entity=LoRA&relations=USES&order=newest``."""

from collections.abc import Collection
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request

from stemma.graph import PageOrder, Reader, Selection, UnknownNameError, Work, WorkFilter, WorkType
from stemma.schema import Entity, RelationType
from stemma.server.http.selection_parameters import read_parameters, written
from stemma.server.views.notes import asked_as
from stemma.server.views.page import PageView
from stemma.server.web.explorer.explorer_page import MOST_PAPERS, ExplorerPage
from stemma.server.web.graphql_text import LARGEST_PAGE, query, selected
from stemma.server.web.paper_table import PaperRow, table_of

_A_PAGE = 50
_FILTERS = ("entity", "relations", "text", "since", "until", "order")


def papers_address(selection: Selection, at: str = "/papers", **cursor: str) -> str:
    """Return the address of the papers that are selected."""
    query = urlencode({**written(selection, _FILTERS), **cursor}, safe=",/")
    return f"{at}{'?' if query else ''}{query}"


def paper_filter(selection: Selection) -> WorkFilter:
    """Return the filter that lets the papers through that are selected, by the id of an entity."""
    return WorkFilter(
        text=selection.text,
        relations=selection.relations,
        entity=selection.entity,
        year_from=selection.since,
        year_to=selection.until,
    )


def make_papers_page(request: Request, reader: Reader) -> ExplorerPage:
    """Return a page of papers, the newest first; files have those of all pages, up to a number."""
    asked, given = read_parameters(request.query_params, _FILTERS, ("after", "before"))
    entity = entity_called(reader, asked.entity) if asked.entity else None
    asked = asked.changed(entity=entity.id if entity else None)
    order = asked.order or PageOrder.NEWEST
    is_page = request.url.path == "/papers"
    before = given.text("before") if is_page else None
    page = reader.page(
        WorkType.PAPER,
        paper_filter(asked),
        order,
        after=given.text("after") if is_page else None,
        before=before,
        first=_A_PAGE if is_page else MOST_PAPERS,
    )
    ids = [each.id for each in page.items]

    def values() -> dict[str, Any]:
        return {
            "heading": heading(entity, asked),
            "asked": asked,
            "order": order,
            "feed": feed_address(asked),
            "entity": entity,
            "named": asked_as(reader, entity) if entity else "",
            "papers": papers_about(reader, asked.entity, page.items, asked.relations),
            "total": page.total,
            "previous": ids and page.has_previous and papers_address(asked, before=ids[0]),
            "next": ids and page.has_next and papers_address(asked, after=ids[-1]),
            "relations": [(each.value, each.words) for each in RelationType],
            "orders": (PageOrder.NEWEST, PageOrder.PUBLISHED),
            "most_in_files": MOST_PAPERS,
        }

    chosen = selected(asked, [name for name in _FILTERS if name != "order"])
    return ExplorerPage(
        name="papers" if entity is None else f"papers-{entity.id.partition('/')[2]}",
        template="papers.html",
        values=values,
        view=lambda: PageView.of_works(reader, page),
        papers=ids,
        graphql=query("papers", {**chosen, "order": order, "first": LARGEST_PAGE}),
    )


def feed_address(asked: Selection) -> str:
    """Return the address of the feed of such papers, of all years."""
    return papers_address(asked.changed(since=None, until=None, order=None), "/feeds/papers.atom")


def papers_about(
    reader: Reader,
    entity: str | None,
    papers: Collection[Work],
    relations: Collection[RelationType] = (),
) -> list[PaperRow]:
    """Return rows of papers, each with its strongest sentence about an entity (an id)."""
    works = list(papers)
    sentences: dict[str, str] = {}
    stated = reader.statements([work.id for work in works], relations) if entity else {}
    for paper, statements in stated.items():
        own = [s for s in statements if s.entity == entity and s.evidence]
        if own:
            best = max(own, key=lambda s: (s.relation is not RelationType.MENTIONS, s.confidence))
            sentences[paper] = best.evidence[0].text
    return table_of(reader, works, sentences)


def entity_called(reader: Reader, name: str) -> Entity:
    """Return the entity of this name; a paper stands for what it introduces."""
    id_ = reader.resolve(name)
    found = reader.works([reader.contributions([id_]).get(id_, id_)])
    for each in found.values():
        if isinstance(each, Entity):
            return each
    raise UnknownNameError(name, ())


def heading(entity: Entity | None, asked: Selection) -> str:
    """Return what is listed, in words: "Papers that use or build on LoRA, from 2023"."""
    do = " or ".join(_do(each) for each in asked.relations)
    whom = f" {do or 'name'} {entity.name if entity else 'something'}"
    since = f" from {asked.since}" * (asked.since is not None)
    until = f" until {asked.until}" * (asked.until is not None)
    years = f" {asked.since}" if asked.since == asked.until else since + until
    return f"Papers{f' that{whom}' if entity or do else ''}{f',{years}' if since + until else ''}"


def _do(relation: RelationType) -> str:
    """Return what papers with a relation do: "build on", "are evaluated on"."""
    verb, _, rest = relation.words.partition(" ")
    return f"{verb[:-1] if verb.endswith('s') else f'are {verb}'} {rest}".strip()
