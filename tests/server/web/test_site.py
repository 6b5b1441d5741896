"""`stemma export --site`: the explorer as files, behind a plain web server and without any."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape
from http.server import SimpleHTTPRequestHandler
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from command import refused, stemma
from described import describe
from filled import stored
from local_server import local_server
from stemma import Stemma
from stemma.server.web.static_site.site import MANIFEST
from watched import watched

PHONE = ViewportSize(width=390, height=844)


def write(store: str, folder: Path, *options: str) -> str:
    done = stemma("export", "--site", "--store", store, "-o", str(folder), *options)
    assert done.returncode == 0, done.stderr
    return done.stderr


@pytest.fixture(scope="module")
def site(example_store, tmp_path_factory) -> Path:
    """The site of the examples, below a path, as on the pages of a project."""
    folder = tmp_path_factory.mktemp("web") / "some" / "where"
    folder.parent.mkdir()
    said = write(example_store, folder)
    files = [each for each in folder.rglob("*") if each.is_file()]
    megabytes = sum(each.stat().st_size for each in files) / 1e6
    assert f"{len(files):,} files, {megabytes:,.1f} MB" in said
    return folder


@pytest.fixture(scope="module")
def few(tmp_path_factory) -> str:
    """The path of a store with two papers, of which a site is soon written."""
    quill = describe("Quill", "We present Quill.", "model Quill: INTRODUCES")
    ink = describe("Ink", "We present Ink, like Quill.", "model Ink: INTRODUCES",
                   "model Quill: BUILDS_ON")  # fmt: skip
    return stored(tmp_path_factory.mktemp("few"), quill, ink)


@contextmanager
def hosted(folder: Path) -> Iterator[str]:
    """Serve the files of a folder as any web server does, and give its URL."""

    class Files(SimpleHTTPRequestHandler):
        def __init__(self, *request: Any) -> None:
            super().__init__(*request, directory=folder)

    with local_server(Files, None) as url:
        yield f"{url}/"


@pytest.fixture(
    scope="module", params=[pytest.param("web server", marks=pytest.mark.long), "files"]
)
def home(site, request) -> Iterator[str]:
    """The address of the front page."""
    if request.param == "files":
        yield f"{site.as_uri()}/index.html"
    else:
        with hosted(site.parents[1]) as url:
            yield f"{url}some/where/"


@pytest.fixture(scope="module")
def tab(browser, home) -> Iterator[tuple[Page, list[str]]]:
    """A tab, and what the browser complains of in it."""
    page = browser.new_context(viewport=PHONE).new_page()
    yield page, watched(page, home.partition("some/where")[0])
    page.context.close()


@pytest.fixture
def page(tab, home) -> Iterator[Page]:
    """The front page in a browser, which in the end had nothing to complain of."""
    page, complaints = tab
    page.goto(home)
    yield page
    assert complaints == []


def search_for(page: Page, typed: str) -> list[str]:
    """Return the names that are suggested for what is typed."""
    options = page.get_by_role("option")
    page.get_by_role("combobox").fill("")
    expect(options).to_have_count(0)
    page.get_by_role("combobox").fill(typed)
    expect(options.first).to_be_visible()
    return options.locator("b").all_text_contents()


def test_one_goes_from_the_box_to_the_family_tree_and_its_sentences(page):
    assert search_for(page, "zero-inf")[0] == "ZeRO-Infinity"
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("ZeRO-Infinity")
    page.get_by_role("link", name="with the sentences").click()
    expect(page.locator("h1")).to_have_text("Family tree of ZeRO-Infinity")
    badge = page.locator("svg.tall a.more").first
    assert (badge.get_attribute("href") or "").endswith(".html"), "the tree of its work"
    edge = page.locator("svg.tall a.edge").and_(page.get_by_role("link", name="Fuyou")).last
    edge.dispatch_event("click")
    card = page.locator("li:target")
    expect(card).to_contain_text("suffers from low GPU utilization")
    card.get_by_role("link", name="Adding NVMe SSDs").first.click()
    expect(page.locator("mark", has_text="suffers from low GPU")).to_be_in_viewport()


def test_it_finds_names_aliases_and_titles_in_spite_of_typos(page):
    title = "Adding NVMe SSDs to Enable and Accelerate 100B Model Fine-tuning"
    for typed, expected in (
        ("Zero Redundancy Opt", "ZeRO"),
        ("flahsattention", "FlashAttention"),
        ("Adding NVMe SSDs", title),
        ("100b fine-tuning", title),
    ):
        assert search_for(page, typed)[0].startswith(expected), typed


def test_what_is_sent_is_answered_by_a_page_of_results(page):
    page.get_by_role("combobox").fill("attention")
    page.get_by_role("button", name="Find").click()
    expect(page.locator("h1")).to_have_text("Results for “attention”")
    expect(page.locator("#found li").nth(5)).to_be_visible()
    page.get_by_role("combobox").fill("qwrtzp")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status")).to_contain_text("No results.")


# Its files.


def attributes(page: str, names: str) -> set[str]:
    """The values of attributes whose names match."""
    return set(map(unescape, re.findall(rf'\s(?:{names})="([^"]*)"', page)))


def test_each_work_has_a_page_and_every_link_leads_to_a_file(site, example_store):
    pages = {file: file.read_text("utf-8") for file in site.rglob("*.html")}
    ids = {file: attributes(page, "id") for file, page in pages.items()}
    checked = 0
    for file, page in pages.items():
        for link in attributes(page, "href|src|action"):
            parts = urlsplit(link)
            if parts.scheme in ("http", "https"):
                continue
            assert not parts.path.startswith("/"), f"{file}: {link}"
            target = (file.parent / unquote(parts.path)).resolve() if parts.path else file
            assert target.is_file(), f"{file}: {link}"
            if parts.fragment and target in pages:
                assert unquote(parts.fragment) in ids[target], f"{file}: {link}"
            checked += 1
    assert checked > 5000
    with Stemma(example_store) as graph:
        counts = graph.statistics()
        assert len([*site.glob("page/[ep]*/*.html")]) == counts.papers + counts.entities
    for name in ("index.html", "lineage/entity/lora.html", "page/entity/lora.html"):
        for word in ("GraphQL", "SPARQL", "Turtle", "playground", '<form class="filters"'):
            assert word not in pages[site / name], "it needs a server"


@pytest.mark.parametrize("papers", ["few", pytest.param("example_store", marks=pytest.mark.long)])
def test_the_same_store_gives_the_same_site(papers, tmp_path, request):
    sites = [tmp_path / "one", tmp_path / "other"]
    for each in sites:
        write(request.getfixturevalue(papers), each)
    one, other = (
        {file.relative_to(site): file.read_bytes() for file in site.rglob("*") if file.is_file()}
        for site in sites
    )
    assert one == other


def test_only_a_site_is_replaced_and_only_by_force(few, tmp_path):
    mine, folder = tmp_path / "mine", tmp_path / "site"
    mine.mkdir()
    (mine / "thesis.txt").write_text("years of work")
    write(few, folder)
    for options in ([str(mine)], [str(mine), "--force"], [str(folder)]):
        assert "already exists" in refused("export", "--site", "--store", few, "-o", *options)
    assert (mine / "thesis.txt").read_text() == "years of work"
    (folder / "index.html").unlink()
    write(few, folder, "--force")
    assert (folder / "index.html").is_file()
    assert sorted(each.name for each in tmp_path.iterdir()) == ["mine", "site"]


def test_an_interrupted_run_leaves_nothing_and_keeps_the_site_before(few, tmp_path, monkeypatch):
    folder = tmp_path / "site"
    write(few, folder)
    before = (folder / MANIFEST).read_bytes()

    def interrupt(_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("stemma.server.web.static_site.site._found", interrupt)
    for options in (["--force"], []):
        target = folder if options else tmp_path / "other"
        done = stemma("export", "--site", "--store", few, "-o", str(target), *options)
        assert done.returncode != 0
    assert (folder / MANIFEST).read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == ["site"]


def test_titles_with_markup_in_them_stay_text(browser, tmp_path):
    title = '<img src=x onerror="document.title=1"> </script>bold "quoted"'
    paper = describe(title, "We present Kettle.", "model Kettle: INTRODUCES")
    write(stored(tmp_path, paper), tmp_path / "site")
    page = browser.new_page()
    page.goto((tmp_path / "site" / "index.html").as_uri())
    assert search_for(page, "bold quoted")[0] == title
    page.get_by_role("option").first.click()
    expect(page.locator("h1")).to_have_text(title)
    assert page.title().startswith(title)
    page.close()
