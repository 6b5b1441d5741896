"""Projects of LaTeX source: which main files of a folder or an archive are papers.

Beside a paper lie other main files: its supplement, an older version, the example that comes with
the class of a conference. And the PDFs beside it are its figures, or what was made of it.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

from stemma.extract.formats.latex_source import Source
from stemma.extract.formats.paper_text import LONGEST_TITLE
from stemma.schema.identifier import paper_id

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
