"""The first page of a PDF: the title, the authors and the date that are printed on it."""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile

from stemma.extract.formats.dates import MONTHS
from stemma.extract.formats.draft import one_line
from stemma.extract.formats.paper_text import (
    LONGEST_TITLE,
    NO_TITLE,
    begins_introduction,
    is_abstract_heading,
    joined,
)
from stemma.extract.formats.pdf_layout import blocks, text_style, without_raised
from stemma.extract.formats.pdf_rows import SUPERSCRIPT, SUPERSCRIPT_END, Row
from stemma.extract.formats.person_name import is_organisation, is_person, person_names

_SAME_SIZE = 0.6
"""In points."""
_SMALL_CAPITALS = 0.7
"""The letters of a title in small capitals are of at least this part of the size of its largest."""
_SPACING = 1.7
_LEAST_WORDS = 3
_MOST_ROWS = 60
_POOR_TITLE = re.compile(
    r"microsoft word|untitled|\.(?:docx?|tex|dvi|pdf|indd)\b|^(?:arxiv|paper|main|title)\b", re.I
)
_MARKS = "*∗†‡§¶⋆★♠♡♢♣◇△⋄∥‖¹²³⁴⁵⁶⁷⁸⁹⁰"
_BETWEEN = re.compile(
    rf"{SUPERSCRIPT}[^{SUPERSCRIPT_END}]*{SUPERSCRIPT_END}|[{_MARKS}\t,;&·•|]+|\band\b"
)
_BY = re.compile(r"^\s*by\s+", re.I)
_MARKED = re.compile(rf"[{_MARKS}\d]+\s?[^\W\d]|{SUPERSCRIPT}")
"""The beginning of a place of work, after the mark of its authors."""
_PLACE = re.compile(
    r",\s*[A-Z]{2}(?=\s*(?:\d|,|$))|\b(?:USA|U\.S\.A|UK|United|China|France|Germany|Italy|Spain|"
    r"Canada|Japan|Korea|India|Israel|Australia|Switzerland|Netherlands|Sweden|Singapore|Austria|Belgium|Denmark|"
    r"Norway|Finland|Poland|Portugal|Brazil|Russia|Taiwan|Hong Kong|Greece|Ireland|Turkey|Iran)\b"
)
_NO_TEAM = re.compile(r"[@\d,:/]|anonymous|author|report|review|draft|version|preprint", re.I)
_LONGEST_TEAM, _LONGEST_NAMES = 4, 5000
_BOTTOM = 40
"""In points: so much of a page is at its bottom."""
_MONTH = rf"(?:{'|'.join(MONTHS)})[a-z]*\.?"
_YEAR = r"(?:19|20)\d\d"
_DAY = re.compile(
    rf"(?P<iso>{_YEAR}-\d\d-\d\d)|(?P<month>{_MONTH}) (?P<day>\d{{1,2}})(?P<range> ?[-–] ?"
    rf"(?:{_MONTH} )?\d{{1,2}})?,? (?P<year>{_YEAR})|(?P<date>\d{{1,2}} {_MONTH} {_YEAR})|"
    rf"(?P<alone>{_MONTH} {_YEAR})",
    re.I,
)
_BEFORE_DATE = re.compile(r"^\W*(?:dated?|draft|version|revised|published)\b\W*(?:of |on )?", re.I)
_STAMP = re.compile(rf"^arXiv:\S+v(\d+)\s+\[[\w.-]+\]\s+(\d{{1,2}} {_MONTH} {_YEAR})", re.I)
_LAST_CENTURY = "70"
_CREATED = re.compile(rf"D:({_YEAR})")
_PUBLISHED = re.compile(
    rf"(?:published|publication|appear|copyright|©|proceedings|proc\.|conference|symposium|"
    rf"workshop|journal|transactions|preprint|by the author)[^\n]{{0,120}}?"
    rf"(?<![\w–-])({_YEAR})(?![\w–-])|"
    rf"\b(?-i:[A-Z]{{2,8}})[ -]?[’'](\d\d)\b",
    re.I,
)


def title_page(pages: Sequence[Sequence[Row]]) -> int:
    """Return the index of the page with the title; before it may be a picture or a cover.

    The notice of a repository has no abstract, while the page after it has one under a title.
    """
    first = next((i for i, rows in enumerate(pages) if rows), 0)
    if len(pages) < first + 2 or _front(pages[first]) is not None:
        return first
    size, _ = text_style(pages[first + 1 : first + 2])
    front = _front(pages[first + 1]) or ()
    large = (row for row in front if row.size > size + _SAME_SIZE and len(row.text.split()) > 2)
    return first + 1 if any(large) else first


