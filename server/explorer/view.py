"""Views: what a page of the explorer shows, in every form in which it can be taken away."""

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
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
from stemma.server import pages
from stemma.server.linked_data.description import describe
from stemma.server.linked_data.responses import PAGE, page_endpoint, problem_response, tagged
from stemma.server.presentation.bibtex import bibtex
from stemma.server.sparql.format import content_type
from stemma.server.views.view import View as DataView

TYPES = {
    "json": "application/json",
    "csv": "text/csv; charset=utf-8",
    "ttl": "text/turtle; charset=utf-8",
    "bib": "application/x-bibtex; charset=utf-8",
    "svg": "image/svg+xml",
}
MOST_PAPERS = 1000
"""Papers whose BibTeX or Turtle a file holds at most."""
Row = Sequence[object]


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What a page shows. `template` is rendered with `values`.

    `name` is that of its files. `data` makes its JSON, `table` its CSV with headings: only files
    need them. `svg` draws its picture. `papers` (ids) are behind it, or so many of them that no
    file holds all: its BibTeX, and with their statements its Turtle. The query `graphql` yields
    the same.
    """

    name: str
    template: str
    values: Mapping[str, Any]
    table: Callable[[], Iterable[Row]]
    papers: Collection[str]
    graphql: str
    data: Callable[[], Mapping[str, Any]] | None = None
    svg: Callable[[], str] | None = None


def table(view: DataView, columns: Sequence[str]) -> Iterable[Row]:
    """Yield the rows of a view, with their headings first."""
    yield columns
    for row in view.to_rows():
        yield [row[name] for name in columns]


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


Make = Callable[[Request, Reader], View | Response]


def view_routes(store: Store, address: str, make: Make) -> list[Route]:
    """Return the routes of a view: of its page, and of what it shows as files."""
    return [*file_routes(store, address, make), Route(address, page_endpoint(store, page_of(make)))]


def file_routes(store: Store, address: str, make: Make) -> list[Route]:
    """Return the routes of what a view shows as files."""
    return [
        Route(f"{address}.{suffix}", page_endpoint(store, _file(make, suffix))) for suffix in TYPES
    ]


def page_of(make: Make) -> Callable[[Request, Reader], Response]:
    """Return what answers with the page of a view."""

    def show(request: Request, reader: Reader) -> Response:
        view = _made(make, request, reader)
        if isinstance(view, Response):
            return view
        return view_page(request, reader, view)

    return show


def view_page(request: Request, reader: Reader, view: View) -> Response:
    downloads = Downloads(
        pages.path(request.url.path),
        request.url.query,
        tuple(each for each in TYPES if _has(view, reader, each)),
        view.name,
        len(_papers(view)),
    )
    body = pages.render(
        view.template,
        **view.values,
        svg=Markup(view.svg()) if view.svg else None,
        graphql=view.graphql,
        downloads=downloads,
    )
    return tagged(request, body.encode(), content_type(PAGE), {})


def _file(make: Make, suffix: str) -> Callable[[Request, Reader], Response]:
    def show(request: Request, reader: Reader) -> Response:
        view = _made(make, request, reader)
        if isinstance(view, Response):
            return view
        if not _has(view, reader, suffix):
            return PlainTextResponse(f"This view has no .{suffix}.\n", 404)
        body = _WRITERS[suffix](view, reader).encode(errors="replace")
        name = quote(f"{view.name}.{suffix}", safe="")
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


def _made(make: Make, request: Request, reader: Reader) -> View | Response:
    try:
        return make(request, reader)
    except BadCursorError:
        raise
    except ValueError as error:
        return problem_response(request, error)


def _has(view: View, reader: Reader, suffix: str) -> bool:
    needed = {"json": view.data, "svg": view.svg, "ttl": reader.dataset}
    return needed.get(suffix, view) is not None


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


def _json(view: View, reader: Reader) -> str:
    assert view.data
    return json.dumps(view.data(), ensure_ascii=False, indent=1) + "\n"


def _svg(view: View, reader: Reader) -> str:
    assert view.svg
    return view.svg()


def _csv(view: View, reader: Reader) -> str:
    return csv_text(view.table())


def _papers(view: View) -> list[str]:
    return list(dict.fromkeys(each for each in view.papers if each.startswith(PAPER)))


def _some(view: View) -> list[str]:
    """Return as many papers behind a view as a file holds."""
    return _papers(view)[:MOST_PAPERS]


def papers_of(reader: Reader, ids: Iterable[str]) -> list[Paper]:
    """Return those of some works (ids) that are papers, in their order."""
    chosen = list(dict.fromkeys(each for each in ids if each.startswith(PAPER)))
    return [work for work in reader.works(chosen).values() if isinstance(work, Paper)]


_WRITERS: dict[str, Callable[[View, Reader], str]] = {
    "json": _json,
    "csv": _csv,
    "ttl": lambda view, reader: turtle(reader, _some(view)),
    "bib": lambda view, reader: bibtex(papers_of(reader, _some(view))),
    "svg": _svg,
}
