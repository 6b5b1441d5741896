"""Family trees in a real browser: by hand, by keys, and with their evidence."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from described import describe
from filled import put
from stemma.graph import open_store

TREE = "/lineage/entity/zero-infinity"
FUYOU = 'a[data-work="entity/fuyou"]:not(.more)'
EDGE = 'a.edge[data-child="entity/fuyou"][data-parent="entity/zero-infinity"]'
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
    page.evaluate("sessionStorage.clear()")
    yield page
    assert complaints == []


def drag(page: Page, work: Locator, dx: float, dy: float) -> None:
    """Move a work with the mouse, in units of the picture."""
    work.scroll_into_view_if_needed()
    box = work.bounding_box()
    width = work.locator("rect").get_attribute("width")
    assert box
    assert width
    scale = box["width"] / float(width)
    x, y = box["x"] + 20, box["y"] + 10
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + dx * scale / 2, y + dy * scale / 2)
    page.mouse.move(x + dx * scale, y + dy * scale)
    page.mouse.up()


def moved(work: Locator) -> list[int]:
    """Return how far a work is from where the picture puts it."""
    found: list[int] = work.evaluate(
        "each => [...each.getAttribute('transform').matchAll(/[-\\d]+/g)].map(Number)"
    )
    return found


def test_a_work_stays_where_it_is_dragged_and_undo_moves_it_back(page: Page) -> None:
    page.goto(TREE)
    work = page.locator(FUYOU)
    line = page.locator(f"{EDGE} .line")
    path = line.get_attribute("d")
    drag(page, work, 30, 60)
    assert moved(work) == [30, 60]
    assert line.get_attribute("d") != path
    expect(page.locator("#panel")).to_be_hidden()
    page.reload()
    expect(work).to_have_attribute("transform", "translate(30 60)")
    undo = page.get_by_role("button", name="Undo")
    expect(undo).to_be_disabled()
    drag(page, work, 10, 0)
    assert moved(work) == [40, 60]
    undo.click()
    expect(work).to_have_attribute("transform", "translate(30 60)")
    expect(undo).to_be_disabled()


def test_arrow_keys_lead_from_work_to_work_and_enter_opens_a_card(page: Page) -> None:
    page.goto(TREE)
    page.locator("div.canvas").focus()
    page.keyboard.press("ArrowRight")
    root = page.locator("a:has(.root)")
    expect(root).to_be_focused()
    page.keyboard.press("ArrowRight")
    later = page.locator("svg a:focus")
    expect(later).not_to_have_attribute("data-work", "entity/zero-infinity")
    page.keyboard.press("ArrowLeft")
    expect(root).to_be_focused()
    page.keyboard.press("Enter")
    card = page.get_by_role("complementary", name="Work")
    expect(card.get_by_role("link", name="Its page")).to_be_visible()
    expect(card.get_by_role("heading", name="What builds on ZeRO-Infinity")).to_be_visible()
    page.keyboard.press("Escape")
    expect(card).to_be_hidden()
    expect(root).to_be_focused()


def test_a_work_is_expanded_and_folded_in_place(page: Page) -> None:
    page.goto("/lineage/entity/lora?maxDepth=1")
    works = page.locator("svg .node")
    before = works.count()
    name = page.locator("a.more").first.get_attribute("data-work")
    work = page.locator(f'a[data-work="{name}"]:not(.more)')
    work.locator("rect").dblclick(position={"x": 20, "y": 8})
    expect(works).not_to_have_count(before)
    assert "expand=" in page.url
    after = works.count()
    work.focus()
    page.keyboard.press("e")  # Again: folds it.
    expect(works).to_have_count(before)
    page.locator("div.canvas").focus()
    page.keyboard.press("Backspace")
    expect(works).to_have_count(after)
    page.reload()
    expect(works).to_have_count(after)
    page.get_by_label("Confidence").select_option("0.9")
    page.wait_for_url("**minConfidence=0.9**")
    page.go_back()
    expect(works).to_have_count(after)


def test_years_and_legend_stay_in_sight_in_a_high_picture(page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 400})
    page.goto("/lineage/entity/zero?maxDepth=3&includeGeneral=true")
    canvas = page.locator("div.canvas")
    assert canvas.evaluate("each => each.scrollHeight - each.clientHeight") > 0
    # They take no room of their own.
    assert canvas.evaluate("each => each.scrollHeight - each.children[1].clientHeight") == 0
    frame = canvas.bounding_box()
    assert frame
    for top in (0, 10_000):
        canvas.evaluate("(each, top) => each.scrollTo(0, top)", top)
        for part, at in ((".years text >> nth=0", 0), (".explained .legend", 1)):
            box = page.locator(f"svg.strip{part}").bounding_box()
            assert box
            assert frame["y"] <= box["y"] < frame["y"] + frame["height"]
            assert (box["y"] - frame["y"] > frame["height"] / 2) == at
    page.get_by_role("button", name="Zoom in").click()
    label, column = (
        page.locator(each).first.bounding_box()
        for each in ("svg.lineage .axis + text", "svg.years text")
    )
    assert label
    assert column
    assert abs(label["x"] - column["x"]) < 1
    page.set_viewport_size({"width": 1280, "height": 720})


def test_another_view_keeps_the_focus_and_is_read_out(page: Page) -> None:
    page.goto("/lineage/entity/lora?maxDepth=1")
    steps = page.get_by_label("Steps")
    steps.focus()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("status")).to_contain_text("in up to 2 steps")
    expect(steps).to_be_focused()
    page.locator(".filters summary").click()
    technique = page.get_by_role("checkbox", name="technique")
    technique.check()
    expect(page.get_by_role("status")).to_contain_text("of other kinds or years not shown")
    expect(technique).to_be_focused()
    expect(page.get_by_role("checkbox", name="model")).to_be_visible()  # To choose several kinds.
    page.goto("/lineage/entity/lora?maxDepth=1")
    work = page.locator("a.more").first.get_attribute("data-work")
    page.locator(f'a[data-work="{work}"]:not(.more)').focus()
    page.keyboard.press("e")
    expect(page.get_by_role("status")).not_to_be_empty()
    expect(page.locator(f'a[data-work="{work}"]:not(.more)')).to_be_focused()


def test_of_two_views_asked_for_at_once_the_later_is_shown(page: Page) -> None:
    page.goto(TREE)
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**since=2024**", hold)
    page.get_by_label("From year").fill("2024")
    page.get_by_label("From year").press("Enter")
    page.wait_for_url("**since=2024**")
    page.go_back()  # Once: Enter changes the field and submits the form, but is one view.
    expect(page.get_by_label("From year")).to_have_value("")
    held[0].continue_()
    page.unroute("**since=2024**")
    page.evaluate("fetch('/health')")  # Whatever was on its way has arrived.
    page.get_by_label("Confidence").select_option("0.9")
    page.wait_for_url("**minConfidence=0.9**")
    assert "since=2024" not in page.url


def test_the_card_of_an_edge_has_the_abstract_with_the_sentence_marked(page: Page) -> None:
    page.goto(TREE)
    page.locator(EDGE).press("Enter")
    panel = page.get_by_role("complementary", name="Evidence")
    marked = panel.locator(".abstract mark", has_text="suffers from low")
    expect(marked.first).to_be_visible()
    expect(panel.locator(".abstract").first).not_to_have_text(marked.first.inner_text())
    expect(panel.get_by_text("improves on", exact=True).first).to_be_visible()
    expect(panel.get_by_text("found by").first).to_be_visible()


def test_on_a_phone_the_sentence_of_a_line_is_in_sight(page: Page) -> None:
    page.set_viewport_size({"width": 360, "height": 600})
    page.goto(f"{TREE}#entity/fuyou--entity/zero-infinity")
    expect(page.locator("#panel .abstract mark").first).to_be_in_viewport(ratio=0.9)
    expect(page.get_by_role("button", name="Close")).to_be_in_viewport(ratio=1)
    page.set_viewport_size({"width": 1280, "height": 720})


def test_filters_and_implied_edges_are_in_the_address(page: Page) -> None:
    page.goto(TREE)
    page.get_by_label("From year").fill("2024")
    page.get_by_label("From year").press("Enter")
    page.wait_for_url("**since=2024**")
    expect(page.locator(FUYOU)).to_be_visible()
    expect(page.locator('a[data-work="entity/zero-inference"]')).to_have_count(0)
    page.get_by_role("group", name="Kinds").locator("summary").click()
    page.get_by_label("dataset").check()
    page.wait_for_url("**kinds=dataset**")
    expect(page.locator(FUYOU)).to_have_count(0)
    page.get_by_role("link", name="show all").click()
    expect(page.locator('a[data-work="entity/zero-inference"]')).not_to_have_count(0)
    page.goto("/lineage/entity/lora?maxDepth=3")
    edges = page.locator("a.edge")
    before = edges.count()
    page.get_by_role("link", name="implied").click()
    expect(edges).not_to_have_count(before)
    assert "includeImplied=true" in page.url


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


def test_what_is_rejected_in_the_card_goes_from_the_picture(browser: Browser, own_url: str) -> None:
    context = browser.new_context(base_url=own_url)
    page = context.new_page()
    page.goto(TREE)
    edge = page.locator(EDGE)
    panel = page.get_by_role("complementary", name="Evidence")
    wrong = panel.get_by_role("button", name="Reject")
    edge.press("Enter")
    expect(wrong.first).to_be_visible()
    count = wrong.count()
    for number in range(1, count + 1):
        wrong.first.click()
        expect(panel.get_by_role("status")).to_contain_text(f"Decision {number}: reject “")
        expect(edge).to_have_count(0)  # The others compare the two.
        panel.get_by_role("link", name="Back to the evidence").click()
        expect(wrong).to_have_count(count - number)
    page.goto("/decisions")
    page.get_by_role("button", name="Undo 1").click()
    page.goto(TREE)
    expect(edge).to_have_count(1)
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
