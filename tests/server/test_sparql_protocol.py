"""The SPARQL 1.1 protocol: the tests of its query part (W3C), on the graphs of the examples."""

from http import HTTPStatus
from urllib.parse import urlencode

import httpx
import pyoxigraph as ox
import pytest

from service import BROWSER

BASE = "https://w3id.org/stemma/id/"
JSON, XML = "application/sparql-results+json", "application/sparql-results+xml"
FORM, DIRECT = "application/x-www-form-urlencoded", "application/sparql-query"
GRAPHS_OF_PAPERS = "SELECT DISTINCT ?g { GRAPH ?g { ?g schema:name ?name } } ORDER BY ?g LIMIT 3"
TITLES = "SELECT ?title { ?paper a schema:ScholarlyArticle ; schema:name ?title }"
ASK = "ASK {}"
UPDATE = "INSERT DATA { <http://example.org/a> <http://example.org/b> 1 }"


@pytest.fixture(scope="module")
def endpoint(server_url) -> str:
    return f"{server_url}/sparql"


@pytest.fixture(scope="module")
def graphs(endpoint) -> list[str]:
    """The IRIs of three papers, which are those of their graphs as well."""
    return column(httpx.get(endpoint, params={"query": GRAPHS_OF_PAPERS}), "g")


def column(response: httpx.Response, variable: str) -> list[str]:
    assert response.status_code == HTTPStatus.OK, response.text
    return [row[variable]["value"] for row in response.json()["results"]["bindings"]]


# What is asked, and how.


def test_a_query_comes_by_get_in_a_form_or_as_a_body(endpoint):
    query = "SELECT ('Grüße, 世界 🌱' AS ?said) {}"
    answers = [httpx.get(endpoint, params={"query": query})]
    answers += [httpx.post(endpoint, data={"query": query})]
    for kind in (DIRECT, f"{DIRECT}; charset=UTF-8"):
        headers = {"content-type": kind}
        answers += [httpx.post(endpoint, content=query.encode(), headers=headers)]
    assert [column(each, "said") for each in answers] == [["Grüße, 世界 🌱"]] * 4
    twice = httpx.post(endpoint, params={"query": ASK}, content=ASK, headers=headers)
    assert twice.status_code == HTTPStatus.BAD_REQUEST


# Which data set is asked.


def posted_as_body(endpoint: str, parameters: dict[str, object]) -> httpx.Response:
    query = str(parameters.pop("query"))
    address = f"{endpoint}?{urlencode(parameters, doseq=True)}"
    return httpx.post(address, content=query, headers={"content-type": DIRECT})


def got(endpoint: str, parameters: dict[str, object]) -> httpx.Response:
    return httpx.get(endpoint, params=parameters)


@pytest.mark.parametrize("ask", [got, posted_as_body])
def test_the_request_may_choose_the_graphs(endpoint, graphs, ask):
    query = f"{TITLES[:-1]} . GRAPH ?g {{ ?g a schema:ScholarlyArticle }} }}"
    query = query.replace("?title", "?title ?g", 1)
    both = {"query": query, "default-graph-uri": graphs[0], "named-graph-uri": graphs[1:]}
    response = ask(endpoint, both)
    assert sorted(column(response, "g")) == graphs[1:]
    assert len(set(column(response, "title"))) == 1


def test_which_graphs_are_asked(endpoint, graphs):
    """The union, unless the query chooses; what the request chooses counts more than the query."""
    first, second, _ = graphs
    remark = f"# FROM <a>\n{TITLES[:-1]} FILTER (?title != 'FROM <a>') }}"
    assert len(column(httpx.get(endpoint, params={"query": remark}), "title")) > 40
    nowhere = "http://example.org/nowhere"
    for clause, pattern, chosen, found in (
        ("", "", {"named-graph-uri": graphs}, []),
        ("", "", {"default-graph-uri": nowhere}, []),
        (f"FROM <{first}>", "", {}, [first]),
        (f"FROM<{first}>\nFROM <{second}>", "", {}, [first, second]),
        (f"FROM <{first}>", "", {"default-graph-uri": second}, [second]),
        (f"FROM NAMED <{first}>", "GRAPH ?g", {"default-graph-uri": second}, []),
    ):
        query = f"SELECT ?g {clause} {{ {pattern} {{ ?g a schema:ScholarlyArticle }} }}"
        asked = httpx.get(endpoint, params={"query": query, **chosen})
        assert sorted(column(asked, "g")) == found, (clause, chosen)


# What comes back.

SOLUTIONS = {
    JSON: JSON,
    XML: XML,
    "text/csv": "text/csv; charset=utf-8",
    "text/tab-separated-values": "text/tab-separated-values; charset=utf-8",
    "application/json": "application/json",
    "application/xml": "application/xml",
    f"{JSON};q=0.5, text/csv;q=0.9, */*;q=0.1": "text/csv; charset=utf-8",
}
GRAPHS = {
    "text/turtle": "text/turtle; charset=utf-8",
    "application/n-triples": "application/n-triples",
    "application/ld+json": "application/ld+json",
    "application/rdf+xml": "application/rdf+xml",
}


