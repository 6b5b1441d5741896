"""What the data are described with, at the ends of its IRIs, and the description of the data set.

``/ontology`` (and its version), ``/shapes``, ``/catalogue`` and ``/software`` are where a redirect
from https://w3id.org/stemma/ leads; ``/.well-known/void`` is the standard place of a VoID
description. Browsers get a page of each.
"""

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
    RDF_TYPE,
    SOFTWARE,
    VOID,
)
from stemma.server.http.negotiation import accepted, preferred
from stemma.server.settings import Settings
from stemma.server.sparql.format import GRAPHS, SUFFIXES
from stemma.server.web.linked_data.document_page import DocumentPage
from stemma.server.web.linked_data.responses import PAGE, page_endpoint, tagged

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
        Route("/.well-known/void", page_endpoint(store, partial(_void, settings))),
    ]


def _document(name: str, request: Request) -> Response:
    asked = request.query_params.get("page", "")
    number = int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 5 else 1
    return _answer(request, partial(_serialized, name, number))


def _file(name: str, media_type: str, request: Request) -> Response:
    return tagged(request, _serialized(name, 1, media_type), media_type, {})


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
    return tagged(request, body(media_type), media_type, {"vary": "Accept"})


@lru_cache(maxsize=64)
def _serialized(name: str, number: int, media_type: str) -> bytes:
    formats = {each: f"/{name}.{suffix}" for suffix, each in SUFFIXES.items()}
    return _written(f"{_HOME}{name}", _DOCUMENTS[name](), formats, media_type, number)


def _written(
    iri: str,
    triples: Iterable[ox.Triple],
    formats: dict[str, str],
    media_type: str,
    number: int = 1,
) -> bytes:
    """Return a document: as RDF, or a page of it with links to its `formats`."""
    if media_type == PAGE:
        return DocumentPage(iri, triples, _PREFIXES).render(formats, number).encode()
    return ox.serialize(triples, None, GRAPHS[media_type], prefixes=_PREFIXES) or b""


@cache
def _read(pattern: str) -> tuple[ox.Triple, ...]:
    """Return the triples of files of the schema."""
    files = sorted(ONTOLOGY_FILE.parent.glob(pattern))
    return tuple(quad.triple for file in files for quad in ox.parse(path=file))


def _triple(subject: str, term: str, value: str | ox.Literal | ox.BlankNode) -> ox.Triple:
    node = ox.NamedNode(value) if isinstance(value, str) else value
    return ox.Triple(ox.NamedNode(subject), ox.NamedNode(term), node)


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
    formats = {each: f"/data/{DATASET}.{suffix}" for suffix, each in SUFFIXES.items()}
    return _answer(request, partial(_written, me, triples, formats))


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
        distribution, file = ox.BlankNode(), ox.NamedNode(url)
        yield _triple(me, f"{VOID}dataDump", url)
        yield _triple(me, f"{DCAT}distribution", distribution)
        yield ox.Triple(distribution, ox.NamedNode(RDF_TYPE), ox.NamedNode(f"{DCAT}Distribution"))
        yield ox.Triple(distribution, ox.NamedNode(f"{DCAT}downloadURL"), file)
