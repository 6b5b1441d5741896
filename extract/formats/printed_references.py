"""Bibliographies in plain text: numbered or named references, and the marks that cite them."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import islice

from stemma.extract.formats.body import mark
from stemma.extract.formats.link import arxiv_id_in, doi_in
from stemma.extract.formats.person_name import FULL, INITIALS, SURNAME, WORD
from stemma.extract.formats.reader import reference
from stemma.schema import Reference

_KEY = re.compile(r"(?:\d{1,4}|[A-Z][A-Za-z+]{0,8}\d\d[a-z]?)")
_ITEM = re.compile(rf"^[ \t]*(?:\[({_KEY.pattern})\]|(\d{{1,4}})\.)[ \t]+(?=\S)", re.M)
_MARKS = re.compile(rf"\[({_KEY.pattern}(?:\s*[,;–-]\s*{_KEY.pattern}){{0,30}})\]")
_YEAR = r"(?:19|20)\d\d[a-z]?"
_QUOTED = re.compile(
    r"[“\"]([^”\"]{8,300})(?:[,.][”\"]|[”\"](?=[,.]|\s(?:In\b|\()))|"
    r"(?<!\w)‘([^‘]{8,300}?)(?:[,.]’|’(?=[,.]|\s(?:In\b|\()))"
)
_NO_TITLE = re.compile(
    r"^(?:[Ii]n(?::| (?=[A-Z]))|[Pp]roc(?:\.|eedings\b)|(?i:arxiv|https?:|url\b|doi\b|pages\b|"
    r"pp\.|vol(?:\.|ume\b)|\W*\d{4}[a-z]?\W*$))"
)
_NEXT = r"(?:(?:, )?[,;]? (?:and|&) |[,;] )"
_REST = rf"(?:,? et al\.?|{_NEXT}(?:[Oo]thers|et al\.?))?(?: \([Ee]ds?\.\)|, [Ee]d(?:itor)?s?\.?)?"
_WHEN = rf"(?:\(?{_YEAR}(?:, [A-Z][a-z]+(?: \d+)?)?\)?|\[n\. ?d\.\])[.,:]?\s+"
_DATED = rf"[.,:]?\s*{_WHEN}|[.,:]\s+(?=[“\"])"


def _list_of(first: str, other: str, end: str) -> re.Pattern[str]:
    """Return what matches a list of names, by the first and the other ones, and what ends it.

    The groups are atomic: with two ways to read each name, many would take exponential time.
    """
    return re.compile(rf"(?>{first})(?:{_NEXT}(?>{other})){{0,600}}{_REST}(?:{_DATED}|{end})")


_INITIALS_FIRST = rf"{INITIALS} ?{SURNAME}(?: {SURNAME}){{0,2}}"
_LAST_FIRST = (
    rf"{SURNAME}(?: {SURNAME}){{0,2}}, "
    rf"(?:{INITIALS}|{WORD}(?: {WORD})?(?: [^\W\d_a-z]\b\.?){{0,2}})(?:, Jr\.?)?"
)
_LETTERS_LAST = rf"{SURNAME}(?: {SURNAME})? [^\W\d_a-z]{{1,3}}(?!\w)"
_AUTHORS = (
    # Ann B. Sand, Cy van Pot
    _list_of(rf"{FULL}{{1,4}}", rf"{FULL}{{0,4}}", r"(?<![ .]\w)\.\s+"),
    # A. B. Sand, C. van Pot; a group may stand before or among them
    _list_of(
        rf"(?:{WORD}, (?={INITIALS} {SURNAME},))?{_INITIALS_FIRST}",
        rf"{_INITIALS_FIRST}|{WORD}(?=, {INITIALS} )",
        r"[.:]\s+|(?P<comma>,)\s+",
    ),
    # Sand, A. B., van Pot, Cy D.
    _list_of(_LAST_FIRST, _LAST_FIRST, r"[.:]\s+|(?<=\.)\s+"),
    # Sand AB, Pot C
    _list_of(_LETTERS_LAST, _LETTERS_LAST, r"\.\s+"),
)
"""Lists of authors and their ends: a year, a colon, a full stop that is not after an initial."""
_GROUP = re.compile(rf"[^.,]{{2,80}}(?:{_DATED}|\.\s+)")
"""An author that is no person."""
_YEAR_FIRST = re.compile(rf"\A{_WHEN}")
_VENUE = r"(?:In|Journal|Transactions|Proceedings|Advances)\b"
_TITLE_END = re.compile(
    rf"(?<!\bvs)\.(?:\s|$)|[?!](?:\s(?!(?!{_VENUE})[A-Z][a-z]+(?: [a-z]+){{2}})(?=[A-Z“\"(])|$)|"
    r"\s\((?:19|20)\d\d|,\s+(?:in[:\s]|arXiv|(?:[A-Z][a-z]+\.? |\d{1,2} )?(?:19|20)\d\d)|"
    r"[.,]?\s(?:URL\b|https?:|arXiv preprint)"
)
"""A question may be followed by the rest of a title, in small letters."""
_AFTER_COMMA = re.compile(
    rf"{_TITLE_END.pattern}|,\s+[^\W\d_a-z][\w.]*\.|,\s+[^\W\d_a-z][\w. ]{{1,40}}\s\d"
)
"""The end of a title where commas separate all parts of a reference."""
_FIRST_AUTHOR_END = re.compile(
    r",|\band\b|&|(?<!\b\w)\.\s+(?=[^\W\d_a-z][^\W\d_]{2})|\(|\bet al|\d{4}"
)
_YEARS = (
    re.compile(rf"\(({_YEAR})(?:, [A-Z][a-z]+)?\)"),
    re.compile(rf"\.\s({_YEAR})\.\s"),
    re.compile(
        rf"(?<![\w./-])({_YEAR})(?![\w/-]|\.\d)(?!.*(?<![\w./-]){_YEAR}(?![\w/-]|\.\d))", re.S
    ),
)
_CITED_BY_NAME = re.compile(
    rf"(?<![\w'’-])({SURNAME})(?:(?:, {SURNAME}){{0,2}},? (?:and|&)\s{SURNAME}|,?\set\sal\.?)?"
    rf"(?:’s|'s)?,?\s?([\[(]?)({_YEAR}(?:,\s?(?:{_YEAR}|[a-z]\b)){{0,8}})"
)
_DATED_ENTRY = re.compile(
    rf"\b{_YEAR}\b|\bn\. ?d\.|in press|to appear|forthcoming|published|preparation|"
    r"submitted|https?:|doi|arxiv",
    re.I,
)
_MOST_ITEMS = 2000
_LONGEST_ITEM, _AFTER_TITLE = 8000, 700
"""In characters; the authors of a reference may be hundreds."""
_MOST_MISSED = 5
"""How many numbers of a list may be missing before the next, as where a line was not read."""


def numbered_references(text: str) -> dict[str, Reference]:
    """Read the items of a list, each after its number or label: ``[1]``, ``1.``, ``[BMR+20]``.

    A number that does not continue the list is a part of an item, such as a year or a page.
    """
    items, last = list[re.Match[str]](), 0
    for item in _ITEM.finditer(text):
        key = item[1] or item[2]
        if key.isdigit():
            if not last < int(key) <= last + _MOST_MISSED or (items and not last):
                continue
            last = int(key)
        items.append(item)
        if len(items) == _MOST_ITEMS:
            break
    found: dict[str, Reference] = {}
    for i, item in enumerate(items):
        end = items[i + 1].start() if i + 1 < len(items) else len(text)
        found.setdefault(item[1] or item[2], _reference(text[item.end() : end]))
    return found


def is_numbered(text: str) -> bool:
    """Return whether a list of references begins with a number or a label."""
    return bool(_ITEM.match(text))


def named_references(entries: Iterable[str]) -> dict[str, Reference]:
    """Read the entries of a list without numbers, by their first author's last name and the year.

    If several works have the same key, it is not known which of them a citation means: their keys
    are such as no citation has. What has neither a year nor an address is no entry: it is a line of
    a figure, or stands after the list.
    """
    dated = islice(filter(_DATED_ENTRY.search, entries), _MOST_ITEMS)
    read = [(_name_and_year(entry), _reference(entry)) for entry in dated]
    times = Counter(key for key, _ in read)
    return {
        key if key and times[key] == 1 else f"#{number}": each
        for number, (key, each) in enumerate(read)
    }


def _name_and_year(entry: str) -> str | None:
    author = _FIRST_AUTHOR_END.split(entry, maxsplit=1)[0].split()
    year = next(filter(None, (years.search(entry[:_LONGEST_ITEM]) for years in _YEARS)), None)
    return _key(author[-1], year[1]) if author and year else None


def _key(name: str, year: str) -> str:
    name = name.rsplit(maxsplit=1)[-1].strip(".,").casefold().replace("’", "'").removesuffix("'s")
    return f"{name} {year}"


def _reference(entry: str) -> Reference:
    """Read a reference as it is printed: authors, title, where it was published."""
    entry = " ".join(entry[:_LONGEST_ITEM].replace("\\_", "_").split())
    title = printed_title(entry)
    rest = entry[: _AFTER_TITLE + (entry.find(title) + len(title) if title else 0)]
    return reference(title, doi_in(rest), arxiv_id_in(rest))


def printed_title(entry: str) -> str | None:
    """Return the title in a reference as it is printed: after the authors and the year."""
    if quoted := _QUOTED.search(entry):
        return (quoted[1] or quoted[2]).strip(" ,.")
    found = next(filter(None, (authors.match(entry) for authors in _AUTHORS)), None)
    ends = _AFTER_COMMA if found and found.groupdict().get("comma") else _TITLE_END
    end = found.end() if (found := found or _GROUP.match(entry)) else 0
    # What has no author begins with its title.
    for text in (entry[end:],) if "," in entry[:end] else (entry[end:], entry):
        undated = _YEAR_FIRST.sub("", text)
        title = ends.split(undated, maxsplit=1)[0].strip(' ,.*_“”"')
        if title and not _NO_TITLE.match(title):
            return title
    return None


def _with_named_marks(text: str, references: Mapping[str, Reference]) -> str:
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
    """Mark the citations of a text whose references are known: ``[1]``, ``[2, 5]``, by name."""
    if not any(_KEY.fullmatch(key) for key in references):
        return _with_named_marks(text, references)

    def marked(found: re.Match[str]) -> str:
        inner = _KEY.sub(
            lambda key: mark(key[0], key[0]) if key[0] in references else key[0], found[1]
        )
        return f"[{inner}]"

    return _MARKS.sub(marked, text)
