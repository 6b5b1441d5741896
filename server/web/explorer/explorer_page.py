"""Pages of the explorer: what they show, in every form in which it can be taken away."""

import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from stemma.graph import Reader, Store
from stemma.graph.export.csv_text import csv_text
from stemma.schema import Paper
from stemma.schema.name import PAPER
from stemma.server.sparql.format import content_type
from stemma.server.views.bibtex import bibtex
from stemma.server.views.view import View
from stemma.server.web import pages
from stemma.server.web.linked_data.responses import PAGE, page_endpoint, tagged

TYPES = {
    "svg": "image/svg+xml",
    "json": "application/json",
    "csv": "text/csv; charset=utf-8",
    "bib": "application/x-bibtex; charset=utf-8",
}
MOST_PAPERS = 1000
"""Papers that a file of BibTeX holds at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplorerPage:
    """A page with its files. `template` is rendered with what `values` returns: files need none.

    `name` is that of its files. `view` makes the content of its JSON and its CSV, `svg` its
    picture. `papers` (ids) are behind it: its BibTeX. The GraphQL query `graphql` selects the same.
    Without `has_json`, another endpoint has the JSON.
    """

    name: str
    template: str
    values: Callable[[], Mapping[str, Any]]
    view: Callable[[], View]
    papers: Collection[str]
    graphql: str
    svg: Callable[[], str] | None = None
    has_json: bool = True

    def has(self, suffix: str) -> bool:
        """Return whether it has a file with this suffix."""
        return {"json": self.has_json, "svg": self.svg is not None}.get(suffix, True)

    def content(self, suffix: str, reader: Reader) -> str:
        """Return the content of its file with this suffix."""
        if suffix == "svg" and self.svg:
            return self.svg()
        if suffix == "json":
            return json.dumps(self.view().to_json(), ensure_ascii=False, indent=1) + "\n"
        if suffix == "csv":
            shown = self.view()
            return csv_text([shown.headings(), *(row.values() for row in shown.to_rows())])
        chosen = list(dict.fromkeys(each for each in self.papers if each.startswith(PAPER)))
        works = reader.works(chosen[:MOST_PAPERS]).values()
        return bibtex([work for work in works if isinstance(work, Paper)])


@dataclass(frozen=True, slots=True)
class Downloads:
    """The addresses of what a page shows, as files."""

    address: str
    query: str
    suffixes: tuple[str, ...]
    name: str

    def __call__(self, suffix: str) -> str:
        """Return the address of the file with this suffix."""
        return f"{self.address}.{suffix}{'?' if self.query else ''}{self.query}"


Make = Callable[[Request, Reader], ExplorerPage | Response]


def page_routes(store: Store, address: str, make: Make) -> list[Route]:
    """Return the routes of a page and of its files."""
    return [*file_routes(store, address, make), Route(address, page_endpoint(store, page_of(make)))]


def file_routes(store: Store, address: str, make: Make) -> list[Route]:
    """Return the routes of the files of a page."""
    return [
        Route(f"{address}.{suffix}", page_endpoint(store, _file(make, suffix))) for suffix in TYPES
    ]


def page_of(make: Make) -> Callable[[Request, Reader], Response]:
    """Return the handler that answers with a page."""

    def show(request: Request, reader: Reader) -> Response:
        page = make(request, reader)
        return page if isinstance(page, Response) else render_page(request, page)

    return show


def render_page(request: Request, page: ExplorerPage) -> Response:
    """Return the HTML of a page, with links to its files."""
    path, query = pages.path(request.url.path), request.url.query
    downloads = Downloads(path, query, tuple(filter(page.has, TYPES)), page.name)
    body = pages.render(page.template, **page.values(), graphql=page.graphql, downloads=downloads)
    return tagged(request, body.encode(), content_type(PAGE), {})


def _file(make: Make, suffix: str) -> Callable[[Request, Reader], Response]:
    def show(request: Request, reader: Reader) -> Response:
        page = make(request, reader)
        if isinstance(page, Response):
            return page
        if not page.has(suffix):
            return PlainTextResponse(f"This page has no .{suffix}.\n", 404)
        body = page.content(suffix, reader).encode(errors="replace")
        name = quote(f"{page.name}.{suffix}", safe="")
        headers = {"content-disposition": f"inline; filename*=UTF-8''{name}"}
        return tagged(request, body, TYPES[suffix], headers)

    return show


def root_at(request: Request, reader: Reader, top: str) -> str | Response:
    """Return the root (an id) of the lineage of the work in an address, or redirect to there."""
    local = request.path_params["local"]
    known = reader.resolve(local)
    root = reader.contributions([known]).get(known, known)
    if root == local:
        return root
    # Of the scope: a name may contain a question mark, at which the path of a URL ends.
    suffix = request.scope["path"].rpartition(local)[2]
    query = request.scope["query_string"].decode()
    return RedirectResponse(f"/{top}/{pages.path(root)}{suffix}{'?' * bool(query)}{query}")
