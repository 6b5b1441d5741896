"""Who may ask, by which name and from which pages, and how much they may send."""

import asyncio

import httpx
import pytest

QUESTION = "/graphql?query={statistics{papers}}"


def by_name(client, host: str) -> int:
    return client.get(QUESTION, headers={"host": host}).status_code


# Hosts.


@pytest.fixture(scope="module")
def careful(serving_with):
    return serving_with(allow_host=("graph.example.org", "*.lab.example"))


@pytest.mark.parametrize(
    "host",
    [
        *("localhost:8000", "LOCALHOST", "[::1]:8000"),
        *("graph.example.org", "Graph.Example.org:443", "a.lab.example"),
    ],
)
def test_it_answers_to_its_names_and_to_this_machines(careful, host):
    assert by_name(careful, host) == 200


@pytest.mark.parametrize(
    "host",
    [
        *("evil.example", "localhost.evil.example", "lab.example", "xlab.example", "", "["),
        *("evil@localhost", "localhost/evil", "localhost?evil", "localhost#evil"),
        *("localhost\\evil", "localhost:8000:1", "localhost:port", "[::1]evil"),
    ],
)
def test_it_answers_to_no_other_name(careful, client, host):
    assert by_name(careful, host) == by_name(client, host) == 421


def test_it_answers_to_all_names_if_it_is_public_and_those_who_watch_over_it(careful, serving_with):
    assert by_name(serving_with(public=True), "anything.example") == 200
    for path in ("/health", "/ready"):
        assert careful.get(path, headers={"host": "10.1.2.3:8000"}).status_code == 200


# Pages from elsewhere.

HERE, ELSEWHERE = "https://pages.example", "https://evil.example"


@pytest.fixture(scope="module")
def friendly(serving_with):
    return serving_with(allow_origin=(HERE,))


def test_only_pages_that_are_allowed_may_ask_graphql(friendly, client):
    for asked, origin in ((client, HERE), (friendly, ELSEWHERE)):
        answer = asked.get(QUESTION, headers={"origin": origin})
        assert "access-control-allow-origin" not in answer.headers
    assert "Origin" in answer.headers["vary"]
    preflight = {
        "origin": HERE,
        "access-control-request-method": "POST",
        "access-control-request-headers": "content-type",
    }
    asked = friendly.request("OPTIONS", "/graphql", headers=preflight)
    assert asked.status_code == 200
    assert asked.headers["access-control-allow-origin"] == HERE
    assert asked.headers["access-control-allow-headers"] == "content-type"
    answer = friendly.get(QUESTION, headers={"origin": HERE})
    assert answer.headers["access-control-allow-origin"] == HERE
    assert "Origin" in answer.headers["vary"]


@pytest.mark.parametrize(
    "path", ["/data/entity/lora.ttl", "/id/entity/lora", "/ontology", "/sparql?query=ASK{}"]
)
def test_linked_data_and_sparql_are_open_to_all_pages(client, path):
    answer = client.get(path, headers={"origin": ELSEWHERE})
    assert answer.headers["access-control-allow-origin"] == "*"
    for method in ("POST", "HEAD"):
        asked = {"access-control-request-method": method}
        asked["access-control-request-headers"] = "content-type"
        assert client.request("OPTIONS", path, headers={"origin": ELSEWHERE, **asked}).is_success


# Bodies.


def test_a_large_request_is_refused(serving_with):
    client = serving_with(body_size=1)
    query = {"query": "{statistics{papers}}" + " " * 1000}
    answer = client.post("/graphql", json=query)
    assert answer.status_code == 413
    assert "1024 bytes" in answer.json()["errors"][0]["message"]
    query["query"] = query["query"][:900]
    assert client.post("/graphql", json=query).json()["data"]


def test_sparql_refuses_in_plain_text_whatever_is_wrong(serving_with):
    client = serving_with(body_size=1, allow_host=("localhost",), token="known to few people alone")
    known = {"authorization": "Bearer known to few people alone"}
    query = {"query": "ASK {}" + " " * 1100}
    for headers, status, hint in (
        ({**known}, 413, "1024 bytes"),
        ({}, 401, "Authorization: Bearer"),
        ({**known, "host": "evil.example"}, 421, "--allow-host"),
    ):
        answer = client.post("/sparql", data=query, headers=headers)
        assert answer.status_code == status
        assert answer.headers["content-type"].startswith("text/plain")
        assert hint in answer.text


def posted(client, pieces) -> int:
    """Send a body piece by piece; return the status of the answer."""

    async def post() -> int:
        transport = httpx.ASGITransport(client.app)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as sender:
            return (await sender.post("/graphql", content=pieces())).status_code

    return asyncio.run(post())


def test_a_request_that_does_not_say_how_large_it_is_is_refused_as_well(serving_with):
    async def pieces():
        for _ in range(100):
            yield b"x" * 100

    assert posted(serving_with(body_size=1), pieces) == 413


def test_a_request_that_does_not_end_is_given_up(serving_with):
    async def pieces():
        yield b"{"
        await asyncio.sleep(60)

    assert posted(serving_with(seconds=0.2), pieces) == 408


# What can be turned off.


def test_without_the_playground_there_is_no_page(serving_with):
    client = serving_with(playground=False)
    assert client.get("/graphql", headers={"accept": "text/html"}).status_code == 400
    assert client.get("/").headers["location"] == "/page"
    assert client.get(QUESTION, headers={"accept": "text/html"}).json()["data"]


# A server with a token answers only those who know it.

TOKEN = "a secret of eighteen letters"
ASKED = {"query": "{statistics{papers}}"}
KNOWN = {"authorization": f"Bearer {TOKEN}"}


@pytest.fixture(scope="module")
def guarded(serving_with):
    return serving_with(token=TOKEN)


def test_without_the_token_nothing_is_revealed(guarded):
    for path in ("/graphql", "/sparql", "/id/entity/zero", "/", "/metrics", "/graphql/assets/x"):
        answer = guarded.get(path)
        assert answer.status_code == 401
        assert answer.headers["cache-control"] == "no-store"
        assert "Authorization: Bearer" in answer.text
        assert answer.headers["www-authenticate"].startswith("Basic "), "Chromium reads the first"


def test_a_wrong_token_is_not_enough(guarded):
    for wrong in ("", "Bearer", f"Bearer {TOKEN}x", "Bearer ü", "Basic ???", f"Digest {TOKEN}"):
        headers = [(b"authorization", wrong.encode())]
        assert guarded.post("/graphql", json=ASKED, headers=headers).status_code == 401


def test_programs_send_it_as_a_bearer_token_and_browsers_as_a_password(guarded):
    answer = guarded.post("/graphql", json=ASKED, headers=KNOWN)
    assert answer.json()["data"]["statistics"]["papers"] > 0
    assert "stemma_papers" in guarded.get("/metrics", headers=KNOWN).text
    page = guarded.get("/graphql", headers={"accept": "text/html"}, auth=("me", TOKEN))
    assert page.status_code == 200
    assert "<html" in page.text


def test_whoever_watches_over_the_server_needs_none(guarded):
    assert guarded.get("/health").json()["status"] == "ok"
    assert guarded.get("/ready").json()["papers"] > 0


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
