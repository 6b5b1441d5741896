"""The pages in a real browser, on a desk and on a phone, by day and by night."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

FUYOU = "paper/adding-nvme-ssds-to-enable-and-accelerate-100b-model-fine-tuning-on-a-single-gpu"
PHONE = ViewportSize(width=390, height=844)
ADDRESSES = [
    *("/", "/help", "/page?q=what builds on LoRA since 2023"),
    *("/lineage/entity/zero-infinity", "/lineage/entity/lora?maxDepth=3&includeGeneral=true"),
    *("/page", "/page/entity/zero-infinity", f"/page/{FUYOU}", "/page/dataset", "/page?q=flash"),
    f"/page/{FUYOU}?statement=improves-on-zero-infinity",
    *("/compare", "/compare?a=LoRA&b=QLoRA", "/path?from=Fuyou&to=ZeRO"),
    "/papers?entity=LoRA",
    f"/statements?of={FUYOU}",
    "/sparql?query=SELECT * { ?child stemma:buildsOn ?parent } LIMIT 5",
]


class Visitor:
    """Somebody with a browser, who notes what it complains of and whom it asks."""

    def __init__(self, page: Page, server_url: str) -> None:
        self.page = page
        self._url = server_url
        self.complaints: list[str] = []
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", lambda said: self.complaints.append(said.text))
        page.on("requestfailed", lambda request: self._failed(request.url, request.failure))
        page.on("request", lambda request: self._note(request.url))

    def open(self, address: str) -> Page:
        self.page.goto(self._url + address)
        return self.page

    def _failed(self, address: str, reason: str | None) -> None:
        if reason != "net::ERR_ABORTED":  # Suggestions that are no longer needed are aborted.
            self.complaints.append(address)

    def _note(self, address: str) -> None:
        if not address.startswith((self._url + "/", "data:", "blob:")):
            self.complaints.append(address)


@pytest.fixture(scope="module")
def tab(browser: Browser, server_url: str) -> Iterator[Visitor]:
    context = browser.new_context(viewport=PHONE)
    yield Visitor(context.new_page(), server_url)
    context.close()


@pytest.fixture
def visitor(tab: Visitor) -> Visitor:
    """Somebody who has never been here, by day."""
    page = tab.open("/health")
    page.evaluate("sessionStorage.clear(), localStorage.clear()")
    page.emulate_media(color_scheme="light")
    tab.complaints.clear()
    return tab


def test_pages_fit_a_phone_and_need_nothing_from_elsewhere(visitor: Visitor) -> None:
    for address in ADDRESSES:
        page = visitor.open(address)
        expect(page.locator("h1")).to_be_visible()
        if address.startswith("/sparql"):
            expect(page.locator("#result table")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], address
        assert visitor.complaints == [], address


def test_a_chart_is_not_enlarged_on_a_phone(visitor: Visitor) -> None:
    for address in ("/page/entity/zero-infinity", "/"):
        chart = visitor.open(address).locator("svg.chart")
        size = chart.bounding_box()
        assert size is not None
        assert size["width"] == int(chart.get_attribute("width") or 0), address
        if size["width"] < PHONE["width"] / 2:
            assert size["x"] < PHONE["width"] / 10, "a short one is on the left"


def test_the_numbers_of_a_list_and_the_box_of_a_chart_fit_what_they_hold(visitor: Visitor) -> None:
    padding = "parseFloat(getComputedStyle(document.querySelector('ol.plain')).paddingLeft)"
    page = visitor.open("/")
    assert page.evaluate(padding) > page.evaluate(
        "(() => { const text = document.createElement('canvas').getContext('2d');"
        "text.font = getComputedStyle(document.querySelector('ol.plain')).font;"
        "return text.measureText('12. ').width })()"
    )
    page.set_viewport_size({"width": 1280, "height": 800})
    box = page.locator(".scroll:has(> svg.chart)").bounding_box()
    chart = page.locator("svg.chart").bounding_box()
    page.set_viewport_size(PHONE)
    assert box is not None and chart is not None
    assert box["width"] < chart["width"] + 20


@pytest.mark.parametrize("width", [360, 1300])
def test_the_names_in_a_small_picture_are_legible(visitor: Visitor, width: int) -> None:
    page = visitor.open("/page/entity/zero-infinity")
    page.set_viewport_size({"width": width, "height": 800})
    size = page.locator(".small-tree .name").first.evaluate(
        "each => 13 * each.getScreenCTM().a"  # 13 is the size of a name in a picture.
    )
    assert size >= 9
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.set_viewport_size(PHONE)


def test_both_works_of_a_comparison_are_in_sight_on_a_phone(visitor: Visitor) -> None:
    for address in ("/compare", "/compare?a=LoRA&b=QLoRA", "/path?from=Fuyou&to=ZeRO"):
        page = visitor.open(address)
        button = page.locator(".filters button").bounding_box()
        assert button is not None
        for field in page.locator(".filters .work input").all():
            box = field.bounding_box()
            assert box is not None
            assert box["x"] >= 0, address
            assert box["x"] + box["width"] <= PHONE["width"], address
            assert box["y"] + box["height"] <= button["y"], address


def test_a_printed_tree_is_whole_and_has_no_controls(visitor: Visitor) -> None:
    page = visitor.open("/lineage/entity/lora?maxDepth=3&includeGeneral=true")
    canvas = page.locator("div.canvas")
    overflow = "each => each.scrollWidth - each.clientWidth"
    assert canvas.evaluate(overflow) > 0
    page.emulate_media(media="print")
    assert canvas.evaluate(overflow) <= 0
    for each in (".top", ".filters", ".tools", ".taking"):
        expect(page.locator(each)).to_be_hidden()
    expect(page.locator("#edges blockquote").first).to_be_visible()
    page.emulate_media(media="screen")


def test_an_iri_of_a_statement_leads_to_it(visitor: Visitor) -> None:
    page = visitor.open(f"/id/{FUYOU}#improves-on-zero-infinity")
    assert page.url.endswith(f"/page/{FUYOU}#improves-on-zero-infinity")
    statement = page.locator(":target")
    expect(statement).to_contain_text("suffers from low GPU utilization")
    expect(statement).to_be_in_viewport()
    statement.get_by_role("link", name="in the abstract").click()
    expect(page.locator("mark:target")).to_be_in_viewport()


def test_one_can_walk_from_work_to_work(visitor: Visitor) -> None:
    page = visitor.open("/page/entity/zero-infinity")
    page.get_by_role("link", name="Fuyou", exact=True).click()
    expect(page.locator("h1")).to_have_text("Fuyou")
    page.get_by_role("combobox").fill("flash attention")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("FlashAttention")


def test_it_is_dark_at_night(visitor: Visitor) -> None:
    page = visitor.open("/page/entity/zero-infinity")
    background = "getComputedStyle(document.body).backgroundColor"
    page.emulate_media(color_scheme="light")
    light = page.evaluate(background)
    page.emulate_media(color_scheme="dark")
    assert page.evaluate(background) != light


def test_the_examples_of_the_query_page_are_answered(visitor: Visitor) -> None:
    page = visitor.open("/sparql")
    for label in page.locator("#example option").all_text_contents()[1:]:
        with page.expect_response("**/sparql") as answer:
            page.select_option("#example", label=label)
        assert answer.value.ok, label
        expect(page.locator("#result table tbody tr, #result pre").first).to_be_visible()
    assert visitor.complaints == []


def test_the_query_page_says_what_is_wrong(visitor: Visitor) -> None:
    page = visitor.open("/sparql")
    page.locator("#query").fill("SELECT * {")
    page.get_by_role("button", name="Run").click()
    expect(page.locator("#result .problem")).to_contain_text("malformed at line 1")


def test_answers_link_to_their_pages(visitor: Visitor) -> None:
    page = visitor.open("/sparql?query=SELECT (<entity/fuyou> AS ?x) {}")
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


def test_one_finds_a_work_by_the_keyboard_alone(visitor: Visitor) -> None:
    page = visitor.open("/")
    box = page.get_by_role("combobox")
    expect(box).to_be_focused()
    page.keyboard.type("zero-inf")
    expect(page.get_by_role("option").first).to_contain_text("ZeRO-Infinity")
    expect(box).to_have_attribute("aria-expanded", "true")
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("option").first).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("ZeRO-Infinity")
    assert visitor.complaints == []


def test_a_question_leads_to_a_family_tree_whose_edges_show_their_sentences(
    visitor: Visitor,
) -> None:
    page = visitor.open("/")
    page.get_by_role("combobox").fill("what builds on ZeRO-Infinity")
    page.keyboard.press("Enter")
    page.get_by_role("link", name="See the family tree of ZeRO-Infinity").click()
    edge = page.get_by_role("link", name="Fuyou").and_(page.locator("a.edge")).last
    edge.focus()
    page.keyboard.press("Enter")
    panel = page.get_by_role("complementary", name="Evidence")
    expect(panel).to_contain_text("suffers from low GPU utilization")
    expect(panel.get_by_role("link", name="Adding NVMe SSDs").first).to_be_visible()
    shared = page.url
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    assert visitor.complaints == []
    page.goto("about:blank")
    page.goto(shared)
    expect(panel).to_contain_text("suffers from low GPU utilization")


def test_a_tree_is_zoomed(visitor: Visitor) -> None:
    page = visitor.open("/lineage/entity/lora")
    picture = page.locator("svg.lineage")

    def width() -> float:
        box = picture.bounding_box()
        assert box
        return box["width"]

    whole = width()
    page.get_by_role("button", name="Zoom in").click()
    assert width() == pytest.approx(whole * 1.25, rel=0.01)
    page.get_by_role("button", name="Fit").click()
    assert width() < PHONE["width"]


@pytest.mark.parametrize("address", ["/lineage/entity/lora", "/path?from=Fuyou&to=ZeRO"])
def test_a_picture_is_downloaded_as_png(visitor: Visitor, address: str) -> None:
    page = visitor.open(address)
    if "/lineage/" in address:
        page.get_by_label("General terms").select_option("true")  # The picture is another then.
        page.wait_for_url("**includeGeneral=true**")
        expect(page.locator("[aria-busy]")).to_have_count(0)
    with page.expect_download() as download:
        page.get_by_role("link", name="PNG").click()
    assert download.value.suggested_filename.endswith(".png")
    data = Path(download.value.path()).read_bytes()
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    assert int.from_bytes(data[16:20], "big") >= 2 * 500  # Twice the size of the SVG.
    assert visitor.complaints == []


def test_works_to_compare_are_chosen_by_the_keyboard(visitor: Visitor) -> None:
    page = visitor.open("/compare")
    page.get_by_label("One work").press_sequentially("qlor")
    expect(page.get_by_role("option").first).to_contain_text("QLoRA")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.get_by_label("One work")).to_have_value("QLoRA")
    page.get_by_label("The other").fill("LoRA")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("QLoRA and LoRA")
    expect(page.get_by_role("link", name="Open in GraphQL")).to_be_visible()
    assert visitor.complaints == []


def test_without_scripts_a_tree_has_the_same_links(browser: Browser, server_url: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{server_url}/lineage/entity/lora?maxDepth=1")
    works = page.locator("svg .node")
    before = works.count()
    page.locator("a.edge .hit").first.click()
    expect(page.locator("li:target")).to_be_in_viewport()
    page.locator("a.more").first.click()
    expect(works).not_to_have_count(before)
    page.get_by_label("Relation").select_option("IMPROVES_ON")
    page.get_by_role("button", name="Apply").click()
    page.wait_for_url("**relations=IMPROVES_ON**")
    context.close()


def test_its_picture_shows_a_family_tree_with_a_sentence(
    browser: Browser, server_url: str, tmp_path: Path
) -> None:
    """`make picture` keeps it."""
    context = browser.new_context(viewport=ViewportSize(width=1280, height=880))
    page = context.new_page()
    page.goto(f"{server_url}/lineage/entity/lora")
    edge = page.locator("a.edge").and_(page.get_by_role("link", name="GaLore improves on ReLoRA"))
    edge.dispatch_event("click")
    expect(page.locator("#panel .abstract mark").first).to_be_in_viewport()
    expect(page.locator("header")).to_be_in_viewport(ratio=1)
    expect(page.locator("svg.lineage")).to_be_in_viewport(ratio=1)
    page.locator("#panel").blur()
    path = Path(os.environ.get("STEMMA_PICTURE") or tmp_path / "family-tree.png")
    page.screenshot(path=path)
    assert path.stat().st_size > 30_000
    context.close()
