"""Views of the explorer beside the family tree: two works, papers, evidence, and their files."""

import csv
import json
import re
from html import unescape
from io import StringIO
from urllib.parse import unquote, urlsplit
from xml.etree import ElementTree

import httpx
import pytest
from bibtexparser.entrypoint import parse_string
from bibtexparser.middlewares import LatexDecodingMiddleware

from asked import client_of
from described import describe
from filled import stored
from service import BROWSER
from stemma.schema import Evidence, Field, Paper
from stemma.server.views.bibtex import bibtex
from stemma.server.web.linked_data.passage import passage

COMPARE = "/compare?left=LoRA&right=QLoRA"
VIEWS = [
    COMPARE,
    "/papers?entity=LoRA&relations=USES,BUILDS_ON&order=newest",
    "/papers?text=attention&since=2022&until=2024",
]


@pytest.fixture(scope="module")
def client(client) -> httpx.Client:
    client.headers.update(BROWSER)
    return client


def text_of(page: str) -> str:
    """Return a page without escapes, and without marks of names in its sentences."""
    return unescape(re.sub(r'<span class="named">(.*?)</span>', r"\1", page))


# Two works.


def test_two_works_stand_side_by_side_with_what_they_share(client, graph):
    page = text_of(client.get(COMPARE).text)
    found = graph.compare("LoRA", "QLoRA")
    for aspect in found.aspects().values():
        for each in (*aspect.left, *aspect.shared, *aspect.right):
            assert f'href="/page/{each.id}"' in page
    assert page.count("ntered by hand in the <a") == 1, "what is on the path is not said again"
    assert found.statements
    for statement in found.statements:
        assert all(each.text in page for each in statement.evidence)
    for side in (found.left, found.right):
        assert all(paper.name in page for paper in side.papers)
    related = text_of(client.get("/compare?left=Fuyou&right=ZeRO").text)
    steps = related.partition('<ol class="steps">')[2].partition("</ol>")[0]
    drawn = re.findall(r'class="edge [a-z]+" href="#([^"]+)"', related)
    assert set(drawn) == set(re.findall(r'<li id="([^"]+)"', steps)) != set()
    for edge in graph.path("Fuyou", "ZeRO").edges:
        assert all(f'href="/page/{each.id}' in steps for each in (edge.child, edge.parent))
        assert all(e.text in steps for s in edge.statements[:3] for e in s.evidence)


def test_without_two_works_it_asks_for_them_and_forgives_typos_in_place(client):
    assert 'name="left"' in client.get("/compare").text
    one = client.get("/compare?left=lora").text
    assert 'value="LoRA"' in one
    assert 'href="/compare?left=LoRA&amp;right=QLoRA">QLoRA' in one
    found = client.get("/compare?left=zero-infinty&right=LoRA")
    assert found.status_code == 404
    assert 'href="/compare?left=ZeRO-Infinity&amp;right=LoRA"' in found.text
    assert 'value="zero-infinty"' in found.text
    assert client.get("/compare.json?left=zero-infinty&right=LoRA").status_code == 404
    same = client.get("/compare?left=LoRA&right=entity/lora").text
    assert "Both names mean the same work" in same
    assert "<table" not in same


# Papers and their sentences.


def test_a_sentence_of_a_section_has_those_around_it():
    paper, marked = Paper("paper/a", "A", "a\nb\nc\nd\ne"), [Evidence("c", Field.ABSTRACT, 4, 5)]
    pieces = passage(paper, Field.ABSTRACT, marked, {}, marked, around=1)
    assert [each.text for each in pieces] == ["b\n", "c", "\n", "d\n"]
    assert [each.is_marked for each in pieces] == [False, True, False, False]


@pytest.mark.parametrize(
    "address",
    [
        *("/papers?order=colour", "/papers?since=2024&until=2020", "/page?q=gpu+papers&first=0"),
        *("/compare?left=LoRA&right=ZeRO&colour=red", "/evidence", "/entities?kind=painting"),
        *("/lineage/entity/lora?first=0", "/lineage/entity/lora?direction=sideways"),
        "/lineage/entity/lora?asOf=then",
        "/lineage/entity/lora?" + "&".join(f"expand=entity/{n}" for n in range(41)),
    ],
)
def test_what_cannot_be_asked_is_refused_with_a_reason(client, address):
    answer = client.get(address)
    assert f'href="{address.partition("?")[0]}"' in answer.text
    plain = client.get(address, headers={"accept": "application/json"})
    assert plain.status_code == answer.status_code == 400
    [problem] = plain.json()["errors"]
    assert problem["message"] in unescape(answer.text)


# The page of an entity, and the lists that lead on from it.


def test_papers_are_a_table_newest_first_each_with_its_sentence(client):
    data = client.get("/papers.json?entity=LoRA&relations=USES,BUILDS_ON").json()
    dates = [each["published"] for each in data["nodes"] if each["published"]]
    assert dates == sorted(dates, reverse=True) != []
    page = text_of(client.get("/papers?entity=LoRA&relations=USES,BUILDS_ON").text)
    rows = re.findall(r"<tr><td class=.*?</tr>", page, re.DOTALL)
    assert len(rows) == len(data["nodes"])
    assert all("“" in row for row in rows)
    empty = client.get("/papers?entity=LoRA&relations=RUNS_ON&since=1900&until=1901")
    assert "No paper matches" in empty.text


def listed_in(page: str) -> list[str]:
    return re.findall(r'<td><a href="/page/([^"]+)"', page)


def turned(client, page: str, way: str) -> str:
    """Return the page before or after a page of a list."""
    return client.get(unescape(re.search(rf'rel="{way}" href="([^"]+)"', page)[1])).text


