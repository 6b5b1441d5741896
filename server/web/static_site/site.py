"""A static site: the explorer over a store as files, which any web host serves."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from urllib.parse import SplitResult, parse_qs, urlencode

from stemma import __version__
from stemma.graph import PageOrder, Reader, Work, WorkType, kind_of
from stemma.graph.export.destination import new_folder
from stemma.graph.reader import pages_of
from stemma.schema import Paper
from stemma.server.web import pages
from stemma.server.web.explorer.endpoint import front_page
from stemma.server.web.explorer.tree_page import tree_page
from stemma.server.web.linked_data.endpoint import page_of_thing
from stemma.server.web.pages import Medium
from stemma.server.web.static_site.unserved import relinked, unserved

MANIFEST = "stemma-site.json"
"""A file that each site has: it says what is there, and that the folder may be replaced."""
_OWN_ASSETS = Path(__file__).parent / "assets"
_BATCH = 1000
_INDEX = "search/index.js"
"""What the search knows of works; a script, as browsers let pages that are files load no data."""
_NOTE = 60


@dataclass(slots=True)
class Site:
    """Writes pages, and those that they lead to; and counts pages, family trees among them, files
    and bytes."""

    reader: Reader
    folder: Path
    pages: int = 0
    trees: int = 0
    files: int = 0
    bytes: int = 0
    largest: int = 0
    seconds: float = 0.0
    assets: set[str] = field(default_factory=set)
    waiting: list[str] = field(default_factory=list)
    known: set[str] = field(default_factory=set)

    def write(self, name: str, text: str) -> None:
        """Write a file."""
        data = text.encode(errors="replace")
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        self.files += 1
        self.bytes += len(data)
        self.largest = max(self.largest, len(data))

    def write_page(self, file: str, html: str) -> None:
        """Write a page of the server, with links that lead within the site."""
        up = "../" * file.count("/")

        def lead(top: str, local: str, address: SplitResult) -> str | None:
            found = self._place(top, local, address)
            return None if found is None else up + found

        self.write(file, relinked(html, lead))
        self.pages += 1

    def write_found(self) -> None:
        """Write the pages that lead from those written, and so on."""
        while self.waiting:
            file = self.waiting.pop()
            top, _, local = file.removesuffix(".html").partition("/")
            self.trees += top == "lineage"
            handle = tree_page if top == "lineage" else page_of_thing
            self.write_page(file, unserved(handle, self.reader, local, Medium.SITE))

    def want(self, top: str, local: str) -> str:
        """Request a page or a tree of an id, unless it was written already; return its place."""
        file = f"{top}/{local}.html"
        if file not in self.known:
            self.known.add(file)
            self.waiting.append(file)
        return file

    def _place(self, top: str, local: str, address: SplitResult) -> str | None:
        """Return where in the site an address of the server leads."""
        query = parse_qs(address.query)
        match top:
            case "assets":
                self.assets.add(local)
                return f"assets/{local}"
            case "" if not local:
                return "index.html"
            case "page" if not local:
                asked = query.get("q")
                return f"search.html?{urlencode({'q': asked[0]})}" if asked else "search.html"
            case "page" | "id" if not query:
                fragment = f"#{address.fragment}" if address.fragment else ""
                return self.want("page", local) + fragment
            case "lineage" if not local.endswith((".svg", ".csv", ".json")):
                # Where the server adds neighbours to a picture, the work has a picture of its own.
                return self.want("lineage", query.get("expand", [local])[-1])
        return None


def write_site(
    reader: Reader,
    folder: Path,
    tick: Callable[[int, int | None], None],
    replace: bool = False,
) -> Site:
    """Write the site of a graph to a folder, which appears when it is complete.

    Raises FileExistsError where there is something else than a site that is to `replace`.
    """
    begun = monotonic()
    with new_folder(folder, MANIFEST if replace else None) as part:
        site = Site(reader, part)
        found = list[list[str]]()
        with pages.rendered_for(Medium.SITE):
            front = pages.render("front.html", **front_page(reader))
            search = pages.render("search.html")
        site.write_page("index.html", front)
        site.write_page("search.html", search)
        statistics = reader.statistics()
        works = statistics.papers + statistics.entities
        for done, work in enumerate(_works(reader)):
            found.append(_found(work))
            site.want("page", work.id)
            site.write_found()
            tick(done + 1, works)
        site.write(_INDEX, f"stemmaSearch.loaded({json.dumps(found, ensure_ascii=False)});\n")
        for name in sorted(site.assets):
            site.write(f"assets/{name}", _asset(name))
        facts = {"stemma": __version__, "generation": statistics.generation, "pages": site.pages}
        site.write(MANIFEST, json.dumps(facts) + "\n")
    site.seconds = monotonic() - begun
    return site


def _works(reader: Reader) -> Iterator[Work]:
    """Yield all works: entities that most papers name first, then papers, the newest first."""
    for type_, order in ((WorkType.ENTITY, PageOrder.PAPERS), (WorkType.PAPER, PageOrder.NEWEST)):
        for works in pages_of(reader, type_, _BATCH, order):
            yield from works


def _found(work: Work) -> list[str]:
    """Return what the search shows of a work, its kind and a note, its id and then its names."""
    aliases = () if isinstance(work, Paper) else work.aliases
    note = str(work.published or "") if isinstance(work, Paper) else ", ".join(aliases[:3])
    shown = note if len(note) <= _NOTE else f"{note[: _NOTE - 1]}…"
    return [kind_of(work), shown, work.id, work.name, *aliases]


def _asset(name: str) -> str:
    """Return an asset; a script keeps its names to itself, as a module would."""
    own = _OWN_ASSETS / name
    text = (own if own.is_file() else pages.ASSETS / name).read_text("utf-8")
    return f"(() => {{\n{text}}})();\n" if name.endswith(".js") else text
