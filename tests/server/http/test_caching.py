"""Clients keep answers, and ask whether they are still right: that costs next to nothing."""

import gzip
import shutil
from pathlib import Path

import httpx
import pytest

from asked import client_of
from stemma import Stemma

EXAMPLES = Path(__file__).parents[3] / "examples"
QUESTION = "/graphql?query={statistics{papers}}"


def again(client, path: str, *tags: str) -> httpx.Response:
    return client.get(path, headers={"if-none-match": ", ".join(tags)})


@pytest.mark.parametrize(
    "path",
    [
        QUESTION,
        "/graphql/examples",
        "/page/entity/lora",
        "/page/paper/dora-weight-decomposed-low-rank-adaptation",
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
    tags = {
        client.get(f"/graphql?query={{statistics{{{field}}}}}").headers["etag"]
        for field in ("papers", "entities", "generation")
    }
    tags |= {
        client.get(f"/lineage/entity/lora.json?maxDepth={depth}").headers["etag"]
        for depth in (1, 2)
    }
    assert len(tags) == 5


def test_after_a_build_an_answer_is_sent_again(tmp_path):
    papers = tmp_path / "papers"
    papers.mkdir()
    shutil.copy(EXAMPLES / "finetuning.txt", papers)
    with Stemma(str(tmp_path / "stemma.db")) as graph:
        graph.build(papers, fast=True)
        client = client_of(str(tmp_path / "stemma.db"))
        first = client.get(QUESTION)
        shutil.copy(EXAMPLES / "serving.txt", papers)
        graph.build(papers, fast=True)
        second = again(client, QUESTION, first.headers["etag"])
    assert second.status_code == 200
    assert second.json() != first.json()


def test_a_store_that_is_made_again_has_other_tags(tmp_path):
    tags = []
    for example in ("finetuning.txt", "serving.txt"):
        (tmp_path / "stemma.db").unlink(missing_ok=True)
        with Stemma(str(tmp_path / "stemma.db")) as graph:
            graph.build(EXAMPLES / example, fast=True)
        answer = client_of(str(tmp_path / "stemma.db")).get(QUESTION)
        tags.append(answer.headers["etag"])
    assert tags[0] != tags[1]


def test_errors_are_not_kept(client):
    for query in ("{nothing}", '{lineage(of:"Nobody Knows This"){root{id}}}'):
        answer = client.get("/graphql", params={"query": query})
        assert answer.json()["errors"]
        assert "etag" not in answer.headers


def test_answers_to_posts_are_not_kept(client):
    answer = client.post("/graphql", json={"query": "{statistics{papers}}"})
    assert "etag" not in answer.headers


def test_the_page_and_the_answers_of_an_address_are_distinguished(client):
    for accept in ("text/html", "application/json"):
        answer = client.get(QUESTION, headers={"accept": accept})
        assert "Accept" in answer.headers["vary"]


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
