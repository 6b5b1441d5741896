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
import networkx as nx
import pytest

from described import describe
from filled import put
from service import BROWSER
from stemma import Stemma
from stemma.graph import WorkFilter, WorkType, open_store
from stemma.graph.analysis import analyse
from stemma.graph.sqlite import reader as sqlite_reader
from stemma.schema import (
    EntityKind,
    Extraction,
    interchange,
)
from stemma.server.build import load
from stemma.server.web.explorer.tree_request import MOST, MOST_EXPANDED

LORA, ZERO_INFINITY = "entity/lora", "entity/zero-infinity"
ALL = {"includeGeneral": "true", "includeImplied": "true", "first": str(MOST)}
HUB = 600
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def client(client: httpx.Client) -> httpx.Client:
    client.headers.update(BROWSER)
    return client


def drawn_edges(page: str) -> set[str]:
    """Return the edges that a click can reach in the picture of a page, by child and parent."""
    hrefs = re.findall(r'<a class="edge [a-z]+" href="#([^"]+)"', page)
    assert len(hrefs) == len(set(hrefs))
    return {unquote(unescape(each)) for each in hrefs}


def drawn_works(page: str) -> set[str]:
    return {unescape(each) for each in re.findall(r'<a href="[^"]*" data-work="([^"]+)"', page)}


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


def test_it_counts_what_the_store_holds(client: httpx.Client, graph: Stemma) -> None:
    page = client.get("/").text
    counts = graph.statistics()
    for count in (counts.papers, counts.entities, counts.statements, counts.lineage_edges):
        assert f">{count:,}</span>" in page
    by_year = map(int, re.findall(r'aria-label="(\d+) in \d{4}"', page))
    others = map(int, re.findall(r"(\d+) (?:earlier|without a date)", page))
    assert sum(by_year) + sum(others) == counts.papers


def test_it_leads_to_the_entities_of_each_kind(client: httpx.Client, graph: Stemma) -> None:
    counts = [each.count for each in graph.statistics().entities_by_kind if each.count]
    links = re.findall(r'href="(/page\?q=list[^"]+)">([^<]+)<', client.get("/").text)
    for (address, text), number in zip(links, counts, strict=True):
        assert text.split()[0] == str(number)
        assert f"of {number}</small>" in client.get(address).text


def test_it_begins_with_named_works_that_most_others_build_on(
    client: httpx.Client, graph: Stemma
) -> None:
    listed = re.findall(
        r'href="/lineage/(\S+)">(\d+) works? builds? on it', client.get("/").text.replace("\n", " ")
    )
    with graph.store.snapshot() as reader:
        found = analyse(reader)
        named = reader.page(WorkType.ENTITY, WorkFilter(general=False), first=100_000).works
        children = {each.id: found.children(each.id) for each in named}
    expected = sorted((count for count in children.values() if count), reverse=True)
    assert [int(count) for _, count in listed] == expected[: len(listed)]
    assert all(children[work] == int(count) for work, count in listed)
    assert len(listed) == 12


def test_it_shows_the_family_tree_of_the_first_of_them(client: httpx.Client) -> None:
    page = client.get("/").text
    first = re.search(r'href="(/lineage/\S+)">\d+ works? builds? on it', page)
    figure = re.search(r'<figure class="small-tree">.*?</figure>', page, re.DOTALL)
    assert first and figure
    assert f'<a href="{first[1]}"' in figure[0]
    assert 1 < figure[0].count('class="name"') <= 7, "the work, and six that build on it"


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


def test_papers_without_dates_and_entities_are_reached_from_the_front_page(
    tmp_path: Path, serve: Callable[..., AbstractContextManager[str]]
) -> None:
    (tmp_path / "one.jsonl").write_text('{"title": "Words", "abstract": "Only words."}', "utf-8")
    with Stemma(tmp_path / "stemma.db") as graph:
        graph.build(tmp_path / "one.jsonl", fast=True)
        asked = graph.ask("which GPUs do papers use").text
        assert asked.startswith("GPUs, those of most papers first: 0.")
    with serve(str(tmp_path / "stemma.db")) as url:
        assert '<a href="/papers">All papers</a>' in httpx.get(url, headers=BROWSER).text


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


