"""The pages in a real browser, on a desk and on a phone, by day and by night."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from watched import watched

FUYOU = "paper/adding-nvme-ssds-to-enable-and-accelerate-100b-model-fine-tuning-on-a-single-gpu"
PHONE = ViewportSize(width=390, height=844)
ADDRESSES = [
    *("/", "/help", "/page?q=what builds on LoRA since 2023"),
    *("/lineage/entity/zero-infinity", "/lineage/entity/lora?maxDepth=3&includeGeneral=true"),
    *("/entities", "/page/entity/zero-infinity", f"/page/{FUYOU}", "/page?q=flash", "/changes"),
    *("/compare", "/compare?a=LoRA&b=QLoRA", "/papers?entity=LoRA", "/developers"),
    "/evidence?child=entity/fuyou&parent=entity/zero-infinity",
    "/sparql?query=SELECT * { ?child stemma:buildsOn ?parent } LIMIT 5",
]


@pytest.fixture(scope="module")
def tab(browser: Browser, server_url: str) -> Iterator[tuple[Page, list[str]]]:
    context = browser.new_context(base_url=server_url, viewport=PHONE)
    page = context.new_page()
    yield page, watched(page, f"{server_url}/")
    context.close()


@pytest.fixture
def page(tab: tuple[Page, list[str]]) -> Iterator[Page]:
    """The tab of somebody who has never been here, by day; in the end nothing was wrong."""
    page, complaints = tab
    page.goto("/health")
    page.evaluate("sessionStorage.clear(), localStorage.clear()")
    page.emulate_media(color_scheme="light")
    complaints.clear()
    yield page
    assert complaints == []


def test_pages_fit_a_phone_and_need_nothing_from_elsewhere(page: Page) -> None:
    for address in ADDRESSES:
        page.goto(address)
        expect(page.locator("h1")).to_be_visible()
        if address.startswith("/sparql"):
            expect(page.locator("#result table")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], address


@pytest.mark.parametrize("width", [360, 1300])
def test_the_names_in_a_small_picture_are_legible(page: Page, width: int) -> None:
    page.goto("/page/entity/zero-infinity")
    page.set_viewport_size({"width": width, "height": 800})
    sizes = page.locator(".small-tree svg:visible text").evaluate_all(
        "all => all.map((each) => each.getAttribute('font-size') * each.getScreenCTM().a)"
    )
    assert min(sizes) >= 11
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.set_viewport_size(PHONE)


def test_a_printed_tree_is_whole_and_has_no_controls(page: Page) -> None:
    page.goto("/lineage/entity/lora?includeGeneral=true")
    page.emulate_media(media="print")
    for each in (".top", ".options", ".taking"):
        expect(page.locator(each)).to_be_hidden()
    evidence = page.locator("#evidence")
    assert evidence.evaluate("each => each.scrollHeight - each.clientHeight") <= 1
    page.emulate_media(media="screen")


def test_an_iri_of_a_statement_leads_to_it(page: Page) -> None:
    page.goto(f"/id/{FUYOU}#improves-on-zero-infinity")
    assert page.url.endswith(f"/page/{FUYOU}#improves-on-zero-infinity")
    statement = page.locator(":target")
    expect(statement).to_contain_text("improves on")
    expect(statement).to_be_in_viewport()
    statement.get_by_role("link", name="abstract").first.click()
    expect(page.locator("mark", has_text="suffers from low GPU")).to_be_in_viewport()


def test_one_can_walk_from_work_to_work(page: Page) -> None:
    page.goto("/page/entity/zero-infinity")
    page.get_by_role("link", name="Fuyou", exact=True).first.click()
    expect(page.locator("h1")).to_have_text("Fuyou")
    page.get_by_role("combobox").fill("flash attention")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("FlashAttention")


def test_it_is_dark_at_night(page: Page) -> None:
    page.goto("/page/entity/zero-infinity")
    background = "getComputedStyle(document.body).backgroundColor"
    page.emulate_media(color_scheme="light")
    light = page.evaluate(background)
    page.emulate_media(color_scheme="dark")
    assert page.evaluate(background) != light


def test_the_examples_of_the_query_page_are_answered(page: Page) -> None:
    page.goto("/sparql")
    for label in page.locator("#example option").all_text_contents()[1:]:
        with page.expect_response("**/sparql") as answer:
            page.select_option("#example", label=label)
        assert answer.value.ok, label
        expect(page.locator("#result table tbody tr, #result pre").first).to_be_visible()


def test_the_query_page_says_what_is_wrong(page: Page, tab: tuple[Page, list[str]]) -> None:
    page.goto("/sparql")
    page.locator("#query").fill("SELECT * {")
    page.get_by_role("button", name="Run").click()
    expect(page.locator("#result .problem")).to_contain_text("malformed at line 1")
    tab[1].clear()  # The browser logs the status as well.


def test_answers_link_to_their_pages(page: Page) -> None:
    page.goto("/sparql?query=SELECT (<entity/fuyou> AS ?x) {}")
    page.locator("#result td a").click()
    expect(page.locator("h1")).to_have_text("Fuyou")


def test_without_scripts_the_query_page_still_sends_its_query(
    browser: Browser, server_url: str
) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{server_url}/sparql")
    page.locator("#query").fill("ASK {}")
    page.get_by_role("button", name="Run").click()
    expect(page.locator("#query")).to_have_value("ASK {}")
    context.close()


# From the box to the family tree.


def test_a_question_leads_to_a_family_tree_whose_edges_show_their_sentences(page: Page) -> None:
    page.goto("/")
    page.get_by_role("combobox").fill("what builds on ZeRO-Infinity")
    page.keyboard.press("Enter")
    page.get_by_role("link", name="See the family tree of ZeRO-Infinity").click()
    edge = page.locator("svg.tall a.edge").and_(page.get_by_role("link", name="Fuyou")).last
    edge.focus()
    page.keyboard.press("Enter")
    card = page.locator("li:target")
    expect(card).to_be_in_viewport()
    expect(card).to_contain_text("suffers from low GPU utilization")


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
    expect(page.get_by_role("link", name="Open in GraphQL")).to_be_visible()


def test_without_scripts_a_tree_has_the_same_links(browser: Browser, server_url: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
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
    context.close()


def test_its_picture_shows_a_family_tree_with_a_sentence(
    browser: Browser, server_url: str, tmp_path: Path
) -> None:
    """`make picture` keeps it."""
    context = browser.new_context(viewport=ViewportSize(width=1280, height=760))
    page = context.new_page()
    page.goto(f"{server_url}/lineage/entity/lora")
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
    context.close()
