"""Papers by their authors and venues, and by citations."""

import json

from asked import by_graphql
from command import answer, stemma
from stemma.schema.name import paper_id

TRI_DAO = "author/tri-dao"
FLASH = "FlashAttention: Fast and Memory-Efficient Exact Attention with IO-Awareness"
MAMBA = "Mamba: Linear-Time Sequence Modeling with Selective State Spaces"
GRAPHQL = """
query ($flash: String!) {
  author(id: "author/tri-dao") {
    name orcid registryIds papers(first: 1) { totalCount nodes { title } }
  }
  authors(name: "Noam Shazeer") { nodes { id papers { nodes { title } } } }
  one: authors(name: "Noam Shazeer", first: 1) { totalCount nodes { id } }
  node(id: "author/jay-shah") { ... on Author { name papers { totalCount } } }
  paper(title: $flash) {
    venue references authors { name person { id } }
    cites { nodes { title } }
    citedBy(first: 2) { totalCount nodes { published } }
  }
  cited: papers(citedBy: "FlashAttention-3") { nodes { title } }
  citing: papers(cites: "FlashAttention", venue: "COLM", author: "tri dao") { nodes { title } }
  entitiesWhere(all: [], author: "Tri Dao", relations: [INTRODUCES]) { nodes { name } }
}
"""


def test_in_graphql(client):
    data = by_graphql(client, GRAPHQL, flash=FLASH)
    assert data["author"] == {
        "name": "Tri Dao",
        "orcid": None,
        "registryIds": ["openreview:~Tri_Dao1"],
        "papers": {"totalCount": 4, "nodes": [{"title": FLASH}]},
    }
    assert [len(each["papers"]["nodes"]) for each in data["authors"]["nodes"]] == [1, 1]
    assert data["one"] == {"totalCount": 2, "nodes": [{"id": data["authors"]["nodes"][0]["id"]}]}
    assert data["node"] == {"name": "Jay Shah", "papers": {"totalCount": 1}}
    paper = data["paper"]
    assert (paper["venue"], paper["references"]) == ("NeurIPS 2022", ["Attention Is All You Need"])
    assert paper["cites"]["nodes"] == [{"title": "Attention Is All You Need"}]
    assert paper["authors"][0] == {"name": "Tri Dao", "person": {"id": TRI_DAO}}
    assert paper["citedBy"]["totalCount"] == 4
    assert [each["published"] for each in paper["citedBy"]["nodes"]] == ["2023-05-30", "2023-07-17"]
    assert data["citing"]["nodes"] == [{"title": MAMBA}]
    assert len(data["cited"]["nodes"]) == 3
    named = {each["name"] for each in data["entitiesWhere"]["nodes"]}
    assert {"FlashAttention", "FlashAttention-2", "Mamba"} <= named


def test_on_the_command_line(example_store):
    def search(*options: str) -> str:
        return answer("search", *options, "-s", example_store)

    assert "Jay Shah, Ganesh Bikshandi" in search("--author", "tri dao", "--since", "2024")
    listed = json.loads(search("--cites", "FlashAttention", "--format", "json"))
    assert listed["totalCount"] == 4
    for name in ("Dao", "T. Dao", "Dao, Tri"):
        assert search("--author", name) == search("--author", TRI_DAO)
    two = stemma("search", "--author", "Noam Shazeer", "--first", "1", "-s", example_store)
    assert "matches 2 authors" in two.stderr
    assert "--after paper/attention-is-all-you-need" in two.stderr
    unknown = stemma("search", "--author", "Nobody", "-s", example_store)
    assert unknown.returncode == 1
    assert "No author in this graph is called 'Nobody'" in unknown.stderr
    assert "stemma search" not in unknown.stderr, "that finds no authors"


def test_on_pages(client):
    paper = client.get(f"/page/{paper_id(FLASH)}").text
    assert f'<a href="/page/{TRI_DAO}">Tri Dao</a>' in paper
    assert "<h2>Cites <small>1</small></h2>" in paper
    assert "<h2>Cited by <small>4</small></h2>" in paper
    author = client.get(f"/page/{TRI_DAO}").text
    assert all(title in author for title in (FLASH, MAMBA, "Jay Shah"))
    assert client.get(f"/data/{TRI_DAO}.ttl").text.count("schema:creator") == 4
    assert client.get("/page/author/nobody").status_code == 404
    # An id that distinguished namesakes is redirected, once there is only one of the name.
    gone = client.get(f"/page/{TRI_DAO}--gone", follow_redirects=True)
    assert gone.url.path == f"/page/{TRI_DAO}"
