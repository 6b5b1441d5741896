"""The feed of papers, in Atom (RFC 4287): ``/feeds/papers.atom?entity=LoRA``."""

from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from stemma.graph import Reader, Store, Work, WorkFilter, WorkType
from stemma.graph.export.graphml import fit_for_xml
from stemma.graph.selection import PageOrder
from stemma.schema import Paper, PartialDate, RelationType, Statement
from stemma.server.http.selection_parameters import read_parameters
from stemma.server.views.work import links
from stemma.server.web import pages
from stemma.server.web.explorer.papers_page import (
    entity_called,
    heading,
    paper_filter,
    papers_address,
)
from stemma.server.web.linked_data.responses import page_endpoint, tagged

MOST_ENTRIES = 50
_MOST_SENTENCES = 5
_TELLING = (RelationType.INTRODUCES, RelationType.BUILDS_ON, RelationType.IMPROVES_ON)
"""What an entry says of a paper where nothing in particular is asked for."""
_TYPE = "application/atom+xml; charset=utf-8"
_EPOCH = "1970-01-01T00:00:00Z"
"""When a feed without entries was updated: outputs depend on the graph alone."""


def feed_route(store: Store) -> Route:
    """Return the route of the newest papers of a store, which can be selected."""

    def respond(request: Request, reader: Reader) -> Response:
        asked, _ = read_parameters(request.query_params, ("entity", "relations", "text"))
        entity = entity_called(reader, asked.entity) if asked.entity else None
        asked = asked.changed(entity=entity.id if entity else None)
        chosen = paper_filter(asked)
        found = reader.page(WorkType.PAPER, chosen, PageOrder.NEWEST, first=MOST_ENTRIES).items
        # A feed has no place for papers without a year.
        papers = [e for e in found if isinstance(e, Paper) and e.published and e.published.year]
        quoted, names = _quoted(reader, papers, chosen)
        dates = {each.id: _timestamp(each) for each in papers}
        feed = pages.render(
            "feed.xml",
            heading=heading(entity, asked),
            here=str(request.url),
            updated=max(dates.values(), default=_EPOCH),
            server=str(request.base_url).rstrip("/"),
            address=papers_address(asked),
            base=reader.base,
            entries=[(e, dates[e.id], next(iter(links(e)), ""), quoted[e.id]) for e in papers],
            names=names,
        )
        return tagged(request, fit_for_xml(feed).encode(errors="replace"), _TYPE, {})

    return Route("/feeds/papers.atom", page_endpoint(store, respond))


def _quoted(
    reader: Reader, papers: Sequence[Paper], chosen: WorkFilter
) -> tuple[dict[str, list[Statement]], dict[str, Work]]:
    """Return the statements by which papers (ids) pass, and the works that they name."""
    relations = chosen.relations or (() if chosen.entity else _TELLING)
    stated = reader.statements([each.id for each in papers], relations)
    quoted = {
        paper: [e for e in own if chosen.entity in (None, e.entity) and e.evidence][
            :_MOST_SENTENCES
        ]
        for paper, own in stated.items()
    }
    return quoted, reader.works({each.entity for own in quoted.values() for each in own})


def _timestamp(paper: Paper) -> str:
    """Return when a paper was published (RFC 3339); a month or a year counts as its first day."""
    date = paper.published or PartialDate.parse("1970")
    return f"{date.year:04}-{date.month or 1:02}-{date.day or 1:02}T00:00:00Z"
