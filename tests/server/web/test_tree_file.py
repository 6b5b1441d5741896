"""`stemma lineage` writes family trees as files, which a browser opens without a server."""

import re
from pathlib import Path
from xml.etree import ElementTree

from playwright.sync_api import Browser, Page, expect

from command import refused, stemma
from watched import watched

SVG = "{http://www.w3.org/2000/svg}"


def written(store: str, file: Path, *options: str) -> str:
    """Write the family tree of ZeRO-Infinity, and return what is said of it."""
    done = stemma("lineage", "zero infinity", "--store", store, "-o", str(file), *options)
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""
    return done.stderr


def opened(browser: Browser, file: Path) -> tuple[Page, list[str]]:
    """Open a file; the list grows by what the browser complains of, and what it asks for."""
    page = browser.new_context().new_page()
    noticed = watched(page, file.as_uri())
    page.goto(file.as_uri())
    return page, noticed


def test_a_picture_has_all_works(example_store, tmp_path):
    said = written(example_store, tmp_path / "tree.svg", "--direction", "both")
    works = int(said.partition(" works with ")[0].split()[-1])
    root = ElementTree.fromstring((tmp_path / "tree.svg").read_text())
    drawn = [each for each in root.iter(f"{SVG}g") if "node" in each.get("class", "")]
    assert len(drawn) == works + 1


def test_a_page_in_one_file_shows_the_sentence_behind_a_line(example_store, tmp_path, browser):
    file = tmp_path / "tree.html"
    written(example_store, file, "--direction", "both")
    page, noticed = opened(browser, file)
    page.locator("svg:not(.tall) a.edge").and_(
        page.get_by_role("link", name="Fuyou")
    ).last.dispatch_event("click")
    expect(page.locator("li:target")).to_contain_text("suffers from low GPU utilization")
    page.locator("svg:not(.tall) a[data-work='entity/fuyou']").dispatch_event("click")
    expect(page.locator("#chosen")).to_contain_text("Fuyou")
    assert noticed == []
    addresses = page.evaluate(
        "[...document.querySelectorAll('[href], [src], [action]')].map((each) =>"
        " each.getAttribute('href') ?? each.getAttribute('src') ?? each.getAttribute('action'))"
    )
    assert addresses and all(re.match("#|data:|https?://", each) for each in addresses)


def test_a_file_is_replaced_only_by_force(example_store, tmp_path):
    file = tmp_path / "tree.svg"
    file.write_text("mine")
    assert "--force" in refused("lineage", "LoRA", "--store", example_store, "-o", str(file))
    assert file.read_text() == "mine"
    written(example_store, file, "--force")
    assert file.read_text().startswith("<svg")


def test_what_is_not_drawn_is_counted(example_store, tmp_path):
    said = written(example_store, tmp_path / "tree.svg", "--first", "1")
    assert "1 work with 1 edge drawn; not drawn: 2 more (--first)" in said
