"""The playground in a real browser that can reach nothing but the server."""

import os
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from watched import watched

EXAMPLES = Path(__file__).parents[2] / "src" / "stemma" / "server" / "graphql" / "examples"
DESKTOP = ViewportSize(width=1400, height=900)


@pytest.fixture
def visit(browser, server_url) -> Iterator[Callable[..., tuple[Page, list[str]]]]:
    """Visit the playground for the first time; the list grows by what the browser complains of."""
    with ExitStack() as open_:

        def visit(address: str = "/graphql") -> tuple[Page, list[str]]:
            context = browser.new_context(base_url=server_url, viewport=DESKTOP)
            page = open_.enter_context(context).new_page()
            complaints = watched(page, f"{server_url}/")
            page.goto(address)
            expect(page.locator(".graphiql-query-editor .view-line").first).to_be_visible()
            return page, complaints

        yield visit


def _expect_query(page: Page, text: str) -> None:
    """Wait until the query editor, which draws spaces as no-break spaces, has a text."""
    words = (re.escape(word) for word in text.split(" "))
    editor = page.locator(".graphiql-query-editor .view-lines")
    expect(editor).to_contain_text(re.compile(r"\s".join(words)))


def _expect_stored(page: Page, text: str) -> None:
    """Wait until the stored tabs have a text: GraphiQL stores them a while after they change."""
    page.wait_for_function(
        "text => (localStorage['stemma:graphiql:tabState'] || '').includes(text)", arg=text
    )


def test_it_opens_with_the_query_of_the_page_that_leads_there(visit):
    query, variables = "query Mine($id: ID!) { node(id: $id) { id } }", '{"id": "entity/lora"}'
    link = f"/graphql#query={quote(query)}&variables={quote(variables)}"
    page, _ = visit(address=link)
    expect(page.get_by_role("tab")).to_have_count(1)
    _expect_query(page, query)
    _expect_stored(page, "Mine")
    page.goto("/page/entity/zero-infinity")
    page.get_by_role("link", name="Open in GraphQL").click()
    expect(page.get_by_role("tab")).to_have_count(2)
    expect(page.get_by_role("tab", selected=True)).to_contain_text("Entity")
    page.locator(".graphiql-execute-button").click()
    expect(page.locator(".graphiql-response")).to_contain_text("introducedBy")
    _expect_stored(page, "zero-infinity")
    page.reload()
    expect(page.get_by_role("tab")).to_have_count(2)
    expect(page).to_have_url(re.compile("zero-infinity"))
    page.goto(link)
    _expect_query(page, query)
    expect(page.locator(".graphiql-editor-tool .view-line").first).to_contain_text("entity/lora")


def _expect_nothing_cut(page: Page) -> None:
    page.wait_for_function(  # The editor draws its lines again once it has its settings.
        """() => {
            const button = document.querySelector('.graphiql-execute-button');
            const limit = button.getBoundingClientRect().left;
            const lines = document.querySelectorAll('.graphiql-query-editor .view-line > span');
            return lines.length > 9 && [...lines].every(
                (each) => each.getBoundingClientRect().right <= limit);
        }"""
    )


def test_keys_run_the_query_of_the_picture_and_each_example_is_in_the_menu(visit):
    """`make picture` keeps the picture."""
    page, complaints = visit()
    expect(page.get_by_role("tab")).to_have_count(1)
    _expect_query(page, 'lineage(of: "ZeRO-Infinity")')
    _expect_nothing_cut(page)
    page.keyboard.press("ControlOrMeta+Enter")
    expect(page.locator(".graphiql-response")).to_contain_text("Fuyou")
    assert complaints == [], "it needs nothing from elsewhere"
    if picture := os.environ.get("STEMMA_PICTURE"):
        page.screenshot(path=picture)
    page.get_by_role("button", name="Examples").click()
    expect(page.get_by_role("menuitem")).to_have_count(len(list(EXAMPLES.glob("*.graphql"))))
    # A menu takes keys only once it has the focus.
    expect(page.get_by_role("menu")).to_be_focused()
    page.keyboard.type("How is Fuyou")
    expect(page.get_by_role("menuitem", name="How is Fuyou")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("tab", selected=True)).to_contain_text("Path")
    page.keyboard.press("ControlOrMeta+Enter")
    expect(page.locator(".graphiql-response")).to_contain_text("IMPROVES_ON")
    page.locator(".graphiql-query-editor .view-lines").click()
    page.keyboard.press("ControlOrMeta+A")
    page.keyboard.type("{ statist", delay=50)
    suggestions = page.locator(".suggest-widget .monaco-list-row")
    expect(suggestions.first).to_contain_text("statistics")
    page.get_by_role("link", name="Stemma").click()
    expect(page.get_by_role("combobox")).to_be_visible()
