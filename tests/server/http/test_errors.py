"""Errors are reported briefly, as JSON to programs, and never by a stack trace."""

import shutil

import pytest
from starlette.applications import Starlette
from starlette.routing import Route
from starlette.testclient import TestClient

from asked import client_of
from service import BROWSER
from stemma.graph import open_store
from stemma.server.http.metrics import Metrics
from stemma.server.http.middleware import request_log

JSON = {"content-type": "application/json"}


def the_error(answer):
    assert answer.headers["content-type"].partition(";")[0] == "application/json"
    [error] = answer.json()["errors"]
    assert error["message"]
    assert "Traceback" not in answer.text
    return error["extensions"]["code"]


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/nothing/here", 404, "NOT_FOUND"),
        ("GET", "/graphql/assets/../../app.py", 404, "NOT_FOUND"),
        ("DELETE", "/page", 405, "METHOD_NOT_ALLOWED"),
        ("PUT", "/graphql", 405, "METHOD_NOT_ALLOWED"),
        ("GET", "/graphql", 400, "BAD_REQUEST"),
        ("GET", "/graphql?query={node}&variables=nonsense", 400, "BAD_REQUEST"),
    ],
)
def test_what_cannot_be_asked_is_reported_programs_as_json(client, method, path, status, code):
    answer = client.request(method, path)
    assert answer.status_code == status
    assert the_error(answer) == code


def test_people_get_a_page_that_leads_on(client):
    answer = client.get("/nothing/here", headers=BROWSER)
    assert answer.status_code == 404
    assert answer.headers["content-type"].startswith("text/html")
    assert "There is nothing at this address." in answer.text
    assert '<a href="/">the front page</a>' in answer.text
    text = client.get("/nothing/here", headers={"accept": "text/plain"})
    assert text.text == "There is nothing at this address.\n"
    assert client.request("PUT", "/graphql").headers["allow"] == "GET, HEAD, POST"
    assert client.head("/graphql?query={__typename}").status_code == 200


async def stumble(request):
    raise RuntimeError("a secret of the house")


def test_an_error_of_our_own_is_reported_by_its_id_alone(example_store, caplog):
    logged = request_log(Metrics(open_store(example_store)))
    app = Starlette(routes=[Route("/", stumble)], middleware=logged)
    client = TestClient(app, raise_server_exceptions=False)
    answer = client.get("/", headers={"x-request-id": "call-17"})
    assert answer.status_code == 500
    assert the_error(answer) == "INTERNAL_ERROR"
    assert "call-17" in answer.text
    assert "secret" not in answer.text
    assert "a secret of the house" in caplog.text


def test_all_answers_have_the_headers_that_keep_browsers_safe(client):
    page = ("/page", "/page/entity/lora", "/lineage/entity/lora", "/compare", "/sparql", "/help")
    for path in (*page, "/nothing/here", "/graphql?query={statistics{papers}}", "/health"):
        headers = client.get(path, headers=BROWSER if path in page else {}).headers
        policy = headers["content-security-policy"]
        rules = {each.split()[0]: each.split()[1:] for each in policy.split(";")}
        assert rules["default-src"] == ["'none'"]
        if path in page:
            assert rules["script-src"] == rules["connect-src"] == ["'self'"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"


@pytest.mark.parametrize("bad", ["", "x" * 129, "über", "a,b"])
def test_an_invalid_id_is_replaced(client, bad):
    id_ = client.get("/health", headers={"x-request-id": bad.encode()}).headers["x-request-id"]
    assert id_ not in (bad, client.get("/health").headers["x-request-id"])
    assert id_.isalnum()


# Whether it lives, and whether it can answer.


def test_without_its_store_it_lives_and_is_not_ready(example_store, tmp_path):
    store = tmp_path / "stemma.db"
    shutil.copyfile(example_store, store)
    client = client_of(str(store))
    assert client.get("/ready").json()["papers"] > 0

    away = store.rename(tmp_path / "away.db")
    assert client.get("/ready").headers["retry-after"]
    for path in ("/ready", "/sparql?query=ASK{}"):
        lost = client.get(path)
        assert lost.status_code == 503
        assert str(tmp_path) not in lost.text
    assert client.get("/health").status_code == 200
    assert client.get("/").headers["location"] == "/graphql"
    assert "stemma_store_up 0.0" in client.get("/metrics").text
    asked = {"query": "{ entities { totalCount nodes { statements { totalCount } } } }"}
    assert the_error(client.post("/graphql", json=asked)) == "STORE_UNAVAILABLE"
    sound = away.read_bytes()
    store.write_bytes(sound[: len(sound) // 3].ljust(len(sound), b"?"))
    assert the_error(client.post("/graphql", json=asked)) == "STORE_UNAVAILABLE"

    away.rename(store)
    assert client.get("/ready").json()["status"] == "ready"


def test_what_they_say_is_never_kept(client):
    for path in ("/health", "/ready", "/metrics"):
        assert client.get(path).headers["cache-control"] == "no-store"
