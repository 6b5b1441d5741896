"""The front page, the box that finds, and family trees, on a real server."""

import csv
import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from html import unescape
from io import StringIO
from pathlib import Path
from typing import Any
from urllib.parse import unquote
from xml.etree import ElementTree

import httpx
import pytest

from described import describe
from filled import put
from service import BROWSER
from stemma import Stemma
from stemma.graph import LineageDirection, open_store
from stemma.schema import (
    EntityKind,
    Extraction,
    interchange,
)
from stemma.server.build import load
from stemma.server.web.explorer.tree_request import FIRST, MOST

LORA, ZERO_INFINITY = "entity/lora", "entity/zero-infinity"
ALL = {"includeGeneral": "true", "first": str(MOST)}
HUB = 600
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def client(client: httpx.Client) -> httpx.Client:
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


def test_a_browser_gets_the_front_page_and_a_program_is_redirected(client: httpx.Client) -> None:
    page = client.get("/")
    assert page.status_code == 200
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert "Accept" in page.headers["vary"]
    for accept in ("*/*", "application/json"):
        answer = client.get("/", headers={"accept": accept})
        assert answer.headers["location"] == "/graphql"
    again = client.get("/", headers={"if-none-match": page.headers["etag"]})
    assert again.status_code == 304


def test_it_has_a_tree_what_is_new_and_examples_before_any_numbers(client: httpx.Client) -> None:
    page = client.get("/").text
    questions = re.findall(r'href="(/page\?q=[^"]+)"', page)
    assert len(questions) == 3
    assert all("<table" in client.get(unescape(each)).text for each in questions)
    assert 1 < len(re.findall('class="node', wide(page))) <= 13
    assert page.index("<svg") < page.index("What is new") < page.index("All 66 papers")


def test_how_many_works_build_on_a_work_is_one_number_on_all_pages(
    client: httpx.Client, graph: Stemma
) -> None:
    listed = re.findall(
        r'href="/lineage/(\S+)">(\d+) builds? on it directly, (\d+) in all',
        client.get("/").text,
    )
    assert len(listed) > 5
    for work, directly, every in listed[:3]:
        near, far = (
            graph.lineage(work, max_depth=depth, include_general=False, first=1000).total_count
            for depth in (1, 20)
        )
        assert (int(directly), int(every)) == (near, far)
        counted = f"{directly} build on it directly" + (f", {every} in all" if far > near else "")
        assert counted in client.get(f"/page/{work}").text
        tree = client.get(f"/lineage/{work}?direction=descendants&first=3").text
        assert re.search(rf'id="summary">{min(3, far)} of {every} works, the most built upon', tree)


def test_an_empty_store_says_how_to_fill_it(
    tmp_path: Path, serve: Callable[..., AbstractContextManager[str]]
) -> None:
    store = str(tmp_path / "empty.db")
    (tmp_path / "one.jsonl").write_text(interchange.dump(_child(1)), "utf-8")
    with open_store(store) as graph:
        load(graph, [tmp_path / "one.jsonl"])
        with graph.writer() as writer:
            writer.drop(["paper/feather-1"])
            writer.commit()
    with serve(store) as url:
        assert "stemma build" in httpx.get(url, headers=BROWSER).text


def test_a_name_with_a_question_mark_leads_on_to_its_work(
    tmp_path: Path, serve: Callable[..., AbstractContextManager[str]]
) -> None:
    store = str(tmp_path / "stemma.db")
    with open_store(store) as graph:
        put(graph, describe("Is it #1? A Study", "We present Quill.", "model Quill: INTRODUCES"))
    with serve(store) as url, httpx.Client(base_url=url) as client:
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
        ("Adding NVMe SSDs", "Adding NVMe SSDs to Enable and Accelerate 100B Model Fine-tuning"),
    ],
)
def test_it_suggests_works_by_the_beginning_of_a_name_an_alias_and_in_spite_of_typos(
    client: httpx.Client, typed: str, expected: str
) -> None:
    found = client.get("/suggest", params={"q": typed}).json()
    assert any(each["name"].startswith(expected) for each in found)
    assert all(client.get(each["address"]).status_code == 200 for each in found[:2])


def test_suggestions_have_kinds_and_are_few(client: httpx.Client) -> None:
    assert client.get("/suggest").json() == []
    found = client.get("/suggest?q=a").json()
    assert len(found) == 8
    assert {each["kind"] for each in found} <= {*EntityKind, "paper"}


