"""The text of a paper without markup: its abstract, its numbered sections and its references.

References are numbered or named, as the marks that cite them are.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import groupby, islice

from stemma.extract.formats.body import Body, mark, without_marks
from stemma.extract.formats.link import arxiv_id_in, doi_in
from stemma.extract.formats.person_name import FULL, INITIALS, SURNAME, WORD
from stemma.extract.formats.reader import reference
from stemma.schema import Reference

_ARXIV = r"arXiv:\s?(\d{4}\.\d{4,5}(?:v\d+)?|[a-z-]+(?:\.[A-Z]{2})?/\d{7}(?:v\d+)?)"
_STAMP = re.compile(rf"{_ARXIV}\s+\[[\w.-]+\]\s+\d{{1,2}} [A-Z][a-z]{{2}} \d{{4}}")
_FILE_NAME = re.compile(r"(?:arxiv[-_ .:]?)?(\d\d(?:0[1-9]|1[0-2])\.\d{4,5}(?:v\d+)?)(?!\d)", re.I)
_BROKEN_ADDRESS = re.compile(
    r"((?:https?://|doi\.org/|\b10\.\d{4,9}/)[^\s]{0,200}[./_=-])\n"
    r"(?=[a-z\d])(?!(?:19|20)\d\d[.,)](?:\s|$))|(\bhttps?:|\b10\.\d{4,9}/[^\s]{0,200})\n"
    r"(?=//|\.\w|_|[A-Za-z\d]{0,20}[._/-][\w.]{0,40}\d)(?!\d{4}-\d{3}[\dX]/)"
)
_BEFORE_DOI = re.compile(r"\b(?:doi\.org/|doi:\s*)(?=10\.\d{4,9}/)", re.I)
NO_TITLE = re.compile(
    r"arxiv:|https?:|doi:|(?:published|accepted|appear(?:s|ed)|to appear) (?:as|at|in|by)\b|"
    r"under review|preprint\W*$|(?:in )?proceedings of|(?:[a-z]{2,6} )?journal of|"
    r"vol(?:ume|\.) ?\d|copyright (?:©|\(c\)|\d)|©|\W*\d+\W*$|latest updates|"
    r"(?:(?:original|research|review|short|regular|technical|full|open|invited) )?"
    r"(?:article|paper|report|communication|access|letter|review|note)\W*$|\S*\d{3,}\S*$",
    re.I,
)
"""Lines that may be above a title."""
_MARKED = re.compile(
    r"^[ \t]*(?:abstract|summary|a[ ]b[ ]s[ ]t[ ]r[ ]a[ ]c[ ]t)[ \t]*+(?:[.:—–-]+[ \t]*+)?$|"
    r"^[ \t]*abstract\s*+[.:—–-]+[ \t]*",
    re.I | re.M,
)
_RUN_IN = re.compile(r"^[ \t]*(?:Abstract|ABSTRACT)[ \t]+(?=[A-Z][^\n]{40})", re.M)
"""As Springer prints it: the heading is the first word of the abstract."""
_FIRST_HEADING = (
    r"(?:(?:1|I)\.?[ \t]+)?introduction[ \t]*$|"
    r"(?:1\.?|I\.)[ \t]+(?:introduction\b[^\n]{0,60}|(?-i:[A-Z])[A-Z-]{3,40}"
    r"(?:[ \t]+(?:(?-i:[A-Z])[A-Z-]{0,40}|and|of|the|for|to|in|on)){0,7}):?[ \t]*$"
)
_INTRODUCTION = re.compile(rf"^[ \t]*(?:{_FIRST_HEADING})", re.I | re.M)
_END = re.compile(
    r"^[ \t]*(?:(?:additional[ \t]+)?(?-i:K|k(?=[^\n]{0,12}:))ey[ -]?words|index terms|"
    r"ccs concepts|acm reference format|categories and subject descriptors|contents|"
    rf"pacs(?: numbers?)?:)|^[ \t]*(?:{_FIRST_HEADING})",
    re.I | re.M,
)
_NUMBERED = re.compile(
    r"^[ \t]*(?:(\d{1,2}(?:\.\d{1,2}){0,2})\.?|([IVX]{1,5})\.)[ \t]+"
    r"([^\W\d_][^\n]{2,80}(?<![.,;:]))[ \t]*$",
    re.M,
)
_RUN_ON = re.compile(r"(?<=[^\W\d_]{3})\. +(?=[A-Z])")
"""Between a heading and the text that begins on its line."""
_LETTERED = re.compile(r"(?:(?i:appendix) )?([A-Z])(?:\.(?!\d)|:)? +(?=\S)")
"""The letter of an appendix."""
_NAMED = re.compile(
    r"^[ \t]*(introduction|background|related works?|prior work|preliminaries|methods?|methodology|"
    r"approach|experiments|experimental (?:setup|results)|evaluation|results|"
    r"results and discussion|discussion|limitations|conclusions?|acknowledge?ments?)[ \t]*$",
    re.I | re.M,
)
"""Headings that have no number."""
_HEADING_NUMBER = re.compile(r"^[ \t]*(?:\d+|[IVX]+)\.?[ \t]+")
_ROMAN = ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII", "XIII", "XIV"]
_LISTED = re.compile(
    r"^[ \t]*(?:(?:\d+|[IVX]+)\.?[ \t]+)?(?:references|bibliography)[ \t]*$", re.I | re.M
)
_CONTENTS = re.compile(r"(?:[ \t]*\.){3,}[ \t]*\d+$|[ \t]\d{1,3}$")
_HYPHEN = re.compile(
    r"([^\W_](?:[^\W_]|-(?=[^\W_])){0,40})(?:[\ufffe\x02\u00ad][\n\f]?|[-\u2010][\n\f][ \t]*)"
    r"(?=([^\W_](?:[^\W_]|-(?=[^\W_])){0,40}))"
)
"""A word with a hyphen at the end of a line (PDFium writes U+FFFE for it), and the next word."""
_WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
_LINE = re.compile(r"[^\n]+")
_FOOT = re.compile(
    r"\W{0,3}(?:©|\(c\) |copyright\b|permission to|published (?:by|under|as|in)\b|"
    r"all rights reserved|(?:manuscript )?(?:received|accepted)\b[^\n]{0,40}\d{4}|proceedings of|"
    r"preprint submitted|(?:\* ?)?corresponding author|e-?mail\b|doi:|https?://doi|issn|isbn|"
    r"acm isbn|this (?:is an open|article is|work is licensed|work was supported))",
    re.I,
)
"""What a publisher prints below the text of a first page, where an abstract may end."""
_LONGEST_FOOT = 8
"""In lines."""
_BELOW_FIGURE = re.compile(r"(?:figure|fig\.) ?\d{1,2}\s*[|:.]", re.I)
_SENTENCE_END = (".", "!", "?")
_LEAST_HEADINGS = 2
_LONGEST_ABSTRACT = 6000


def arxiv_id(name: str, page: str) -> str | None:
    """Return the arXiv id that a paper's first page states as its own, else that in its file name.

    One in the running text is that of another paper.
    """
    begin = _abstract_heading(page)
    match = (
        _STAMP.search(page)
        or re.search(_ARXIV, page[: begin.start()] if begin else page)
        or _FILE_NAME.match(name.rpartition("/")[2])
    )
    return match[1] if match else None


def printed_doi(text: str) -> str | None:
    """Return the DOI that a text states first."""
    match = _BEFORE_DOI.search(text)
    return doi_in(text[match.end() :]) if match else None


def with_whole_addresses(text: str) -> str:
    """Join DOIs and other addresses that a line end divides, at a sign after which they go on."""
    return _BROKEN_ADDRESS.sub(r"\1\2", text)


def abstract(text: str, headings: Collection[str] = ()) -> str:
    """Return the text between the heading of the abstract and the next heading.

    `headings` are further lines that end it. A figure below it, with its labels, is no part of it.
    """
    begin = _abstract_heading(text)
    if not begin:
        return ""
    end = _END.search(text, begin.end())
    found = text[begin.end() : end.start() if end else begin.end() + _LONGEST_ABSTRACT].strip()
    lines = found[:_LONGEST_ABSTRACT].split("\n")
    last = next((i for i, line in enumerate(lines) if i and line.strip() in headings), len(lines))
    foot = next(
        (i for i in range(max(1, last - _LONGEST_FOOT), last) if _FOOT.match(lines[i])), last
    )
    figure = next((i for i in range(1, foot) if _BELOW_FIGURE.match(lines[i])), foot)
    if figure < foot:
        ends = (i + 1 for i in range(figure) if lines[i].rstrip().endswith(_SENTENCE_END))
        foot = max(ends, default=figure)
    return "\n".join(lines[:foot]).strip()


def is_abstract_heading(line: str) -> bool:
    """Return whether an abstract begins with a line."""
    return bool(_abstract_heading(line))


ends_abstract = _END.match
"""Whether a line follows an abstract: key words, or the heading of the introduction."""
begins_introduction = _INTRODUCTION.match
"""Whether a line is the heading of the introduction, or the first numbered one."""
begins_references = _LISTED.match
"""Whether a line is the heading of the list of references."""


def is_usual_heading(line: str) -> bool:
    """Return whether a line is a heading that many papers have, with or without its number."""
    return bool(_NAMED.match(_HEADING_NUMBER.sub("", line, count=1)))


def _abstract_heading(text: str) -> re.Match[str] | None:
    return _MARKED.search(text) or _RUN_IN.search(text)


def body(text: str, styled: Collection[str], references: Mapping[str, Reference]) -> Body:
    """Return the sections whose headings are numbered in order, from the introduction on.

    If none is numbered, the lines of `styled`, which look like headings, or those with usual names.
    `references` are those of the paper by the keys of citations.
    """
    read = without_marks(text)
    headings = list(_in_order(read, styled))
    if len(headings) < _LEAST_HEADINGS:
        headings = (
            list(_styled(read, styled))
            or headings
            or [("", match[1], *match.span()) for match in _NAMED.finditer(read)]
        )
    sections = []
    outer = ""
    for i, (number, title, _, start) in enumerate(headings):
        end = headings[i + 1][2] if i + 1 < len(headings) else len(read)
        outer = outer if "." in number else title
        sections.append(([outer, title], with_marks(read[start:end], references)))
    return Body(sections, references)


def _in_order(text: str, styled: Collection[str]) -> Iterator[tuple[str, str, int, int]]:
    """Yield headings, each with its number, and the offsets at which it begins and ends.

    What does not continue the numbers is a row of a table, or an item of a list; so is what does,
    where another line with this number is `styled`. Of those, one may be missing. Behind the last
    of them, those of appendices begin with letters, and are among the `styled`.
    """
    last: list[int] = []
    behind = 0
    roman = False
    numbered = _without_contents(list(_NUMBERED.finditer(text)))
    certain = {tuple(_number(match)) for match in numbered if match[0].strip() in styled}
    for found in numbered:
        number, is_styled = _number(found), found[0].strip() in styled
        if not is_styled and (tuple(number) in certain or not found[3][0].isupper()):
            continue
        if not last and (
            number == [1] and (is_styled or re.match(r"introduction\b", found[3], re.I))
        ):
            roman = bool(found[2])
        elif not last or roman != bool(found[2]):
            continue
        level = len(number)
        next_ = [*last[: level - 1], (last[level - 1] if level <= len(last) else 0) + 1]
        if number == next_ or (is_styled and level == 1 and number[0] == next_[0] + 1):
            last = number
            title = _RUN_ON.split(found[3], maxsplit=1)[0]
            behind = found.end() if title == found[3] else found.start(3) + len(title) + 1
            yield ".".join(map(str, number)), title, found.start(), behind
    for line in _LINE.finditer(text, behind) if last else ():
        title = line[0].strip()
        if title in styled and (letter := _LETTERED.match(title)):
            yield letter[1], title[letter.end() :], line.start(), line.end()


def _number(heading: re.Match[str]) -> list[int]:
    """Return the number of a heading; 0 if it is none."""
    roman = _ROMAN.index(heading[2]) + 1 if heading[2] in _ROMAN else 0
    return [int(each) for each in heading[1].split(".")] if heading[1] else [roman]


def section_number(line: str) -> int | None:
    """Return the number of a section if a line may be its heading, not one of the contents."""
    match = _NUMBERED.match(line)
    number = _number(match) if match and not _CONTENTS.search(match[3]) else []
    return number[0] if len(number) == 1 else None


def _without_contents(found: list[re.Match[str]]) -> list[re.Match[str]]:
    """Leave out a table of contents: headings with a page number that occur again without it."""
    titles = {" ".join(match[3].split()).casefold() for match in found}

    def listed(each: re.Match[str]) -> bool:
        bare = " ".join(_CONTENTS.sub("", each[3]).split()).casefold()
        return bool(_CONTENTS.search(each[3])) and bare in titles

    return [match for match in found if not listed(match)]


def _styled(text: str, styled: Collection[str]) -> Iterator[tuple[str, str, int, int]]:
    """Yield the lines that look like headings; consecutive ones are one heading."""
    lines = (line for line in _LINE.finditer(text) if line[0].strip())
    for alike, group in groupby(lines, lambda line: line[0].strip() in styled):
        if alike:
            first, *others = group
            names = (_HEADING_NUMBER.sub("", match[0].strip(), 1) for match in (first, *others))
            yield "", " ".join(names), first.start(), (others or [first])[-1].end()


def joined(text: str) -> str:
    """Join words that a line end divides, with a hyphen if the text has one elsewhere.

    If the word is nowhere else, the hyphen is kept after capitals, digits and other hyphens.
    """
    if not _HYPHEN.search(text):
        return text
    words = set(_WORD.findall(text.casefold()))

    def whole(end: re.Match[str]) -> str:
        first, rest = end[1], end[2].casefold()
        if f"{first.casefold()}-{rest}" in words:
            return f"{first}-"
        if f"{first.casefold()}{rest}" in words or (first[-1].islower() and "-" not in first):
            return first
        return f"{first}-"

    return _HYPHEN.sub(whole, text)


_KEY = re.compile(r"(?:\d{1,4}|[A-Z][A-Za-z+]{0,8}\d\d[a-z]?)")
_ITEM = re.compile(
    rf"^[ \t]*(?:\[({_KEY.pattern})\]|(\d{{1,4}})\.|\((\d{{1,4}})\))[ \t]+(?=\S)", re.M
)
_MARKS = re.compile(rf"\[({_KEY.pattern}(?:\s*[,;–-]\s*{_KEY.pattern}){{0,30}})\]")
_YEAR = r"(?:19|20)\d\d[a-z]?"
_QUOTED = re.compile(
    r"[“\"]([^”\"]{8,300})(?:[,.][”\"]|[”\"](?=[,.]|\s(?:In\b|\()))|"
    r"(?<!\w)‘([^‘]{8,300}?)(?:[,.]’|’(?=[,.]|\s(?:In\b|\()))"
)
_NO_TITLE = re.compile(
    r"^(?:[Ii]n(?::| (?=[A-Z]))|[Pp]roc(?:\.|eedings\b)|(?i:arxiv|https?:|url\b|doi\b|pages\b|"
    r"available|pp\.|vol(?:\.|ume\b)|\W*\d{4}[a-z]?\W*$)|"
    r"(?:.{2,80},? )?[A-Z]?\d{1,4}, [A-Z]?\d{1,7}\W*$|[A-Z]$)"
)
"""Where it was published, such as the volume and the page, or an initial."""
_SPACED_COMMA = re.compile(r"(?<=[\w.]) ,")
_NAMES = re.compile(r"(?:,|\b[A-Z]\.|^and\b)[^\n]{0,60}[\s.,][A-Z]\Z")
"""Names of authors, up to an initial."""
_JOURNAL = re.compile(r"(?:[A-Z][a-z]{0,9}\. ){2,}")
"""The abbreviation of a journal, of a reference without a title: ``Phys. Rev. Lett. 12, 3``."""
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
    # Sand, A. B., C. van Pot
    _list_of(
        rf"{SURNAME}(?: {SURNAME}){{0,2}}, {INITIALS}{_NEXT}{_INITIALS_FIRST}",
        _INITIALS_FIRST,
        r"[.:]\s+|(?<=\.)\s+|(?P<comma>,)\s+",
    ),
    # Sand AB, Pot C
    _list_of(_LETTERS_LAST, _LETTERS_LAST, r"\.\s+"),
)
"""Lists of authors and their ends: a year, a colon, a full stop that is not after an initial."""
_GROUP = re.compile(rf"[^.,]{{2,80}}(?:{_DATED}|\.\s+)")
"""An author that is no person."""
_YEAR_FIRST = re.compile(rf"\A{_WHEN}")
_VENUE = r"(?:In|Journal|Transactions|Proceedings|Advances)\b"
_TITLE_END = re.compile(
    rf"(?<!\bvs)\.(?:\s|$)|[?!](?:\s(?!(?!{_VENUE})[A-Z][a-z]*(?: [a-z]+){{2}})(?=[A-Z“\"(])|$)|"
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
_LETTERS = re.compile(r"(?<=\w{2}) [^\W\d_a-z]{1,3}\s*$")
"""Initials behind the first author's last name: ``Sand AB``."""
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
        key = item[item.lastindex or 0]
        if items and item.lastindex != items[0].lastindex:
            continue
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
        found.setdefault(item[item.lastindex or 0], _reference(text[item.end() : end]))
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
    named = _FIRST_AUTHOR_END.split(entry, maxsplit=1)[0]
    author = _LETTERS.sub("", named).split()
    year = next(filter(None, (years.search(entry[:_LONGEST_ITEM]) for years in _YEARS)), None)
    return _key(author[-1], year[1]) if author and year else None


