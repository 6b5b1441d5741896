"""Pages of the explorer: what they show, in every form in which it can be taken away."""

import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from stemma.graph import Reader, Selection, Store
from stemma.graph.export.csv_text import csv_text
from stemma.graph.selection import filters
from stemma.schema.name import PAPER
from stemma.server.views.bibtex import bibtex
from stemma.server.views.view import View
from stemma.server.web import pages
from stemma.server.web.linked_data.responses import page_endpoint, page_response, tagged

TYPES = {
    "svg": "image/svg+xml",
    "json": "application/json",
    "csv": "text/csv",
    "bib": "application/x-bibtex; charset=utf-8",
}
MOST_PAPERS = 1000
"""Papers that a file of BibTeX holds at most."""
LARGEST_PAGE = 100
"""How many works or statements a query asks for, where the server allows as many."""
query = partial(pages.macro, "queries.graphql")
"""Makes the query of a name, with its arguments."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplorerPage:
    """A page with its files. `template` is rendered with what `values` returns: files need none.

    `name` is that of its files, which have the `suffixes`. `view` makes the content of its JSON and
    its CSV, `svg` its picture. `papers` (ids) are behind it: its BibTeX. The GraphQL query
    `graphql` selects the same.
    """

    name: str
    template: str
    values: Callable[[], Mapping[str, Any]]
    view: Callable[[], View]
    papers: Collection[str]
    graphql: str
    suffixes: tuple[str, ...] = ("json", "csv", "bib")
    svg: Callable[[], str] = str

    def content(self, suffix: str, reader: Reader) -> str:
        """Return the content of its file with this suffix."""
        if suffix == "svg":
            return self.svg()
        if suffix == "json":
            return json.dumps(self.view().to_json(), ensure_ascii=False, indent=1) + "\n"
        if suffix == "csv":
            shown = self.view()
            return csv_text([shown.headings(), *(row.values() for row in shown.to_rows())])
        chosen = list(dict.fromkeys(paper for paper in self.papers if paper.startswith(PAPER)))
        return bibtex(reader.works(chosen[:MOST_PAPERS]).values())


def downloads(address: str, query: str, suffixes: Collection[str]) -> dict[str, str]:
    """Return the addresses of what a page shows, as files, by their suffixes."""
    return {suffix: f"{address}.{suffix}{'?' * bool(query)}{query}" for suffix in suffixes}


Make = Callable[[Request, Reader], ExplorerPage | Response]


def page_routes(store: Store, address: str, make: Make) -> list[Route]:
    """Return the routes of a page and of its files."""
    handlers = {f"{address}.{suffix}": partial(show, make, suffix=suffix) for suffix in TYPES}
    handlers[address] = partial(show, make)
    return [Route(at, page_endpoint(store, handler)) for at, handler in handlers.items()]


def show(make: Make, request: Request, reader: Reader, suffix: str = "") -> Response:
    """Return a page as HTML, with links to its files, or the file of it with this suffix."""
    page = make(request, reader)
    if isinstance(page, Response):
        return page
    if not suffix:
        files = downloads(pages.path(request.url.path), request.url.query, page.suffixes)
        values = {**page.values(), "graphql": page.graphql, "downloads": files}
        return page_response(request, page.template, **values)
    if suffix not in page.suffixes:
        return PlainTextResponse(f"This page has no .{suffix}.\n", 404)
    body = page.content(suffix, reader).encode(errors="replace")
    name = quote(f"{page.name}.{suffix}", safe="")
    headers = {"content-disposition": f"inline; filename*=UTF-8''{name}"}
    return tagged(request, body, TYPES[suffix], headers)


def selected(selection: Selection, names: Collection[str]) -> dict[str, Any]:
    """Return the arguments for some filters of a selection, without those at their defaults."""
    given = selection.given(names)
    return {filters()[name].camel_case: value for name, value in given.items()}
