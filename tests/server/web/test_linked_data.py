"""Linked data: what the IRIs of a graph lead to."""

import re
from dataclasses import replace
from html import unescape
from http import HTTPStatus

import httpx
import lxml.html
import pyoxigraph as ox
import pytest

from asked import client_of
from described import describe
from filled import stored
from service import BROWSER
from stemma import Stemma
from stemma.graph import open_store
from stemma.schema import Merge
from stemma.server import deciding

IDS = "https://w3id.org/stemma/id/"
ONTOLOGY = "https://w3id.org/stemma/ontology#"
FUYOU = "paper/adding-nvme-ssds-to-enable-and-accelerate-100b-model-fine-tuning-on-a-single-gpu"
TURTLE = {"accept": "text/turtle"}
INTRODUCES = "framework Quill: INTRODUCES"
TYPES = {
    "ttl": "text/turtle",
    "nt": "application/n-triples",
    "jsonld": "application/ld+json",
    "rdf": "application/rdf+xml",
}


def triples(response: httpx.Response) -> set[ox.Triple]:
    assert response.status_code == HTTPStatus.OK, response.text
    media_type = response.headers["content-type"].partition(";")[0]
    expected = ox.RdfFormat.from_media_type(media_type)
    store = ox.Store()  # It holds values: 0.5, 5e-1 and 0.50 are one.
    store.load(response.content, expected)
    return {quad.triple for quad in store}


def triple(subject: str, predicate: str, object: str) -> ox.Triple:
    return ox.Triple(
        ox.NamedNode(IDS + subject), ox.NamedNode(ONTOLOGY + predicate), ox.NamedNode(IDS + object)
    )


# From a thing to what is known of it.


@pytest.mark.parametrize(("suffix", "media_type"), TYPES.items())
def test_a_thing_leads_to_data(client, suffix, media_type):
    response = client.get("/id/entity/fuyou", headers={"accept": media_type})
    assert response.status_code == HTTPStatus.SEE_OTHER
    assert response.headers["location"] == f"/data/entity/fuyou.{suffix}"
    assert "Accept" in response.headers["vary"]
    assert client.get("/entity/fuyou?").headers["location"] == "/id/entity/fuyou"
    found = triples(client.get(response.headers["location"]))
    assert triple("entity/fuyou", "derivesFrom", "entity/zero-infinity") in found
    assert triple(FUYOU, "improvesOn", "entity/zero-infinity") not in found
    assert found == triples(client.get("/data/entity/fuyou.nt")), "all formats say the same"


def test_a_thing_leads_people_to_a_page(client):
    response = client.get("/id/entity/fuyou", headers=BROWSER)
    assert response.status_code == HTTPStatus.SEE_OTHER
    assert response.headers["location"] == "/page/entity/fuyou"
    anyone = client.get("/id/entity/fuyou", headers={"accept": "*/*"})
    assert anyone.headers["location"] == "/data/entity/fuyou.ttl"
    statement = client.get(f"/id/{FUYOU}%23improves-on-zero-infinity", headers=BROWSER)
    assert statement.headers["location"] == f"/page/{FUYOU}#improves-on-zero-infinity"


def test_data_without_a_suffix_are_negotiated(client):
    response = client.get("/data/entity/fuyou", headers={"accept": TYPES["jsonld"]})
    assert response.headers["content-type"] == TYPES["jsonld"]
    assert response.headers["content-location"] == "/data/entity/fuyou.jsonld"
    assert "Accept" in response.headers["vary"]
    by_suffix = client.get("/data/entity/fuyou.nt", headers=BROWSER)
    assert by_suffix.headers["content-type"] == TYPES["nt"]
    for path in ("/id/entity/fuyou", "/data/entity/fuyou"):
        refused = client.get(path, headers={"accept": "image/png"})
        assert refused.status_code == HTTPStatus.NOT_ACCEPTABLE
        assert "text/turtle" in refused.text