def test_an_answer_is_a_table_with_a_line_above_and_facets_beside(client: httpx.Client) -> None:
    page = client.get("/page", params={"q": "what builds on LoRA since 2023"}).text
    [line] = re.findall(r'<p role="status">(.*)</p>', page)
    total = re.fullmatch(
        r"What builds or improves on LoRA since 2023, in up to 3 steps: (\d+)\..*", line
    )
    assert total, page
    assert f'href="/lineage/{LORA}">See the family tree of LoRA' in page
    rows = re.findall(r"<tr><td class=.*?</tr>", page, re.DOTALL)
    assert len(rows) == int(total[1])
    assert any("“" in each for each in rows)
    for name, value, count in re.findall(
        r'<a href="[^"]*[?&;](kind|year)=(\w+)">\w+</a> <span class="says">(\d+)<', page
    ):
        chosen = client.get("/page", params={"q": "what builds on LoRA since 2023", name: value})
        assert len(re.findall(r"<tr><td class=", chosen.text)) == int(count)
        assert 'aria-current="true"' in chosen.text


def test_entities_are_listed_by_kind(client: httpx.Client, graph: Stemma) -> None:
    counts = {e.kind.value: e.count for e in graph.statistics().entities_by_kind if e.count}
    page = client.get("/entities").text
    links = re.findall(r'href="\?kind=(\w+)">\w+</a> <span class="says">([\d,]+)', page)
    assert {kind: int(number.replace(",", "")) for kind, number in links} == counts
    assert f"{counts['hardware']}, those" in client.get("/entities?kind=hardware").text
    assert "Entities" in client.get("/page?q=").text


def test_what_nothing_is_called_is_answered_with_what_can_be_asked(client: httpx.Client) -> None:
    page = client.get("/page", params={"q": "qwrtzp"}).text
    assert "Nothing in this graph matches the question." in page
    asked = re.findall(r'href="(/page\?q=[^"]+)"', page)
    assert asked
    assert "What builds or improves on " in client.get(unescape(asked[0])).text


# Family trees.


@pytest.mark.parametrize("work", [LORA, ZERO_INFINITY, "entity/fuyou", "entity/flashattention"])
@pytest.mark.parametrize("direction", ["ancestors", "descendants"])
@pytest.mark.parametrize("narrow", [{}, {"minConfidence": "0.6", "includeCatalogue": "false"}])
def test_the_picture_has_the_edges_of_the_lineage(
    client: httpx.Client, work: str, direction: str, narrow: dict[str, str]
) -> None:
    shared = {"direction": direction, "maxDepth": "3", **narrow}
    document = client.get(f"/lineage/{work}.json", params=shared).json()
    page = client.get(f"/lineage/{work}", params={**shared, **ALL}).text
    expected = {f"{each['child']['id']}--{each['parent']['id']}" for each in document["edges"]}
    assert drawn_edges(page) == expected
    assert drawn_works(page) == {work, *(each["work"]["id"] for each in document["nodes"])}
    cards = {unescape(each) for each in re.findall(r'<li id="([^"]+--[^"]+)"', page)}
    assert cards == expected
    for edge in document["edges"]:
        for statement in edge["statements"][:5]:
            for evidence in statement["evidence"]:
                assert evidence["text"] in unescape(page)


def _year(work: dict[str, Any]) -> int:
    return int((work["published"] or "0")[:4])


@pytest.mark.parametrize(
    ("narrow", "fits"),
    [
        ({"kinds": "model"}, lambda kind, year: kind == "model"),
        ({"kinds": ["model", "framework"]}, lambda kind, year: kind in ("model", "framework")),
        ({"since": "2024"}, lambda kind, year: year >= 2024),
        (
            {"until": "2023", "kinds": "model,technique"},
            lambda kind, year: 0 < year <= 2023 and kind in ("model", "technique"),
        ),
    ],
)
def test_kinds_and_years_choose_what_is_shown(
    client: httpx.Client,
    graph: Stemma,
    narrow: dict[str, Any],
    fits: Callable[[str, int], bool],
) -> None:
    address, shared = f"/lineage/{LORA}", {"direction": "descendants", "maxDepth": "3"}
    whole = client.get(f"{address}.json", params=shared).json()
    document = client.get(f"{address}.json", params={**shared, **narrow}).json()
    expected = {
        node["work"]["id"]
        for node in whole["nodes"]
        if fits(node["work"].get("kind", "paper").lower(), _year(node["work"]))
    }
    assert expected
    assert {node["work"]["id"] for node in document["nodes"]} == expected
    page = client.get(address, params={**shared, **ALL, **narrow}).text
    assert drawn_works(page) == {LORA, *expected}
    assert drawn_edges(page) == {
        f"{each['child']['id']}--{each['parent']['id']}" for each in document["edges"]
    }
    table = client.get(f"{address}.csv", params={**shared, **ALL, **narrow}).text
    rows = csv.DictReader(StringIO(table))
    assert {f"{each['child']}--{each['parent']}" for each in rows} == drawn_edges(page)


def test_the_most_built_upon_works_are_drawn_and_the_rest_is_one_click_away(
    client: httpx.Client, graph: Stemma
) -> None:
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


