"""What builds changed: on the command line, in GraphQL, and in the browser."""

import json
from pathlib import Path

import httpx
import pytest

from asked import by_assistant, by_graphql, client_of
from command import refused, stemma
from stemma import Stemma

OLD = {"title": "Sparing", "abstract": "We present Sparing, which builds on LoRA."}

NEW = {
    "title": "Thrifty & Small",
    "abstract": "We present Thrifty, which builds on LoRA and improves its matrices.",
}
BROWSER = {"accept": "text/html"}


@pytest.fixture(scope="module")
def store(tmp_path_factory) -> str:
    """A store that was built, and to which a paper was added."""
    folder: Path = tmp_path_factory.mktemp("changes")
    for name, paper in (("old", OLD), ("new", NEW)):
        (folder / f"{name}.jsonl").write_text(json.dumps(paper), "utf-8")
        Stemma(folder / "stemma.db").build(folder / f"{name}.jsonl", fast=True)
    return str(folder / "stemma.db")


@pytest.fixture(scope="module")
def client(store) -> httpx.Client:
    return client_of(store)


def test_a_build_is_told_by_what_it_added(store, client):
    counts = "number papersAdded papersUpdated papersRemoved entitiesAdded edgesAdded"
    query = f"""{{ changes(since: "1") {{ {counts} papers {{ title }} entities {{ name }} }} }}"""
    [build] = by_graphql(client, query)["changes"]
    assert [build[each] for each in counts.split()] == [2, 1, 0, 0, 1, 1]
    assert build["papers"] == [{"title": "Thrifty & Small"}]
    assert build["entities"] == [{"name": "Thrifty"}]
    with Stemma(store) as graph:
        latest, _ = graph.changes()
        assert [str(each) for each in latest.edges] == ["Thrifty builds on LoRA (0.60)"]
        assert graph.changes(since="2999-01-01") == ()


def test_the_command_shows_the_latest_build_first_with_sentences(store):
    shown = stemma("changes", "--store", store)
    assert shown.returncode == 0, shown.stderr
    latest, first = shown.stdout.split("Build 1, ")
    for line in (
        "1 paper, 1 entity and 1 lineage edge added",
        "  + Thrifty & Small  (paper/thrifty-small)",
        "  + Thrifty builds on LoRA",
        "“We present Thrifty, which builds on LoRA",
    ):
        assert line in latest
    assert "+" not in first


def test_an_invalid_date_is_rejected(store):
    assert "neither a date" in refused("changes", "--since", "lately", "--store", store, status=2)
    none = stemma("changes", "--since", "2999-01-01", "--store", store)
    assert "No builds recorded in" in none.stderr
    assert "since 2999-01-01" in none.stderr


def test_assistants_get_it_page_by_page(store):
    latest = by_assistant(store, "changes", first=1)
    (build,) = latest["builds"]
    assert build["edges"][0]["statements"][0]["evidence"][0]["text"].startswith("We present Thrift")
    rest = by_assistant(store, "changes", first=1, after=latest["endCursor"])
    assert [each["number"] for each in rest["builds"]] == [1]
    assert "endCursor" not in rest
    assert latest["totalCount"] == rest["totalCount"] == 2
    refused = by_assistant(store, "changes", start="lately")["error"]
    assert refused["message"].startswith("'lately' is neither")


def test_the_front_page_and_a_page_of_its_own_show_it(client):
    front = client.get("/", headers=BROWSER).text
    assert "The last build: " in front
    assert '<a href="/page/paper/thrifty-small">Thrifty &amp; Small</a>' in front
    page = client.get("/changes").text
    assert '<a href="/page/entity/thrifty">Thrifty</a> <span class="says">builds on' in page
    marked = [f'<span class="named">{name}</span>' for name in ("Thrifty", "LoRA")]
    assert "“We present {}, which builds on {}".format(*marked) in page
    assert "Build 1" not in client.get("/changes?since=1").text
    refused = client.get("/changes?since=lately", headers=BROWSER)
    assert refused.status_code == 400
    assert "Cannot display this page" in refused.text
