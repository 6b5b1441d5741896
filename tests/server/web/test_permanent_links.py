"""Permanent links: a page's address with the generation of the graph that it showed."""

import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from stemma import Stemma
from stemma.server.app import make_app
from stemma.server.settings import Settings

PAGES = (
    "/lineage/entity/zero-infinity?maxDepth=1&kinds=framework,technique",
    "/page/entity/zero-infinity",
    "/compare?a=entity/zero&b=entity/lora",
    "/statements?of=entity/zero-infinity&order=newest",
)


def paper(folder: Path, title: str, abstract: str) -> None:
    record = {"title": title, "abstract": abstract, "published": "2024-01-01"}
    (folder / f"{title[:4]}.jsonl").write_text(json.dumps(record))


@pytest.fixture
def graph(tmp_path: Path) -> Iterator[Stemma]:
    papers = tmp_path / "papers"
    papers.mkdir()
    paper(papers, "Kiln: Fast Offloading", "We present Kiln, which is built on ZeRO-Infinity.")
    paper(papers, "Oven: Slow Adapters", "We present Oven, which extends LoRA. We also use ZeRO.")
    with Stemma(str(tmp_path / "stemma.db")) as opened:
        opened.build(papers, fast=True)
        yield opened


@pytest.fixture
def client(graph: Stemma) -> Iterator[TestClient]:
    with TestClient(make_app(graph.store, Settings(allow_host=("testserver",)))) as opened:
        yield opened


def link_in(page: str) -> str:
    (found,) = re.findall(r'<a href="([^"]*)" rel="bookmark"', page)
    return unescape(found)


@pytest.mark.parametrize("address", PAGES)
def test_a_page_says_what_has_changed_since_its_link_was_made(
    client: TestClient, graph: Stemma, tmp_path: Path, address: str
) -> None:
    before = client.get(address).text
    link = link_in(before)
    assert link.startswith(address) and link.endswith("generation=000001")
    again = client.get(link).text
    assert "This link refers to" not in again
    assert again == before
    paper(tmp_path / "papers", "Stove: More of It", "We present Stove, built on ZeRO-Infinity.")
    graph.build(tmp_path / "papers", fast=True)
    later = client.get(link).text
    assert "This link refers to generation 1 of the graph, which is now at generation 2" in later
    assert 'href="/changes"' in later
    assert link_in(later).endswith("generation=000002")
    assert "This link refers to" not in client.get(address).text


def test_an_invalid_generation_is_not_a_link(client: TestClient) -> None:
    refused = client.get("/statements?of=ZeRO-Infinity&generation=latest")
    assert refused.status_code == 400
    assert "generation" in refused.text