def test_the_letters_of_a_picture_have_11_pixels_in_a_window_of_1280(client: httpx.Client) -> None:
    for work in (LORA, "entity/zero"):
        picture = wide(client.get(f"/lineage/{work}").text)
        width = re.search(r'viewBox="0 0 (\d+)', picture)
        assert width
        smallest = min(map(float, re.findall(r'font-size="([\d.]+)"', picture)))
        assert smallest * min(1, 850 / int(width[1])) >= 11


def test_general_terms_are_left_out_unless_asked_for(client: httpx.Client, graph: Stemma) -> None:
    shown, more = (
        [graph.work(e) for e in drawn_works(client.get(f"/lineage/{ZERO_INFINITY}{query}").text)]
        for query in ("", "?includeGeneral=true&first=500")
    )
    assert not any(getattr(each, "general", False) for each in shown)
    assert any(getattr(each, "general", False) for each in more)


def test_both_ways_are_drawn_by_default(client: httpx.Client) -> None:
    shown = drawn_works(client.get(f"/lineage/{ZERO_INFINITY}").text)
    assert {"entity/fuyou", "entity/zero"} <= shown


def test_the_names_of_works_lead_to_their_tree(client: httpx.Client) -> None:
    moved = client.get("/lineage/zero infinity?maxDepth=1")
    assert moved.headers["location"] == f"/lineage/{ZERO_INFINITY}?maxDepth=1"
    missing = client.get("/lineage/zero-infinty")
    assert missing.status_code == 404
    assert f"/page/{ZERO_INFINITY}" in missing.text


@pytest.mark.parametrize(
    "query",
    [
        *("first=0", f"first={MOST + 1}", "first=x", "maxDepth=21", "minConfidence=2"),
        *("kinds=painting", "since=soon", "until=0"),
        *("direction=sideways", "relations=PAINTS", "includeGeneral=perhaps", "colour=red"),
        "&".join(f"expand=entity/{n}" for n in range(41)),
    ],
)
def test_what_cannot_be_asked_is_refused_with_a_reason(client: httpx.Client, query: str) -> None:
    answer = client.get(f"/lineage/{LORA}?{query}")
    assert answer.status_code == 400
    assert query.partition("=")[0] in answer.text


def test_relations_that_no_lineage_has_are_refused(client: httpx.Client) -> None:
    answer = client.get(f"/lineage/{LORA}?relations=USES")
    assert answer.status_code == 400
    assert "not a lineage relation: USES" in answer.text


def test_the_picture_is_taken_away_as_svg_and_csv(client: httpx.Client) -> None:
    query = {"maxDepth": "2", "minConfidence": "0.5"}
    page = client.get(f"/lineage/{LORA}", params=query).text
    svg = client.get(f"/lineage/{LORA}.svg", params=query)
    assert svg.headers["content-type"] == "image/svg+xml"
    root = ElementTree.fromstring(svg.text)
    assert not list(root.iter(f"{SVG}a"))
    assert svg.text.count('class="edge') >= len(drawn_edges(page))
    table = client.get(f"/lineage/{LORA}.csv", params=query)
    rows = list(csv.DictReader(StringIO(table.text)))
    assert {f"{each['child']}--{each['parent']}" for each in rows} == drawn_edges(page)
    assert all(each["sentence"] in unescape(page) for each in rows)


@pytest.fixture(scope="module")
def hub_store(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The path of a store with a work that hundreds build on."""
    folder = tmp_path_factory.mktemp("hub")
    file = folder / "hub.jsonl"
    file.write_text("".join(f"{interchange.dump(_child(n))}\n" for n in range(HUB)), "utf-8")
    with open_store(str(folder / "hub.db")) as graph:
        load(graph, [file])
    return str(folder / "hub.db")


def test_a_hub_is_drawn_as_far_as_there_is_room(
    hub_store: str, serve: Callable[..., AbstractContextManager[str]]
) -> None:
    with serve(hub_store) as url, httpx.Client(base_url=url, headers=BROWSER, timeout=60) as client:
        first = client.get("/lineage/entity/quill").text
        assert len(drawn_works(first)) == FIRST + 1
        assert f"{FIRST} of {HUB} works, the most built upon" in first
        told = re.search(rf'<a class="more" href="([^"]+)".*?>\+{HUB - FIRST}<', first)
        assert told
        opened = client.get(unescape(told[1]))
        assert len(drawn_works(opened.text)) == MOST + 1
        assert len(opened.content) < 3_500_000


def _child(number: int) -> Extraction:
    """Return a paper whose framework builds on Quill."""
    name = f"Feather-{number}x"
    return describe(
        f"Feather {number}",
        f"We present {name}, which builds on Quill.",
        f"framework {name}: INTRODUCES",
        "framework Quill: BUILDS_ON",
    )
