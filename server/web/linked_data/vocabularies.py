"""What the data are described with, at the ends of its IRIs, and the description of the data set.

``/ontology`` (and its version), ``/shapes``, ``/catalogue`` and ``/software`` are where a redirect
from https://w3id.org/stemma/ leads; ``/.well-known/void`` is the standard place of a VoID
description. Browsers get a page of each.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from urllib.parse import quote

import pyoxigraph as ox
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from stemma import __version__
from stemma.graph import Reader, Store
from stemma.graph.rdf import vocabulary as v
from stemma.graph.rdf.dataset_graph import DatasetGraph
from stemma.schema.namespace import (
    CATALOGUE_SCHEME,
    DATA,
    DCAT,
    DCTERMS,
    ONTOLOGY,
    OWL,
    SOFTWARE,
    VOID,
)
from stemma.schema.vocabulary import ONTOLOGY_FILE
from stemma.server.http.negotiation import accepted, preferred
from stemma.server.settings import Settings
from stemma.server.sparql.format import GRAPHS, SUFFIXES, content_type
from stemma.server.web.linked_data.document_page import DocumentPage
from stemma.server.web.linked_data.responses import PAGE, page_endpoint, tagged

_DATASET = "dataset"
_HOME = "https://w3id.org/stemma/"
_FORMATS = "http://www.w3.org/ns/formats/"
_VERSION = ox.NamedNode(f"{OWL}versionIRI")
_OFFERED = ("Turtle", "N-Triples", "RDF_XML", "JSON-LD", "TriG", "N-Quads")
_PREFIXES = v.PREFIXES | {
    "owl": OWL,
    "entity": f"{DATA}entity/",
    "sh": "http://www.w3.org/ns/shacl#",
}


def vocabulary_routes(store: Store, settings: Settings) -> list[Route]:
    """Return the routes of the vocabularies, and of the description of the data set of `store`."""
    return [
        *(Route(f"/{name}", partial(_document, name)) for name in _DOCUMENTS),
        *(
            Route(f"/{name}.{suffix}", partial(_file, name, media_type))
            for name in _DOCUMENTS
            for suffix, media_type in SUFFIXES.items()
        ),
        Route("/ontology/{version}", _version),
        Route("/.well-known/void", page_endpoint(store, _void(settings))),
    ]


def _document(name: str, request: Request) -> Response:
    return _answer(request, partial(_serialized, name))


def _file(name: str, media_type: str, request: Request) -> Response:
    return tagged(request, _serialized(name, media_type), content_type(media_type), {})


def _version(request: Request) -> Response:
    """Return the ontology, if it is of the version that is asked for."""
    asked = ox.NamedNode(f"{ONTOLOGY.removesuffix('#')}/{quote(request.path_params['version'])}")
    known = {each.object for each in _read("ontology.ttl") if each.predicate == _VERSION}
    if asked not in known:
        return PlainTextResponse("This server has another version, at /ontology.\n", 404)
    return _document("ontology", request)


def _answer(request: Request, body: Callable[[str], bytes]) -> Response:
    """Return a document in the format that the client accepts: Turtle, if it accepts any."""
    media_type = preferred(accepted(request), [*GRAPHS, PAGE])
    if media_type is None:
        offered = ", ".join([*GRAPHS, PAGE])
        return PlainTextResponse(f"This is available as {offered}.\n", 406, {"vary": "Accept"})
    return tagged(request, body(media_type), content_type(media_type), {"vary": "Accept"})


@cache
def _serialized(name: str, media_type: str) -> bytes:
    formats = {each: f"/{name}.{suffix}" for suffix, each in SUFFIXES.items()}
    return _written(f"{_HOME}{name}", _DOCUMENTS[name](), media_type, formats)


def _written(
    iri: str, triples: Iterable[ox.Triple], media_type: str, formats: dict[str, str]
) -> bytes:
    """Return a document, as a page with links to its `formats` or as RDF."""
    if media_type == PAGE:
        return DocumentPage(iri, triples, _PREFIXES).render(formats).encode()
    return ox.serialize(triples, None, GRAPHS[media_type], prefixes=_PREFIXES) or b""


@cache
def _read(pattern: str) -> tuple[ox.Triple, ...]:
    """Return the triples of files of the schema."""
    files = sorted(ONTOLOGY_FILE.parent.glob(pattern))
    return tuple(quad.triple for file in files for quad in ox.parse(path=file))


def _software() -> tuple[ox.Triple, ...]:
    me = ox.NamedNode(SOFTWARE)
    return (
        ox.Triple(me, ox.NamedNode(v.TYPE), ox.NamedNode(v.SOFTWARE_AGENT)),
        ox.Triple(me, ox.NamedNode(v.READABLE), ox.Literal("Stemma")),
        ox.Triple(me, ox.NamedNode(f"{DCTERMS}hasVersion"), ox.Literal(__version__)),
        ox.Triple(
            me,
            ox.NamedNode(f"{DCTERMS}license"),
            ox.NamedNode("https://www.apache.org/licenses/LICENSE-2.0"),
        ),
    )


_DOCUMENTS: dict[str, Callable[[], tuple[ox.Triple, ...]]] = {
    "ontology": partial(_read, "ontology.ttl"),
    "shapes": partial(_read, "shapes.ttl"),
    "catalogue": partial(_read, "catalogue/*.ttl"),
    "software": _software,
}


def _void(settings: Settings) -> Callable[[Request, Reader], Response]:
    def endpoint(request: Request, reader: Reader) -> Response:
        """Describe the data set, its size and where it can be queried."""
        triples = [*_description(reader, str(request.base_url)), *_published(reader, settings)]

        me = _dataset(reader).value
        formats = {each: f"/data/{_DATASET}.{suffix}" for suffix, each in SUFFIXES.items()}
        return _answer(request, lambda asked: _written(me, triples, asked, formats))

    return endpoint


def _description(reader: Reader, server: str) -> Iterator[ox.Triple]:
    me, counted, graph = _dataset(reader), reader.statistics(), DatasetGraph(reader.base)
    kinds = {kind: count for kind, count in counted.by_kind.items() if count}
    relations = {relation: count for relation, count in counted.by_relation.items() if count}
    lines = (*graph.description(), *graph.counts(counted.papers, kinds, relations))
    yield from (quad.triple for quad in ox.parse("".join(lines), ox.RdfFormat.N_QUADS))
    works = ox.Literal(counted.papers + counted.entities)
    yield ox.Triple(me, ox.NamedNode(v.ENTITIES), works)
    yield ox.Triple(me, ox.NamedNode(f"{DCTERMS}identifier"), ox.Literal(counted.generation))
    yield ox.Triple(me, ox.NamedNode(f"{DCTERMS}creator"), ox.NamedNode(SOFTWARE))
    yield ox.Triple(me, ox.NamedNode(f"{DCTERMS}references"), ox.NamedNode(CATALOGUE_SCHEME))
    if reader.dataset:
        service = ox.NamedNode(f"{server}sparql")
        yield ox.Triple(me, ox.NamedNode(f"{VOID}sparqlEndpoint"), service)
        yield ox.Triple(service, ox.NamedNode(v.TYPE), ox.NamedNode(f"{DCAT}DataService"))
        yield ox.Triple(service, ox.NamedNode(f"{DCAT}endpointURL"), service)
        yield ox.Triple(service, ox.NamedNode(f"{DCAT}servesDataset"), me)
    for each_format in _OFFERED:
        feature = ox.NamedNode(_FORMATS + each_format)
        yield ox.Triple(me, ox.NamedNode(f"{VOID}feature"), feature)


def _dataset(reader: Reader) -> ox.NamedNode:
    return ox.NamedNode(f"{reader.base}{_DATASET}")


def _published(reader: Reader, settings: Settings) -> Iterator[ox.Triple]:
    """Describe what only the one who publishes the data can know."""
    me, type_ = _dataset(reader), ox.NamedNode(v.TYPE)
    if settings.license:
        yield ox.Triple(me, ox.NamedNode(f"{DCTERMS}license"), ox.NamedNode(settings.license))
    if settings.publisher:
        yield ox.Triple(me, ox.NamedNode(f"{DCTERMS}publisher"), ox.NamedNode(settings.publisher))
    for url in settings.dump:
        file, distribution = ox.NamedNode(url), ox.BlankNode()
        yield ox.Triple(me, ox.NamedNode(f"{VOID}dataDump"), file)
        yield ox.Triple(me, ox.NamedNode(f"{DCAT}distribution"), distribution)
        yield ox.Triple(distribution, type_, ox.NamedNode(f"{DCAT}Distribution"))
        yield ox.Triple(distribution, ox.NamedNode(f"{DCAT}downloadURL"), file)
