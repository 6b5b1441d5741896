"""Every page by axe-core's rules and by the keyboard: light on a desk, dark on a phone."""

from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, ViewportSize, expect

FUYOU = "paper/adding-nvme-ssds-to-enable-and-accelerate-100b-model-fine-tuning-on-a-single-gpu"
PAGES = [
    *("/", "/page?q=what builds on LoRA since 2023", "/page/entity/zero-infinity"),
    *(
        f"/page/{FUYOU}",
        "/lineage/entity/zero-infinity",
        "/compare?left=LoRA&right=QLoRA",
        "/papers",
    ),
    "/evidence?child=entity/fuyou&parent=entity/zero-infinity",
    "/sparql?query=SELECT * { ?child stemma:buildsOn ?parent } LIMIT 5",
]
"""One of each kind."""
MORE_PAGES = [
    *("/help", "/entities", "/page?q=flash", "/page?q=qwrtzp", "/page/entity/gpu", "/developers"),
    *("/lineage/entity/lora", "/compare", "/papers?entity=LoRA", "/changes"),
]
DESK, PHONE = ViewportSize(width=1280, height=800), ViewportSize(width=390, height=844)
SERIOUS = ("serious", "critical")
OPTIONS = {"resultTypes": ["violations"]}


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport=DESK)
    yield context.new_page()
    context.close()


def found_by_axe(page: Page) -> list[str]:
    """Return what keeps people from using a page: rule, element and reason."""
    violations = Axe().run(page, options=OPTIONS).response["violations"]
    return [
        f"{page.url}: {each['id']} ({each['impact']}): {node['target']} {node['failureSummary']}"
        for each in violations
        if each["impact"] in SERIOUS
        for node in each["nodes"][:3]
    ]


@pytest.mark.parametrize("is_phone", [False, pytest.param(True, marks=pytest.mark.long)])
@pytest.mark.parametrize(
    "addresses", [PAGES, pytest.param(MORE_PAGES, marks=pytest.mark.long)], ids=["kinds", "more"]
)
def test_no_page_keeps_people_out(page, server_url, addresses, is_phone):
    """Neither by day on a desk, nor by night on a phone."""
    if is_phone:
        page.emulate_media(color_scheme="dark")
        page.set_viewport_size(PHONE)
    found = []
    for address in addresses:
        page.goto(server_url + address)
        if "?query" in address:
            expect(page.locator("#result table")).to_be_visible()
        found += found_by_axe(page)
    page.goto(f"{server_url}/")
    page.get_by_role("combobox").fill("zero")
    expect(page.get_by_role("option").first).to_be_visible()
    page.keyboard.press("ArrowDown")
    found += found_by_axe(page)
    assert not found, "\n".join(found)


def test_the_keyboard_alone_leads_from_the_box_to_a_sentence_and_back(page, server_url):
    page.goto(server_url)
    expect(page.get_by_role("combobox")).to_be_focused()
    page.keyboard.type("LoRA")
    expect(page.get_by_role("option").first).to_contain_text("LoRA")
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


def test_the_keyboard_skips_the_menu_and_the_picture(page, server_url):
    page.goto(f"{server_url}/lineage/entity/lora")
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
