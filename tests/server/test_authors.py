"""Papers by their authors, organizations and venues, and by citations, through every interface."""

import json
import re
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from asked import by_graphql, client_of
from command import answer, stemma
from described import describe
from filled import put
from stemma import Stemma
from stemma.graph import UnknownNameError, open_store
from stemma.schema.name import paper_id
from stemma.schema.paper import Author
from stemma.server import asking

TRI_DAO = "author/tri-dao"
FLASH = "FlashAttention: Fast and Memory-Efficient Exact Attention with IO-Awareness"
FLASH_3 = "FlashAttention-3: Fast and Accurate Attention with Asynchrony and Low-precision"
BY_TRI_DAO = [
    FLASH,
    "FlashAttention-2: Faster Attention with Better Parallelism and Work Partitioning",
    "Mamba: Linear-Time Sequence Modeling with Selective State Spaces",
    FLASH_3,
]
GRAPHQL = """
query ($flash: String!) {
  papers(author: "tri dao") { nodes { title } }
  author(id: "author/tri-dao") {
    name orcid registryIds papers(first: 1) { totalCount nodes { title } }
  }
  authors(name: "Noam Shazeer") { id papers { nodes { title } } }
  node(id: "author/jay-shah") { ... on Author { name papers { totalCount } } }
  paper(title: $flash) {
    venue references authors { id name papers { totalCount } }
    cites { nodes { title } }
    citedBy(first: 2) { totalCount pageInfo { hasNextPage } nodes { title published } }
  }
  cited: papers(citedBy: "FlashAttention-3") { nodes { title } }
  citing: papers(cites: "FlashAttention", venue: "COLM") { nodes { title } }
  entitiesWhere(all: [], author: "Tri Dao", relations: [INTRODUCES]) { nodes { name } }
}
"""


def test_in_graphql(client: httpx.Client) -> None:
    data = by_graphql(client, GRAPHQL, flash=FLASH)
    assert [each["title"] for each in data["papers"]["nodes"]] == BY_TRI_DAO
    assert data["author"] == {
        "name": "Tri Dao",
        "orcid": None,
        "registryIds": ["openreview:~Tri_Dao1"],
        "papers": {"totalCount": 4, "nodes": [{"title": FLASH}]},
    }
    assert [len(each["papers"]["nodes"]) for each in data["authors"]] == [1, 1]
    assert data["node"] == {"name": "Jay Shah", "papers": {"totalCount": 1}}
    paper = data["paper"]
    assert paper["venue"] == "NeurIPS 2022"
    assert paper["references"] == ["Attention Is All You Need"]
    assert paper["cites"]["nodes"] == [{"title": "Attention Is All You Need"}]
    assert paper["authors"][0] == {
        "id": TRI_DAO,
        "name": "Tri Dao",
        "papers": {"totalCount": 4},
    }
    assert [each["name"] for each in paper["authors"]][-1] == "Christopher Ré"
    assert paper["citedBy"]["totalCount"] == 4
    assert paper["citedBy"]["pageInfo"]["hasNextPage"]
    assert [each["published"] for each in paper["citedBy"]["nodes"]] == ["2023-05-30", "2023-07-17"]
    assert [each["title"] for each in data["citing"]["nodes"]] == [BY_TRI_DAO[2]]
    assert len(data["cited"]["nodes"]) == 3
    named = {each["name"] for each in data["entitiesWhere"]["nodes"]}
    assert {"FlashAttention", "FlashAttention-2", "Mamba"} <= named


@pytest.mark.parametrize(
    ("question", "understood", "total"),
    [
        ("papers by Tri Dao", "papers that are by Tri Dao", 4),
        ("which papers did Tri Dao write since 2023", "papers that are by Tri Dao since 2023", 3),
        ("papers by Tri Dao that run on H100", "papers that are by Tri Dao and run on", 1),
        ("papers in NeurIPS", "papers that are from NeurIPS", 4),
        ("NeurIPS papers by Tri Dao", "papers that are by Tri Dao and are from NeurIPS", 2),
        ("what cites FlashAttention", "papers that cite FlashAttention", 4),
        ("what does FlashAttention-3 cite", "papers that are cited by FlashAttention-3", 3),
        ("who works on Mamba", "authors of papers about Mamba", 1),
    ],
)
def test_in_english(example_store: str, question: str, understood: str, total: int) -> None:
    with open_store(example_store) as store, store.snapshot() as reader:
        found = asking.ask(reader, question)
    assert found.understood_as
    assert understood in found.understood_as
    assert found.total == total


