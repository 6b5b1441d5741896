"""Bibliographies in plain text: numbered or named references, and the marks that cite them."""

import re
from collections.abc import Iterable, Mapping
from itertools import islice

from stemma.extract.formats.body import mark
from stemma.extract.formats.draft import reference
from stemma.extract.formats.link import arxiv_id_in, doi_in
from stemma.schema import Reference

_ITEM = re.compile(r"^[ \t]*(?:\[(\d{1,4})\]|(\d{1,4})\.)[ \t]+(?=\S)", re.M)
_MARKS = re.compile(r"\[(\d{1,4}(?:\s*[,;–-]\s*\d{1,4}){0,30})\]")
_NUMBER = re.compile(r"\d{1,4}")
_QUOTED = re.compile(r"[“\"]([^”\"]{8,300})[,.]?[”\"]")
_BLOCK = re.compile(r"(?<![A-Z])(?<!\bet al)[.?!]\s+|\(\d{4}[a-z]?\)[.,]?\s+")
_NO_TITLE = re.compile(r"^(?:in[ :]|proc|arxiv|https?:|doi|pp\b|vol\b|\W*\d{4}\W*$)", re.I)
_SURNAME = r"(?:(?:[Vv][ao]n|[Dd]e[rn]?|[Ll][ae]|[Dd][iu]) ){0,2}[^\W\d_a-z][\w'’-]{1,40}"
_INITIALS = r"(?:[^\W\d_a-z]\.[ -]?+){1,4}+"
"""Possessive: with two ways to read each blank, many authors would take exponential time."""
_WITH_LETTERS = rf"{_SURNAME} [^\W\d_a-z]{{1,3}}"
_AUTHORS = (
    re.compile(
        rf"(?:{_SURNAME}(?: {_SURNAME})?, {_INITIALS}(?:,? ?(?:and|&) |, |,? et al\.,? |(?<=\. )))+"
    ),
    re.compile(rf"(?:{_SURNAME}(?: {_SURNAME})?, {_INITIALS}[, ]{{0,2}}(?:and |& |et al\.)?)+: "),
    re.compile(rf"(?:{_INITIALS} ?{_SURNAME}(?:,? (?:and|&) |, |,? et al\.,? ))+"),
    re.compile(rf"(?:{_WITH_LETTERS}, )*(?:{_WITH_LETTERS}|et al)\. "),
)
"""Authors whose end is not the first full stop: "Sand, A. and Pot, B. Clay", "Pot AB. Clay"."""
_AUTHOR_NEXT = re.compile(rf"{_INITIALS}|{_SURNAME}, {_INITIALS}|(?:and|&) ")
_YEAR_FIRST = re.compile(r"\(?(?:19|20)\d\d[a-z]?\)?[.,]? ")
_TITLE_END = re.compile(
    r"[.?!](?:\s|$)|,\s+(?:in[:\s]|arXiv|[^\W\d_a-z][\w.]*\.|(?:19|20)\d\d)|"
    r",\s+[^\W\d_a-z][\w. ]{1,40}\s\d|\s\((?:19|20)\d\d"
)
_FIRST_AUTHOR_END = re.compile(
    r",|\band\b|&|(?<!\b\w)\.\s+(?=[^\W\d_a-z][^\W\d_]{2})|\(|\bet al|\d{4}"
)
_YEAR = r"(?:19|20)\d\d[a-z]?"
_YEARS = (
    re.compile(rf"\(({_YEAR})(?:, [A-Z][a-z]+)?\)"),
    re.compile(rf"\.\s({_YEAR})\.\s"),
    re.compile(
        rf"(?<![\w./-])({_YEAR})(?![\w/-]|\.\d)(?!.*(?<![\w./-]){_YEAR}(?![\w/-]|\.\d))", re.S
    ),
)
_CITED_BY_NAME = re.compile(
    rf"(?<![\w'’-])({_SURNAME})(?:(?:, {_SURNAME}){{0,2}},? (?:and|&)\s{_SURNAME}|,?\set\sal\.?)?"
    rf"(?:’s|'s)?,?\s?([\[(]?)({_YEAR}(?:,\s?(?:{_YEAR}|[a-z]\b)){{0,8}})"
)
_MOST_ITEMS = 2000
_LONGEST_ITEM = 1500
_LEAST_WORDS = 3


