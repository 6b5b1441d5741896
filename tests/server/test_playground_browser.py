"""The playground in a real browser that can reach nothing but the server."""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from playwright.sync_api import (
    Page,
    Response,
    ViewportSize,
    expect,
)

from described import describe
from filled import stored
from watched import watched

EXAMPLES = Path(__file__).parents[2] / "src" / "stemma" / "server" / "graphql" / "examples"
DESKTOP = ViewportSize(width=1400, height=900)
PHONE = ViewportSize(width=390, height=844)


@pytest.fixture(scope="module")
def devices(browser) -> Iterator[dict[bool, Page]]:
    """A tab on a desk, and one on a phone (True)."""
    tabs = {
        on_phone: browser.new_context(
            viewport=PHONE if on_phone else DESKTOP, has_touch=on_phone, is_mobile=on_phone
        ).new_page()
        for on_phone in (False, True)
    }
    yield tabs
    for page in tabs.values():
        page.context.close()


@pytest.fixture
def visit(devices, server_url) -> "Visit":
    return Visit(devices, server_url)


class Visit:
    """A first visit to the playground, and all that the browser complains of meanwhile."""

    def __init__(self, devices: dict[bool, Page], server_url: str) -> None:
        self._devices = devices
        self._server_url = server_url.rstrip("/")
        self.complaints: list[str] = []

    def open(self, viewport: ViewportSize = DESKTOP, address: str = "/graphql") -> Page:
        page = self._devices[viewport == PHONE]
        page.goto(f"{self._server_url}/health")
        page.evaluate("sessionStorage.clear(), localStorage.clear()")
        self.complaints = watched(page, f"{self._server_url}/")
        page.goto(self._server_url + address)
        expect(page.locator(".graphiql-query-editor .view-line").first).to_be_visible()
        return page


def _expect_query(page: Page, text: str) -> None:
    """Wait until the query editor, which draws spaces as no-break spaces, has a text."""
    words = (re.escape(word) for word in text.split(" "))
    editor = page.locator(".graphiql-query-editor .view-lines")
    expect(editor).to_contain_text(re.compile(r"\s".join(words)))


def _run(page: Page) -> None:
    page.locator(".graphiql-execute-button").click()


def _answer(page: Page, field: str) -> Any:
    """Run a query, and return a field of its answer; the page asks for the schema as well."""

    def is_answer(response: Response) -> bool:
        return f"{field}(" in (response.request.post_data or "")

    with page.expect_response(is_answer) as answer:
        _run(page)
    return answer.value.json()["data"][field]


def _expect_stored(page: Page, text: str) -> None:
    """Wait until the stored tabs have a text: GraphiQL stores them a while after they change."""
    page.wait_for_function(
        "text => (localStorage['stemma:graphiql:tabState'] || '').includes(text)", arg=text
    )


def test_it_opens_with_the_query_of_the_page_that_leads_there(visit):
    query = "query Mine { statistics { papers } }"
    page = visit.open(address=f"/graphql#query={quote(query)}")
    expect(page.get_by_role("tab")).to_have_count(1)
    _expect_query(page, query)
    _expect_stored(page, "Mine")
    page.goto(page.url.partition("#")[0].replace("/graphql", "/page/entity/zero-infinity"))
    page.get_by_role("link", name="Open in GraphQL").click()
    expect(page.get_by_role("tab")).to_have_count(2)
    expect(page.get_by_role("tab", selected=True)).to_contain_text("ZeROInfinity")
    _expect_query(page, 'entity(id: "entity/zero-infinity")')
    _run(page)
    expect(page.locator(".graphiql-response")).to_contain_text("introducedBy")
    _expect_stored(page, "zero-infinity")
    page.reload()
    expect(page.get_by_role("tab")).to_have_count(2)


@pytest.mark.long
def test_its_menu_has_each_example_and_opens_it_in_a_tab(visit):
    page = visit.open()
    expect(page.get_by_role("tab")).to_have_count(1)
    _expect_query(page, 'lineage(of: "ZeRO-Infinity")')
    page.get_by_role("button", name="Examples").click()
    expect(page.get_by_role("menuitem")).to_have_count(len(list(EXAMPLES.glob("*.graphql"))))
    # A menu takes keys only once it has the focus.
    expect(page.get_by_role("menu")).to_be_focused()
    page.keyboard.type("How is Fuyou")
    expect(page.get_by_role("menuitem", name="How is Fuyou")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("tab", selected=True)).to_contain_text("Path")
    expect(page.get_by_role("tab")).to_have_count(2)
    assert _answer(page, "path")
    menu = page.get_by_role("navigation", name="Menu").get_by_role("link")
    assert menu.all_inner_texts() == ["Papers", "Entities", "Help", "Developers"]
    page.get_by_role("link", name="Stemma").click()
    expect(page.get_by_role("combobox")).to_be_visible()


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_nothing_of_its_query_and_its_menu_is_cut(visit, viewport):
    page = visit.open(viewport)
    page.wait_for_function(  # The editor draws its lines again once it has its settings.
        """() => {
            const button = document.querySelector('.graphiql-execute-button');
            const limit = button.getBoundingClientRect().left;
            const lines = document.querySelectorAll('.graphiql-query-editor .view-line > span');
            return lines.length > 9 && [...lines].every(
                (each) => each.getBoundingClientRect().right <= limit);
        }"""
    )
    page.get_by_role("button", name="Examples").click()
    expect(page.get_by_role("menu")).to_be_visible()
    box = page.get_by_role("menu").bounding_box()
    assert 0 <= box["x"] < viewport["width"] - box["width"]


