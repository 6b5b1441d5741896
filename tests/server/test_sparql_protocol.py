"""The SPARQL 1.1 protocol: the tests of its query part (W3C), on the graphs of the examples."""

from http import HTTPStatus
from urllib.parse import urlencode

import httpx
import pyoxigraph as ox
import pytest

BASE = "https://w3id.org/stemma/id/"
JSON, XML = "application/sparql-results+json", "application/sparql-results+xml"
FORM, DIRECT = "application/x-www-form-urlencoded", "application/sparql-query"
GRAPHS_OF_PAPERS = "SELECT DISTINCT ?g { GRAPH ?g { ?g schema:name ?name } } ORDER BY ?g LIMIT 3"
TITLES = "SELECT ?title { ?paper a schema:ScholarlyArticle ; schema:name ?title }"
TITLES_BY_GRAPH = "SELECT ?g { GRAPH ?g { ?g a schema:ScholarlyArticle } }"
ASK = "ASK {}"


@pytest.fixture(scope="module")
def endpoint(server_url: str) -> str:
    return f"{server_url}/sparql"


@pytest.fixture(scope="module")
def graphs(endpoint: str) -> list[str]:
    """The IRIs of three papers, which are those of their graphs as well."""
    return column(httpx.get(endpoint, params={"query": GRAPHS_OF_PAPERS}), "g")


def column(response: httpx.Response, variable: str) -> list[str]:
    assert response.status_code == HTTPStatus.OK, response.text
    return [row[variable]["value"] for row in response.json()["results"]["bindings"]]


def is_refused(response: httpx.Response) -> bool:
    return response.is_client_error and response.text.endswith("\n") and len(response.text) > 10


# What is asked, and how.


def test_query_get(endpoint: str) -> None:
    response = httpx.get(endpoint, params={"query": ASK})
    assert response.headers["content-type"] == JSON
    assert response.json()["boolean"] is True


def test_query_post_form(endpoint: str) -> None:
    response = httpx.post(endpoint, data={"query": ASK})
    assert response.json()["boolean"] is True


@pytest.mark.parametrize("content_type", [DIRECT, f"{DIRECT}; charset=UTF-8"])
def test_query_post_direct(endpoint: str, content_type: str) -> None:
    response = httpx.post(endpoint, content=ASK, headers={"content-type": content_type})
    assert response.json()["boolean"] is True


def test_text_beyond_ascii_is_utf8(endpoint: str) -> None:
    query = "SELECT ('Grüße, 世界 🌱' AS ?said) {}"
    answers = [
        httpx.get(endpoint, params={"query": query}),
        httpx.post(endpoint, data={"query": query}),
        httpx.post(endpoint, content=query.encode(), headers={"content-type": DIRECT}),
    ]
    assert [column(each, "said") for each in answers] == [["Grüße, 世界 🌱"]] * 3


# Which data set is asked.


def test_query_dataset_default_graphs_get(endpoint: str, graphs: list[str]) -> None:
    parameters = {"query": TITLES, "default-graph-uri": graphs[:2]}
    assert len(column(httpx.get(endpoint, params=parameters), "title")) == 2


def test_query_dataset_default_graphs_post(endpoint: str, graphs: list[str]) -> None:
    asked = endpoint + "?" + urlencode({"default-graph-uri": graphs[:2]}, doseq=True)
    response = httpx.post(
        asked, content="PREFIX s: <https://schema.org/> " + TITLES, headers={"content-type": DIRECT}
    )
    assert len(column(response, "title")) == 2
    form = {"query": TITLES, "default-graph-uri": graphs[:2]}
    assert len(column(httpx.post(endpoint, data=form), "title")) == 2


def test_query_dataset_named_graphs_get(endpoint: str, graphs: list[str]) -> None:
    parameters = {"query": TITLES_BY_GRAPH, "named-graph-uri": graphs[1:]}
    assert sorted(column(httpx.get(endpoint, params=parameters), "g")) == graphs[1:]


def test_query_dataset_named_graphs_post(endpoint: str, graphs: list[str]) -> None:
    form = {"query": TITLES_BY_GRAPH, "named-graph-uri": graphs[1:]}
    assert sorted(column(httpx.post(endpoint, data=form), "g")) == graphs[1:]


def test_query_dataset_full(endpoint: str, graphs: list[str]) -> None:
    query = """SELECT ?title ?g {
      ?paper a schema:ScholarlyArticle ; schema:name ?title
      GRAPH ?g { ?g a schema:ScholarlyArticle }
    }"""
    parameters = {"query": query, "default-graph-uri": graphs[0], "named-graph-uri": graphs[1:]}
    response = httpx.get(endpoint, params=parameters)
    assert sorted(column(response, "g")) == graphs[1:]
    assert len(set(column(response, "title"))) == 1


