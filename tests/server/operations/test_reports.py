"""A running server reports what it does, in its log and by its metrics."""

import os
import signal
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import datetime
from functools import partial

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from patience import PATIENCE, eventually
from processes import descendants
from service import serving

pytestmark = pytest.mark.process

TOKEN = "a secret of eighteen letters"
HEADERS = {"authorization": f"Bearer {TOKEN}"}
SECRET = "unspeakable"


@pytest.fixture(scope="module")
def server(example_store):
    """Two workers of one server, which the last test kills."""
    options = ("--workers", "2", "--log-format", "json", "--token", TOKEN)
    with serving(example_store, *options) as running:
        yield running


def ask(server, query: str, **headers: str) -> httpx.Response:
    body = {"query": query, "variables": {"name": SECRET}}
    return httpx.post(f"{server.url}/graphql", json=body, headers={**HEADERS, **headers})


def metrics(server) -> dict[tuple[str, ...], float]:
    text = httpx.get(f"{server.url}/metrics", headers=HEADERS).text
    return {
        (sample.name, *(value for _, value in sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_each_request_is_a_line_of_json_with_its_id(server):
    answer = ask(server, "{statistics{papers}}", **{"x-request-id": "call-1"})
    assert answer.headers["x-request-id"] == "call-1"
    # The line is written when the answer has gone out.
    eventually(lambda: any(each["request_id"] == "call-1" for each in server.requests()))
    [line] = [each for each in server.requests() if each["request_id"] == "call-1"]
    assert (line["method"], line["path"], line["status"]) == ("POST", "/graphql", 200)
    assert line["milliseconds"] > 0
    assert datetime.fromisoformat(line["time"]).tzinfo
    [serving] = [each for each in server.log() if each["message"] == "serving"]
    assert serving["url"] == f"{server.url}/"
    httpx.get(f"{server.url}/{'a' * 30_000}", headers=HEADERS)
    eventually(lambda: any(each["status"] == 404 for each in server.requests()))
    assert max(len(each["path"]) for each in server.requests()) == 1000
    paths = {"/health", "/ready", "/metrics"}
    for path in paths:
        httpx.get(server.url + path, headers=HEADERS)
    assert not any(each["path"] in paths for each in server.requests()), "who watches over it"


def test_no_line_shows_what_was_asked_or_by_whom(server):
    query = "query($name:String!){lineage(of:$name){root{id}}}"
    ask(server, query)
    variables = f'{{"name":"{SECRET}"}}'
    parameters = {"query": query, "variables": variables}
    httpx.get(f"{server.url}/graphql", params=parameters, headers=HEADERS)
    eventually(lambda: sum(each["path"] == "/graphql" for each in server.requests()) >= 2)
    written = server.written.read_text()
    for each in (SECRET, TOKEN, "lineage", "Bearer"):
        assert each not in written


def test_requests_are_counted_by_address_method_and_status(server):
    counted = ("stemma_http_requests_total", "GET", "/page/{local:path}", "404")
    before = metrics(server).get(counted, 0)
    for name in ("entity/nobody", "entity/nothing"):
        httpx.get(f"{server.url}/page/{name}", headers=HEADERS)
    eventually(lambda: metrics(server)[counted] == before + 2)
    after = metrics(server)
    assert after["stemma_http_request_duration_seconds_count", "GET", "/page/{local:path}"] >= 2


def test_what_strangers_choose_makes_no_new_counters(server):
    names = lambda: {name for name in metrics(server) if "requests_total" in name[0]}  # noqa: E731
    httpx.request("STRANGE", f"{server.url}/no-such-thing", headers=HEADERS)
    before = names()
    for method in ("ODD", "PECULIAR"):
        httpx.request(method, f"{server.url}/{method}", headers=HEADERS)
    assert names() == before


def test_errors_of_graphql_are_counted_by_their_codes(server):
    counted = ("stemma_graphql_errors_total", "UNKNOWN_NAME")
    before = metrics(server).get(counted, 0)
    ask(server, '{lineage(of:"Nobody Knows This"){root{id}}}')
    assert metrics(server)[counted] == before + 1


def test_the_size_of_the_graph_is_shown(server):
    told, found = httpx.get(f"{server.url}/ready").json(), metrics(server)
    assert found["stemma_papers",] == told["papers"]
    assert found["stemma_statements",] == told["statements"]
    assert found["stemma_store_up",] == 1
    assert any(name[0] == "stemma_info" and told["generation"] in name for name in found)


# Several processes serve one store.


def processes(server) -> set[int]:
    return {each["process"] for each in server.requests()}


def counted(server) -> float:
    """How often all processes together were asked."""
    return sum(value for name, value in metrics(server).items()
               if name[0] == "stemma_http_requests_total" and "/graphql" in name)  # fmt: skip


def test_workers_count_together_are_replaced_when_they_die_and_end_with_their_supervisor(server):
    def asked_of(others: int, known: frozenset[int] = frozenset()) -> bool:
        """Ask at once from several connections, of which one process may take one.

        Return whether so many processes beside the known have answered.
        """
        with ThreadPoolExecutor() as clients, suppress(httpx.HTTPError):
            list(clients.map(partial(ask, server), ["{statistics{papers}}"] * 4))
        return len(processes(server) - known) >= others

    eventually(lambda: asked_of(2))
    lines = lambda: sum(each["path"] == "/graphql" for each in server.requests())  # noqa: E731
    eventually(lambda: counted(server) == lines())
    before = counted(server)
    assert [counted(server) for _ in range(4)] == [before] * 4

    known = frozenset(processes(server))
    os.kill(min(known), signal.SIGKILL)
    eventually(lambda: asked_of(1, known))
    assert counted(server) > before

    workers = descendants(server.process.pid)
    assert workers
    server.process.kill()
    server.process.wait(timeout=PATIENCE)
    eventually(lambda: workers.isdisjoint(descendants(0)))
