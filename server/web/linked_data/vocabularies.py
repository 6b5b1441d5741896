"""What the data are described with, at the ends of its IRIs, and the description of the data set.

``/ontology`` (and its version), ``/shapes``, ``/catalogue`` and ``/software`` are where a redirect
from https://w3id.org/stemma/ leads; ``/.well-known/void`` is the standard place of a VoID
description. Browsers get a page of each.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import cache, lru_cache, partial
from urllib.parse import quote

import pyoxigraph as ox
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from stemma import __version__
from stemma.graph import Reader, Store
from stemma.graph.rdf import vocabulary as v
from stemma.graph.rdf.graphs import DATASET, counts, description
from stemma.schema.namespace import (
    CATALOGUE_SCHEME,
    DATA,
    ONTOLOGY,
    ONTOLOGY_FILE,
    OWL,
    RDF,
    SOFTWARE,
)
from stemma.server.settings import Settings
from stemma.server.sparql.format import GRAPHS, SUFFIXES
from stemma.server.web import pages
from stemma.server.web.linked_data.responses import PAGE, accepted_type, page_endpoint, tagged

_HOME = "https://w3id.org/stemma/"
_TYPES = [*GRAPHS, PAGE]
"""What documents are offered as: Turtle for those who accept anything."""
_VARY = {"vary": "Accept"}
_FORMATS = "http://www.w3.org/ns/formats/"
_VERSION = ox.NamedNode(f"{OWL}versionIRI")
_OFFERED = ("Turtle", "N-Triples", "RDF_XML", "JSON-LD")
_PREFIXES = v.PREFIXES | {
    "owl": OWL,
    "entity": f"{DATA}entity/",
    "sh": "http://www.w3.org/ns/shacl#",
}
_FIRST, _REST = ox.NamedNode(RDF + "first"), ox.NamedNode(RDF + "rest")
_A_PAGE = 250
"""Resources on a page of a document with many."""
_Term = ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple


def vocabulary_routes(store: Store, settings: Settings) -> list[Route]:
    """Return the routes of the vocabularies, and of the description of the data set of `store`."""
    return [
        *(Route(f"/{name}", partial(_document, name)) for name in _DOCUMENTS),
        *(
            Route(f"/{name}.{suffix}", partial(_document, name, media_type=media_type))
            for name in _DOCUMENTS
            for suffix, media_type in SUFFIXES.items()
        ),
        Route("/ontology/{version}", _version),
        Route("/.well-known/void", page_endpoint(store, partial(_void, settings))),
    ]


def _document(name: str, request: Request, media_type: str = "") -> Response:
    """Return a vocabulary in a format, by default that which the client accepts."""
    media_type = media_type or accepted_type(request, _TYPES)
    number = _page_number(request) if media_type == PAGE else 1
    return tagged(request, _serialized(name, number, media_type), media_type, _VARY)


def _page_number(request: Request) -> int:
    number = request.query_params.get("page", "")
    return int(number) if number.isascii() and number.isdigit() and len(number) < 5 else 1


def document_page(
    request: Request, iri: str, triples: Iterable[ox.Triple], address: str
) -> Response:
    """Show what is said of a thing that is no work: as RDF, it is at `address`."""
    page = _written(iri, triples, address, PAGE, _page_number(request))
    return tagged(request, page, PAGE, {})


def _version(request: Request) -> Response:
    """Return the ontology, if it is of the version that is asked for."""
    version = ox.NamedNode(f"{ONTOLOGY.removesuffix('#')}/{quote(request.path_params['version'])}")
    known = {triple.object for triple in _read("ontology.ttl") if triple.predicate == _VERSION}
    if version not in known:
        return PlainTextResponse("This server has another version, at /ontology.\n", 404)
    return _document("ontology", request)


@lru_cache(maxsize=64)
def _serialized(name: str, number: int, media_type: str) -> bytes:
    return _written(f"{_HOME}{name}", _DOCUMENTS[name](), f"/{name}", media_type, number)


def _written(
    iri: str, triples: Iterable[ox.Triple], address: str, media_type: str, number: int = 1
) -> bytes:
    """Return a document: as RDF, or a page of it with links to its formats at `address`."""
    if media_type == PAGE:
        formats = {type_: f"{address}.{suffix}" for suffix, type_ in SUFFIXES.items()}
        document = _DocumentPage(iri, triples, number)
        return pages.render("document.html", document=document, formats=formats).encode()
    return ox.serialize(triples, None, GRAPHS[media_type], prefixes=_PREFIXES) or b""


@cache
def _read(pattern: str) -> tuple[ox.Triple, ...]:
    """Return the triples of files of the schema."""
    files = sorted(ONTOLOGY_FILE.parent.glob(pattern))
    return tuple(quad.triple for file in files for quad in ox.parse(path=file))


def _parsed(graph: str, triples: Iterable[tuple[str, str, str]]) -> tuple[ox.Triple, ...]:
    """Return triples that are written as those of a graph (an IRI)."""
    lines = "".join(v.quads(graph, triples))
    return tuple(quad.triple for quad in ox.parse(lines, ox.RdfFormat.N_QUADS))


def _software() -> tuple[ox.Triple, ...]:
    me = v.iri(SOFTWARE)
    triples = (
        (me, "rdf:type", v.term("prov:SoftwareAgent")),
        (me, "rdfs:label", v.english("Stemma")),
        (me, "dcterms:hasVersion", v.text(__version__)),
        (me, "dcterms:license", v.iri("https://www.apache.org/licenses/LICENSE-2.0")),
    )
    return _parsed(SOFTWARE, triples)


_DOCUMENTS: dict[str, Callable[[], tuple[ox.Triple, ...]]] = {
    "ontology": partial(_read, "ontology.ttl"),
    "shapes": partial(_read, "shapes.ttl"),
    "catalogue": partial(_read, "catalogue/*.ttl"),
    "software": _software,
}


def _void(settings: Settings, request: Request, reader: Reader) -> Response:
    """Describe the data set, its size and where it can be queried."""
    me = f"{reader.base}{DATASET}"
    triples = _parsed(
        me,
        (
            *description(reader.base),
            *counts(reader.statistics(), reader.base),
            *_as_served(v.iri(me), reader, v.iri(f"{request.base_url}sparql")),
            *_as_published(v.iri(me), settings),
        ),
    )
    media_type = accepted_type(request, _TYPES)
    body = _written(me, triples, f"/data/{DATASET}", media_type)
    return tagged(request, body, media_type, _VARY)


def _as_served(me: str, reader: Reader, endpoint: str) -> v.Triples:
    """Describe the size of the data set, and where and in which formats a server has it."""
    counted = reader.statistics()
    yield me, "void:entities", v.typed(counted.papers + counted.entities, "integer")
    yield me, "dcterms:identifier", v.text(counted.generation)
    yield me, "dcterms:creator", v.iri(SOFTWARE)
    yield me, "dcterms:references", v.iri(CATALOGUE_SCHEME)
    if reader.dataset:
        yield me, "void:sparqlEndpoint", endpoint
        yield endpoint, "rdf:type", v.term("dcat:DataService")
        yield endpoint, "dcat:endpointURL", endpoint
        yield endpoint, "dcat:servesDataset", me
    for name in _OFFERED:
        yield me, "void:feature", v.iri(_FORMATS + name)


def _as_published(me: str, settings: Settings) -> v.Triples:
    """Describe what only the one who publishes the data can know."""
    if settings.license:
        yield me, "dcterms:license", v.iri(settings.license)
    if settings.publisher:
        yield me, "dcterms:publisher", v.iri(settings.publisher)
    for number, url in enumerate(settings.dump):
        distribution, download = f"_:distribution{number}", v.iri(url)
        yield me, "void:dataDump", download
        yield me, "dcat:distribution", distribution
        yield distribution, "rdf:type", v.term("dcat:Distribution")
        yield distribution, "dcat:downloadURL", download


class _DocumentPage:
    """A page of the document with the IRI `iri`: resources, and what is said of them.

    What belongs to the document comes before what it says of the terms of others.
    """

    def __init__(self, iri: str, triples: Iterable[ox.Triple], number: int) -> None:
        self.iri = iri
        self._said: dict[_Term, dict[_Term, list[_Term]]] = {}
        for triple in triples:
            said = self._said.setdefault(triple.subject, defaultdict(list))
            if triple.object not in said[triple.predicate]:
                said[triple.predicate].append(triple.object)

        named = [node for node in self._said if isinstance(node, ox.NamedNode)]
        named.sort(key=lambda node: not node.value.startswith(self.iri))
        self._pages = {node: place // _A_PAGE + 1 for place, node in enumerate(named)}
        self.last = max(self._pages.values(), default=1)
        self.number = min(max(number, 1), self.last)

    def resources(self) -> list[tuple[str, ox.NamedNode]]:
        """Return the resources of the page, with their anchors."""
        return [(_anchor(e.value), e) for e, page in self._pages.items() if page == self.number]

    def properties(self, node: _Term) -> list[tuple[_Term, list[_Term]]]:
        """Return what is said of a node: of a list, all members."""
        said = self._said[node].items()
        return [
            (term, [m for value in values for m in self._members(value)]) for term, values in said
        ]

    def _members(self, term: _Term) -> list[_Term]:
        """Return the members of a list, or a term that is none."""
        members = []
        while isinstance(term, ox.BlankNode) and _FIRST in self._said[term]:
            members += self._said[term][_FIRST]
            (term,) = self._said[term][_REST]
        return members or [term]

    def text(self, term: _Term) -> str | None:
        """Return a term as text; None where a node has no name."""
        if isinstance(term, ox.NamedNode):
            return v.shortened(term.value, _PREFIXES)
        return None if isinstance(term, ox.BlankNode) else str(getattr(term, "value", term))

    def href(self, term: _Term) -> str | None:
        """Return where a term leads, if it has an IRI."""
        if not isinstance(term, ox.NamedNode):
            return None
        if page := self._pages.get(term):
            return f"{'' if page == self.number else f'?page={page}'}#{_anchor(term.value)}"
        local = term.value.removeprefix(DATA)
        return term.value if local == term.value else f"/id/{pages.path(local)}"


def _anchor(iri: str) -> str:
    """Return the fragment of an IRI, or what comes last in it."""
    return iri.rpartition("#")[2] if "#" in iri else iri.rstrip("/").rpartition("/")[2]