def test_query_multiple_dataset(endpoint: str, graphs: list[str]) -> None:
    """The data set of the protocol counts, not that of the query."""
    query = f"SELECT ?paper FROM <{graphs[0]}> {{ ?paper a schema:ScholarlyArticle }}"
    parameters = {"query": query, "default-graph-uri": graphs[1]}
    assert column(httpx.get(endpoint, params=parameters), "paper") == [graphs[1]]
    query = f"SELECT ?g FROM NAMED <{graphs[0]}> {{ GRAPH ?g {{ ?g a schema:ScholarlyArticle }} }}"
    parameters = {"query": query, "default-graph-uri": graphs[1]}
    assert column(httpx.get(endpoint, params=parameters), "g") == []


def test_with_named_graphs_alone_the_default_graph_is_empty(
    endpoint: str, graphs: list[str]
) -> None:
    parameters = {"query": TITLES, "named-graph-uri": graphs}
    assert column(httpx.get(endpoint, params=parameters), "title") == []


def test_without_a_data_set_the_union_of_all_graphs_is_asked(endpoint: str) -> None:
    assert len(column(httpx.get(endpoint, params={"query": TITLES}), "title")) > 40


@pytest.mark.parametrize("clause", ["FROM <{0}>", "from<{0}>", "FROM<{0}>\nFROM <{1}>"])
def test_from_in_the_query_counts(endpoint: str, graphs: list[str], clause: str) -> None:
    query = TITLES.replace("{", clause.format(*graphs) + "{", 1)
    found = column(httpx.get(endpoint, params={"query": query}), "title")
    assert len(found) == clause.lower().count("from")


def test_from_in_a_text_counts_for_nothing(endpoint: str) -> None:
    query = f"# FROM <a>\n{TITLES[:-1]} FILTER (?title != 'FROM <a>') }}"
    assert len(column(httpx.get(endpoint, params={"query": query}), "title")) > 40


def test_a_graph_that_there_is_not_is_empty(endpoint: str) -> None:
    parameters = {"query": TITLES, "default-graph-uri": "http://example.org/nowhere"}
    assert column(httpx.get(endpoint, params=parameters), "title") == []


def test_a_graph_needs_a_whole_iri(endpoint: str) -> None:
    parameters = {"query": TITLES, "default-graph-uri": "no iri"}
    assert is_refused(httpx.get(endpoint, params=parameters))


# What comes back.

SOLUTIONS = {
    JSON: JSON,
    XML: XML,
    "text/csv": "text/csv; charset=utf-8",
    "text/tab-separated-values": "text/tab-separated-values; charset=utf-8",
    "application/json": "application/json",
    "application/xml": "application/xml",
}
GRAPHS = {
    "text/turtle": "text/turtle; charset=utf-8",
    "application/n-triples": "application/n-triples",
    "application/ld+json": "application/ld+json",
    "application/rdf+xml": "application/rdf+xml",
}


@pytest.mark.parametrize("accept", SOLUTIONS)
@pytest.mark.parametrize("query", ["SELECT (1 AS ?one) {}", ASK])
def test_query_content_type_select_and_ask(endpoint: str, query: str, accept: str) -> None:
    response = httpx.get(endpoint, params={"query": query}, headers={"accept": accept})
    assert response.headers["content-type"] == SOLUTIONS[accept]
    assert "Accept" in response.headers["vary"]
    if accept in (JSON, XML):
        expected = ox.QueryResultsFormat.from_media_type(accept)
        found = ox.parse_query_results(response.content, expected)
        assert bool(found) if isinstance(found, ox.QueryBoolean) else len(list(found)) == 1


@pytest.mark.parametrize("accept", GRAPHS)
@pytest.mark.parametrize(
    "query",
    ["DESCRIBE <entity/zero-infinity>", "CONSTRUCT WHERE { <entity/zero-infinity> ?p ?o }"],
)
def test_query_content_type_describe_and_construct(endpoint: str, query: str, accept: str) -> None:
    response = httpx.get(endpoint, params={"query": query}, headers={"accept": accept})
    assert response.headers["content-type"] == GRAPHS[accept]
    expected = ox.RdfFormat.from_media_type(accept)
    subjects = {quad.subject for quad in ox.parse(response.content, expected)}
    assert subjects == {ox.NamedNode(f"{BASE}entity/zero-infinity")}