def test_its_first_tab_is_about_a_work_of_this_graph(devices, serve, tmp_path):
    papers = (
        describe(f"On {name}", f"{name} grows out of Nibbler.",
                 f"framework {name}: INTRODUCES", "framework Nibbler: BUILDS_ON")
        for name in ("Gnawer", "Chewer")
    )  # fmt: skip
    with serve(stored(tmp_path, *papers)) as url:
        visit = Visit(devices, url)
        page = visit.open()
        _expect_query(page, 'lineage(of: "Nibbler")')
        edges = _answer(page, "lineage")["edges"]
        assert {edge["child"]["name"] for edge in edges} == {"Gnawer", "Chewer"}
        page.get_by_role("button", name="Examples").click()
        menu = page.get_by_role("menu")
        expect(menu).to_contain_text("What builds on Nibbler?")
        expect(menu).not_to_contain_text("ZeRO")
        page.keyboard.press("Escape")
    assert visit.complaints == []


def test_ctrl_enter_runs_the_first_query_at_once_and_an_example_that_is_chosen(visit):
    page = visit.open()
    page.keyboard.press("ControlOrMeta+Enter")
    expect(page.locator(".graphiql-response")).to_contain_text("Fuyou")
    assert visit.complaints == [], "it needs nothing from elsewhere"
    page.get_by_role("button", name="Examples").click()
    page.get_by_role("menuitem").last.click()
    page.keyboard.press("ControlOrMeta+Enter")
    expect(page.locator(".graphiql-response")).to_contain_text("lineageEdges")


def test_it_completes_the_names_of_fields(visit):
    page = visit.open()
    page.locator(".graphiql-query-editor .view-lines").click()
    page.keyboard.press("ControlOrMeta+A")
    page.keyboard.type("{ statist", delay=50)
    suggestions = page.locator(".suggest-widget .monaco-list-row")
    expect(suggestions.first).to_contain_text("statistics", timeout=15_000)


def test_on_a_phone_it_answers_below_the_query(visit):
    page = visit.open(viewport=PHONE)
    _run(page)
    expect(page.locator(".graphiql-response")).to_contain_text("Fuyou")
    query, response = (
        page.locator(f".graphiql-{each}").bounding_box() for each in ("query-editor", "response")
    )
    assert response["y"] >= query["y"] + query["height"]
    for box in (query, response):
        assert box["width"] > 0.95 * PHONE["width"]
        assert box["x"] + box["width"] <= PHONE["width"]


@pytest.mark.long
def test_on_a_phone_its_tools_stand_at_the_foot_and_open_over_the_query(visit):
    page = visit.open(viewport=PHONE)
    for tool in ("Documentation Explorer", "GraphiQL Explorer"):
        page.get_by_role("button", name=f"Show {tool}").click()
        expect(page.get_by_role("button", name=f"Hide {tool}")).to_be_visible()
        opened, tools = (
            page.locator(each).bounding_box() for each in (".graphiql-plugin", ".graphiql-sidebar")
        )
        assert (opened["x"], opened["width"]) == (0, PHONE["width"])
        assert opened["height"] > 0.8 * PHONE["height"]
        assert tools["y"] >= opened["y"] + opened["height"]
        assert tools["y"] + tools["height"] <= PHONE["height"]
        page.get_by_role("button", name=f"Hide {tool}").click()
    _run(page)
    expect(page.locator(".graphiql-response")).to_contain_text("Fuyou")


def _swipe(page: Page, x: float, y: float, distance: float) -> None:
    """Draw a finger from (x, y) to the left."""
    session = page.context.new_cdp_session(page)
    steps = 20
    for step in range(steps + 1):
        finger = {"x": x - distance * step / steps, "y": y}
        kind = "touchMove" if step else "touchStart"
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [finger]})
        page.wait_for_timeout(10)
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


@pytest.mark.long
def test_on_a_phone_a_finger_moves_the_row_of_tabs(visit):
    page = visit.open(viewport=PHONE)
    for example in (1, 3, -1):
        page.get_by_role("button", name="Examples").tap()
        page.get_by_role("menuitem").nth(example).tap()
    expect(page.get_by_role("tab").last).to_contain_text("TheWholeGraph")
    names = page.get_by_role("tab").all_inner_texts()
    page.locator(".graphiql-tabs").evaluate("row => row.scrollTo(0, 0)")
    last = page.get_by_role("tab").last
    expect(last).not_to_be_in_viewport()
    row = page.locator(".graphiql-tabs").bounding_box()
    for _ in names:
        _swipe(page, row["x"] + row["width"] - 50, row["y"] + row["height"] / 2, distance=280)
    expect(last).to_be_in_viewport()
    assert page.get_by_role("tab").all_inner_texts() == names
    last.tap()
    expect(page.locator(".graphiql-query-editor .view-lines")).to_contain_text("statistics")


def test_its_picture_shows_an_answer_with_its_sentence(visit, tmp_path):
    """`make picture` keeps it."""
    page = visit.open()
    edges = _answer(page, "lineage")["edges"]
    said = [each for edge in edges for made in edge["statements"] for each in made["evidence"]]
    expect(page.locator(".graphiql-response")).to_contain_text(said[0]["text"].split()[0])
    page.mouse.move(0, 0)
    page.wait_for_timeout(500)  # The tooltip of the button fades.
    path = Path(os.environ.get("STEMMA_PICTURE") or tmp_path / "playground.png")
    page.screenshot(path=path)
    assert path.stat().st_size > 50_000
