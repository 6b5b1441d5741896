"""Clients that other people wrote, against the running server."""

import pytest
from rdflib import Graph, Namespace, URIRef
from rdflib.namespace import SKOS
from rdflib.plugins.stores.sparqlstore import SPARQLStore
from SPARQLWrapper import CSV, JSON, JSONLD, POST, POSTDIRECTLY, RDFXML, TURTLE, XML, SPARQLWrapper
from SPARQLWrapper.SPARQLExceptions import QueryBadFormed

STEMMA = Namespace("https://w3id.org/stemma/ontology#")
ZERO_INFINITY = URIRef("https://w3id.org/stemma/id/entity/zero-infinity")
LINEAGE = f"SELECT DISTINCT ?work {{ ?work <{STEMMA.derivesFrom}>+ <{ZERO_INFINITY}> }}"

# SPARQLWrapper and rdflib's reader of JSON-LD still use what rdflib has replaced.
pytestmark = pytest.mark.filterwarnings("ignore:ConjunctiveGraph:DeprecationWarning")


@pytest.fixture
def client(server_url: str) -> SPARQLWrapper:
    return SPARQLWrapper(f"{server_url}/sparql")


@pytest.mark.parametrize("how", ["urlencoded", POSTDIRECTLY])
def test_sparqlwrapper_reads_solutions(client: SPARQLWrapper, how: str) -> None:
    client.setMethod(POST)
    client.setRequestMethod(how)
    client.setQuery(LINEAGE)
    client.setReturnFormat(JSON)
    found = client.queryAndConvert()["results"]["bindings"]
    assert "fuyou" in [each["work"]["value"].rpartition("/")[2] for each in found]
    client.setReturnFormat(XML)
    assert len(client.queryAndConvert().getElementsByTagName("result")) == len(found)
    client.setReturnFormat(CSV)
    assert len(client.queryAndConvert().splitlines()) == len(found) + 1


@pytest.mark.parametrize("format", [RDFXML, TURTLE, JSONLD])
def test_sparqlwrapper_reads_graphs(client: SPARQLWrapper, format: str) -> None:
    client.setQuery(f"DESCRIBE <{ZERO_INFINITY}>")
    client.setReturnFormat(format)
    found = client.queryAndConvert()
    graph = found if isinstance(found, Graph) else Graph().parse(data=found)
    assert (ZERO_INFINITY, SKOS.prefLabel, None) in graph


def test_sparqlwrapper_hears_what_is_wrong(client: SPARQLWrapper) -> None:
    client.setQuery("SELECT * {")
    with pytest.raises(QueryBadFormed, match="malformed at line 1"):
        client.query()


def test_rdflib_asks_and_walks(server_url: str) -> None:
    graph = Graph(SPARQLStore(f"{server_url}/sparql"))
    found = {str(work).rpartition("/")[2] for (work,) in graph.query(LINEAGE)}
    children = {
        str(child).rpartition("/")[2] for child in graph.subjects(STEMMA.derivesFrom, ZERO_INFINITY)
    }
    assert "fuyou" in children <= found
    assert str(graph.value(ZERO_INFINITY, SKOS.prefLabel)) == "ZeRO-Infinity"
