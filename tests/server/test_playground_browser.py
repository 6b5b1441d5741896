"""The playground in a real browser that can reach nothing but the server."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect, sync_playwright

EXAMPLES = Path(__file__).parents[2] / "src" / "stemma" / "server" / "playground" / "examples"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
DESKTOP = ViewportSize(width=1400, height=900)
PHONE = ViewportSize(width=390, height=844)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    found = [os.environ.get("STEMMA_CHROMIUM"), *map(shutil.which, BROWSERS)]
    program = next(filter(None, found), None)
    if program is None:
        pytest.skip(f"no browser: none of {', '.join(BROWSERS)}, and STEMMA_CHROMIUM is not set")
    with sync_playwright() as started:
        # No name resolves: whatever the page wants from elsewhere, it cannot have.
        browser = started.chromium.launch(
            executable_path=program,
            args=[
                "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-quic",
                "--no-first-run",
            ],
        )
        yield browser
        browser.close()


@pytest.fixture
def visit(browser: Browser, server_url: str) -> Iterator["Visit"]:
    visit = Visit(browser, server_url)
    yield visit
    visit.end()


class Visit:
    """A first visit to the playground, and all that the browser complained of meanwhile."""

    def __init__(self, browser: Browser, server_url: str) -> None:
        self._browser = browser
        self._server_url = server_url.rstrip("/")
        self.complaints: list[str] = []
        self.strangers: list[str] = []

    def open(self, viewport: ViewportSize = DESKTOP, address: str = "/graphql") -> Page:
        self._context = self._browser.new_context(viewport=viewport)
        page = self._context.new_page()
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", lambda said: self._hear(said.type, said.text))
        page.on("requestfailed", lambda request: self.complaints.append(request.url))
        page.on("request", lambda request: self._meet(request.url))
        page.goto(self._server_url + address)
        expect(page.locator(".graphiql-query-editor .view-line").first).to_be_visible()
        return page

    def end(self) -> None:
        self._context.close()

    def _hear(self, kind: str, text: str) -> None:
        if kind in {"error", "warning"}:
            self.complaints.append(text)

    def _meet(self, address: str) -> None:
        if not address.startswith((self._server_url + "/", "blob:", "data:")):
            self.strangers.append(address)


def _query(page: Page) -> str:
    """The text in the query editor, which draws spaces as no-break spaces."""
    editor = page.locator(".graphiql-query-editor .view-lines")
    return editor.inner_text().replace("\N{NO-BREAK SPACE}", " ")


def _run(page: Page) -> None:
    page.locator(".graphiql-execute-button").click()


def test_it_opens_with_a_tab_for_each_example(visit: Visit) -> None:
    page = visit.open()
    expect(page.get_by_role("tab")).to_have_count(len(list(EXAMPLES.glob("*.graphql"))))
    assert 'lineage(of: "ZeRO-Infinity")' in _query(page)


def test_its_first_query_finds_fuyou(visit: Visit) -> None:
    page = visit.open()
    _run(page)
    expect(page.locator(".graphiql-response")).to_contain_text("Fuyou")


def test_every_example_is_answered_without_errors(visit: Visit) -> None:
    page = visit.open()
    for tab in page.get_by_role("tab").all():
        tab.click()
        # GraphiQL takes in which operation a tab holds a tenth of a second after it is chosen.
        page.wait_for_timeout(500)
        with page.expect_response("**/graphql") as answer:
            _run(page)
        body = answer.value.json()
        assert body.get("errors", []) == [], tab.inner_text()
        assert all(body["data"].values()), tab.inner_text()


def test_it_needs_nothing_from_elsewhere_and_its_policy_hinders_nothing(visit: Visit) -> None:
    page = visit.open()
    _run(page)
    expect(page.locator(".graphiql-response")).to_contain_text("Fuyou")
    assert visit.strangers == []
    assert visit.complaints == []


def test_it_completes_the_names_of_fields(visit: Visit) -> None:
    page = visit.open()
    page.locator(".graphiql-query-editor .view-lines").click()
    page.keyboard.press("ControlOrMeta+A")
    page.keyboard.type("{ statist", delay=50)
    suggestions = page.locator(".suggest-widget .monaco-list-row")
    expect(suggestions.first).to_contain_text("statistics", timeout=15_000)


def test_its_documentation_shows_the_schema(visit: Visit) -> None:
    page = visit.open()
    page.get_by_role("button", name="Show Documentation Explorer").click()
    expect(page.locator(".graphiql-plugin")).to_contain_text("LineageEdge")


def test_it_answers_below_the_query_on_a_phone(visit: Visit) -> None:
    page = visit.open(viewport=PHONE)
    _run(page)
    response = page.locator(".graphiql-response")
    expect(response).to_contain_text("{")
    query_box = page.locator(".graphiql-query-editor").bounding_box()
    response_box = response.bounding_box()
    assert query_box is not None
    assert response_box is not None
    assert response_box["y"] >= query_box["y"] + query_box["height"]
    assert response_box["x"] + response_box["width"] <= PHONE["width"]


def test_an_address_with_a_slash_at_its_end_leads_to_the_same_page(visit: Visit) -> None:
    page = visit.open(address="/graphql/")
    expect(page.get_by_role("tab").first).to_be_visible()
