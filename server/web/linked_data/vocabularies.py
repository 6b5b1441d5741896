"""What the data are described with, at the ends of its IRIs, and the description of the data set.

``/ontology`` (and its version), ``/shapes``, ``/catalogue`` and ``/software`` are where a redirect
from https://w3id.org/stemma/ leads; ``/.well-known/void`` is the standard place of a VoID
description. Browsers get a page of each.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
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
    DCAT,
    DCTERMS,
    ONTOLOGY,
    ONTOLOGY_FILE,
    OWL,
    RDF,
    RDF_TYPE,
    SOFTWARE,
    VOID,
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
_OFFERED = ("Turtle", "N-Triples", "RDF_XML", "JSON-LD", "TriG", "N-Quads")
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
    asked = request.query_params.get("page", "")
    return int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 5 else 1


def document_page(
    request: Request, iri: str, triples: Iterable[ox.Triple], address: str
) -> Response:
    """Show what is said of a thing that is no work: as RDF, it is at `address`."""
    page = _written(iri, triples, address, PAGE, _page_number(request))
    return tagged(request, page, PAGE, {})


def _version(request: Request) -> Response:
    """Return the ontology, if it is of the version that is asked for."""
    asked = ox.NamedNode(f"{ONTOLOGY.removesuffix('#')}/{quote(request.path_params['version'])}")
    known = {triple.object for triple in _read("ontology.ttl") if triple.predicate == _VERSION}
    if asked not in known:
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
        formats = {each: f"{address}.{suffix}" for suffix, each in SUFFIXES.items()}
        document = _DocumentPage(iri, triples, number)
        return pages.render("document.html", document=document, formats=formats).encode()
    return ox.serialize(triples, None, GRAPHS[media_type], prefixes=_PREFIXES) or b""


@cache
def _read(pattern: str) -> tuple[ox.Triple, ...]:
    """Return the triples of files of the schema."""
    files = sorted(ONTOLOGY_FILE.parent.glob(pattern))
    return tuple(quad.triple for file in files for quad in ox.parse(path=file))


def _triple(
    subject: str | ox.BlankNode, term: str, value: str | ox.Literal | ox.BlankNode
) -> ox.Triple:
    me = ox.NamedNode(subject) if isinstance(subject, str) else subject
    node = ox.NamedNode(value) if isinstance(value, str) else value
    return ox.Triple(me, ox.NamedNode(term), node)


def _software() -> tuple[ox.Triple, ...]:
    return (
        _triple(SOFTWARE, RDF_TYPE, v.expanded("prov:SoftwareAgent")),
        _triple(SOFTWARE, v.expanded("rdfs:label"), ox.Literal("Stemma", language="en")),
        _triple(SOFTWARE, f"{DCTERMS}hasVersion", ox.Literal(__version__)),
        _triple(SOFTWARE, f"{DCTERMS}license", "https://www.apache.org/licenses/LICENSE-2.0"),
    )


_DOCUMENTS: dict[str, Callable[[], tuple[ox.Triple, ...]]] = {
    "ontology": partial(_read, "ontology.ttl"),
    "shapes": partial(_read, "shapes.ttl"),
    "catalogue": partial(_read, "catalogue/*.ttl"),
    "software": _software,
}


def _void(settings: Settings, request: Request, reader: Reader) -> Response:
    """Describe the data set, its size and where it can be queried."""
    me = f"{reader.base}{DATASET}"
    triples = [*_description(me, reader, str(request.base_url)), *_published(me, settings)]
    media_type = accepted_type(request, _TYPES)
    body = _written(me, triples, f"/data/{DATASET}", media_type)
    return tagged(request, body, media_type, _VARY)


def _description(me: str, reader: Reader, server: str) -> Iterator[ox.Triple]:
    counted = reader.statistics()
    lines = v.quads(me, (*description(reader.base), *counts(counted, reader.base)))
    yield from (quad.triple for quad in ox.parse("".join(lines), ox.RdfFormat.N_QUADS))
    yield _triple(me, f"{VOID}entities", ox.Literal(counted.papers + counted.entities))
    yield _triple(me, f"{DCTERMS}identifier", ox.Literal(counted.generation))
    yield _triple(me, f"{DCTERMS}creator", SOFTWARE)
    yield _triple(me, f"{DCTERMS}references", CATALOGUE_SCHEME)
    if reader.dataset:
        service = f"{server}sparql"
        yield _triple(me, f"{VOID}sparqlEndpoint", service)
        yield _triple(service, RDF_TYPE, f"{DCAT}DataService")
        yield _triple(service, f"{DCAT}endpointURL", service)
        yield _triple(service, f"{DCAT}servesDataset", me)
    for offered in _OFFERED:
        yield _triple(me, f"{VOID}feature", _FORMATS + offered)


def _published(me: str, settings: Settings) -> Iterator[ox.Triple]:
    """Describe what only the one who publishes the data can know."""
    if settings.license:
        yield _triple(me, f"{DCTERMS}license", settings.license)
    if settings.publisher:
        yield _triple(me, f"{DCTERMS}publisher", settings.publisher)
    for url in settings.dump:
        distribution = ox.BlankNode()
        yield _triple(me, f"{VOID}dataDump", url)
        yield _triple(me, f"{DCAT}distribution", distribution)
        yield _triple(distribution, RDF_TYPE, f"{DCAT}Distribution")
        yield _triple(distribution, f"{DCAT}downloadURL", url)


class _DocumentPage:
    """A page of the document with the IRI `iri`: resources, and what is said of them.

    What belongs to the document comes before what it says of the terms of others.
    """

    def __init__(self, iri: str, triples: Iterable[ox.Triple], number: int) -> None:
        self.iri = iri
        self._said: dict[_Term, dict[_Term, list[_Term]]] = {}
        for triple in triples:
            own = self._said.setdefault(triple.subject, defaultdict(list))
            if triple.object not in own[triple.predicate]:
                own[triple.predicate].append(triple.object)

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
