"""A hook of MkDocs: the site is laid out like the repository, so that one link works in both.

README.md, CONTRIBUTING.md, CHANGELOG.md and the README.md of two folders become pages beside those
of docs/. Every other file of the repository that a page links to is published with them. Links to
folders, which only the host of a repository can show, become plain text.
"""

import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[1]
PAGES = ("*.md", "examples/README.md", "training/README.md", "docs/*.md")
_LINK = re.compile(r"\[(?P<text>[^\]]+)\]\((?!\w+:|#)(?P<target>[^)\s#]+)[^)]*\)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Replace the files of docs/ by the pages of the repository and what they link to."""
    pages = [page for pattern in PAGES for page in sorted(ROOT.glob(pattern))]
    linked = {target for page in pages for target in _linked(page) if target.is_file()}
    theme = [file for file in files if file.src_dir != config.docs_dir]
    published = [*pages, *sorted(linked - set(pages))]
    return Files([*theme, *(_file(path, config) for path in published)])


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Replace links to folders by their text."""
    here = ROOT / Path(page.file.src_uri).parent

    def shown(link: re.Match[str]) -> str:
        return link["text"] if (here / link["target"]).is_dir() else link[0]

    return _LINK.sub(shown, markdown)


def _linked(page: Path) -> list[Path]:
    links = _LINK.finditer(page.read_text("utf-8"))
    return [(page.parent / link["target"]).resolve() for link in links]


def _file(path: Path, config: MkDocsConfig) -> File:
    name = path.relative_to(ROOT).as_posix()
    return File(name, str(ROOT), config.site_dir, config.use_directory_urls)
