"""Feeds of new papers, as a feed reader reads them."""

from pathlib import Path

import feedparser
import httpx
import pytest

from asked import client_of
from stemma import Stemma

TITLE = "Thrifty: Low-Rank Updates <for> Small & Old Cards"
PAPER = {
    "title": TITLE,
    "abstract": "We present Thrifty, a method that builds on LoRA and quantizes its low-rank "
    "matrices. Thrifty runs on a single H100 GPU.",
    "published": "2031-02-03",
    "doi": "10.1000/thrifty",
    "authors": ["Ada Example"],
}


@pytest.fixture(scope="module")
def client(tmp_path_factory) -> httpx.Client:
    """A client of a store to which a paper was added."""
    folder: Path = tmp_path_factory.mktemp("feeds")
    older = {"title": "Sparing", "abstract": "We present Sparing, which builds on LoRA."}
    undated = {"title": "No Date", "abstract": "We present Dateless, which builds on LoRA."}
    for papers in ([{**older, "published": "2030"}, undated], [PAPER]):
        Stemma(folder / "stemma.db").build(papers, fast=True)
    return client_of(str(folder / "stemma.db"))


def test_added_paper_is_in_the_feed_of_its_ancestor_with_its_sentence(client):
    response = client.get("/feeds/papers.atom?entity=LoRA&relations=BUILDS_ON")
    feed = feedparser.parse(response.content, response_headers=dict(response.headers))
    assert not feed.bozo
    assert feed.feed.title == "Papers that build on LoRA"
    newest, older = feed.entries
    assert newest.title == TITLE
    assert newest.link == "https://doi.org/10.1000/thrifty"
    assert newest.published == "2031-02-03T00:00:00Z"
    assert newest.author == "Ada Example"
    sentence = "<blockquote>We present Thrifty, a method that builds on LoRA"
    assert sentence in newest.content[0].value, "it is HTML, escaped once"
    assert older.published == "2030-01-01T00:00:00Z"


@pytest.mark.parametrize("page", ["/", "/page/entity/lora", "/papers?entity=H100&since=2031"])
def test_pages_name_their_feeds(client, page):
    shown = client.get(page, headers={"accept": "text/html"})
    links = feedparser.parse(shown.content).feed.links
    feeds = [each.href for each in links if each.type.startswith("application/")]
    kinds = {each.partition("?")[0].rpartition(".")[2] for each in feeds}
    assert "atom" in kinds
    for each in feeds:
        if "/feeds/" in each:
            assert client.get(each).status_code == 200, each


def test_unknown_work_or_parameter_is_an_error(client):
    assert client.get("/feeds/papers.atom?entity=Nothing%20at%20all").status_code == 404
    assert client.get("/feeds/papers.atom?colour=red").status_code == 400
    assert client.get("/feeds/papers.atom").headers["etag"]