def test_a_question_is_answered_with_the_family_tree_behind_it(client: httpx.Client) -> None:
    page = client.get("/page", params={"q": "what builds on LoRA since 2023"}).text
    assert "Works that build or improve on LoRA since 2023, in up to 3 steps: " in page
    assert f'href="/page/{LORA.replace("lora", "qlora")}"' in page
    [address] = re.findall(r'href="(/lineage/[^"]+)"', page)
    assert address == f"/lineage/{LORA}?direction=descendants"
    assert client.get(address).status_code == 200


def test_a_list_says_what_orders_it(client: httpx.Client) -> None:
    page = client.get("/page", params={"q": "most used hardware"}).text
    assert re.search(r'GPU</a> .*\n\s*<span class="says">\d+ papers', page)
    page = client.get("/page", params={"q": "what builds on ZeRO-Infinity"}).text
    assert re.search(r'Fuyou</a> .*\n\s*<span class="says">2024-03-11', page)


def test_all_works_that_answer_a_question_are_reached(client: httpx.Client) -> None:
    address, seen = "/page?q=which+models+are+there", 0
    while address:
        page = client.get(address).text
        total = re.search(r"Works <small>(?:\d+ of )?(\d+)", page)
        assert total
        seen += page.count('<li><p class="line">')
        more = re.search(r'rel="next" href="([^"]+)"', page)
        address = unescape(more[1]) if more else ""
    assert seen == int(total[1])


def test_what_nothing_is_called_is_answered_with_what_can_be_asked(client: httpx.Client) -> None:
    page = client.get("/page", params={"q": "qwrtzp"}).text
    assert "No results. Nothing in this graph matches the question." in page
    asked = re.findall(r'href="(/page\?q=[^"]+)"', page)
    assert asked
    assert "Works that build or improve on " in client.get(unescape(asked[0])).text


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


def test_implied_edges_are_hidden_at_first_and_their_sentences_are_not(
    client: httpx.Client,
) -> None:
    """Whoever leaves out an edge that follows from others still gets from any work to its roots."""
    address = f"/lineage/{LORA}?maxDepth=3"
    page = client.get(address).text
    told = re.search(r'<a href="([^"]+)"[^>]*>\+(\d+) implied</a>', page)
    assert told
    whole = client.get(unescape(told[1])).text
    drawn, every = drawn_edges(page), drawn_edges(whole)
    assert drawn < every
    assert len(every - drawn) == int(told[2])
    assert drawn_works(page) == drawn_works(whole)
    assert closure(drawn) == closure(every)
    cards = {unescape(each) for each in re.findall(r'<li id="([^"]+--[^"]+)"', page)}
    assert cards == every
    back = re.search(r'implied by others (?:is|are) shown; <a href="([^"]+)">hide', whole)
    assert back
    assert drawn_edges(client.get(unescape(back[1])).text) == drawn


def _year(work: dict[str, Any]) -> int:
    return int((work["published"] or "0")[:4])


