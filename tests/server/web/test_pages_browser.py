"""The pages in a real browser: on a desk and on a phone, by hand, by keys, without scripts."""

import os
import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from described import describe
from filled import put
from stemma.graph import open_store
from watched import watched

PAPER = "paper/adding-nvme-ssds-to-enable-and-accelerate-100b-model-fine-tuning-on-a-single-gpu"
TREE = "/lineage/entity/zero-infinity"
FUYOU = 'svg:not(.tall) a[data-work="entity/fuyou"]'
EDGE = 'svg:not(.tall) a.edge[data-child="entity/fuyou"][data-parent="entity/zero-infinity"]'
TITLE = '<img src=x onerror="document.title=1">&amp; </script><b>bold</b> "quoted"'
DESK, PHONE = ViewportSize(width=1280, height=760), ViewportSize(width=390, height=844)
ADDRESSES = [
    *("/", "/help", "/page?q=what builds on LoRA since 2023", "/catalogue"),
    *(TREE, "/lineage/entity/lora?maxDepth=3&includeGeneral=true"),
    *("/entities", "/page/entity/zero-infinity", f"/page/{PAPER}", "/page?q=flash", "/changes"),
    *("/compare", "/compare?left=LoRA&right=QLoRA", "/papers?entity=LoRA", "/developers"),
    "/evidence?child=entity/fuyou&parent=entity/zero-infinity",
    "/sparql?query=SELECT * { ?child stemma:buildsOn ?parent } LIMIT 5",
]


@pytest.fixture(scope="module")
def tab(browser: Browser, server_url: str) -> Iterator[tuple[Page, list[str]]]:
    """A tab, and what there is to complain of in it: errors, failures, requests to elsewhere."""
    context = browser.new_context(base_url=server_url)
    page = context.new_page()
    yield page, watched(page, f"{server_url}/")
    context.close()


@pytest.fixture
def page(tab: tuple[Page, list[str]]) -> Iterator[Page]:
    """The tab on a desk, by day; afterwards there is nothing to complain of."""
    page, complaints = tab
    page.goto("/health")
    page.set_viewport_size(DESK)
    page.emulate_media(color_scheme="light", media="screen")
    complaints.clear()
    yield page
    assert complaints == []


