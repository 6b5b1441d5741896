"""What must not leave this machine: queries that ask other servers are refused."""

import platform
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from http import HTTPStatus
from socketserver import BaseRequestHandler, TCPServer
from threading import Thread

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st

from patience import eventually
from stemma.server.settings import Settings
from stemma.server.sparql.answering import Refusal, SparqlQuery, answer
from stemma.server.sparql.query_text import calls_service

BASE = "http://data.example/"


class Listener(TCPServer):
    """A server that counts requests, and answers none."""

    calls = 0

    def verify_request(self, *_: object) -> bool:
        self.calls += 1
        return False

    @property
    def port(self) -> int:
        return int(self.server_address[1])


def listening() -> Iterator[Listener]:
    with Listener(("127.0.0.1", 0), BaseRequestHandler) as listener:
        Thread(target=listener.serve_forever, args=(0.01,), daemon=True).start()
        yield listener
        listener.shutdown()


listener = pytest.fixture(scope="module", name="listener")(listening)
silence = pytest.fixture(scope="module", name="silence")(listening)
"""A listener that nothing may call."""


@pytest.fixture(scope="module")
def rdf() -> ox.Store:
    store = ox.Store()
    thing = ox.NamedNode(BASE + "thing")
    store.add(ox.Quad(thing, thing, ox.Literal("a", language="en"), thing))
    return store


# Where SERVICE is called; PORT is that of the listener.
CALLS = {
    "plainly": "SELECT * { SERVICE <http://127.0.0.1:PORT/> { ?s ?p ?o } }",
    "silently": "SELECT * { SERVICE SILENT <http://127.0.0.1:PORT/> { ?s ?p ?o } }",
    "without spaces": "SELECT*{SERVICE<http://127.0.0.1:PORT/>{?s ?p ?o}}",
    "with comments": "SELECT * { SERVICE # not\n# not\n<http://127.0.0.1:PORT/>#\n{ ?s ?p ?o } }",
    "by a prefix": "PREFIX ex: <http://127.0.0.1:PORT/> SELECT * { SERVICE ex:a { ?s ?p ?o } }",
    "glued to a prefix": "PREFIX ex: <http://127.0.0.1:PORT/> ASK { SERVICEex:a { ?s ?p ?o } }",
    "as a prefix": "PREFIX : <http://127.0.0.1:PORT/> SELECT * { service:a { ?s ?p ?o } }",
    "by a variable": "SELECT * { VALUES ?x { <http://127.0.0.1:PORT/> } SERVICE ?x { ?s ?p ?o } }",
    "after a number": "SELECT * { ?a ?b 1SERVICE<http://127.0.0.1:PORT/>{ ?s ?p ?o } }",
    "in a subquery": "SELECT * { { SELECT * { SERVICE <http://127.0.0.1:PORT/> { ?s ?p ?o } } } }",
    "in a filter": "SELECT * { ?a ?b ?c FILTER EXISTS { SERVICE <http://127.0.0.1:PORT/> { } } }",
    "behind what looks like an IRI": (
        "SELECT * { VALUES ?x { <http://127.0.0.1:PORT/> } FILTER(1<2)SERVICE?x#>\n{ ?s ?p ?o } }"
    ),
    "behind what looks like an IRI with a quotation mark": (
        "SELECT * { ?a ?b ?c FILTER(?c<'x>')SERVICE<http://127.0.0.1:PORT/>{ ?s ?p ?o }#'\n}"
    ),
    "behind what looks like an IRI with a comment": (
        "SELECT * { ?a ?b ?c FILTER(?c<#>'''\n1)SERVICE<http://127.0.0.1:PORT/>{ ?s ?p ?o }#'''\n}"
    ),
    "behind a string with quotation marks": (
        'SELECT * { ?a ?b """a"b""\\"""" . SERVICE <http://127.0.0.1:PORT/> { ?s ?p ?o } }'
    ),
    "by escapes": "SELECT * { \\u0053ERVICE <http://127.0.0.1:PORT/> { ?s ?p ?o } }",
    "by escapes that open a comment": (
        "SELECT * { SERVICE \\u0023 \\u000A <http://127.0.0.1:PORT/> { ?s ?p ?o } }"
    ),
}

HARMLESS = {
    "in a comment": "SELECT * { ?s ?p ?o } # of that service",
    "in a long string": 'SELECT * { ?s ?p """it\'s "SERVICE" ex:a { }""" }',
    "in an IRI": "SELECT * { GRAPH <http://example.org/service> { ?s ?p ?o } }",
    "as a variable": "SELECT ?service WHERE { ?service ?p ?o }",
    "as a name": "PREFIX ex: <http://example.org/> SELECT * WHERE { ?s ex:service ?o }",
    "as a prefix": "PREFIX service: <http://example.org/> SELECT * { ?s service:p service:o }",
    "as a language": "SELECT * { ?s ?p 'a'@service }",
}


@pytest.mark.parametrize("how", CALLS)
def test_a_query_that_calls_a_service_is_refused(how, rdf, listener):
    before = listener.calls
    with pytest.raises(Refusal) as refused:
        ask(rdf, CALLS[how].replace("PORT", str(listener.port)))
    assert refused.value.status == HTTPStatus.FORBIDDEN
    assert "SERVICE" in str(refused.value)
    assert listener.calls == before