def closure(edges: set[str]) -> set[tuple[str, str]]:
    graph = nx.DiGraph([tuple(each.split("--", 1)) for each in edges])
    return set(nx.transitive_closure(graph).edges)


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
def test_kinds_and_years_choose_what_is_shown_and_what_is_not_is_counted(
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
    left_out = len(whole["nodes"]) - len(expected)
    assert re.search(rf"{left_out} works? of other kinds or years not shown", page)
    table = client.get(f"{address}.csv", params={**shared, **ALL, **narrow}).text
    rows = csv.DictReader(StringIO(table))
    assert {f"{each['child']}--{each['parent']}" for each in rows} == drawn_edges(page)


def test_both_ways_are_drawn_by_default(client: httpx.Client) -> None:
    shown = drawn_works(client.get(f"/lineage/{ZERO_INFINITY}").text)
    assert {"entity/fuyou", "entity/zero"} <= shown


def test_general_terms_are_hidden_and_the_page_says_so(client: httpx.Client, graph: Stemma) -> None:
    page = client.get(f"/lineage/{ZERO_INFINITY}").text
    works = [graph.work(each) for each in drawn_works(page)]
    assert not any(getattr(each, "general", False) for each in works)
    told = re.search(r'(\d+) general terms? left out; <a href="([^"]+)"', page)
    assert told
    more = drawn_works(client.get(unescape(told[2])).text)
    general = [each for each in more if getattr(graph.work(each), "general", False)]
    assert len(general) == int(told[1])


def test_what_is_not_drawn_is_counted_and_can_be_shown(client: httpx.Client) -> None:
    whole = drawn_works(client.get(f"/lineage/{LORA}").text)
    page = client.get(f"/lineage/{LORA}?first=3").text
    assert len(drawn_works(page)) == 4
    told = re.search(r'<a href="([^"]+)">show \d+ more of (\d+)</a>', page)
    assert told
    assert int(told[2]) == len(whole) - 4
    assert drawn_works(client.get(unescape(told[1])).text) == whole


def test_a_work_is_expanded_by_as_many_neighbours_as_it_says(client: httpx.Client) -> None:
    page = client.get(f"/lineage/{LORA}?maxDepth=1").text
    assert "more of" not in page
    badges = re.findall(r'<a class="more" href="([^"]+)"[^>]*><title>Add (\d+) neigh', page)
    assert badges
    for address, count in badges:
        expanded = client.get(unescape(address)).text
        assert len(drawn_works(expanded)) == len(drawn_works(page)) + int(count)
        assert drawn_edges(page) < drawn_edges(expanded)


def test_the_names_of_works_lead_to_their_tree(client: httpx.Client) -> None:
    moved = client.get("/lineage/zero infinity?maxDepth=1")
    assert moved.headers["location"] == f"/lineage/{ZERO_INFINITY}?maxDepth=1"
    missing = client.get("/lineage/zero-infinty")
    assert missing.status_code == 404
    assert f"/page/{ZERO_INFINITY}" in missing.text


def test_pages_of_works_show_the_nearest_of_it_and_lead_to_it(client: httpx.Client) -> None:
    for work in (ZERO_INFINITY, "entity/fuyou"):
        page = client.get(f"/page/{work}").text
        assert '<svg xmlns="http://www.w3.org/2000/svg"' in page
        assert f'href="/lineage/{work}"' in page


@pytest.mark.parametrize(
    "query",
    [
        *("first=0", f"first={MOST + 1}", "first=x", "maxDepth=21", "minConfidence=2"),
        *("kinds=painting", "since=soon", "until=0", "includeImplied=perhaps"),
        *("direction=sideways", "relations=PAINTS", "includeGeneral=perhaps", "colour=red"),
        "&".join(f"expand=entity/{n}" for n in range(MOST_EXPANDED + 1)),
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


def test_the_children_of_a_hub_are_folded_and_opened_as_far_as_there_is_room(
    hub_store: str, serve: Callable[..., AbstractContextManager[str]]
) -> None:
    with serve(hub_store) as url, httpx.Client(base_url=url, headers=BROWSER, timeout=60) as client:
        first = client.get("/lineage/entity/quill").text
        shown = drawn_works(first)
        left = HUB + 1 - len(shown)
        assert len(shown) < 20
        assert f"{left} works with a single neighbour are hidden" in first
        told = re.search(rf'<a class="more" href="([^"]+)".*?>and {left} more<', first)
        assert told
        opened = client.get(unescape(told[1]))
        assert len(drawn_works(opened.text)) == MOST + 1
        assert drawn_works(opened.text) > shown
        assert f"the maximum of {MOST} works; {HUB - MOST} more are hidden" in opened.text
        assert len(opened.content) < 2_000_000


def test_of_the_statements_about_a_hub_only_those_that_are_shown_are_read(
    hub_store: str,
    serve: Callable[..., AbstractContextManager[str]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read = list[bytes]()

    def counted(decode: Callable[[bytes], Any]) -> Callable[[bytes], Any]:
        def decoded(record: bytes) -> Any:
            read.append(record)
            return decode(record)

        return decoded

    for each in ("unpacked", "paper_in"):
        monkeypatch.setattr(sqlite_reader, each, counted(getattr(sqlite_reader, each)))
    address = "/statements?of=entity/quill&relations=BUILDS_ON&order=newest"
    with serve(hub_store) as url, httpx.Client(base_url=url, headers=BROWSER, timeout=60) as client:
        for number in (1, 2):
            page = client.get(f"{address}&page={number}").text
            shown = re.findall(r'<p class="line"><a href="/page/(paper/[^"]+)"', page)
            assert len(shown) == 50
            assert f"page {number} of {HUB // 50}" in page
            assert len(read) == number * len(shown)
        file = client.get(address.replace("?", ".json?")).json()
    assert len(file["nodes"]) == HUB


def _child(number: int) -> Extraction:
    """Return a paper whose framework builds on Quill."""
    name = f"Feather-{number}x"
    return describe(
        f"Feather {number}",
        f"We present {name}, which builds on Quill.",
        f"framework {name}: INTRODUCES",
        "framework Quill: BUILDS_ON",
    )