def test_citations_are_not_lineage(graph: Stemma) -> None:
    cited = {each.name for each in graph.papers(cited_by="FlashAttention-3")}
    assert "Attention Is All You Need" in cited
    ancestors = {each.work.name for each in graph.lineage("FlashAttention-3", "ancestors").nodes}
    assert "FlashAttention" in ancestors
    assert not cited & ancestors


def test_in_python(graph: Stemma) -> None:
    assert [each.name for each in graph.papers(author=TRI_DAO)] == BY_TRI_DAO
    first = graph.papers(venue="neurips", first=3)
    rest = graph.papers(venue="neurips", first=3, after=first.end_cursor)
    assert (first.total_count, len(first), len(rest), rest.end_cursor) == (4, 3, 1, None)
    assert graph.papers(author="Tri Dao", until=2022, text="flash")[0].name == FLASH
    assert list(graph.papers(organization="Nowhere")) == []
    with pytest.raises(UnknownNameError, match="Nobody"):
        graph.papers(author="Nobody")


def test_on_the_command_line(example_store: str) -> None:
    shown = answer("search", "--author", "tri dao", "--since", "2024", "-s", example_store)
    assert "2024-07-11" in shown
    assert "Jay Shah, Ganesh Bikshandi" in shown
    listed = json.loads(
        answer("search", "--cites", "FlashAttention", "--format", "json", "-s", example_store)
    )
    assert listed["totalCount"] == 4
    two = stemma("search", "--author", "Noam Shazeer", "--first", "1", "-s", example_store)
    assert "matches 2 authors" in two.stderr
    assert "--after paper/attention-is-all-you-need" in two.stderr
    nowhere = stemma("search", "--venue", "Nowhere", "-s", example_store)
    assert "No matching papers in" in nowhere.stderr
    unknown = stemma("search", "--author", "Nobody", "-s", example_store)
    assert unknown.returncode == 1
    assert "no author in this graph is called 'Nobody'" in unknown.stderr
    assert "stemma search" not in unknown.stderr, "that finds no authors"


def test_on_pages(client: httpx.Client) -> None:
    paper = client.get(f"/page/{paper_id(FLASH)}").text
    assert f'<a href="/page/{TRI_DAO}">Tri Dao</a>' in paper
    assert "<h2>Cites <small>1</small></h2>" in paper
    assert "<h2>Cited by <small>4</small></h2>" in paper
    author = client.get(f"/page/{TRI_DAO}").text
    assert all(title in author for title in BY_TRI_DAO)
    assert "Jay Shah" in author
    assert client.get(f"/data/{TRI_DAO}.ttl").text.count("schema:creator") == 4
    assert client.get("/page/author/nobody").status_code == 404
    # An id that distinguished namesakes is redirected, once there is only one of the name.
    gone = client.get(f"/page/{TRI_DAO}--gone", follow_redirects=True)
    assert gone.url.path == f"/page/{TRI_DAO}"


def test_a_page_shows_the_first_of_many_authors_and_opens_the_others(tmp_path: Path) -> None:
    store = str(tmp_path / "stemma.db")
    found = describe("A Large Collaboration", "We present Kettle.", "framework Kettle: MENTIONS")
    authors = tuple(Author(f"Author {number:02}") for number in range(30))
    with open_store(store) as graph:
        put(graph, replace(found, paper=replace(found.paper, authors=authors)))
    page = client_of(store).get(f"/page/{found.paper.id}").text
    first, others = page.split("<summary>and 18 more</summary>")
    names = [re.findall(r">(Author \d\d)</a>", part) for part in (first, others)]
    assert names == [[each.name for each in authors[:12]], [each.name for each in authors[12:]]]
    assert 'href="/page/author/author-29">Author 29</a>' in others
