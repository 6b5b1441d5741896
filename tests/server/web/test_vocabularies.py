"""The IRIs of the vocabularies, the description of the data set, and data with their graphs."""

import re

import httpx
import pyoxigraph as ox
import pytest

from asked import client_of
from service import BROWSER
from stemma.schema.namespace import CATALOGUE_SCHEME, DATA, DCAT, DCTERMS, OWL, RDF_TYPE, SKOS, VOID

TURTLE = {"accept": "text/turtle"}


def triples(client: httpx.Client, address: str) -> list[ox.Triple]:
    response = client.get(address, headers=TURTLE)
    assert response.status_code == 200, response.text
    assert response.headers["content-type"] == "text/turtle; charset=utf-8"
    return [quad.triple for quad in ox.parse(response.content, ox.RdfFormat.TURTLE)]


def objects(found: list[ox.Triple], subject: str, predicate: str) -> set[str]:
    return {
        each.object.value
        for each in found
        if each.subject == ox.NamedNode(subject)
        and each.predicate == ox.NamedNode(predicate)
        and isinstance(each.object, ox.NamedNode | ox.Literal)
    }


def test_the_ontology_is_at_its_iri_and_at_that_of_its_version(client):
    ontology = triples(client, "/ontology")
    [version] = objects(ontology, "https://w3id.org/stemma/ontology", f"{OWL}versionIRI")
    number = version.rpartition("/")[2]
    assert triples(client, f"/ontology/{number}") == ontology
    assert client.get("/ontology/0.0.1").status_code == 404
    assert triples(client, "/ontology.ttl") == ontology
    assert client.get("/ontology", headers={"accept": "image/png"}).status_code == 406


@pytest.mark.parametrize(
    ("path", "anchor"),
    [("/ontology", "buildsOn"), ("/shapes", "Paper"), ("/software", "software"),
     ("/catalogue", "catalogue"), ("/catalogue?page=14", "lora"), ("/.well-known/void", "papers"),
     ("/data/entity/fuyou", "content")],
)  # fmt: skip
def test_browsers_get_a_page_that_leads_to_the_rdf(client, path, anchor):
    page = client.get(path, headers=BROWSER, follow_redirects=True)
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert f'id="{anchor}"' in page.text
    assert len(page.content) < 500_000
    [turtle] = re.findall(r'rel="alternate" type="text/turtle" href="([^"]+)"', page.text)
    assert client.get(turtle).headers["content-type"] == "text/turtle; charset=utf-8"
    links = set(re.findall(r'href="#([^"]+)"', page.text))
    assert links <= set(re.findall(r'id="([^"]+)"', page.text))


def test_every_concept_of_the_data_is_in_a_scheme_that_is_defined(client):
    catalogue = triples(client, "/catalogue")
    assert objects(catalogue, CATALOGUE_SCHEME, RDF_TYPE) == {f"{SKOS}ConceptScheme"}
    query = f"SELECT DISTINCT ?c ?s {{ ?c <{SKOS}inScheme> ?s . ?s a <{SKOS}ConceptScheme> }}"
    rows = client.get("/sparql", params={"query": query}).json()["results"]["bindings"]
    schemes = {CATALOGUE_SCHEME, f"{DATA}entities"}
    assert {row["s"]["value"] for row in rows} == schemes
    concepts = {each.subject for each in catalogue if isinstance(each.subject, ox.NamedNode)}
    listed = {row["c"]["value"] for row in rows if row["s"]["value"] == CATALOGUE_SCHEME}
    assert set(map(ox.NamedNode, listed)) <= concepts
    assert objects(triples(client, "/software"), "https://w3id.org/stemma/software", RDF_TYPE)


def test_void_says_what_the_data_set_has_and_where_to_ask(client, server_url):
    void = triples(client, "/.well-known/void")
    me = f"{DATA}dataset"
    assert objects(void, me, RDF_TYPE) == {f"{VOID}Dataset", f"{DCAT}Dataset"}
    [endpoint] = objects(void, me, f"{VOID}sparqlEndpoint")
    assert endpoint == f"{server_url}/sparql"
    assert objects(void, endpoint, f"{DCAT}servesDataset") == {me}
    ready = client.get("/ready").json()
    [works] = objects(void, me, f"{VOID}entities")
    assert int(works) == ready["papers"] + ready["entities"]
    unset = {f"{DCTERMS}license", f"{DCTERMS}publisher", f"{VOID}dataDump"}
    assert not unset & {each.predicate.value for each in void}
    parts = objects(void, me, f"{VOID}classPartition")
    assert all(objects(void, part, f"{VOID}entities") for part in parts)


def test_void_names_license_publisher_and_downloads(example_store):
    terms, publisher = "https://creativecommons.org/licenses/by/4.0/", "https://example.org"
    dumps = ("https://example.org/graph.nq.gz", "https://example.org/graph.ttl.gz")
    client = client_of(example_store, license=terms, publisher=publisher, dump=dumps)
    found = triples(client, "/.well-known/void")
    dataset = f"{DATA}dataset"
    assert objects(found, dataset, f"{DCTERMS}license") == {terms}
    assert objects(found, dataset, f"{DCTERMS}publisher") == {publisher}
    assert objects(found, dataset, f"{VOID}dataDump") == set(dumps)
    download = ox.NamedNode(f"{DCAT}downloadURL")
    assert {each.object.value for each in found if each.predicate == download} == set(dumps)