def _key(name: str, year: str) -> str:
    name = name.rsplit(maxsplit=1)[-1].strip(".,").casefold().replace("’", "'").removesuffix("'s")
    return f"{name} {year}"


def _reference(entry: str) -> Reference:
    """Read a reference as it is printed: authors, title, where it was published."""
    entry = " ".join(entry[:_LONGEST_ITEM].replace("\\_", "_").split()).lstrip("•· ")
    title = printed_title(entry)
    rest = entry[: _AFTER_TITLE + (entry.find(title) + len(title) if title else 0)]
    return reference(title, doi_in(rest), arxiv_id_in(rest))


def printed_title(entry: str) -> str | None:
    """Return the title in a reference as it is printed: after the authors and the year."""
    entry = _SPACED_COMMA.sub(",", entry)
    if quoted := _QUOTED.search(entry):
        return (quoted[1] or quoted[2]).strip(" ,.")
    match = next(filter(None, (authors.match(entry) for authors in _AUTHORS)), None)
    ends = _AFTER_COMMA if match and match.groupdict().get("comma") else _TITLE_END
    end = match.end() if (match := match or _GROUP.match(entry)) else 0
    # What has no author begins with its title.
    for text in (entry[end:],) if "," in entry[:end] else (entry[end:], entry):
        undated = _YEAR_FIRST.sub("", text)
        title = ends.split(undated, maxsplit=1)[0].strip(' ,.*_“”"–-')
        if title and not (
            _NO_TITLE.match(title) or _NAMES.search(title[-200:]) or _JOURNAL.match(undated)
        ):
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
