"""Papers page by page, with filters: ``/papers?entity=LoRA&relations=USES&order=newest``; and the
newest of them as a feed in Atom (RFC 4287): ``/feeds/papers.atom?entity=LoRA``."""

from collections.abc import Collection, Sequence
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response

from stemma.graph import PageOrder, Reader, Selection, UnknownNameError, Work, WorkType
from stemma.graph.export.graphml import fit_for_xml
from stemma.schema import Entity, Paper, PartialDate, RelationType
from stemma.server.http.query_parameters import read_parameters, written
from stemma.server.views.notes import asked_as
from stemma.server.views.page import WorkPage
from stemma.server.views.work import links
from stemma.server.web import pages
from stemma.server.web.explorer.explorer_page import (
    LARGEST_PAGE,
    MOST_PAPERS,
    ExplorerPage,
    query,
    selected,
)
from stemma.server.web.linked_data.responses import tagged
from stemma.server.web.paper_table import PaperRow, table_of

_A_PAGE = 50
_FILTERS = ("entity", "relations", "text", "since", "until", "order")
_MOST_ENTRIES, _MOST_SENTENCES = 50, 5
"""Papers in a feed, and sentences of each."""
TELLING = (RelationType.INTRODUCES, RelationType.BUILDS_ON, RelationType.IMPROVES_ON)
"""The relations whose sentences say what a paper is."""
_FEED = "/feeds/papers.atom"
_ATOM = "application/atom+xml; charset=utf-8"
_EPOCH = "1970-01-01T00:00:00Z"
"""When a feed without entries was updated: outputs depend on the graph alone."""


def _address(selection: Selection, at: str = "/papers") -> str:
    """Return the address of the papers that are selected."""
    query = urlencode(written(selection, _FILTERS), safe=",/")
    return f"{at}{'?' if query else ''}{query}"


def make_papers_page(
    request: Request, reader: Reader, page_size: int = LARGEST_PAGE
) -> ExplorerPage:
    """Return a page of papers, the newest first; files have those of all pages, up to a number."""
    asked, given = read_parameters(request.query_params, _FILTERS, ("after", "before"))
    entity, asked = _about(reader, asked)
    order = asked.order or PageOrder.NEWEST
    is_page = request.url.path == "/papers"
    before = given.text("before") if is_page else None
    on_page = asked.changed(
        order=order,
        first=_A_PAGE if is_page else MOST_PAPERS,
        after=given.text("after") if is_page else None,
    )
    page = reader.page(WorkType.PAPER, on_page, before)
    ids = [item.id for item in page.items]

    def values() -> dict[str, Any]:
        return {
            "heading": _heading(entity, asked),
            "asked": asked,
            "order": order,
            # The feed is of all years.
            "feed": _address(asked.changed(since=None, until=None, order=None), _FEED),
            "entity": entity,
            "named": asked_as(reader, entity) if entity else "",
            "papers": papers_about(reader, asked.entity, page.items, asked.relations),
            "page": page,
            "address": _address(asked),
            "relations": [(relation.value, relation.words) for relation in RelationType],
            "orders": (PageOrder.NEWEST, PageOrder.PUBLISHED),
            "most_in_files": MOST_PAPERS,
        }

    chosen = selected(asked, [name for name in _FILTERS if name != "order"])
    return ExplorerPage(
        name="papers" if entity is None else f"papers-{entity.id.partition('/')[2]}",
        template="papers.html",
        values=values,
        view=lambda: WorkPage.of(reader, page),
        papers=ids,
        graphql=query("papers", {**chosen, "order": order, "first": page_size}),
    )


def papers_about(
    reader: Reader,
    entity: str | None,
    papers: Sequence[Work],
    relations: Collection[RelationType] = (),
) -> list[PaperRow]:
    """Return rows of papers, each with its strongest sentence about an entity (an id)."""
    sentences: dict[str, str] = {}
    stated = reader.statements([paper.id for paper in papers], relations) if entity else {}
    for paper, statements in stated.items():
        own = [s for s in statements if s.entity == entity and s.evidence]
        if own:
            best = max(own, key=lambda s: (s.relation is not RelationType.MENTIONS, s.confidence))
            sentences[paper] = best.evidence[0].text
    return table_of(reader, papers, sentences)


def _about(reader: Reader, asked: Selection) -> tuple[Entity | None, Selection]:
    """Return the entity that papers are to name, and the selection with its id.

    A paper stands for what it introduces.
    """
    if not asked.entity:
        return None, asked
    id_ = reader.resolve(asked.entity)
    id_ = reader.contributions([id_]).get(id_, id_)
    entity = reader.works([id_]).get(id_)
    if not isinstance(entity, Entity):
        raise UnknownNameError(asked.entity, ())
    return entity, asked.changed(entity=entity.id)


def _heading(entity: Entity | None, asked: Selection) -> str:
    """Return what is listed, in words: "Papers that use or build on LoRA, from 2023"."""
    do = " or ".join(_do(relation) for relation in asked.relations)
    titled = f" with “{asked.text}” in the title" if asked.text else ""
    stating = f" that {do or 'name'} {entity.name if entity else 'something'}"
    since = f" from {asked.since}" * (asked.since is not None)
    until = f" until {asked.until}" * (asked.until is not None)
    years = f" {asked.since}" if asked.since == asked.until else since + until
    return f"Papers{titled}{stating * bool(entity or do)}{f',{years}' * bool(since + until)}"


def _do(relation: RelationType) -> str:
    """Return what papers with a relation do: "build on", "are evaluated on"."""
    verb, _, rest = relation.words.partition(" ")
    return f"{verb[:-1] if verb.endswith('s') else f'are {verb}'} {rest}".strip()


def papers_feed(request: Request, reader: Reader) -> Response:
    """Return the newest papers, which can be selected, as a feed."""
    asked, _ = read_parameters(request.query_params, ("entity", "relations", "text"))
    entity, asked = _about(reader, asked)
    newest = asked.changed(order=PageOrder.NEWEST, first=_MOST_ENTRIES)
    found = reader.page(WorkType.PAPER, newest).items
    # A feed has no place for papers without a year.
    papers = [e for e in found if isinstance(e, Paper) and e.published and e.published.year]
    relations = asked.relations or (() if entity else TELLING)
    quoted = {
        paper: [e for e in statements if asked.entity in (None, e.entity) and e.evidence]
        for paper, statements in reader.statements(
            [paper.id for paper in papers], relations
        ).items()
    }
    dates = {paper.id: _timestamp(paper) for paper in papers}
    feed = pages.render(
        "feed.xml",
        heading=_heading(entity, asked),
        here=str(request.url),
        updated=max(dates.values(), default=_EPOCH),
        server=str(request.base_url).rstrip("/"),
        address=_address(asked),
        base=reader.base,
        entries=[
            (e, dates[e.id], next(iter(links(e)), ""), quoted[e.id][:_MOST_SENTENCES])
            for e in papers
        ],
        names=reader.works(
            {statement.entity for statements in quoted.values() for statement in statements}
        ),
    )
    return tagged(request, fit_for_xml(feed).encode(errors="replace"), _ATOM, {})


def _timestamp(paper: Paper) -> str:
    """Return when a paper was published (RFC 3339); a month or a year counts as its first day."""
    date = paper.published or PartialDate.parse("1970")
    return f"{date.year:04}-{date.month or 1:02}-{date.day or 1:02}T00:00:00Z"
