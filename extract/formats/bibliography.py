"""Bibliographies in plain text: numbered references, and the marks that cite them."""

import re
from collections.abc import Mapping

from stemma.extract.formats.body import mark
from stemma.extract.formats.draft import reference
from stemma.schema import Reference

_ITEM = re.compile(r"^[ \t]*(?:\[(\d{1,4})\]|(\d{1,4})\.)[ \t]+(?=\S)", re.M)
_MARKS = re.compile(r"\[(\d{1,4}(?:\s*[,;–-]\s*\d{1,4}){0,30})\]")
_NUMBER = re.compile(r"\d{1,4}")
_ARXIV = re.compile(r"(?<![\d.])(\d{4}\.\d{4,5})(?:v\d+)?(?!\d|\.\d)")
_DOI = re.compile(r"\b10\.\d{4,9}/[^\s{}\\,;\]>)]+")
_QUOTED = re.compile(r"[“\"]([^”\"]{8,300})[,.]?[”\"]")
_BLOCK = re.compile(r"(?<![A-Z])(?<!\bet al)[.?!]\s+|\(\d{4}[a-z]?\)[.,]?\s+")
_NO_TITLE = re.compile(r"^(?:in |proc|arxiv|https?:|doi|pp\b|vol\b|\W*\d{4}\W*$)", re.I)
_MOST_ITEMS = 2000
_LONGEST_ITEM = 1500


def numbered_references(text: str) -> dict[str, Reference]:
    """Read the items of a list, each with a number before it: ``[1]`` or ``1.``."""
    items = list(_ITEM.finditer(text))[:_MOST_ITEMS]
    found: dict[str, Reference] = {}
    for i, item in enumerate(items):
        end = items[i + 1].start() if i + 1 < len(items) else len(text)
        entry = " ".join(text[item.end() : min(end, item.end() + _LONGEST_ITEM)].split())
        found.setdefault(item[1] or item[2], reference_in(entry))
    return found


def reference_in(entry: str) -> Reference:
    """Read a reference as it is printed: authors, title, where it was published."""
    doi, arxiv = _DOI.search(entry), _ARXIV.search(entry)
    return reference(_title(entry), doi and doi[0].rstrip("."), arxiv and arxiv[1])


def _title(entry: str) -> str | None:
    if quoted := _QUOTED.search(entry):
        return quoted[1].strip(" ,.")
    blocks = [each.strip(" ,.*_") for each in _BLOCK.split(entry)]
    blocks = [each for each in blocks if each]
    after_authors = (each for each in blocks[1:] if not _NO_TITLE.match(each))
    return next(after_authors, None) or None


def with_marks(text: str, references: Mapping[str, Reference]) -> str:
    """Mark the citations ``[1]`` and ``[2, 5]`` of a text whose references are known."""

    def marked(found: re.Match[str]) -> str:
        inner = _NUMBER.sub(
            lambda number: mark(number[0], number[0]) if number[0] in references else number[0],
            found[1],
        )
        return f"[{inner}]"

    return _MARKS.sub(marked, text) if references else text