def test_nothing_is_described_twice(endpoint: str) -> None:
    query = {"query": "DESCRIBE <entity/zero-infinity>"}
    response = httpx.get(endpoint, params=query, headers={"accept": "application/n-triples"})
    assert len(set(response.text.splitlines())) == len(response.text.splitlines()) > 3


def test_qualities_choose(endpoint: str) -> None:
    accept = f"{JSON};q=0.5, text/csv;q=0.9, */*;q=0.1"
    response = httpx.get(endpoint, params={"query": ASK}, headers={"accept": accept})
    assert response.headers["content-type"].startswith("text/csv")


@pytest.mark.parametrize(
    ("query", "accept", "offered"),
    [(ASK, "text/turtle", JSON), ("DESCRIBE <a>", JSON, "text/turtle"), (ASK, "image/png", JSON)],
)
def test_where_nothing_fits_it_says_what_is_offered(
    endpoint: str, query: str, accept: str, offered: str
) -> None:
    response = httpx.get(endpoint, params={"query": query}, headers={"accept": accept})
    assert response.status_code == HTTPStatus.NOT_ACCEPTABLE
    assert offered in response.text


def test_pages_from_elsewhere_may_ask(endpoint: str) -> None:
    origin = {"origin": "https://example.org"}
    response = httpx.get(endpoint, params={"query": ASK}, headers=origin)
    assert response.headers["access-control-allow-origin"] == "*"
    asked = {**origin, "access-control-request-method": "POST"}
    asked["access-control-request-headers"] = "content-type"
    preflight = httpx.options(endpoint, headers=asked)
    assert preflight.is_success
    assert "POST" in preflight.headers["access-control-allow-methods"]
    assert httpx.options(
        endpoint, headers={**asked, "access-control-request-method": "HEAD"}
    ).is_success


# What is refused.


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH"])
def test_bad_query_method(endpoint: str, method: str) -> None:
    response = httpx.request(method, endpoint, params={"query": ASK})
    assert response.status_code == HTTPStatus.METHOD_NOT_ALLOWED
    assert response.headers["allow"] == "GET, HEAD, POST, OPTIONS"


def test_bad_multiple_queries(endpoint: str) -> None:
    twice = {"query": [ASK, "SELECT * {}"]}
    for response in (httpx.get(endpoint, params=twice), httpx.post(endpoint, data=twice)):
        assert response.status_code == HTTPStatus.BAD_REQUEST
        assert "more than one query" in response.text
    response = httpx.post(
        endpoint, params={"query": ASK}, content=ASK, headers={"content-type": DIRECT}
    )
    assert response.status_code == HTTPStatus.BAD_REQUEST


@pytest.mark.parametrize("content_type", ["text/plain", "application/json", "multipart/form-data"])
def test_bad_query_wrong_media_type(endpoint: str, content_type: str) -> None:
    response = httpx.post(endpoint, content=ASK, headers={"content-type": content_type})
    assert response.status_code == HTTPStatus.UNSUPPORTED_MEDIA_TYPE
    assert DIRECT in response.text


def test_bad_query_missing_form_type(endpoint: str) -> None:
    response = httpx.post(endpoint, content=urlencode({"query": ASK}).encode())
    assert response.status_code == HTTPStatus.UNSUPPORTED_MEDIA_TYPE


def test_bad_query_missing_direct_type(endpoint: str) -> None:
    response = httpx.post(endpoint, content=ASK.encode())
    assert response.status_code == HTTPStatus.UNSUPPORTED_MEDIA_TYPE


def test_bad_query_non_utf8(endpoint: str) -> None:
    declared = {"content-type": f"{DIRECT}; charset=UTF-16"}
    assert is_refused(httpx.post(endpoint, content=ASK.encode("utf-16"), headers=declared))
    undeclared = {"content-type": DIRECT}
    assert is_refused(httpx.post(endpoint, content=ASK.encode("utf-16"), headers=undeclared))
    assert is_refused(httpx.get(f"{endpoint}?query=ASK%20%7B%7D%23%FF"))


