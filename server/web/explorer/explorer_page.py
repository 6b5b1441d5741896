"""Pages of the explorer: what they show, in every form in which it can be taken away."""

import json
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode

import pyoxigraph as ox
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from stemma.graph import BadCursorError, Reader, Store
from stemma.graph.export.csv_text import csv_text
from stemma.graph.rdf.vocabulary import PREFIXES
from stemma.schema import Paper
from stemma.schema.identifier import PAPER
from stemma.server.sparql.format import content_type
from stemma.server.views.bibtex import bibtex
from stemma.server.views.view import View
from stemma.server.web import pages
from stemma.server.web.linked_data.description import describe
from stemma.server.web.linked_data.responses import PAGE, page_endpoint, problem_response, tagged

TYPES = {
    "json": "application/json",
    "csv": "text/csv; charset=utf-8",
    "ttl": "text/turtle; charset=utf-8",
    "bib": "application/x-bibtex; charset=utf-8",
    "svg": "image/svg+xml",
}
MOST_PAPERS = 1000
"""Papers whose BibTeX or Turtle a file holds at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplorerPage:
    """A page with its files. `template` is rendered with `values`.

    `name` is that of its files. `view` makes the content of its JSON and its CSV, `svg` its
    picture. `papers` (ids) are behind it: its BibTeX, and with their statements its Turtle; there
    may be more of them than a file holds. The GraphQL query `graphql` selects the same. Without
    `has_json`, another endpoint has the JSON.
    """

    name: str
    template: str
    values: Mapping[str, Any]
    view: Callable[[], View]
    papers: Collection[str]
    graphql: str
    svg: Callable[[], str] | None = None
    has_json: bool = True


def numbered_pages(request: Request, page: int, size: int, total: int) -> dict[str, Any]:
    """Return what a template needs to turn pages: `page`, `pages`, and `turn` for an address."""
    others = [(n, v) for n, v in request.query_params.multi_items() if n != "page" and v]
    return {
        "page": page,
        "pages": max(-(-total // size), 1),
        "turn": lambda number: f"?{urlencode([*others, ('page', number)])}",
    }


@dataclass(frozen=True, slots=True)
class Downloads:
    """The addresses of what a page shows, as files; `picture`, if it has one of another view."""

    address: str
    query: str
    suffixes: tuple[str, ...]
    name: str
    papers: int
    picture: str | None = None

    @property
    def most_papers(self) -> int | None:
        """How many papers a file holds, if there are more behind the view."""
        return MOST_PAPERS if self.papers > MOST_PAPERS else None

    def __call__(self, suffix: str) -> str:
        """Return the address of the file with this suffix."""
        if suffix == "svg" and self.picture:
            return self.picture
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
        page = _made(make, request, reader)
        if isinstance(page, Response):
            return page
        return render_page(request, reader, page)

    return show


def render_page(request: Request, reader: Reader, page: ExplorerPage) -> Response:
    downloads = Downloads(
        pages.path(request.url.path),
        request.url.query,
        tuple(each for each in TYPES if _has(page, reader, each)),
        page.name,
        len(_papers(page)),
    )
    body = pages.render(
        page.template,
        **page.values,
        svg=Markup(page.svg()) if page.svg else None,
        graphql=page.graphql,
        downloads=downloads,
    )
    return tagged(request, body.encode(), content_type(PAGE), {})


def _file(make: Make, suffix: str) -> Callable[[Request, Reader], Response]:
    def show(request: Request, reader: Reader) -> Response:
        page = _made(make, request, reader)
        if isinstance(page, Response):
            return page
        if not _has(page, reader, suffix):
            return PlainTextResponse(f"This page has no .{suffix}.\n", 404)
        body = _WRITERS[suffix](page, reader).encode(errors="replace")
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


def _made(make: Make, request: Request, reader: Reader) -> ExplorerPage | Response:
    try:
        return make(request, reader)
    except BadCursorError:
        raise
    except ValueError as error:
        return problem_response(request, error)


def _has(page: ExplorerPage, reader: Reader, suffix: str) -> bool:
    needed = {"json": page.has_json or None, "svg": page.svg, "ttl": reader.dataset}
    return needed.get(suffix, page) is not None


def turtle(reader: Reader, papers: Collection[str]) -> str:
    """Return what papers (ids) state, as Turtle, with the names and kinds of what it is about."""
    dataset = reader.dataset
    assert dataset
    triples: dict[ox.Triple, None] = {}
    for paper in papers:
        triples |= dict.fromkeys(describe(dataset, paper))
    entities = {
        each
        for triple in triples
        for each in (triple.subject, triple.object)
        if isinstance(each, ox.NamedNode) and each.value.startswith(f"{dataset.base}entity/")
    }
    for entity in sorted(entities, key=lambda each: each.value):
        for quad in dataset.rdf.quads_for_pattern(entity, None, None):
            triples[quad.triple] = None
    body = ox.serialize(triples, None, ox.RdfFormat.TURTLE, prefixes=PREFIXES) or b""
    return body.decode()


def _json(page: ExplorerPage, reader: Reader) -> str:
    return json.dumps(page.view().to_json(), ensure_ascii=False, indent=1) + "\n"


def _svg(page: ExplorerPage, reader: Reader) -> str:
    assert page.svg
    return page.svg()


def _csv(page: ExplorerPage, reader: Reader) -> str:
    shown = page.view()
    return csv_text([shown.headings(), *(row.values() for row in shown.to_rows())])


def _papers(page: ExplorerPage) -> list[str]:
    return list(dict.fromkeys(each for each in page.papers if each.startswith(PAPER)))


def _some(page: ExplorerPage) -> list[str]:
    """Return as many papers behind a page as a file holds."""
    return _papers(page)[:MOST_PAPERS]


def papers_of(reader: Reader, ids: Iterable[str]) -> list[Paper]:
    """Return those of some works (ids) that are papers, in their order."""
    chosen = list(dict.fromkeys(each for each in ids if each.startswith(PAPER)))
    return [work for work in reader.works(chosen).values() if isinstance(work, Paper)]


_WRITERS: dict[str, Callable[[ExplorerPage, Reader], str]] = {
    "json": _json,
    "csv": _csv,
    "ttl": lambda page, reader: turtle(reader, _some(page)),
    "bib": lambda page, reader: bibtex(papers_of(reader, _some(page))),
    "svg": _svg,
}