def test_every_iri_of_the_store_answers(client, example_store):
    with open_store(example_store) as store, store.snapshot() as reader:
        rdf = reader.dataset.rdf
        iris = {
            term.value.partition("#")[0]
            for quad in rdf
            for term in (quad.subject, quad.object, quad.graph_name)
            if isinstance(term, ox.NamedNode) and term.value.startswith(IDS)
        }
    assert len(iris) > 400
    assert {iri.removeprefix(IDS).partition("/")[0] for iri in iris} >= {
        *("entity", "paper", "run", "dataset", "catalogue", "entities")
    }
    for iri in sorted(iris)[:: max(1, len(iris) // 40)]:
        local = iri.removeprefix(IDS)
        assert client.get(f"/id/{local}").status_code == HTTPStatus.SEE_OTHER, local
        assert client.get(f"/page/{local}").status_code == HTTPStatus.OK, local
        about = triples(client.get(f"/data/{local}.nt"))
        assert any(str(each.subject) == f"<{iri}>" for each in about), local


def test_a_graph_of_all_entities_is_described_and_not_listed(client):
    about = triples(client.get("/data/entities.nt"))
    assert {each.subject for each in about} == {ox.NamedNode(f"{IDS}entities")}


# What is not there, or no more, or several.


def test_the_unknown_is_not_found_and_the_nearest_named(client):
    for path in ("/id/entity/zero-infinty", "/page/entity/zero-infinty"):
        response = client.get(path, headers=BROWSER)
        assert response.status_code == HTTPStatus.NOT_FOUND
        assert 'href="/page/entity/zero-infinity"' in response.text
        assert "Accept" in response.headers["vary"].split(", ")
    response = client.get("/data/entity/zero-infinty.ttl", headers=TURTLE)
    assert response.status_code == HTTPStatus.NOT_FOUND
    assert "Did you mean ZeRO-Infinity" in response.text


@pytest.mark.parametrize(
    "local", ["entity/", "run/none", "decision/999", "nothing", "entity/%00", "../x", "%ff"]
)
def test_nothing_else_is_found(client, local):
    for kind in ("id", "page", "data"):
        found = client.get(f"/{kind}/{local}", headers=BROWSER if kind == "page" else TURTLE)
        assert found.status_code == HTTPStatus.NOT_FOUND


def test_names_are_text_whatever_they_look_like(tmp_path):
    name = "<script>alert('x')</script>&\"<b>Tricky"
    title = "Of <img src=x onerror=alert(1)> & others"
    abstract = f"We present {name}, which is </p><script>alert(2)</script> safe."
    store = stored(tmp_path, describe(title, abstract, f"framework {name}: INTRODUCES"))
    with Stemma(store) as graph:
        [paper], [entity] = graph.papers(), graph.search("tricky", kinds="framework")
    client = client_of(store)
    for address in (
        *(f"/page/{entity.id}", f"/page/{paper.id}", f"/lineage/{entity.id}"),
        *("/", "/entities", "/help", "/page?q=tricky", "/page?q=others"),
        "/page?q=%3Cscript%3E%3Cimg%20src=x%3E",
        "/page/entity/<b>",
    ):
        page = lxml.html.fromstring(client.get(address, headers=BROWSER).content)
        assert not page.xpath("//b | //img[@onerror]")
        scripts = {each.get("src") for each in page.iter("script")}
        assert scripts <= {f"/assets/{name}.js" for name in ("suggest", "tree")}
    assert name in unescape(client.get(f"/page/{paper.id}").text)


def test_a_link_of_a_paper_leads_to_the_web_alone(tmp_path):
    one = describe("A Paper", "We present Quill.", INTRODUCES)
    links = ("javascript:alert(1)", "https://example.org/quill")
    linked = replace(one, paper=replace(one.paper, links=links))
    client = client_of(stored(tmp_path, linked))
    page = client.get("/page/paper/a-paper").text
    assert 'href="https://example.org/quill"' in page
    assert 'href="javascript' not in page


def test_several_things_of_one_name_are_listed(tmp_path):
    first = describe("Quill Writes", "We present Quill, a framework for letters.", INTRODUCES)
    second = describe("Feathers", "We present Quill, a model of feathers of birds.", INTRODUCES)
    client = client_of(stored(tmp_path, first, second))
    known = client.get("/id/entity/quill", headers=BROWSER)
    assert known.status_code == HTTPStatus.MULTIPLE_CHOICES
    for paper in ("quill-writes", "feathers"):
        assert f'href="/page/entity/quill--{paper}"' in known.text
    assert "in “Quill Writes”" in known.text
    assert "in “Feathers”" in known.text
    assert "entity/quill--feathers" in client.get("/id/entity/quill").text
    suggested = {each["note"] for each in client.get("/suggest?q=quill").json()}
    assert {"in “Quill Writes”", "in “Feathers”"} <= suggested


def test_what_was_merged_leads_to_the_other(tmp_path):
    store = stored(
        tmp_path,
        describe("Quill Writes", "We present Quill.", INTRODUCES),
        describe("Ink Flows", "We present Inkwell.", "framework Inkwell: INTRODUCES"),
    )
    with Stemma(store) as graph:
        deciding.decide(graph.store, Merge(("entity/quill", "entity/inkwell"), None))
    client = client_of(store)
    response = client.get("/id/entity/inkwell", headers=BROWSER)
    assert response.status_code == HTTPStatus.MOVED_PERMANENTLY
    assert response.headers["location"] == "/id/entity/quill"
    assert client.get("/page/entity/inkwell").headers["location"] == "/page/entity/quill"
    data = client.get("/data/entity/inkwell.nt").headers["location"]
    assert data == "/data/entity/quill.nt"
    leading = {(each.subject.value.removeprefix(IDS), each.predicate.value.rpartition("/")[2])
               for each in triples(client.get(data))}  # fmt: skip
    assert ("entity/inkwell", "isReplacedBy") in leading
    assert ("paper/ink-flows#introduces-inkwell", "22-rdf-syntax-ns#object") in leading
    of_all = triples(client.get("/data/dataset.nt"))
    [decided] = [each.object.value for each in of_all if each.predicate.value.endswith("#decision")]
    page = client.get(f"/page/{decided.removeprefix(IDS)}").text
    assert "merge entity/inkwell into entity/quill" in page


def test_the_identifier_of_a_paper_leads_to_it(tmp_path):
    paper = describe("Quill Writes", "We present Quill.", INTRODUCES)
    known = replace(paper.paper, doi="10.1000/quill.(1)", arxiv_id="2104.07857v2")
    client = client_of(stored(tmp_path, replace(paper, paper=known)))
    for identifier in ("10.1000/quill.(1)", "2104.07857", "arXiv:2104.07857v1"):
        for top in ("id", "page"):
            response = client.get(f"/{top}/{identifier}", headers=BROWSER)
            assert response.headers["location"] == f"/{top}/paper/quill-writes"
        assert client.get(f"/lineage/{identifier}").headers["location"] == "/lineage/entity/quill"


# Pages.


def test_a_name_finds_its_page_and_a_part_of_it_several(client):
    response = client.get("/page", params={"q": "zero infinity"})
    assert response.headers["location"] == "/page/entity/zero-infinity"
    assert "/page/entity/flashattention-2" in client.get("/page", params={"q": "flashatt"}).text
    page = client.get("/page?q=tr").text
    counted = re.search(r"Names and titles with “tr”: (\d+)", page)
    more = re.search(r'rel="next" href="([^"]+)"', page)
    every = client.get(f"/page{unescape(more[1])}").text
    assert len(re.findall(r"<tr><td class=", every)) == int(counted[1])


# Stores without RDF.


def test_in_neo4j_there_is_no_sparql_and_it_says_what_to_do():
    client = client_of("neo4j://someone:secret@127.0.0.1:1")
    for response in (
        client.get("/sparql?query=ASK"),
        client.post("/sparql", data={"query": "ASK {}"}),
        client.get("/sparql"),
    ):
        assert response.status_code == HTTPStatus.NOT_IMPLEMENTED
        assert "stemma build" in response.text
        assert "secret" not in response.text
