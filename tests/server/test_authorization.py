"""A server with a token answers only those who know it."""

import httpx
import pytest

TOKEN = "a secret of eighteen letters"
QUESTION = {"query": "{ statistics { papers } }"}


@pytest.fixture(scope="module")
def guarded(serve, example_store):
    with serve(example_store, token=TOKEN) as url:
        yield url


def test_without_the_token_nothing_is_revealed(guarded):
    for path in ("/graphql", "/sparql", "/id/entity/zero", "/", "/metrics", "/graphql/assets/x"):
        answer = httpx.get(guarded + path)
        assert answer.status_code == 401
        assert answer.headers["cache-control"] == "no-store"
        assert "Authorization: Bearer" in answer.text
        assert "Basic" in answer.headers["www-authenticate"]


def test_a_wrong_token_is_not_enough(guarded):
    for wrong in ("", "Bearer", f"Bearer {TOKEN}x", "Bearer ü", "Basic ???", f"Digest {TOKEN}"):
        headers = [(b"authorization", wrong.encode())]
        assert httpx.post(f"{guarded}/graphql", json=QUESTION, headers=headers).status_code == 401


def test_programs_send_it_as_a_bearer_token(guarded):
    headers = {"authorization": f"Bearer {TOKEN}"}
    answer = httpx.post(f"{guarded}/graphql", json=QUESTION, headers=headers)
    assert answer.json()["data"]["statistics"]["papers"] > 0


def test_browsers_send_it_as_a_password(guarded):
    answer = httpx.get(f"{guarded}/graphql", headers={"accept": "text/html"}, auth=("me", TOKEN))
    assert answer.status_code == 200
    assert "<html" in answer.text


def test_whoever_watches_over_the_server_needs_none(guarded):
    assert httpx.get(f"{guarded}/health").json()["status"] == "ok"
    assert httpx.get(f"{guarded}/ready").json()["papers"] > 0


def test_metrics_are_for_those_who_know_it(guarded):
    headers = {"authorization": f"Bearer {TOKEN}"}
    assert "stemma_papers" in httpx.get(f"{guarded}/metrics", headers=headers).text


def test_no_cache_that_people_share_keeps_what_they_get(guarded):
    headers = {"authorization": f"Bearer {TOKEN}"}
    for path in ("/graphql?query={statistics{papers}}", "/page", "/assets/style.css", "/nope"):
        rules = httpx.get(guarded + path, headers=headers).headers["cache-control"].split(", ")
        assert "private" in rules
        assert "public" not in rules


def test_a_browser_may_ask_without_it_whether_it_may_send_it(guarded):
    headers = {
        "origin": "https://pages.example",
        "access-control-request-method": "GET",
        "access-control-request-headers": "authorization",
    }
    answer = httpx.options(f"{guarded}/sparql", headers=headers)
    assert answer.status_code == 200
    assert answer.headers["access-control-allow-headers"] == "authorization"
    refused = httpx.get(f"{guarded}/sparql", headers={"origin": "https://pages.example"})
    assert refused.status_code == 401
    assert refused.headers["access-control-allow-origin"] == "*"
