"""A server with a token answers only those who know it."""

import pytest

from asked import client_of

TOKEN = "a secret of eighteen letters"
KNOWN = {"authorization": f"Bearer {TOKEN}"}
QUESTION = {"query": "{ statistics { papers } }"}


@pytest.fixture(scope="module")
def guarded(example_store):
    return client_of(example_store, token=TOKEN)


def test_without_the_token_nothing_is_revealed(guarded):
    for path in ("/graphql", "/sparql", "/id/entity/zero", "/", "/metrics", "/graphql/assets/x"):
        answer = guarded.get(path)
        assert answer.status_code == 401
        assert answer.headers["cache-control"] == "no-store"
        assert "Authorization: Bearer" in answer.text
        assert "Basic" in answer.headers["www-authenticate"]


def test_a_wrong_token_is_not_enough(guarded):
    for wrong in ("", "Bearer", f"Bearer {TOKEN}x", "Bearer ü", "Basic ???", f"Digest {TOKEN}"):
        headers = [(b"authorization", wrong.encode())]
        assert guarded.post("/graphql", json=QUESTION, headers=headers).status_code == 401


def test_programs_send_it_as_a_bearer_token(guarded):
    answer = guarded.post("/graphql", json=QUESTION, headers=KNOWN)
    assert answer.json()["data"]["statistics"]["papers"] > 0
    assert "stemma_papers" in guarded.get("/metrics", headers=KNOWN).text


def test_whoever_watches_over_the_server_needs_none(guarded):
    assert guarded.get("/health").json()["status"] == "ok"
    assert guarded.get("/ready").json()["papers"] > 0


def test_browsers_send_it_as_a_password(guarded):
    answer = guarded.get("/graphql", headers={"accept": "text/html"}, auth=("me", TOKEN))
    assert answer.status_code == 200
    assert "<html" in answer.text


def test_no_cache_that_people_share_keeps_what_they_get(guarded):
    for path in ("/graphql?query={statistics{papers}}", "/page", "/assets/style.css", "/nope"):
        rules = guarded.get(path, headers=KNOWN).headers["cache-control"].split(", ")
        assert "private" in rules
        assert "public" not in rules


def test_a_browser_may_ask_without_it_whether_it_may_send_it(guarded):
    headers = {
        "origin": "https://pages.example",
        "access-control-request-method": "GET",
        "access-control-request-headers": "authorization",
    }
    answer = guarded.options("/sparql", headers=headers)
    assert answer.status_code == 200
    assert answer.headers["access-control-allow-headers"] == "authorization"
    refused = guarded.get("/sparql", headers={"origin": "https://pages.example"})
    assert refused.status_code == 401
    assert refused.headers["access-control-allow-origin"] == "*"
