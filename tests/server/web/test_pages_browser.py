"""The pages in a real browser: on a desk and on a phone, by hand, by keys, without scripts."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, ViewportSize, expect

from watched import watched

PAPER = "paper/adding-nvme-ssds-to-enable-and-accelerate-100b-model-fine-tuning-on-a-single-gpu"
TREE = "/lineage/entity/zero-infinity"
FUYOU = 'svg:not(.tall) a[data-work="entity/fuyou"]'
EDGE = 'svg:not(.tall) a.edge[data-child="entity/fuyou"][data-parent="entity/zero-infinity"]'
DESK, PHONE = ViewportSize(width=1280, height=760), ViewportSize(width=390, height=844)
SMALL = ViewportSize(width=320, height=640)
KINDS = [
    *("/", "/page?q=what builds on LoRA since 2023", "/page/entity/zero-infinity"),
    *(f"/page/{PAPER}", TREE, "/evidence?child=entity/fuyou&parent=entity/zero-infinity"),
    "/sparql?query=SELECT * { ?child stemma:buildsOn ?parent } LIMIT 5",
]
"""A page of each kind."""
MORE = [
    *("/help", "/catalogue", "/lineage/entity/lora?maxDepth=3&includeGeneral=true", "/developers"),
    *("/compare?left=LoRA&right=QLoRA", "/papers?entity=LoRA", "/entities", "/page?q=flash"),
    *("/page?q=qwrtzp", "/changes", "/compare", "/ontology"),
]


@pytest.fixture(scope="module")
def tab(browser, server_url) -> Iterator[tuple[Page, list[str]]]:
    """A tab, and what there is to complain of in it: errors, failures, requests to elsewhere."""
    context = browser.new_context(base_url=server_url)
    page = context.new_page()
    yield page, watched(page, f"{server_url}/")
    context.close()


@pytest.fixture
def page(tab) -> Iterator[Page]:
    """The tab on a desk, by day; afterwards there is nothing to complain of."""
    page, complaints = tab
    page.goto("/health")
    page.set_viewport_size(DESK)
    page.emulate_media(color_scheme="light")
    complaints.clear()
    yield page
    assert complaints == []


# Family trees.


def test_what_supports_a_work_is_shown_alone_beside_the_picture(page):
    page.goto(TREE)
    cards = page.locator("#evidence li")
    every = cards.count()
    stated = page.locator("li[data-child]:has(blockquote) > p:first-child").all_inner_texts()
    confidences = [max(map(float, re.findall(r"\d\.\d\d", each))) for each in stated]
    assert confidences == sorted(confidences, reverse=True)
    page.locator(FUYOU).click()
    chosen = page.locator("#chosen")
    expect(chosen).to_contain_text("Fuyou (framework")
    expect(cards.locator("visible=true")).not_to_have_count(every)
    expect(page.get_by_text(f"{every} lines")).to_be_hidden()
    expect(page.locator(EDGE)).to_have_class(re.compile("chosen"))
    page.reload()
    expect(chosen).to_contain_text("Fuyou (framework")
    page.keyboard.press("Escape")
    expect(chosen).to_be_hidden()
    assert cards.locator("visible=true").count() == every


def test_an_edge_leads_to_its_card_and_is_marked(page):
    page.goto(TREE)
    page.locator(EDGE).focus()
    before = page.evaluate("scrollY")
    expect(page.locator(FUYOU)).to_have_class(re.compile("near"))
    page.keyboard.press("Enter")
    others = page.locator("svg:not(.tall) a.edge:not(.chosen)")
    expect(others.first).to_have_css("opacity", "0.25")
    card = page.locator("li:target")
    expect(card).to_contain_text("suffers from low GPU utilization")
    expect(card).to_be_in_viewport()
    expect(page.locator(EDGE)).to_have_class(re.compile("chosen"))
    page.wait_for_function("(before) => scrollY === before", arg=before)
    page.go_back()
    expect(page.locator("a.edge.chosen")).to_have_count(0)


def test_without_scripts_a_tree_has_the_same_links_and_a_query_is_sent(browser, server_url):
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
    page.goto(f"{server_url}/sparql")
    page.locator("#query").fill("ASK {}")
    page.get_by_role("button", name="Run").click()
    expect(page.locator("#query")).to_have_value("ASK {}")
    page.context.close()


def test_its_picture_shows_a_family_tree_with_a_sentence(page, tmp_path):
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


def test_the_query_page_answers_links_what_it_finds_and_says_what_is_wrong(page, tab):
    page.goto("/sparql")
    for place in (1, -1):
        label = page.locator("#example option").all_text_contents()[place]
        with page.expect_response("**/sparql") as answer:
            page.select_option("#example", label=label)
        assert answer.value.ok, label
        expect(page.locator("#result table tbody tr, #result pre").first).to_be_visible()
    page.goto("/sparql?query=SELECT (<entity/fuyou> AS ?x) {}")
    page.locator("#result td a").click()
    expect(page.locator("h1")).to_have_text("Fuyou")
    page.goto("/sparql")
    page.locator("#query").fill("SELECT * {")
    page.get_by_role("button", name="Run").click()
    expect(page.locator("#result .problem")).to_contain_text("malformed at line 1")
    tab[1].clear()  # The browser notes that the request was refused.


# For everybody: by axe-core's rules, and by the keyboard.


def found_by_axe(page: Page) -> list[str]:
    """Return what keeps people from using a page: rule, element and reason."""
    violations = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    return [
        f"{page.url}: {each['id']} ({each['impact']}): {node['target']} {node['failureSummary']}"
        for each in violations
        if each["impact"] in ("serious", "critical")
        for node in each["nodes"][:3]
    ]


def fits(page: Page) -> bool:
    """Return whether a page is no wider than its window, and its menu beside the icon."""
    top = page.locator(".top :is(.brand, nav)").evaluate_all(
        "all => all.map((each) => each.getBoundingClientRect().bottom)"
    )
    cut_off = page.locator(".wide").evaluate_all(
        "all => all.some((each) => each.scrollWidth > each.clientWidth)"
    )
    wide = page.evaluate("document.documentElement.scrollWidth - document.body.clientWidth")
    return max(top) - min(top) < 10 and wide <= 0 and (not cut_off or "/sparql" in page.url)


@pytest.mark.parametrize(
    ("addresses", "device"),
    [
        (KINDS, SMALL),
        pytest.param(KINDS, DESK, marks=pytest.mark.long),
        pytest.param(MORE, SMALL, marks=pytest.mark.long),
    ],
    ids=["on a phone", "on a desk", "more on a phone"],
)
def test_no_page_keeps_people_out(page, addresses, device):
    """Neither by day on a desk, nor by night on a small phone, where nothing is cut off."""
    page.emulate_media(color_scheme="dark" if device == SMALL else "light")
    page.set_viewport_size(device)
    found = []
    for address in addresses:
        page.goto(address)
        if "?query" in address:
            expect(page.locator("#result table")).to_be_visible()
        assert fits(page), address
        found += found_by_axe(page)
    page.goto("/")
    page.get_by_role("combobox").fill("zero")
    expect(page.get_by_role("option").first).to_be_visible()
    page.keyboard.press("ArrowDown")
    found += found_by_axe(page)
    assert not found, "\n".join(found)


def test_the_keyboard_alone_leads_from_the_box_to_a_sentence_and_back(page):
    page.goto("/")
    expect(page.get_by_role("combobox")).to_be_focused()
    page.keyboard.type("LoRA")
    expect(page.get_by_role("option").first).to_contain_text("LoRA")
    page.keyboard.press("Escape")
    expect(page.get_by_role("combobox")).to_have_attribute("aria-expanded", "false")
    expect(page.get_by_role("combobox")).to_have_value("LoRA")
    page.keyboard.type(" ")
    expect(page.get_by_role("combobox")).to_have_attribute("aria-expanded", "true")
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("option").first).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("LoRA")
    tab_to(page, "a[href^='/lineage/']")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("Family tree of LoRA")
    tab_to(page, "a[data-work]")
    page.keyboard.press("Enter")
    expect(page.locator("#chosen")).to_be_focused()
    page.keyboard.press("Escape")
    # All works come before the edges.
    order = page.locator("svg:not(.tall) a:not(.more)").evaluate_all(
        "all => all.map((each) => each.classList.contains('edge'))"
    )
    assert order == sorted(order)
    tab_to(page, "a.edge")
    page.keyboard.press("Enter")
    expect(page.locator("li:target")).to_be_in_viewport()


def test_the_keyboard_skips_the_menu_and_the_picture(page):
    page.goto("/lineage/entity/lora")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_in_viewport()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.locator("h1 a")).to_be_focused()
    tab_to(page, ".tree a.skip")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.locator("#evidence li a").first).to_be_focused()


SEEN = """() => {
  const focused = document.activeElement;
  // In a picture, shapes show the focus.
  const shape = focused instanceof SVGElement && focused.querySelector(".line, rect");
  const { outlineStyle, strokeWidth } = getComputedStyle(shape || focused);
  return shape ? parseFloat(strokeWidth) >= 3 : outlineStyle !== "none";
}"""


def tab_to(page: Page, selector: str) -> None:
    """Press Tab until an element has the focus, which has to be seen."""
    for _ in range(300):
        page.keyboard.press("Tab")
        if page.evaluate("(selector) => document.activeElement.matches(selector)", selector):
            assert page.evaluate(SEEN), f"the focus on {selector} cannot be seen"
            return
    raise AssertionError(f"Tab does not reach {selector}")


@pytest.mark.parametrize("width", [360, 1280])
def test_the_letters_of_a_picture_are_legible(page, width):
    page.set_viewport_size({"width": width, "height": 800})
    for address in ("/lineage/entity/lora", "/page/entity/lora"):
        page.goto(address)
        sizes = page.locator("svg.lineage:visible text").evaluate_all(
            "all => all.map((each) => each.getAttribute('font-size') * each.getScreenCTM().a)"
        )
        assert min(sizes) >= 11


def test_a_phone_has_the_picture_from_top_to_bottom_dark_at_night(page):
    page.set_viewport_size(PHONE)
    page.emulate_media(color_scheme="dark")
    page.goto(TREE)
    expect(page.locator("svg:not(.tall)")).to_be_hidden()
    older, later = (
        page.locator(f'svg.tall a[data-work="entity/{each}"]').bounding_box()
        for each in ("zero-infinity", "fuyou")
    )
    assert older["y"] + older["height"] < later["y"]
    page.locator("svg.tall a[data-work='entity/fuyou']").click()
    expect(page.locator("#chosen")).to_be_in_viewport()
    work = page.locator("svg.tall a[data-work='entity/fuyou'] rect").bounding_box()
    over = page.locator("#evidence").bounding_box()
    assert 0 <= work["y"] <= over["y"] - work["height"], "it is not hidden by its evidence"
    page.locator("svg.tall a.edge").first.dispatch_event("click")
    expect(page.get_by_role("link", name="Back to the picture")).to_be_in_viewport()
    page.goto(f"{TREE}#entity/fuyou")
    page.get_by_role("button", name="All evidence").click()
    expect(page.locator("#chosen")).to_be_hidden()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(23, 21, 28)"