@pytest.mark.parametrize(
    ("query", "accept"),
    [*(("SELECT (1 AS ?one) {}", each) for each in SOLUTIONS), (ASK, JSON), (ASK, XML)],
)
def test_solutions_come_as_the_client_accepts(endpoint, query, accept):
    response = httpx.get(endpoint, params={"query": query}, headers={"accept": accept})
    assert response.headers["content-type"] == SOLUTIONS[accept]
    assert "Accept" in response.headers["vary"]
    if accept in (JSON, XML):
        expected = ox.QueryResultsFormat.from_media_type(accept)
        found = ox.parse_query_results(response.content, expected)
        assert bool(found) if isinstance(found, ox.QueryBoolean) else len(list(found)) == 1


CONSTRUCT = "CONSTRUCT WHERE { <entity/zero-infinity> ?p ?o }"


@pytest.mark.parametrize(
    ("query", "accept"),
    [*(("DESCRIBE <entity/zero-infinity>", each) for each in GRAPHS), (CONSTRUCT, "text/turtle")],
)
def test_graphs_come_as_the_client_accepts(endpoint, query, accept):
    response = httpx.get(endpoint, params={"query": query}, headers={"accept": accept})
    assert response.headers["content-type"] == GRAPHS[accept]
    triples = list(ox.parse(response.content, ox.RdfFormat.from_media_type(accept)))
    assert {each.subject for each in triples} == {ox.NamedNode(f"{BASE}entity/zero-infinity")}
    assert len(set(triples)) == len(triples), "nothing is described twice"


# What is refused.


@pytest.mark.parametrize(
    ("query", "accept", "reason"),
    [
        (ASK, "text/turtle", "The answer is true or false, which is available as "),
        ("DESCRIBE <a>", JSON, "The answer is a graph, which is available as text/turtle"),
    ],
)
def test_where_nothing_fits_it_says_what_is_offered(endpoint, query, accept, reason):
    response = httpx.get(endpoint, params={"query": query}, headers={"accept": accept})
    assert response.status_code == HTTPStatus.NOT_ACCEPTABLE
    assert response.text.startswith(reason)


def test_another_method_is_refused(endpoint):
    response = httpx.delete(endpoint, params={"query": ASK})
    assert response.status_code == HTTPStatus.METHOD_NOT_ALLOWED
    assert set(response.headers["allow"].split(", ")) == {"GET", "HEAD", "POST"}


@pytest.mark.parametrize(
    ("content_type", "content", "status"),
    [
        ("text/plain", ASK, 415),
        (None, urlencode({"query": ASK}), 415),
        (DIRECT, ASK.encode("utf-16"), 400),
        (FORM, urlencode({"query": [ASK, ASK]}, doseq=True), 400),
        (DIRECT, f"ASK {{}} #{'x' * 300_000}", 413),
        (FORM, urlencode({"update": UPDATE}), 403),
        ("application/sparql-update", UPDATE, 403),
    ],
    ids=str,
)
def test_a_body_that_is_no_query_is_refused(endpoint, content_type, content, status):
    headers = {"content-type": content_type} if content_type else {}
    data = content if isinstance(content, bytes) else content.encode()
    response = httpx.post(endpoint, content=data, headers=headers)
    assert response.status_code == status, response.text
    assert response.text.endswith(".\n")
    assert status != HTTPStatus.FORBIDDEN or "read-only" in response.text


@pytest.mark.parametrize(
    ("address", "status", "reason"),
    [
        (urlencode({"query": [ASK, ASK]}, doseq=True), 400, "more than one query"),
        ("query=ASK%20%7B%7D%23%FF", 400, "cannot be read"),
        (urlencode({"query": " \n"}), 400, "The query is empty.\n"),
        (urlencode({"query": "SELEC"}), 400, "The query is malformed at line 1, column 6.\n"),
        (urlencode({"query": "ASK { ?s foo:p ?o }"}), 400, "line 1, column 15: Prefix not found\n"),
        (urlencode({"update": UPDATE}), 403, "read-only"),
        (urlencode({"query": "PREFIX a: <http://a/>\nLOAD <http://a/>"}), 403, "read-only"),
        *(
            (urlencode({"query": ASK, name: "catalogue"}), 400, f"IRIs, such as {BASE}catalogue")
            for name in ("default-graph-uri", "named-graph-uri")
        ),
    ],
)
def test_an_address_that_asks_nothing_is_refused(endpoint, address, status, reason):
    response = httpx.get(f"{endpoint}?{address}")
    assert response.status_code == status
    assert reason in response.text


# What the service says of itself.


@pytest.mark.parametrize("accept", ["", "application/ld+json"])
def test_it_describes_itself(endpoint, accept):
    response = httpx.get(endpoint, headers={"accept": accept})
    assert response.headers["content-type"] == GRAPHS[accept or "text/turtle"]
    sd = "http://www.w3.org/ns/sparql-service-description#"
    store = ox.Store()
    store.load(response.content, ox.RdfFormat.from_media_type(accept or "text/turtle"))
    found = store.query(
        f"PREFIX sd: <{sd}> SELECT ?url {{ ?me a sd:Service ; sd:endpoint ?url ; "
        "sd:supportedLanguage sd:SPARQL11Query ; sd:feature sd:UnionDefaultGraph }"
    )
    assert [row["url"] for row in found] == [ox.NamedNode(endpoint)]


def test_a_browser_gets_a_page(endpoint):
    for parameters in ({}, {"query": ASK}):
        response = httpx.get(endpoint, params=parameters, headers=BROWSER)
        assert response.headers["content-type"].startswith("text/html")
        assert "<textarea" in response.text