def numbered_references(text: str) -> dict[str, Reference]:
    """Read the items of a list, each with a number before it: ``[1]`` or ``1.``."""
    items = list(_ITEM.finditer(text))[:_MOST_ITEMS]
    found: dict[str, Reference] = {}
    for i, item in enumerate(items):
        end = items[i + 1].start() if i + 1 < len(items) else len(text)
        entry = " ".join(text[item.end() : min(end, item.end() + _LONGEST_ITEM)].split())
        found.setdefault(item[1] or item[2], _reference(entry))
    return found


def named_references(entries: Iterable[str]) -> dict[str, Reference]:
    """Read the entries of a list without numbers, by their first author's last name and the year.

    If several works have the same key, it is not known which of them a citation means.
    """
    found: dict[str, Reference] = {}
    unclear = set()
    for each in islice(entries, _MOST_ITEMS):
        entry = " ".join(each[:_LONGEST_ITEM].split())
        author = _FIRST_AUTHOR_END.split(entry, maxsplit=1)[0].split()
        year = next(filter(None, (years.search(entry) for years in _YEARS)), None)
        if author and year:
            key = _key(author[-1], year[1])
            unclear |= {key} & found.keys()
            found[key] = _reference(entry)
    return {key: each for key, each in found.items() if key not in unclear}


def _key(name: str, year: str) -> str:
    name = name.rsplit(maxsplit=1)[-1].strip(".,").casefold().replace("’", "'").removesuffix("'s")
    return f"{name} {year}"


def _reference(entry: str) -> Reference:
    """Read a reference as it is printed: authors, title, where it was published."""
    return reference(printed_title(entry), doi_in(entry), arxiv_id_in(entry))


def printed_title(entry: str) -> str | None:
    """Return the title in a reference as it is printed."""
    if quoted := _QUOTED.search(entry):
        return quoted[1].strip(" ,.")
    for authors in _AUTHORS:
        if (found := authors.match(entry)) and not _AUTHOR_NEXT.match(entry, found.end()):
            after = _YEAR_FIRST.sub("", entry[found.end() :], count=1)
            title = _TITLE_END.split(after, maxsplit=1)[0].strip(" ,.*_")
            if len(title.split()) >= _LEAST_WORDS:
                return title
    blocks = [each.strip(" ,.*_") for each in _BLOCK.split(entry)]
    blocks = [each for each in blocks if each]
    after_authors = (each for each in blocks[1:] if not _NO_TITLE.match(each))
    return next(after_authors, None) or None


def with_named_marks(text: str, references: Mapping[str, Reference]) -> str:
    """Mark the citations ``(Sand et al., 2020)`` and ``Sand (2020)`` of a text.

    In brackets, the names are part of the mark; otherwise they are part of the sentence.
    """

    def marked(found: re.Match[str]) -> str:
        name, years = found[1], re.split(r",\s?", found[3])
        begin = found.start(3) if found[2] else found.start()
        shown = text[begin : found.start(3)]
        marks, year = list[str](), years[0]
        for each in years:
            year = each if len(each) > 1 else year[:4] + each
            key = _key(name, year)
            marks.append(mark(key, shown + each) if key in references else shown + each)
            shown = ""
        return text[found.start() : begin] + ", ".join(marks)

    return _CITED_BY_NAME.sub(marked, text) if references else text


def with_marks(text: str, references: Mapping[str, Reference]) -> str:
    """Mark the citations ``[1]`` and ``[2, 5]`` of a text whose references are known."""

    def marked(found: re.Match[str]) -> str:
        inner = _NUMBER.sub(
            lambda number: mark(number[0], number[0]) if number[0] in references else number[0],
            found[1],
        )
        return f"[{inner}]"

    return _MARKS.sub(marked, text) if references else text
