"""Projects of LaTeX source: which main files of a folder or an archive are papers.

Beside a paper lie other main files: its supplement, an older version, the example that comes with
the class of a conference. And the PDFs beside it are its figures, or what was made of it.
"""

import posixpath
import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

from stemma.extract.formats.archive import Member
from stemma.extract.formats.compression import DamagedError
from stemma.extract.formats.latex_source import (
    ENDINGS,
    LatexReader,
    Source,
    Texts,
    is_main,
    read_source,
)
from stemma.extract.formats.lines import start, whole_text
from stemma.extract.formats.paper_text import LONGEST_TITLE
from stemma.extract.formats.reader import Options
from stemma.schema.identifier import paper_id
from stemma.schema.paper import Paper
from stemma.schema.problem import Problem

_EXAMPLE = re.compile(
    r"\b(?:formatting|author|submission)s?\b.*\b(?:instructions|guidelines|submissions)\b|"
    r"\bguidelines for\b.*\b(?:author|paper|submission)|\bspecimen\b|"
    r"\btitle of (?:the |your )?\w+$|"
    r"\binstructions (?:for|to)\b.*\b(?:papers?|authors?|submissions?|proceedings|camera)\b|"
    r"\bbare (?:advanced )?demo of\b|\b(?:paper|article|contribution|manuscript|your) title\b|"
    r"\b(?:insert|enter) your\b|\bpreparation of papers\b|\bsample (?:paper|document|article)\b|"
    r"\b(?:latex|document class|paper|article|manuscript) (?:template|example)\b|"
    r"\bthe name of the title\b|\.(?:cls|sty)\b",
    re.I,
)
"""Titles of the examples that come with document classes."""
_SUPPLEMENT = re.compile(
    r"^\W*(?:(?:online )?supplement|appendi|supporting (?:information|material)|rebuttal|"
    r"(?:author |our )?responses? to |cover letter)|"
    r"\b(?:supplement(?:ary|al)? (?:materials?|information|document)|supplement|appendix)\W*$",
    re.I,
)
_HELD = (*ENDINGS, "pdf", "txt")
"""Files that are no papers beside LaTeX source."""
_MOST = 64 << 20
"""Bytes of such files that are held of an archive; files beyond are read each by itself."""


class Main(NamedTuple):
    """What is known of a main file, before it is read as a paper."""

    name: str
    title: str
    has_abstract: bool
    size: int
    """Characters, with the files that it inputs."""


def front(name: str, source: Source) -> Main:
    """Return what the source of a main file says about whether it is a paper."""
    return Main(name, source.title()[:LONGEST_TITLE], bool(source.abstract()), len(source.text))


def papers_of(mains: Iterable[Main]) -> list[str]:
    """Return the names of the main files that are papers; of versions of one paper, the longest.

    If all of them look like examples or supplements, they are what somebody wants to be read.
    """
    left = sorted(mains)
    for wanted in (
        lambda main: main.title,
        lambda main: not _EXAMPLE.search(main.title),
        lambda main: not _SUPPLEMENT.search(main.title),
        lambda main: main.has_abstract,
    ):
        left = [*filter(wanted, left)] or left
    versions: dict[str, Main] = {}
    for main in left:
        paper = paper_id(main.title) if main.title else main.name
        if main.size > versions.setdefault(paper, main).size:
            versions[paper] = main
    return [main.name for main in versions.values()]


class LatexArchive:
    """The files of LaTeX source in an archive, held until all of them are known."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._files: dict[str, Member] = {}
        self._left = _MOST
        self._wanted = options.reader in (None, LatexReader.name)

    def take(self, member: Member) -> bool:
        """Keep a file if it may be a part of a paper's source, and return whether it is kept."""
        if not self._wanted or member.format not in _HELD:
            return False
        try:
            size = member.hold(self._left)
        except DamagedError:
            return False
        if size is None:
            return False
        self._left -= size
        self._files[member.path.as_posix()] = member
        return True

    def papers(self) -> Iterator[Paper | Problem]:
        """Read the papers, each from its main file."""
        sources: dict[str, Source] = {}
        problems: dict[str, list[Problem]] = {}
        for name in self._mains:
            text, problems[name] = self._text(name)
            sources[name] = Source(text, self._beside(name))
        several = len(sources) > 1
        for name in papers_of(map(front, sources, sources.values())) if several else sources:
            yield from problems[name]
            yield from read_source(self._files[name], sources[name], self._options)

    def others(self) -> Iterator[Member]:
        """Return the files that belong to no paper's source, such as bibliographies."""
        folders = [posixpath.dirname(name) for name in self._mains]
        for name, file in self._files.items():
            if not any(not folder or name.startswith(f"{folder}/") for folder in folders):
                yield file

    @cached_property
    def _mains(self) -> list[str]:
        """The names of the main files, once all files are held."""
        return [
            name
            for name, file in self._files.items()
            if file.format in ENDINGS and is_main(start(file))
        ]

    def _beside(self, main: str) -> Texts:
        """Return what gives the text of a file by its path from the folder of a main file."""
        folder = posixpath.dirname(main)

        def text(path: str) -> str | None:
            name = posixpath.normpath(posixpath.join(folder, path))
            return self._text(name)[0] if name in self._files else None

        return text

    def _text(self, name: str) -> tuple[str, list[Problem]]:
        return whole_text(self._files[name], self._options.max_record_size)