@pytest.mark.parametrize("how", HARMLESS)
def test_the_word_alone_is_not_refused(how, rdf):
    assert not calls_service(HARMLESS[how])
    ask(rdf, HARMLESS[how])


def test_a_long_text_is_read_in_no_time():
    began = time.process_time()
    for text in ("SERVICE", "SERVICE#", "?service ", "'service' "):
        assert calls_service(text * 30_000)
    assert time.process_time() - began < 1


def ask(rdf: ox.Store, query: str) -> bytes:
    return answer(rdf, BASE, SparqlQuery(query), Settings()).body


def one_of(*texts: str) -> st.SearchStrategy[str]:
    return st.sampled_from(texts)


_SPACE = one_of("", " ", "\n", "\t", "#\n", " # it's \" <\n", "\r", " \\u0020 ")
_BEFORE = one_of(
    "", ".", "?s ?p ?o .", "?s ?p true", "?s ?p 1", "?s ?p 1.", "?s ?p 'a'", "?s ?p 'a'@en", "{}",
    "FILTER(1<2)", "FILTER(?c<'x>')", "FILTER(?c<#>'''\n1)", "FILTER(1<2&&3>2)", "OPTIONAL{}",
    "BIND(<http://a/#'> AS ?i)", "VALUES ?v {'''a'''}", '?s ?p """a"b""c""" .', "UNION", "MINUS{}",
    "?s ?p '''#'''.", "?s <a'b> 'c' .", "?s ?p 'a\\'b' .", "?s ?p '\\\\' .", "GRAPH ?g {} ",
    "?s ?p ex:a .", "?s ?p ex:a.", "_:a ?p ?o .", "?s a ?o.", "?s ?p ''", '?s ?p ""', "<a>?p?o.",
)  # fmt: skip
_KEYWORD = one_of(
    "SERVICE", "sERVICE", "Service", "service", "\\u0053ERVICE", "SER\\U00000056ICE",
    "\\u0073ervice", "SERVICE SILENT", "SERVICESILENT", "service#\nsilent", "LATERAL{SERVICE",
)  # fmt: skip
_TARGET = one_of(
    "<http://127.0.0.1:PORT/>", "<http://127.0.0.1:PORT/\\u0061>",
    "ex:a", "ex:", ":a", ":", "?x", "$x",
)  # fmt: skip
_AFTER = one_of("", "#'\n", "#'''\n", '#"""\n', "'", ">", "?s ?p '''x''' .", "#>\n")


@st.composite
def queries(draw: st.DrawFn) -> str:
    """Queries that call a service in some odd way, and texts that are almost that."""
    pieces = ["PREFIX ex: <http://127.0.0.1:PORT/> PREFIX : <http://127.0.0.1:PORT/>\nSELECT * {"]
    pieces.append("VALUES ?x { <http://127.0.0.1:PORT/> }")
    for _ in range(draw(st.integers(0, 3))):
        pieces += [draw(_SPACE), draw(_BEFORE)]
    pieces += [draw(_SPACE), draw(_KEYWORD), draw(_SPACE), draw(_TARGET), draw(_SPACE)]
    pieces += ["{", draw(_SPACE), "?s ?p ?o", draw(_SPACE), "}", draw(_AFTER), "}"]
    text = "".join(pieces)
    for _ in range(draw(st.integers(0, 2))):
        place = draw(st.integers(0, len(text)))
        text = text[:place] + draw(st.sampled_from("<>'\"#\\?:{}. \n")) + text[place:]
    return text


@given(query=queries())
def test_no_query_ever_reaches_another_server(query, rdf, silence):
    with suppress(Refusal, OSError):
        ask(rdf, query.replace("PORT", str(silence.port)))
    assert silence.calls == 0


def test_the_server_refuses_it(client, silence):
    query = CALLS["plainly"].replace("PORT", str(silence.port))
    refused = client.get("/sparql", params={"query": query})
    assert refused.status_code == HTTPStatus.FORBIDDEN
    assert "SERVICE is not allowed" in refused.text
    assert silence.calls == 0


CONFINED = """
import sys, pyoxigraph
from stemma.server.sparql.confinement import forbid_sockets
if sys.argv[1] == "confined":
    assert forbid_sockets()
try:
    list(pyoxigraph.Store().query(sys.argv[2]))
except OSError as error:
    print(error)
"""


@pytest.mark.process
@pytest.mark.skipif(
    sys.platform != "linux" or platform.machine() not in ("x86_64", "aarch64"),
    reason="the system cannot keep a process from opening sockets",
)
def test_a_confined_process_could_not_call_even_if_it_were_let(listener):
    query = CALLS["plainly"].replace("PORT", str(listener.port))
    listener.calls = 0
    for how in ("confined", "free"):
        assert listener.calls == 0
        command = [sys.executable, "-c", CONFINED, how, query]
        assert subprocess.run(command, capture_output=True, check=True).stdout
    eventually(lambda: listener.calls == 1)
