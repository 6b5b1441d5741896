"""The front page, the box that finds, and family trees, on a real server."""

import csv
import re
from html import unescape
from io import StringIO
from urllib.parse import unquote

import httpx
import pytest

from asked import client_of
from described import describe
from filled import drop, stored
from service import BROWSER
from stemma.graph import LineageDirection, open_store
from stemma.schema import EntityKind, Extraction
from stemma.server.web.explorer import family_tree, tree_page
from stemma.server.web.explorer.family_tree import FIRST, MOST

LORA, ZERO_INFINITY = "entity/lora", "entity/zero-infinity"
ALL = {"includeGeneral": "true", "first": str(MOST)}
HUB = 60


@pytest.fixture(scope="module")
def client(client) -> httpx.Client:
    client.headers.update(BROWSER)
    return client


def drawn_edges(page: str) -> set[str]:
    """Return the edges that a click can reach in the picture of a page, by child and parent."""
    hrefs = re.findall(r'<a class="edge [a-z]+" href="#([^"]+)"', wide(page))
    assert len(hrefs) == len(set(hrefs))
    return {unquote(unescape(each)) for each in hrefs}


def drawn_works(page: str) -> set[str]:
    return {unescape(e) for e in re.findall(r'<a href="[^"]*" data-work="([^"]+)"', wide(page))}


def wide(page: str) -> str:
    """Return the picture of a page for wide screens."""
    return page.partition('<svg xmlns="http://www.w3.org/2000/svg"')[2].partition("</svg>")[0]


# The front page.


def test_a_browser_gets_the_front_page_and_a_program_is_redirected(client):
    page = client.get("/")
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert "Accept" in page.headers["vary"]
    for accept in ("*/*", "application/json"):
        assert client.get("/", headers={"accept": accept}).headers["location"] == "/graphql"


def test_how_many_works_build_on_a_work_is_one_number_on_all_pages(client, graph):
    front = client.get("/").text
    listed = re.findall(r'href="/lineage/(\S+)">(\d+) builds? on it, (\d+) directly', front)
    assert len(listed) > 5
    work, every, directly = listed[0]
    for depth, count in ((1, directly), (20, every)):
        found = graph.lineage(work, max_depth=depth, include_general=False, first=1000)
        assert found.total_count == int(count)
    assert f"{every} build on it, {directly} directly" in client.get(f"/page/{work}").text
    tree = client.get(f"/lineage/{work}?direction=descendants&first=3").text
    assert f'id="summary">3 of {every} works that build on it, the most built upon' in tree
    assert f"{every} build on it)" in front
    answer = client.get("/page", params={"q": f"what builds on {graph.work(work).name}"}).text
    assert f", in all: {every}." in answer


def test_an_empty_store_says_how_to_fill_it(tmp_path):
    store = stored(tmp_path, _child(1))
    with open_store(store) as graph:
        drop(graph, "paper/feather-1")
    assert "stemma build" in client_of(store).get("/", headers=BROWSER).text


def test_a_name_with_a_question_mark_leads_on_to_its_work(tmp_path):
    said = ("We present Quill.", "model Quill: INTRODUCES")
    client = client_of(stored(tmp_path, describe("Is it #1? A Study", *said)))
    for suffix in ("", ".svg", ".csv"):
        moved = client.get(f"/lineage/Is it %231%3F A Study{suffix}?maxDepth=2")
        assert moved.headers["location"] == f"/lineage/entity/quill{suffix}?maxDepth=2"
    moved = client.get("/lineage/Is it %231%3F A Study.json?maxDepth=2")
    assert moved.headers["location"] == "/lineage/paper/is-it-sharp-1-a-study.json?maxDepth=2"


# The box.


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("zero-inf", "ZeRO-Infinity"),
        ("Zero Redundancy Opt", "ZeRO"),
        ("flashatention", "FlashAttention"),
    ],
)
def test_it_suggests_works_by_the_beginning_of_a_name_an_alias_and_in_spite_of_typos(
    client, typed, expected
):
    found = client.get("/suggest", params={"q": typed}).json()
    assert any(each["name"].startswith(expected) for each in found)
    assert all(client.get(each["address"]).status_code == 200 for each in found[:2])
    assert 0 < len(found) <= 8
    assert {each["kind"] for each in found} <= {*EntityKind, "paper"}


def test_an_answer_is_a_table_with_a_line_above_and_facets_beside(client):
    page = client.get("/page", params={"q": "what builds on LoRA since 2023"}).text
    [line] = re.findall(r'<p role="status">(.*)</p>', page)
    total = re.fullmatch(r"What builds or improves on LoRA since 2023, in all: (\d+)\..*", line)
    assert total, page
    assert f'href="/lineage/{LORA}">See the family tree of LoRA' in page
    rows = re.findall(r"<tr><td class=.*?</tr>", page, re.DOTALL)
    assert len(rows) == int(total[1])
    assert any("“" in each for each in rows)
    assert any("builds on LoRA</span>" in each for each in rows), "also without a sentence"
    for name, value, count in re.findall(
        r'<a href="[^"]*[?&;](kind|year)=(\w+)">\w+</a> <span class="says">(\d+)<', page
    ):
        chosen = client.get("/page", params={"q": "what builds on LoRA since 2023", name: value})
        assert len(re.findall(r"<tr><td class=", chosen.text)) == int(count)
        assert 'aria-current="true"' in chosen.text
    few = client.get("/page", params={"q": "how is Fuyou related to ZeRO-Infinity?"}).text
    [pair] = re.findall(r'<a href="(/compare[^"]+)">Compare Fuyou with ZeRO-Infinity', few)
    assert "How they are related" in client.get(unescape(pair)).text