@pytest.mark.parametrize("address", ["/papers?order=published", "/entities?kind=technique"])
def test_lists_lead_on_and_back(client, address):
    first = client.get(address).text
    second = turned(client, first, "next")
    assert set(listed_in(second)).isdisjoint(listed_in(first))
    assert listed_in(turned(client, second, "prev")) == listed_in(first) != []
    assert 'rel="prev"' not in first


def test_years_before_those_of_their_own_are_one_facet(client):
    asked = {"q": "most used hardware", "year": "earlier"}
    page = client.get("/page", params=asked).text
    years = {*map(int, re.findall(r'class="date" title="(\d{4})', page))}
    own = map(int, re.findall(r'[;&]year=(\d{4})"', page))
    assert years and max(years) < min(own)


# Take it away.


PAGES = [
    *("/page/entity/lora", "/page/paper/dora-weight-decomposed-low-rank-adaptation"),
    *("/page?q=what builds on LoRA since 2023", "/page?q=does LoRA run on V100"),
]


@pytest.mark.parametrize("address", [*VIEWS, *PAGES, "/lineage/entity/lora"])
def test_every_file_of_a_view_is_what_it_says(client, address):
    page = client.get(address)
    assert page.status_code == 200
    addresses = map(unescape, re.findall(r'<a href="([^"]+)" download>', page.text))
    files = {urlsplit(each).path.rpartition(".")[2]: each for each in addresses}
    assert files.keys() >= {"csv", "bib"}
    assert query_in(page.text)
    for suffix, file in files.items():
        text = client.get(file).text
        match suffix:
            case "json":
                json.loads(text)
            case "csv":
                first, *rows = csv.reader(StringIO(text))
                assert {len(row) for row in rows} == {len(first)}
            case "bib":
                library = parse_string(text)
                assert library.entries and not library.failed_blocks
            case "svg":
                ElementTree.fromstring(text)
            case other:
                pytest.fail(other)


def test_bibtex_gives_titles_back_whatever_is_in_them():
    titles = ["50% of {GPU} & C# \\ unbalanced } ~^_$x <b>", "É 中文 “x”", 'A "quoted" title', "É"]
    papers = [Paper(f"paper/a{'-' * n}", title) for n, title in enumerate(titles)]
    library = parse_string(bibtex(papers), append_middleware=[LatexDecodingMiddleware()])
    assert not library.failed_blocks
    assert len({entry.key for entry in library.entries}) == len(titles)
    for entry, title in zip(library.entries, titles, strict=True):
        known = title.replace("{", "").replace("}", "")  # Words for braces have no decoding.
        decoded = re.sub(r"\\textbrace(?:left|right)", "", str(entry["title"]))
        assert decoded.replace("ˆ", "^").split() == known.split()


# Open in GraphQL: the query yields what the view shows.


def query_in(page: str) -> str:
    [query] = re.findall(r'href="/graphql#query=([^"]+)"', page)
    return unquote(unescape(query))


TREES = [
    "/lineage/entity/fuyou?direction=ancestors&maxDepth=3&includeGeneral=true&minConfidence=0.6&includeCatalogue=false",
    "/lineage/entity/lora?kinds=technique,framework&since=2023&until=2024",
    # Works that the catalogue alone dates.
    "/lineage/entity/colossal-ai?until=2020",
]


@pytest.mark.parametrize("address", [*VIEWS, *TREES, "/page?q=flash"])
def test_the_query_in_graphql_yields_the_works_of_the_view(client, address):
    is_tree = "/lineage" in address
    page = client.get(f"{address}&first=300" if is_tree else address).text
    answer = client.post("/graphql", json={"query": query_in(page)}).json()
    assert "errors" not in answer
    yielded = ids_in(answer["data"])
    if is_tree:
        root = urlsplit(address).path.removeprefix("/lineage/")
        drawn = {unescape(e) for e in re.findall(r'data-work="([^"]+)"', page)} - {root}
        assert drawn == yielded - {root} > set()
        return
    data = client.get(address.replace("?", ".json?")).json()
    if address == COMPARE:
        aspects = ("hardware", "frameworks", "techniques", "models", "datasets", "baselines")
        assert ids_in([data[each] for each in aspects]) <= yielded
    else:
        shown = (data["works"] if "/page" in address else data)["nodes"]
        assert {each["id"] for each in shown} == yielded > set()


@pytest.mark.parametrize("address", ["/papers", "/page?q=flash", PAGES[0]])
def test_the_query_in_graphql_keeps_to_the_page_size_of_the_server(example_store, address):
    with client_of(example_store, page_size=5) as client:
        query = query_in(client.get(address, headers=BROWSER).text)
        assert "errors" not in client.post("/graphql", json={"query": query}).json()


def ids_in(data: object) -> set[str]:
    """Return the ids of works anywhere in data."""
    return set(re.findall(r'"id": "((?:entity|paper)/[^"]+)"', json.dumps(data)))


def test_spreadsheets_take_no_title_for_a_formula(tmp_path):
    dangerous = ['=HYPERLINK("https://example.org","Kettle")', "@SUM(1+1) of kettles"]
    said = ("We present Kettle.", "model Kettle: INTRODUCES")
    store = stored(tmp_path, *(describe(each, *said) for each in (*dangerous, "Kettle = pot")))
    table = client_of(store).get("/papers.csv?text=kettle").text
    cells = {cell for row in csv.reader(StringIO(table)) for cell in row}
    assert {f"'{title}" for title in dangerous} | {"Kettle = pot"} <= cells
    assert cells.isdisjoint(dangerous)
