"""Bytes that are no request, or not the one that they say they are."""

import json
from functools import partial
from urllib.parse import quote_from_bytes

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

pytestmark = pytest.mark.xdist_group("fuzzing")  # They share a server.
JSON = "application/json"
QUERY = b'{"query": "{ __typename }"}'
ROUNDS = 3


def request(
    target: str, body: bytes = b"", method: str = "POST", content_type: str = JSON, **headers: str
) -> bytes:
    """Write a request, whose headers may say what is not so."""
    lines = [f"{method} {target} HTTP/1.1", "Host: localhost", "Connection: close"]
    given = {"Content-Type": content_type, "Content-Length": str(len(body))}
    given |= {name.replace("_", "-"): value for name, value in headers.items()}
    lines += [f"{name}: {value}" for name, value in given.items() if value]
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + body


def graphql(body: bytes, **rest: str) -> bytes:
    return request("/graphql", body, **rest)


def get(target: str, **headers: str) -> bytes:
    return request(target, method="GET", content_type="", Content_Length="", **headers)


@pytest.mark.parametrize(
    "content_type", ["", "text/plain", "multipart/form-data", "application/graphql", "\xff"]
)
def test_other_kinds_of_body_are_refused(service, content_type):
    status, body = service.exchange(graphql(QUERY, content_type=content_type))
    assert 400 <= status < 500
    assert json.loads(body)["errors"]


# Half characters, as JSON lets them be written.

HALF = "\ud800"
HALVES = [
    {"query": "{ " + HALF + " }"},
    {"query": f"# {HALF}\n{{ __typename }}"},
    {"query": '{ entity(name: "\\uD800") { id } }'},
    {"query": f'{{ entity(name: """{HALF}""") {{ id }} }}'},
    {"query": "{ __typename }", "operationName": HALF},
    {"query": "{ __typename }", "variables": {HALF: HALF}},
    {"query": "{ __typename }", "extensions": {HALF: HALF}},
    *(
        {"query": f"query ($t: {type_}) {{ {field} }}", "variables": {"t": text}}
        for type_, field in (
            ("String", "entity(name: $t) { id }"),
            ("ID!", "node(id: $t) { id }"),
            ("[ID!]!", "nodes(ids: $t) { id }"),
            ("String!", "search(text: $t) { nodes { id } }"),
            ("String!", "ask(question: $t) { text suggestions }"),
            ("String", "papers(after: $t, text: $t) { totalCount }"),
        )
        for text in (f"LoRA{HALF}", "\udfff\ud800", "entity/\x00")
    ),
]


def test_half_characters_and_nuls_are_read_or_refused(service):
    for each in HALVES:
        service.post(each)


# What is hardly HTTP: much of it is cut short, and need not be answered.

MANY = {f"X-{n}": "y" for n in range(500)}
STRANGE = {
    "nothing": b"\r\n\r\n",
    "no host": b"GET /health HTTP/1.1\r\nConnection: close\r\n\r\n",
    "a strange host": get("/page", Host="[::1"),
    "bytes in a header": get("/page", Accept="\xff\xfe", Authorization="\xff"),
    "many headers": get("/page", **MANY),
    "a long address": get("/" + "a" * 100_000),
    "many parameters": get("/lineage/entity/lora.json?" + "a=b&" * 4000),
    "many media types": get("/id/entity/lora", Accept=",".join(["a/b;q=0.1"] * 1500)),
    "a quality that is none": get("/id/entity/lora", Accept="text/html;q=nan,text/turtle;q=-1e999"),
    "many tags": get("/page/entity/lora", If_None_Match=",".join(['"a"'] * 3000)),
    "a strange range": get("/graphql/assets/", Range="bytes=9-1,-,--1"),
    "a socket": get("/graphql", Connection="Upgrade", Upgrade="websocket", Sec_WebSocket_Key="a"),
    "an id of lines": get("/health", X_Request_ID="a" * 10_000, Traceparent="00-\xff"),
    "a length of digits": graphql(QUERY, Content_Length="9" * 5000),
    "more than it said": graphql(QUERY + b"more", Content_Length=str(len(QUERY))),
    "pieces with a length": graphql(b"0\r\n\r\n", Transfer_Encoding="chunked"),
    "an unknown coding": graphql(QUERY, Content_Length="", Transfer_Encoding="gzip"),
    "UTF-16": graphql(
        '{"query":"{__typename}"}'.encode("utf-16"), content_type=f"{JSON}; charset=utf-16"
    ),
    "a form without an end": graphql(b"--x\r\n", content_type="multipart/form-data; boundary=x"),
    "SPARQL that is no UTF-8": request(
        "/sparql", b"ASK { \xff }", content_type="application/sparql-query"
    ),
    "SPARQL with a NUL": request("/sparql", b"\x00", content_type="application/sparql-query"),
    "SPARQL that is deep": request(
        "/sparql", b"ASK " + b"{" * 100_000, content_type="application/sparql-query"
    ),
    "a form of many queries": request(
        "/sparql", b"query=a&" * 30_000, content_type="application/x-www-form-urlencoded"
    ),
    **{
        f"{method} {target}": request(target, method=method)
        for method in ("DELETE", "TRACE", "HEAD", "OPTIONS", "CONNECT", "!")
        for target in ("/graphql", "/id/entity/lora", "/lineage/entity/lora.json", "*")
    },
}


@pytest.mark.parametrize("name", STRANGE)
def test_malformed_http_does_not_cause_a_server_error(service, name):
    service.gives_no_5xx(STRANGE[name])
    service.answers()


# Addresses made of bytes that are no text, or no name: what they lead to is not there.

JUNK = (
    b"\xff",
    b"\xc0\xaf",
    b"\x00",
    b"entity/lora\x00",
    b"entity/\r\nX: y",
    b"entity/" + b"a" * 8000,
    b"../../etc/passwd",
    b"%",
    b"\xe2\x80\xae",
)
ADDRESSES = (
    "/id/{}",
    "/page/{}",
    "/data/{}.ttl",
    "/page?q={}",
    "/lineage/{}.json",
    "/lineage/entity/lora.json?{}",
    "/sparql?query={}",
    "/sparql?{}",
    "/graphql?query={}",
    "/graphql?query=%7B__typename%7D&variables={}",
    "/graphql/assets/{}",
    "/assets/{}",
    "/{}",
)
ACCEPTED = ("*/*", "text/html", "text/turtle", "application/json")


@settings(database=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    address=st.sampled_from(ADDRESSES),
    junk=st.sampled_from(JUNK) | st.binary(max_size=60) | st.text(max_size=40).map(str.encode),
    accept=st.sampled_from(ACCEPTED),
)
def test_junk_in_addresses_does_not_cause_a_server_error(service, address, junk, accept):
    target = address.format(quote_from_bytes(junk))
    assert service.gives_no_5xx(get(target, Accept=accept))


@pytest.mark.long
def test_bytes_leave_nothing_in_memory(service):
    halves = [partial(service.post, each) for each in HALVES]
    strange = [partial(service.gives_no_5xx, each) for each in STRANGE.values()]
    service.stays_flat([*halves, *strange], ROUNDS)