# Family trees.


@pytest.mark.parametrize(
    ("work", "narrow"),
    [
        (LORA, {"direction": "descendants"}),
        (ZERO_INFINITY, {"direction": "ancestors", "minConfidence": "0.6"}),
        ("entity/fuyou", {"direction": "ancestors", "includeCatalogue": "false", "until": "2023"}),
        ("entity/flashattention", {"direction": "descendants", "kinds": ["model", "technique"]}),
    ],
)
def test_the_picture_and_its_table_have_the_edges_of_the_lineage(client, work, narrow):
    shared = {"maxDepth": "3", **narrow}
    document = client.get(f"/lineage/{work}.json", params=shared).json()
    page = client.get(f"/lineage/{work}", params={**shared, **ALL}).text
    expected = {f"{each['child']['id']}--{each['parent']['id']}" for each in document["edges"]}
    assert drawn_edges(page) == expected
    assert drawn_works(page) == {work, *(each["work"]["id"] for each in document["nodes"])}
    cards = {unescape(each) for each in re.findall(r'<li id="([^"]+--[^"]+)"', page)}
    table = client.get(f"/lineage/{work}.csv", params={**shared, **ALL}).text
    rows = csv.DictReader(StringIO(table))
    assert cards == {f"{each['child']}--{each['parent']}" for each in rows} == expected
    said = [each for edge in document["edges"] for each in edge["statements"][:5]]
    assert all(each["text"] in unescape(page) for one in said for each in one["evidence"])
    stated = [each for each in document["edges"] if each["statements"][0]["evidence"]]
    assert all(f"({each['confidence']:.2f})" in page for each in stated)


def test_the_most_built_upon_works_are_drawn_and_the_rest_is_one_click_away(client, graph):
    whole = drawn_works(client.get(f"/lineage/{LORA}?first=500").text)
    page = client.get(f"/lineage/{LORA}?first=3&direction=descendants").text
    shown = drawn_works(page)
    assert len(shown) == 4
    [address] = re.findall(r'<a href="([^"]+)">show all</a>', page)
    every = drawn_works(client.get(unescape(address)).text)
    assert shown < every <= whole
    with graph.store.snapshot() as reader:
        near = reader.neighbours([LORA, *every], LineageDirection.DESCENDANTS)
    best = max((each for each in near[LORA] if each in every), key=lambda e: len(near[e]))
    assert best in shown
    badges = re.findall(r'<a class="more" href="([^"]+)".*?<title>Add (\d+) neigh', wide(page))
    assert badges
    for address, count in badges:
        expanded = client.get(unescape(address)).text
        assert len(drawn_works(expanded)) == len(shown) + int(count)
        assert drawn_edges(page) < drawn_edges(expanded)


def test_both_ways_are_drawn_without_general_terms_that_build_on_the_work(client, graph):
    def general(query: str) -> set[str]:
        shown = drawn_works(client.get(f"/lineage/{ZERO_INFINITY}?first=500{query}").text)
        assert ZERO_INFINITY in shown
        return {each for each in shown if getattr(graph.work(each), "general", False)}

    assert general("&direction=ancestors"), "what a work builds on is not hidden"
    assert not general("&direction=descendants")


def test_a_tree_is_as_of_a_date(client):
    early = client.get("/lineage/entity/zero?asOf=2021-06").text
    assert "ZeRO-Offload" in early and "ZeRO++" not in early
    assert 'name="asOf" value="2021-06"' in early


def test_a_hub_is_drawn_as_far_as_there_is_room(tmp_path, monkeypatch):
    for module in (family_tree, tree_page):
        monkeypatch.setattr(module, "MOST", 40)
    said = ("We present LLM, which builds on Quill.", "model LLM: INTRODUCES")
    general = describe("All", *said, "framework Quill: BUILDS_ON")
    client = client_of(stored(tmp_path, general, *map(_child, range(HUB))))
    first = client.get("/lineage/entity/quill", headers=BROWSER).text
    surest = {f"entity/feather-{HUB - 1 - place}x" for place in range(FIRST)}
    assert drawn_works(first) == {"entity/quill", *surest}
    assert f"{FIRST} of {HUB} works that build on it, the most built upon" in first
    told = re.search(rf'<a class="more" href="([^"]+)".*?>\+{HUB - FIRST}<', first)
    opened = client.get(unescape(told[1]), headers=BROWSER)
    assert len(drawn_works(opened.text)) == 40 + 1
    left_out = re.search(r'<a href="([^"]+)">1 common term left out', first)[1]
    whole = client.get(f"{unescape(left_out)}&first=40", headers=BROWSER).text
    assert f"40 of {HUB + 1} works" in whole and "term left out" not in whole
    fewer = re.search(r'<a href="([^"]+)">show fewer', whole)[1]
    assert f"{FIRST} of" in client.get(unescape(fewer), headers=BROWSER).text
    assert "show fewer" not in first


def _child(number: int) -> Extraction:
    """Return a paper whose framework builds on Quill."""
    name = f"Feather-{number}x"
    return describe(
        f"Feather {number}",
        f"We present {name}, which builds on Quill.",
        f"framework {name}: INTRODUCES",
        f"framework Quill: BUILDS_ON 0.{100 + number}",
    )
