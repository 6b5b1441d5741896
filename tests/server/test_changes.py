"""What builds changed: on the command line, in GraphQL, for assistants, and in feeds."""

import feedparser
import httpx
import pytest

from asked import by_assistant, by_graphql, client_of
from command import refused, stemma
from stemma import Stemma

OLD = [
    {"title": "Sparing", "abstract": "We present Sparing, which builds on LoRA.", "year": 2030},
    {"title": "No Date", "abstract": "We present Dateless, which builds on LoRA."},
]
NEW = {
    "title": "Thrifty & <Small>",
    "abstract": "We present Thrifty, which builds on LoRA and improves its matrices.",
    "published": "2031-02-03",
    "doi": "10.1000/thrifty",
    "authors": ["Ada Example"],
}


@pytest.fixture(scope="module")
def store(tmp_path_factory) -> str:
    """A store that was built, and to which a paper was added."""
    path = str(tmp_path_factory.mktemp("changes") / "stemma.db")
    for papers in (OLD, NEW):
        Stemma(path).build(papers)
    return path


@pytest.fixture(scope="module")
def client(store) -> httpx.Client:
    return client_of(store)


def test_a_build_is_told_by_what_it_added(store, client):
    counts = "number papersAdded papersUpdated papersRemoved entitiesAdded edgesAdded"
    query = f"""{{ changes(since: "1") {{ nodes {{
      {counts} papers {{ title }} entities {{ name }} }} }} }}"""
    [build] = by_graphql(client, query)["changes"]["nodes"]
    assert [build[each] for each in counts.split()] == [2, 1, 0, 0, 1, 1]
    assert build["papers"] == [{"title": NEW["title"]}]
    assert build["entities"] == [{"name": "Thrifty"}]
    with Stemma(store) as graph:
        (latest,) = graph.changes(since=1)
        (edge,) = latest.edges
        assert str(edge).startswith("Thrifty builds on LoRA (0.")
        assert graph.changes(since="2999-01-01") == ()


def test_graphql_pages_through_builds(client):
    query = """query ($after: String) { changes(first: 1, after: $after) {
      totalCount nodes { number } pageInfo { hasNextPage endCursor } } }"""
    latest = by_graphql(client, query)["changes"]
    rest = by_graphql(client, query, after=latest["pageInfo"]["endCursor"])["changes"]
    assert [each["nodes"][0]["number"] for each in (latest, rest)] == [2, 1]
    assert [each["pageInfo"]["hasNextPage"] for each in (latest, rest)] == [True, False]
    assert latest["totalCount"] == rest["totalCount"] == 2


def test_the_command_shows_the_latest_build_first_with_sentences(store):
    shown = stemma("changes", "--store", store)
    assert shown.returncode == 0, shown.stderr
    latest, first = shown.stdout.split("Build 1, ")
    for line in (
        "1 paper, 1 entity and 1 lineage edge added",
        "  + Thrifty & <Small>  (paper/thrifty-small)",
        "  + Thrifty builds on LoRA",
        "“We present Thrifty, which builds on LoRA",
    ):
        assert line in latest
    assert "+" not in first
    assert "neither a date" in refused("changes", "--since", "lately", "--store", store, status=2)
    none = stemma("changes", "--since", "2999-01-01", "--store", store)
    assert "No builds recorded in" in none.stderr


def test_assistants_get_it_page_by_page(store):
    latest = by_assistant(store, "changes", first=1)
    (build,) = latest["nodes"]
    assert build["edges"][0]["statements"][0]["evidence"][0]["text"].startswith("We present Thrift")
    rest = by_assistant(store, "changes", first=1, after=latest["pageInfo"]["endCursor"])
    assert [each["number"] for each in rest["nodes"]] == [1]
    assert not rest["pageInfo"]["hasNextPage"]
    assert latest["totalCount"] == rest["totalCount"] == 2


# Feeds of new papers, as a feed reader reads them.


def test_added_paper_is_in_the_feed_of_its_ancestor_with_its_sentence(client):
    response = client.get("/feeds/papers.atom?entity=LoRA&relations=BUILDS_ON")
    feed = feedparser.parse(response.content, response_headers=dict(response.headers))
    assert not feed.bozo
    assert feed.feed.title == "Papers that build on LoRA"
    newest, older = feed.entries
    assert newest.title == NEW["title"]
    assert newest.link == "https://doi.org/10.1000/thrifty"
    assert newest.published == "2031-02-03T00:00:00Z"
    assert newest.author == "Ada Example"
    sentence = "<blockquote>We present Thrifty, which builds on LoRA"
    assert sentence in newest.content[0].value, "it is HTML, escaped once"
    assert older.published == "2030-01-01T00:00:00Z"
    assert client.get("/feeds/papers.atom?entity=Nothing%20at%20all").status_code == 404