def _front(rows: Sequence[Row]) -> list[Row] | None:
    """Return the lines above the abstract or the introduction, if there is one."""
    above = list(takewhile(lambda row: not _begins_text(row.text), rows))
    return above if len(above) < len(rows) else None


def _begins_text(line: str) -> bool:
    return is_abstract_heading(line) or begins_introduction(line)


def title(stated: str, rows: Sequence[Row], at: range) -> str:
    """Return the title of the metadata if it is on the page, else what looks like one, at `at`.

    Metadata often has the name of a file, of a template, or of the proceedings; where it has other
    spaces than the page, or ends before the printed title does, that counts.
    """
    printed = _as_title([rows[i] for i in at])
    words = len(stated.split())
    if words < _LEAST_WORDS or len(stated) > LONGEST_TITLE or _POOR_TITLE.search(stated):
        return printed
    letters, longer = _letters(stated), _letters(printed)
    page = " ".join(row.text for row in rows)
    if longer.startswith(letters) and (
        longer != letters or stated.casefold() not in page.casefold()
    ):
        return printed
    return stated if letters in _letters(page) else printed or stated


def _letters(text: str) -> str:
    """Return letters and digits without accents, which TeX may write as separate characters."""
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKD", text).casefold()))


def title_rows(rows: Sequence[Row]) -> range:
    """Return the first lines that follow each other in the largest letters, as their indices.

    If no letters are larger than those of the text, the first lines in another font.
    """
    size, font = text_style([rows])
    some = range(min(len(rows), _MOST_ROWS))
    fit = [_may_be_title(rows[i]) for i in some]
    for large in sorted(
        {rows[i].size for i in some if fit[i] and rows[i].size > size}, reverse=True
    ):
        wanted = [fit[i] and abs(rows[i].size - large) < _SAME_SIZE for i in some]
        found = _first_lines(wanted)
        if _as_title([rows[i] for i in found]):
            return _with_small_capitals(rows, found)
    found = _first_lines(
        [fit[i] and rows[i].font != font and rows[i].size >= size - _SAME_SIZE for i in some]
    )
    if _as_title([rows[i] for i in found]):
        return found
    end = 0
    for block in blocks([rows[i] for i in some if fit[i]]):
        begin = rows.index(block[0], end)
        end = rows.index(block[-1], begin) + 1
        if _as_title(block):
            return range(begin, end)
    return range(0)


def _may_be_title(row: Row) -> bool:
    return row.upright and sum(map(str.isalpha, row.text)) > 2 and not NO_TITLE.match(row.text)


def _first_lines(wanted: Sequence[bool]) -> range:
    """Return the first wanted lines that follow each other."""
    if True not in wanted:
        return range(0)
    first = wanted.index(True)
    return range(first, wanted.index(False, first) if False in wanted[first:] else len(wanted))


def _with_small_capitals(rows: Sequence[Row], found: range) -> range:
    """Return lines with those beside them, of which more letters are small capitals."""
    begin, end = found.start, found.stop

    def belongs(row: Row, beside: Row) -> bool:
        near = abs(row.base - beside.base) < _SPACING * max(row.size, beside.size)
        alike = min(row.size, beside.size) > _SMALL_CAPITALS * max(row.size, beside.size)
        capitals = row.text.isupper() and beside.text.isupper()
        return near and alike and capitals and row.font == beside.font and row.upright

    while begin and belongs(rows[begin - 1], rows[begin]):
        begin -= 1
    while end < len(rows) and belongs(rows[end], rows[end - 1]):
        end += 1
    return range(begin, end)


def _as_title(rows: Sequence[Row]) -> str:
    lines = "\n".join(row.text for row in rows)
    found = " ".join(without_raised(joined(lines)).split()).rstrip(f" {_MARKS}^,")
    return found if 8 < len(found) <= LONGEST_TITLE else ""


