"""Clients keep answers, and ask whether they are still right: that costs next to nothing."""

import gzip

import httpx
import pytest

from asked import client_of
from described import describe
from filled import stored

QUESTION = "/graphql?query={statistics{papers}}"


def again(client, path: str, *tags: str) -> httpx.Response:
    return client.get(path, headers={"if-none-match": ", ".join(tags)})


@pytest.mark.parametrize(
    "path",
    [
        QUESTION,
        "/graphql/examples",
        "/page/entity/lora",
        "/data/entity/lora.ttl",
        "/lineage/entity/lora.json",
        "/ontology.ttl",
    ],
)
def test_an_answer_that_is_known_is_not_sent_again(client, path):
    first = client.get(path)
    assert first.status_code == 200
    assert first.headers["cache-control"] == "no-cache"
    second = again(client, path, '"other"', first.headers["etag"])
    assert (second.status_code, second.content) == (304, b"")
    assert second.headers["etag"] == first.headers["etag"]
    assert again(client, path, '"other"').status_code == 200


def test_another_question_has_another_tag(client):
    asked = [f"/graphql?query={{statistics{{{field}}}}}" for field in ("papers", "entities")]
    asked += [f"/lineage/entity/lora.json?maxDepth={depth}" for depth in (1, 2)]
    assert len({client.get(each).headers["etag"] for each in asked}) == 4


def test_after_a_build_and_from_a_new_store_an_answer_is_sent_again(tmp_path):
    tags = list[str]()
    for titles in (("A Kiln",), ("A Wheel",), ("A Pot", "A Jug", "A Bowl")):
        if len(titles) > 1:  # Another store takes the place of the first.
            (tmp_path / "stemma.db").unlink()
        client = client_of(stored(tmp_path, *map(describe, titles)))
        answer = again(client, QUESTION, *tags)
        assert answer.status_code == 200
        tags.append(answer.headers["etag"])
    assert len(set(tags)) == 3


def test_errors_are_not_kept(client):
    for query in ("{nothing}", '{lineage(of:"Nobody Knows This"){root{id}}}'):
        answer = client.get("/graphql", params={"query": query})
        assert answer.json()["errors"]
        assert "etag" not in answer.headers
    posted = client.post("/graphql", json={"query": "{statistics{papers}}"})
    assert "etag" not in posted.headers


def test_long_answers_are_compressed_for_those_who_take_that(client):
    query = {"query": "{papers(first:50){nodes{title}}}"}
    plain = client.get("/graphql", params=query, headers={"accept-encoding": "identity"})
    packed = client.get("/graphql", params=query, headers={"accept-encoding": "gzip"})
    assert packed.headers["content-encoding"] == "gzip"
    assert int(packed.headers["content-length"]) < len(gzip.compress(plain.content, 1))
    assert packed.json() == plain.json()
    assert packed.headers["etag"] == plain.headers["etag"]
    for each in (plain, packed):
        assert {"Accept", "Accept-Encoding"} <= set(each.headers["vary"].split(", "))


@pytest.mark.npm
def test_what_a_build_of_the_playground_names_by_its_content_is_kept_for_good(client):
    page = client.get("/graphql", headers={"accept": "text/html"})
    assert page.headers["cache-control"] == "no-cache"
    assert "Accept" in page.headers["vary"]
    script = page.text.partition('src="')[2].partition('"')[0]
    assert "immutable" in client.get(script).headers["cache-control"]
    assert "cache-control" not in client.get(f"{script}x").headers
