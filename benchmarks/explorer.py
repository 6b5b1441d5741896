"""How fast the explorer is in a browser: the front page, the tree of the largest hub, the scripts.

Pages are opened in headless Chromium, which the tests use as well, from ``stemma serve``. "First
view" is the first contentful paint, counted from the first byte of the answer; the median of some
rounds, each without a cache. Scripts are those that a page loads, compressed as the server sends
them.

Without STORE, it is a generated one: a work with 1,000 descendants and 10,000 edges among them.

Usage: python benchmarks/explorer.py [STORE] [--rounds N]
"""

import argparse
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import TypeVar

import figures
from playwright.sync_api import Browser, Page, sync_playwright

from stemma.graph import open_store
from stemma.schema import (
    EntityKind,
    Evidence,
    Extraction,
    Field,
    FoundEntity,
    FoundRelation,
    Mention,
    Paper,
    RelationType,
    Source,
    interchange,
)
from stemma.server.build import load
from stemma.server.web.explorer.endpoint import front_page
from stemma.server.web.explorer.family_tree import MOST

sys.path.append(str(Path(__file__).parents[1] / "tests" / "support"))
from service import serving

_BROWSERS = ("chromium", "chromium-browser", "google-chrome")
_TIMES = """() => {
  const [page] = performance.getEntriesByType("navigation");
  const [paint] = performance.getEntriesByName("first-contentful-paint");
  const loaded = performance.getEntriesByType("resource");
  const scripts = loaded.filter((each) => each.initiatorType === "script");
  return {
    waited: page.responseStart - page.requestStart,
    view: paint.startTime - page.responseStart,
    ready: page.domComplete - page.responseStart,
    bytes: page.encodedBodySize,
    scripts: scripts.reduce((sum, each) => sum + each.encodedBodySize, 0),
  };
}"""
_PAINTED = """async () => {
  const painted = () => performance.getEntriesByName("first-contentful-paint").length;
  while (!painted()) await new Promise(requestAnimationFrame);
}"""
_WORKS = 1000
_DIVISORS = (2, 3, 5, 7, 11, 13, 17, 19, 23)
Result = TypeVar("Result")


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("store", nargs="?")
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="stemma-explorer-") as folder:
        store = arguments.store or _generated(Path(folder))
        _measure(store, arguments.rounds)


def _measure(path: str, rounds: int) -> None:
    with open_store(path) as store, store.snapshot() as reader:
        statistics = reader.statistics()
        hub, _ = front_page(reader)["built_upon"][0]
    print(f"{statistics.papers:,} papers, {statistics.entities:,} entities")
    print(f"{'':34}{'wait ms':>9}{'view ms':>9}{'ready ms':>9}{'page kB':>9}{'scripts kB':>12}")
    pages = {
        "front page": "/",
        f"page of {hub.name}": f"/page/{hub.id}",
        f"tree of {hub.name}, by default": f"/lineage/{hub.id}",
        f"tree of {hub.name}, {MOST} works": f"/lineage/{hub.id}?first={MOST}",
    }
    with serving(path) as service, sync_playwright() as started:
        browser = started.chromium.launch(executable_path=_program())
        for name, address in pages.items():
            opened = [_opened(browser, service.url + address, _times) for _ in range(rounds)]
            middle = {each: median(one[each] for one in opened) for each in opened[0]}
            _tell(name, middle)
            figures.keep(f"explorer, first view: {name}", middle["view"], "ms")
        browser.close()


def _generated(folder: Path) -> str:
    """Write a store with a hub: each paper introduces a work that builds on it and on others."""
    file, path = folder / "hub.jsonl", str(folder / "hub.db")
    file.write_text("".join(f"{interchange.dump(_child(n))}\n" for n in range(_WORKS)), "utf-8")
    with open_store(path) as store:
        load(store, [file])
    return path


def _child(number: int) -> Extraction:
    earlier = {number // each for each in _DIVISORS} & set(range(number))
    parents = ["Quill", *(f"Feather-{each}x" for each in sorted(earlier))]
    own = f"Feather-{number}x"
    abstract = f"We present {own}, which builds on {', '.join(parents)}."
    evidence = (Evidence(abstract, Field.ABSTRACT, 0, len(abstract)),)
    found = []
    for each in (own, *parents):
        start = abstract.index(each)
        mention = Mention(each, Field.ABSTRACT, start, start + len(each))
        found.append(FoundEntity(each, EntityKind.FRAMEWORK, None, (mention,)))
    relations = [FoundRelation(RelationType.INTRODUCES, own, 0.9, evidence, "generated/1")]
    for each in parents:
        sure = 0.4 + number * 37 % 60 / 100
        relations.append(FoundRelation(RelationType.BUILDS_ON, each, sure, evidence, "generated/1"))
    source = Source("generated", "0" * 64, number + 1, str(2011 + number * 15 // _WORKS))
    paper = Paper(f"paper/feather-{number}", f"Feather {number}", abstract, sources=(source,))
    return Extraction(paper, tuple(found), tuple(relations))


def _program() -> str:
    found = [os.environ.get("STEMMA_CHROMIUM"), *map(shutil.which, _BROWSERS)]
    program = next(filter(None, found), None)
    if program is None:
        raise SystemExit(f"no browser: none of {', '.join(_BROWSERS)}, and no STEMMA_CHROMIUM")
    return program


def _opened(browser: Browser, address: str, ask: Callable[[Page], Result]) -> Result:
    """Open a page with nothing cached, and ask it something."""
    context = browser.new_context()
    page = context.new_page()
    page.set_default_timeout(120_000)
    page.goto(address, wait_until="load")
    page.evaluate(_PAINTED)
    try:
        return ask(page)
    finally:
        context.close()


def _times(page: Page) -> dict[str, float]:
    found: dict[str, float] = page.evaluate(_TIMES)
    return found


def _tell(name: str, middle: dict[str, float]) -> None:
    print(
        f"{name[:33]:34}{middle['waited']:9.0f}{middle['view']:9.0f}{middle['ready']:9.0f}"
        f"{middle['bytes'] / 1000:9.1f}{middle['scripts'] / 1000:12.1f}",
        flush=True,
    )


if __name__ == "__main__":
    main()