def authors(stated: str, rows: Sequence[Row], begin: int, abstract: str) -> list[str]:
    """Return the names below the title, or those of the metadata if the page has all of them.

    The lines have tabs for wide spaces; those from `begin` on are below the title. `abstract` is
    that of the paper, above which the names stand.
    """
    page = _letters(" ".join(row.text for row in rows))
    named = [one_line(each) for each in person_names(stated[:_LONGEST_NAMES])]
    if not all(is_person(each) and _letters(each) in page for each in named):
        named = []
    below = list(_above(rows[begin:][:_MOST_ROWS], abstract))
    printed = list(dict.fromkeys(_names(below)))
    if printed and printed[0].isupper():  # what is in other letters is a place of work
        printed = [each.title() for each in printed if each.isupper()]
    if len(named) >= len(printed):
        return named or _team(below)
    return printed


def _above(rows: Sequence[Row], abstract: str) -> Iterator[Row]:
    """Yield the lines above the abstract."""
    begin = _letters(abstract[:_MOST_ROWS])
    for row in rows:
        letters = _letters(row.text)[: len(begin)]
        if _begins_text(row.text) or (begin and len(letters) > 20 and begin.startswith(letters)):
            return
        if row.upright:
            yield row


def _names(rows: Sequence[Row]) -> Iterator[str]:
    """Yield the names in lines of names, places of work and addresses."""
    font = ""
    for row in rows:
        if font and _MARKED.match(row.text):
            return
        found = list(_names_in(row.text))
        if len(found) == 1 and font not in ("", row.font) and "@" not in row.text:
            continue
        font = font or (row.font if found else "")
        yield from found


def _names_in(line: str) -> Iterator[str]:
    """Yield the names that a line begins with, and those after wide spaces."""
    if "{" in line or NO_TITLE.match(line) or _DAY.search(line):
        return
    for part in line.split("\t"):
        pieces = [each.strip(" .:()") for each in _BETWEEN.split(_BY.sub("", part))]
        people = list(takewhile(_is_person_or_nothing, pieces))
        rest = [each for each in pieces[len(people) :] if each]
        if rest and _PLACE.search(part) and not is_organisation(part):
            continue
        yield from filter(None, people)


def _is_person_or_nothing(text: str) -> bool:
    return not text or (is_person(text) and not _PLACE.search(text))


def _team(rows: Sequence[Row]) -> list[str]:
    """Return what stands alone right below a title, as "The Clay Team"."""
    text = next((without_raised(row.text).strip(f" {_MARKS}") for row in rows[:1]), "")
    words = text.split()
    is_name = all(each[0].isupper() for each in words) and not _NO_TEAM.search(text)
    return [text] if 0 < len(words) <= _LONGEST_TEAM and is_name else []


def date(pages: Sequence[Sequence[Row]], abstract: str, metadata: Mapping[str, str]) -> str | None:
    """Return the date on the first pages: of arXiv's first version, alone on a line, in a notice.

    The last of the pages has the title; a notice is above the abstract, or in small letters.
    If there is none, it is the year in which TeX made the PDF: on 22 of 23 papers that print a
    date, that is the same year. A later version of arXiv is not the date of the paper.
    """
    rows = [row for page in pages for row in page]
    if stamp := next(filter(None, (_STAMP.search(row.text) for row in rows)), None):
        return stamp[2] if stamp[1] == "1" else None
    front = list(_above(pages[-1], abstract))
    alone = (_DAY.fullmatch(_BEFORE_DATE.sub("", row.text).strip(" ()")) for row in front)
    if day := next(filter(None, alone), None):
        return _as_date(day)
    size, _ = text_style(pages[-1:])
    low = min((row.base for row in rows), default=0) + _BOTTOM
    some = [row.text for row in rows if row.size < size or row.base < low or row in front]
    notices = " ".join(joined("\n".join(some)).split())
    found = list(_PUBLISHED.finditer(notices))
    days = (_DAY.search(notices, max(0, each.start() - 12), each.end() + 40) for each in found)
    if day := next(filter(None, days), None):
        return _as_date(day)
    if found:
        return found[0][1] or f"{'19' if found[0][2] > _LAST_CENTURY else '20'}{found[0][2]}"
    created = _CREATED.match(metadata["CreationDate"])
    return created[1] if created and "TeX" in metadata["Creator"] + metadata["Producer"] else None


def _as_date(found: re.Match[str]) -> str:
    if found["month"]:
        day = "" if found["range"] else f"{found['day']}, "
        return f"{found['month']} {day}{found['year']}"
    return found[0]
