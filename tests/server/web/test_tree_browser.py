"""Family trees in a real browser: by hand, by keys, and with their evidence."""

import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager

import pytest
from playwright.sync_api import Browser, Page, expect

from described import describe
from filled import put
from stemma.graph import open_store

TREE = "/lineage/entity/zero-infinity"
FUYOU = 'svg:not(.tall) a[data-work="entity/fuyou"]'
EDGE = 'svg:not(.tall) a.edge[data-child="entity/fuyou"][data-parent="entity/zero-infinity"]'
TITLE = '<img src=x onerror="document.title=1">&amp; </script><b>bold</b> "quoted"'


@pytest.fixture(scope="module")
def tab(browser: Browser, server_url: str) -> Iterator[tuple[Page, list[str]]]:
    """A tab, and what the browser complains of in it."""
    context = browser.new_context(base_url=server_url)
    page = context.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda said: complaints.append(said.text))
    yield page, complaints
    context.close()


@pytest.fixture
def page(tab: tuple[Page, list[str]]) -> Iterator[Page]:
    page, complaints = tab
    page.goto("/help")
    yield page
    assert complaints == []


def test_what_supports_a_work_is_shown_alone_beside_the_picture(page: Page) -> None:
    page.goto(TREE)
    cards = page.locator("#evidence li")
    every = cards.count()
    picture, evidence = (
        page.locator("#picture").bounding_box(),
        page.locator("#evidence").bounding_box(),
    )
    assert picture and evidence
    assert evidence["x"] >= picture["x"] + picture["width"]
    confidences = [
        float(each.split()[-1])
        for each in page.locator("li[data-child] > p .confidence").all_inner_texts()
    ]
    stated = confidences[: len([1 for c in cards.all() if c.locator("blockquote").count()])]
    assert stated == sorted(stated, reverse=True)
    page.locator(FUYOU).click()
    chosen = page.locator("#chosen")
    expect(chosen).to_contain_text("Fuyou (framework")
    expect(cards.locator("visible=true")).not_to_have_count(every)
    expect(chosen.get_by_role("link", name="Its page")).to_have_attribute(
        "href", "/page/entity/fuyou"
    )
    page.keyboard.press("Escape")
    expect(chosen).to_be_hidden()
    assert cards.locator("visible=true").count() == every


def test_tab_reaches_all_works_before_the_edges(page: Page) -> None:
    page.goto(TREE)
    order = page.locator("svg:not(.tall) a:not(.more)").evaluate_all(
        "all => all.map((each) => each.classList.contains('edge'))"
    )
    assert order == sorted(order)


def test_an_edge_leads_to_its_card_and_is_marked(page: Page) -> None:
    page.goto(TREE)
    page.locator(EDGE).press("Enter")
    card = page.locator("li:target")
    expect(card).to_contain_text("suffers from low GPU utilization")
    expect(card).to_be_in_viewport()
    expect(page.locator(EDGE)).to_have_class(re.compile("chosen"))
    page.locator(FUYOU).focus()
    expect(page.locator(EDGE)).to_have_class(re.compile("near"))


def test_a_phone_has_the_picture_from_top_to_bottom(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(TREE)
    expect(page.locator("svg:not(.tall)")).to_be_hidden()
    boxes = {
        each.get_attribute("data-work"): each.bounding_box()
        for each in page.locator("svg.tall a[data-work]").all()
    }
    older, later = boxes["entity/zero-infinity"], boxes["entity/fuyou"]
    assert older and later
    assert older["y"] + older["height"] < later["y"]
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.set_viewport_size({"width": 1280, "height": 720})


@pytest.fixture(scope="module")
def own_url(
    example_store: str,
    tmp_path_factory: pytest.TempPathFactory,
    serve: Callable[..., AbstractContextManager[str]],
) -> Iterator[str]:
    """A server that allows decisions, with a paper whose title looks like HTML."""
    folder = tmp_path_factory.mktemp("own")
    store = shutil.copyfile(example_store, folder / "stemma.db")
    name = "<i>Kettle</i>"
    with open_store(str(store)) as graph:
        put(graph, describe(TITLE, f"We present {name}.", f"framework {name}: MENTIONS"))
    with serve(str(store), allow_decisions=True) as url:
        yield url


def test_what_is_rejected_goes_from_the_picture(browser: Browser, own_url: str) -> None:
    context = browser.new_context(base_url=own_url)
    page = context.new_page()
    page.goto(TREE)
    page.locator(EDGE).press("Enter")
    page.locator("li:target").get_by_role("link", name="In the abstract").click()
    page.get_by_role("button", name="Reject").first.click()
    expect(page.get_by_role("status")).to_contain_text("Decision 1: reject “")
    page.goto(TREE)
    expect(page.locator(EDGE)).to_have_count(0)
    page.goto("/decisions")
    page.get_by_role("button", name="Undo 1").click()
    page.goto(TREE)
    expect(page.locator(EDGE)).to_have_count(1)
    context.close()


def test_names_with_markup_in_them_stay_text(browser: Browser, own_url: str) -> None:
    context = browser.new_context(base_url=own_url)
    page = context.new_page()
    complaints: list[str] = []
    page.on("console", lambda said: complaints.append(said.text))
    page.goto("/")
    page.get_by_role("combobox").fill("bold quoted")
    option = page.get_by_role("option").first
    expect(option).to_contain_text(TITLE)
    option.click()
    expect(page.locator("h1")).to_have_text(TITLE)
    context.close()
    assert complaints == []