def test_pages_fit_a_phone(page: Page) -> None:
    page.set_viewport_size(PHONE)
    for address in ADDRESSES:
        page.goto(address)
        expect(page.locator("h1")).to_be_visible()
        if address.startswith("/sparql"):
            expect(page.locator("#result table")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], address
        cut_off = page.locator(".wide").evaluate_all(
            "all => all.some((each) => each.scrollWidth > each.clientWidth)"
        )
        assert not cut_off or address.startswith("/sparql"), address


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("address", ["/", TREE, "/lineage/entity/lora", "/page/entity/lora"])
def test_the_letters_of_a_picture_are_legible(page: Page, address: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(address)
    sizes = page.locator("svg.lineage:visible text").evaluate_all(
        "all => all.map((each) => each.getAttribute('font-size') * each.getScreenCTM().a)"
    )
    assert min(sizes) >= 11
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_phone_has_the_picture_from_top_to_bottom_dark_at_night(page: Page) -> None:
    page.set_viewport_size(PHONE)
    page.emulate_media(color_scheme="dark")
    page.goto(TREE)
    expect(page.locator("svg:not(.tall)")).to_be_hidden()
    older, later = (
        page.locator(f'svg.tall a[data-work="entity/{each}"]').bounding_box()
        for each in ("zero-infinity", "fuyou")
    )
    assert older and later
    assert older["y"] + older["height"] < later["y"]
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(23, 21, 28)"


def test_a_phone_shows_results_at_once_and_long_sentences_in_full_when_clicked(page: Page) -> None:
    page.set_viewport_size(PHONE)
    page.goto("/page?q=what builds on LoRA since 2023")
    header = page.locator("header").bounding_box()
    assert header and header["height"] < 100
    sentences = page.locator(".said summary").all()
    sentence = max(sentences, key=lambda each: len(each.inner_text()))
    cut, whole = 0.0, 0.0
    for _ in range(2):
        box = sentence.bounding_box()
        assert box
        cut, whole = whole, box["height"]
        sentence.click()
    assert 0 < cut < 80 < whole


def test_a_printed_tree_is_whole_and_has_no_controls(page: Page) -> None:
    page.goto("/lineage/entity/lora?includeGeneral=true")
    page.emulate_media(media="print")
    for each in (".top", ".options", ".taking"):
        expect(page.locator(each)).to_be_hidden()
    evidence = page.locator("#evidence")
    assert evidence.evaluate("each => each.scrollHeight - each.clientHeight") <= 1


def test_an_iri_of_a_statement_leads_to_it(page: Page) -> None:
    page.goto(f"/id/{PAPER}#improves-on-zero-infinity")
    assert page.url.endswith(f"/page/{PAPER}#improves-on-zero-infinity")
    statement = page.locator(":target")
    expect(statement).to_contain_text("improves on")
    expect(statement).to_be_in_viewport()
    statement.get_by_role("link", name="abstract").first.click()
    expect(page.locator("mark", has_text="suffers from low GPU")).to_be_in_viewport()


def test_works_to_compare_are_chosen_by_the_keyboard(page: Page) -> None:
    page.goto("/compare")
    page.get_by_label("Paper or entity").press_sequentially("qlor")
    expect(page.get_by_role("option").first).to_contain_text("QLoRA")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Paper or entity")).to_have_value("QLoRA")
    page.get_by_label("Compare with").fill("LoRA")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("QLoRA and LoRA")


def test_names_with_markup_in_them_stay_text(
    tmp_path: Path, serve: Callable[..., AbstractContextManager[str]], browser: Browser
) -> None:
    store = str(tmp_path / "stemma.db")
    with open_store(store) as graph:
        put(graph, describe(TITLE, "We present <i>Kettle</i>.", "model <i>Kettle</i>: MENTIONS"))
    with serve(store) as url:
        page = browser.new_page(base_url=url)
        page.goto("/")
        page.get_by_role("combobox").fill("bold quoted")
        option = page.get_by_role("option").first
        expect(option).to_contain_text(TITLE)
        option.click()
        expect(page.locator("h1")).to_have_text(TITLE)
        page.close()


# Family trees.


def test_what_supports_a_work_is_shown_alone_beside_the_picture(page: Page) -> None:
    page.goto(TREE)
    cards = page.locator("#evidence li")
    every = cards.count()
    picture = page.locator("#picture").bounding_box()
    evidence = page.locator("#evidence").bounding_box()
    assert picture and evidence
    assert evidence["x"] >= picture["x"] + picture["width"]
    stated = page.locator("li[data-child]:has(blockquote) > p:first-child").all_inner_texts()
    confidences = [max(map(float, re.findall(r"\d\.\d\d", each))) for each in stated]
    assert confidences == sorted(confidences, reverse=True)
    page.locator(FUYOU).click()
    chosen = page.locator("#chosen")
    expect(chosen).to_contain_text("Fuyou (framework")
    expect(cards.locator("visible=true")).not_to_have_count(every)
    expect(page.get_by_text(f"{every} edges")).to_be_hidden()
    expect(page.locator(EDGE)).to_have_class(re.compile("chosen"))
    expect(chosen.get_by_role("link", name="Its page")).to_have_attribute(
        "href", "/page/entity/fuyou"
    )
    page.keyboard.press("Escape")
    expect(chosen).to_be_hidden()
    assert cards.locator("visible=true").count() == every


def test_an_edge_leads_to_its_card_and_is_marked(page: Page) -> None:
    page.goto(TREE)
    page.locator(EDGE).press("Enter")
    card = page.locator("li:target")
    expect(card).to_contain_text("suffers from low GPU utilization")
    expect(card).to_be_in_viewport()
    expect(page.locator(EDGE)).to_have_class(re.compile("chosen"))
    page.locator(FUYOU).focus()
    expect(page.locator(EDGE)).to_have_class(re.compile("near"))


def test_without_scripts_a_tree_has_the_same_links(browser: Browser, server_url: str) -> None:
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto(f"{server_url}/lineage/entity/lora?first=3")
    works = page.locator("svg:not(.tall) .node")
    before = works.count()
    page.locator("svg:not(.tall) a.edge").first.dispatch_event("click")
    expect(page.locator("li:target")).to_be_in_viewport()
    page.locator("svg:not(.tall) a.more").first.click()
    expect(works).not_to_have_count(before)
    page.get_by_text("Filter", exact=True).click()
    page.get_by_label("Steps").fill("1")
    page.get_by_role("button", name="Apply").click()
    page.wait_for_url("**maxDepth=1**")
    page.context.close()


def test_its_picture_shows_a_family_tree_with_a_sentence(page: Page, tmp_path: Path) -> None:
    """`make picture` keeps it."""
    page.goto("/lineage/entity/lora")
    edge = page.locator("svg:not(.tall) a.edge").and_(
        page.get_by_role("link", name="GaLore improves on ReLoRA")
    )
    edge.dispatch_event("click")
    expect(page.locator("li:target blockquote").first).to_be_in_viewport()
    page.evaluate("scrollTo(0, 0)")
    expect(page.locator("header")).to_be_in_viewport(ratio=1)
    expect(page.locator("svg.lineage:not(.tall)")).to_be_in_viewport(ratio=1)
    path = Path(os.environ.get("STEMMA_PICTURE") or tmp_path / "family-tree.png")
    page.screenshot(path=path)
    assert path.stat().st_size > 30_000


# The page for SPARQL.


def test_the_examples_of_the_query_page_are_answered(page: Page) -> None:
    page.goto("/sparql")
    for label in page.locator("#example option").all_text_contents()[1:]:
        with page.expect_response("**/sparql") as answer:
            page.select_option("#example", label=label)
        assert answer.value.ok, label
        expect(page.locator("#result table tbody tr, #result pre").first).to_be_visible()


def test_the_query_page_links_what_it_finds_to_its_page(page: Page) -> None:
    page.goto("/sparql?query=SELECT (<entity/fuyou> AS ?x) {}")
    page.locator("#result td a").click()
    expect(page.locator("h1")).to_have_text("Fuyou")


def test_the_query_page_says_what_is_wrong(page: Page, tab: tuple[Page, list[str]]) -> None:
    page.goto("/sparql")
    page.locator("#query").fill("SELECT * {")
    page.get_by_role("button", name="Run").click()
    expect(page.locator("#result .problem")).to_contain_text("malformed at line 1")
    tab[1].clear()  # The browser notes that the request was refused.


def test_without_scripts_the_query_page_still_sends_its_query(
    browser: Browser, server_url: str
) -> None:
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto(f"{server_url}/sparql")
    page.locator("#query").fill("ASK {}")
    page.get_by_role("button", name="Run").click()
    expect(page.locator("#query")).to_have_value("ASK {}")
    page.context.close()