def test_bad_query_syntax(endpoint: str) -> None:
    response = httpx.get(endpoint, params={"query": "ASK {\n  ?s ?p }"})
    assert response.status_code == HTTPStatus.BAD_REQUEST
    assert "malformed at line 2, column 10" in response.text


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("", "The query is empty."),
        (" \n", "The query is empty."),
        ("SELEC", "The query is malformed at line 1, column 6."),
        ("ASK { ?s foo:p ?o }", "The query is malformed at line 1, column 15: Prefix not found"),
        ("ASK { ?s <a b> ?o }", "The query is malformed at line 1, column 15: IRI parsing failed"),
        (
            "SELECT ?x ?y { ?x ?p ?y } GROUP BY ?x",
            "The query is malformed at line 1, column 38: The SELECT contains a variable that is "
            "unbound",
        ),
        (
            "ASK { ?s ?p ?o",
            "The query is malformed at line 1, column 15: expected one of "
            '",", ".", ";", "{", "{|", "}", "~"',
        ),
        (
            "SELECT (COUNT(?x) ?y) {}",
            "The query is malformed at line 1, column 23: expected DISTINCT",
        ),
    ],
)
def test_what_is_wrong_with_a_query_is_a_sentence(endpoint: str, query: str, reason: str) -> None:
    assert httpx.get(endpoint, params={"query": query}).text.strip() == reason


@pytest.mark.parametrize("parameter", ["default-graph-uri", "named-graph-uri"])
@pytest.mark.parametrize("iri", ["catalogue", "", "https://a b/"])
def test_a_graph_that_is_no_absolute_iri_is_named(endpoint: str, parameter: str, iri: str) -> None:
    response = httpx.get(endpoint, params={"query": ASK, parameter: iri})
    assert response.status_code == HTTPStatus.BAD_REQUEST
    assert response.text.startswith("default-graph-uri and named-graph-uri must be absolute IRIs")
    assert f"{iri!r} is not" in response.text


def test_a_truth_value_is_called_so(endpoint: str) -> None:
    response = httpx.get(endpoint, params={"query": ASK}, headers={"accept": "text/turtle"})
    assert response.status_code == HTTPStatus.NOT_ACCEPTABLE
    assert response.text.startswith("The answer is true or false, which is available as ")


def test_a_form_without_a_query_is_refused(endpoint: str) -> None:
    response = httpx.post(endpoint, data={"q": ASK})
    assert response.status_code == HTTPStatus.BAD_REQUEST
    assert "There is no query" in response.text


UPDATE = "INSERT DATA { <http://example.org/a> <http://example.org/b> 1 }"


def test_updates_are_rejected_with_the_reason(endpoint: str) -> None:
    answers = [
        httpx.post(endpoint, data={"update": UPDATE}),
        httpx.get(endpoint, params={"update": UPDATE}),
        httpx.post(endpoint, content=UPDATE, headers={"content-type": "application/sparql-update"}),
        httpx.get(endpoint, params={"query": UPDATE}),
        httpx.get(endpoint, params={"query": "PREFIX a: <http://a.org/>\nLOAD <http://a.org/>"}),
        httpx.post(endpoint, content="DROP ALL", headers={"content-type": DIRECT}),
    ]
    for response in answers:
        assert response.status_code == HTTPStatus.FORBIDDEN
        assert "read-only" in response.text


def test_a_query_larger_than_any_is_refused(endpoint: str) -> None:
    query = f"ASK {{}} #{'x' * 300_000}"
    response = httpx.post(endpoint, content=query, headers={"content-type": DIRECT})
    assert response.status_code == HTTPStatus.REQUEST_ENTITY_TOO_LARGE


# What the service says of itself.


@pytest.mark.parametrize("accept", GRAPHS)
def test_it_describes_itself(endpoint: str, accept: str) -> None:
    response = httpx.get(endpoint, headers={"accept": accept})
    assert response.headers["content-type"] == GRAPHS[accept]
    sd = "http://www.w3.org/ns/sparql-service-description#"
    store = ox.Store()
    store.load(response.content, ox.RdfFormat.from_media_type(accept))
    found = store.query(
        f"PREFIX sd: <{sd}> SELECT ?url {{ ?me a sd:Service ; sd:endpoint ?url ; "
        "sd:supportedLanguage sd:SPARQL11Query ; sd:feature sd:UnionDefaultGraph }"
    )
    assert isinstance(found, ox.QuerySolutions)
    assert [row["url"] for row in found] == [ox.NamedNode(endpoint)]


def test_a_client_without_wishes_gets_turtle(endpoint: str) -> None:
    assert httpx.get(endpoint).headers["content-type"].startswith("text/turtle")


def test_a_browser_gets_a_page(endpoint: str) -> None:
    accept = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
    for parameters in ({}, {"query": ASK}):
        response = httpx.get(endpoint, params=parameters, headers={"accept": accept})
        assert response.headers["content-type"].startswith("text/html")
        assert "<textarea" in response.text
