"""The layout of a PDF: what is running text, headings, the abstract; and title, authors and date,
which are printed on its first page.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise, takewhile

from stemma.extract.formats.dates import MONTHS
from stemma.extract.formats.paper_text import (
    NO_TITLE,
    begins_introduction,
    begins_references,
    ends_abstract,
    is_abstract_heading,
    is_usual_heading,
    joined,
    section_number,
)
from stemma.extract.formats.pdf_rows import SAME_SIZE, SUPERSCRIPT, SUPERSCRIPT_END, Row
from stemma.extract.formats.pdf_table import caption_end, end_of_figures, is_caption
from stemma.extract.formats.person_name import is_organisation, is_person, person_names
from stemma.extract.formats.reader import LONGEST_TITLE, one_line

_RAISED = re.compile(f"{SUPERSCRIPT}[^{SUPERSCRIPT_END}]*{SUPERSCRIPT_END}")
_CITED = re.compile(r"\[\d{1,3}(?:[,–-]\s*\d{1,3})*\]")
_CITATION = re.compile(
    f"(?<=[^\\W\\d_])([.,;]?){SUPERSCRIPT}(\\d{{1,3}}(?:\\s*[,–-]\\s*\\d{{1,3}})*){SUPERSCRIPT_END}"
)
_LEAST_CITATIONS = 3
_PAGE_NUMBER = re.compile(r"^\d{1,5}(?=\s|$)|(?<=\s)\d{1,5}$")
_NUMBER = re.compile(r"\d+")
_END_OF_REFERENCE = re.compile(r"(?:19|20)\d\d[a-z]?\.")
_EDGE, _OFTEN = 2, 3
"""How many lines at the top and the bottom of a page may be repeated, and on how many pages."""
_SMALL = 0.93
"""Letters of less than this part of the size of the running text are small."""
_BELOW_CAPTION = 12
"""Within so many lines below its caption, a table begins."""
_CAPTION = re.compile(r"Fig(?:ure|\.)\s*(?:\d+|[A-Z]\d+|[IVX]+)\s*(?:[:|.—-]|\s[A-Z])", re.I)
_LINE_SPACING = 3.0
"""The largest distance of lines of a paragraph, in sizes of letters."""
_WIDER = 1.25
"""A distance this many times the usual one is a gap between paragraphs."""
_LONGEST_HEADING = 90
_MOSTLY = 0.6
"""The part of the lines in the style of headings that must be possible as headings."""
_NO_HEADING_END = (".", ",", ";", ":", "-", "\ufffe")
_SHORTEST_ABSTRACT, _SHORTEST_UNENDED = 120, 250
_NARROW = 0.95
"""A paragraph of less than this part of the width of the text is not running text."""
_KEY_WORDS = re.compile(r"[^.]*?\s[|·•]\s[^.]*")
"""As in the Proceedings of the National Academy of Sciences."""
_PROSE = re.compile(r"\b(?:the|of|is|are|we|our|this|that|and|to|in|on|with|by)\b", re.I)
_LEAST_PROSE = 0.12
"""The part of words that are very common ones, which a list of authors and addresses lacks."""
_NO_ABSTRACT = re.compile(
    r"@|^(?:copyright|©|please cite|(?:figure|fig\.|table)\s*\d)|permission to make", re.I
)


def without_raised(text: str) -> str:
    """Return a text without its footnote marks."""
    return _RAISED.sub("", text)


def with_citations(pages: Sequence[str], numbered: bool) -> list[str]:
    """Return pages with raised numbers in brackets if they are citations of a numbered list.

    If a paper has citations in brackets, raised numbers are marks of footnotes: they are left out.
    """
    cited = sum(len(_CITED.findall(page)) for page in pages)
    raised = sum(len(_CITATION.findall(page)) for page in pages)
    if numbered and raised > _LEAST_CITATIONS and cited < _LEAST_CITATIONS:
        pages = [_CITATION.sub(r"\1 [\2]", page) for page in pages]
    return [without_raised(page) for page in pages]


def running_text(pages: Sequence[Sequence[Row]]) -> list[list[Row]]:
    """Return pages without running heads, page numbers, stamps and footnotes."""
    upright = [_upright(rows) for rows in pages]
    kept = [
        [row for i, row in enumerate(rows) if i not in left_out]
        for rows, left_out in zip(upright, _running_heads(upright), strict=True)
    ]
    size = text_style(kept)[0]
    found: list[list[Row]] = []
    listed = False
    for number, rows in enumerate(kept):
        found.append([])
        for column in columns(rows):
            listed = listed or any(
                begins_references(row.text) or row.text.startswith("[1] ") for row in column
            )
            notes = 0 if listed else _notes(column, size, rows, first=not number)
            found[-1] += column[: len(column) - notes]
    return found


def _upright(rows: Sequence[Row]) -> list[Row]:
    """Leave out turned lines, such as a stamp in the margin, if most of the page is not turned."""
    upright = [row for row in rows if row.upright]
    return upright if len(upright) * 2 > len(rows) else list(rows)


def _running_heads(pages: Sequence[Sequence[Row]]) -> Iterator[set[int]]:
    """Yield for each page which lines at its edges are its number, or are on several pages.

    A line that begins or ends with the page's number is one if another page has one in the same
    place. At the top of the first page is the title, which may be the running head of others.
    """
    texts: list[dict[int, str]] = []
    numbers: list[dict[int, set[int]]] = []
    seen, shifts, places = Counter[str](), Counter[int](), Counter[tuple[int, int]]()
    for page, rows in enumerate(pages):
        order = sorted(range(len(rows)), key=lambda i: -rows[i].base)
        edges = (*order[: _EDGE if page else 0], *order[-_EDGE:])
        keys = {
            i: _NUMBER.sub("#", rows[i].text).strip(" \t-–—").casefold()
            for i in edges
            if not _END_OF_REFERENCE.fullmatch(rows[i].text)
        }
        texts.append(keys)
        seen.update(set(keys.values()))
        at: dict[int, set[int]] = {}
        for i in {*order[:1], *order[-1:]}:
            for number in _PAGE_NUMBER.findall(rows[i].text):
                at.setdefault(int(number) - page, set()).add(i)
        numbers.append(at)
        shifts.update(list(at))
        places.update((shift, round(rows[i].base)) for shift, lines in at.items() for i in lines)
    shift, times = max(shifts.items(), key=lambda each: each[1], default=(0, 0))
    for rows, keys, at in zip(pages, texts, numbers, strict=True):
        yield {i for i, key in keys.items() if key == "#" or seen[key] >= _OFTEN} | {
            i
            for i in at.get(shift, ())
            if times > 1 and (rows[i].text.isdigit() or places[shift, round(rows[i].base)] > 1)
        }


def text_style(pages: Iterable[Sequence[Row]]) -> tuple[float, str]:
    """Return the size and the font of most of a text."""
    letters = Counter[tuple[float, str]]()
    for rows in pages:
        for row in rows:
            letters[row.size, row.font] += len(row.text)
    return max(letters, key=lambda style: letters[style], default=(0, ""))


def columns(rows: Sequence[Row]) -> list[list[Row]]:
    """Return columns: a line that is higher than the one before it begins another."""
    found: list[list[Row]] = []
    for row in rows:
        before = found[-1][-1] if found else None
        if not before or row.base > before.base + 2 * max(row.size, before.size):
            found.append([])
        found[-1].append(row)
    return found


def _notes(column: Sequence[Row], size: float, page: Sequence[Row], first: bool) -> int:
    """Return how many lines at the end of a column are footnotes or similar, in small letters."""
    count = 0
    for row in reversed(column):
        if row.size > _SMALL * size:
            break
        count += 1
    captions = [i for i, row in enumerate(column) if is_caption(row.text)]
    if captions and captions[-1] + _BELOW_CAPTION > len(column) - count:
        # Tables are in small letters as well.
        count -= end_of_figures(column[len(column) - count :])
    notes = column[len(column) - count :]
    if count == len(column) or not notes:
        return 0
    bases = [row.base for row in page]
    middle = (min(bases) + max(bases)) / 2
    if notes[0].base > middle or (
        first
        and any(
            is_abstract_heading(row.text) or ends_abstract(row.text)
            for row in (column[-count - 1], *notes)
        )
    ):
        return 0
    return count


def without_labels(rows: Sequence[Row], size: float) -> list[Row]:
    """Return lines without the labels of figures: what is right above the caption of one and no
    prose, without letters or in smaller ones than those of the text."""
    kept, labels, end = list[Row](), 0, 0
    for i, row in enumerate(rows):
        if _CAPTION.match(row.text):
            del kept[labels:]
            end = caption_end(rows, [""] * len(rows), i)
        kept.append(row)
        is_label = row.size < size - SAME_SIZE or not any(map(str.isalpha, row.text))
        is_prose = row.text[:1] != "(" and len(_PROSE.findall(row.text)) > 1
        if i < end or not is_label or is_prose or is_caption(row.text):
            labels = len(kept)
    return kept


def headings(pages: Sequence[Sequence[Row]]) -> frozenset[str]:
    """Return the lines in the style of usual headings, such as "Conclusion", or else of numbers.

    On the first page, those above the first usual heading do not count: there is the title.
    """
    style = text_style(pages)
    first = pages[0] if pages else ()
    begin = next(
        (
            i
            for i, row in enumerate(first)
            if is_usual_heading(row.text) or is_abstract_heading(row.text)
        ),
        0,
    )
    pages = [first[begin:], *pages[1:]]
    looks, numbered = Counter[tuple[float, str]](), Counter[tuple[float, str]]()
    for row in (row for rows in pages for row in rows if (row.size, row.font) != style):
        look = row.size, row.font
        looks[look] += is_usual_heading(row.text) or bool(begins_references(row.text))
        numbered[look] += section_number(row.text) == numbered[look] + 1
    if looks.total() <= 1:
        looks += Counter({each: last for each, last in numbered.items() if last > 1})
    if not looks:
        return frozenset()
    look = max(looks, key=lambda each: (looks[each], each))
    alike = [
        without_raised(row.text) for rows in pages for row in rows if (row.size, row.font) == look
    ]
    found = frozenset(filter(is_heading, alike))
    return found if len(found) > _MOSTLY * len(alike) else frozenset()


def is_heading(text: str) -> bool:
    """Return whether a line in the style of headings may be one."""
    return (
        2 < len(text) <= _LONGEST_HEADING
        and (text[0].isupper() or text[0].isdigit())
        and not text.endswith(_NO_HEADING_END)
        and sum(map(str.isalpha, text)) * 2 > len(text)
    )


def unmarked_abstract(pages: Sequence[Sequence[Row]], titles: frozenset[str]) -> str:
    """Return the abstract of a paper that has no heading for it.

    It is the first paragraph before the introduction, if it looks different from the running text,
    or if a heading or key words follow it.
    """
    rows = [row for page in pages for row in page]
    style = text_style([rows])
    widths = sorted(row.right - row.left for row in rows if (row.size, row.font) == style)
    width = widths[len(widths) * 3 // 4] if widths else 0
    found = list(blocks(rows))
    for i, whole in enumerate(found):
        if begins_introduction(whole[0].text) or whole[0].text in titles:
            break
        last, below = len(whole), found[i + 1 : i + 2]
        while last > 1 and _KEY_WORDS.fullmatch(whole[last - 1].text):
            last -= 1
        block = whole[:last]
        text = without_raised(joined("\n".join(row.text for row in block)))
        ended = any(ends_abstract(each[0].text) or each[0].text in titles for each in below)
        if len(text) < (_SHORTEST_ABSTRACT if ended else _SHORTEST_UNENDED) or not _is_prose(text):
            continue
        own = max(row.right for row in block) - min(row.left for row in block)
        return text if ended or own < _NARROW * width or text_style([block]) != style else ""
    return ""


def _is_prose(text: str) -> bool:
    words = text.split()
    common = len(_PROSE.findall(text))
    return not _NO_ABSTRACT.search(text) and common > _LEAST_PROSE * len(words)


def blocks(rows: Sequence[Row]) -> Iterator[list[Row]]:
    """Yield groups of lines with the same distance and the same size of letters."""
    block: list[Row] = list(rows[:1])
    usual = 0.0
    for i, (before, row) in enumerate(pairwise(rows), 2):
        distance = before.base - row.base
        # A line that is further from the next than that is from the one after it is a heading.
        after = row.base - rows[i].base if i < len(rows) else distance
        most = _WIDER * (usual or (after if 0 < after < distance else distance))
        near = -1 < distance <= min(most, _LINE_SPACING * row.size)
        if abs(before.size - row.size) > SAME_SIZE or not near:
            yield block
            block, usual = [], 0.0
        else:
            usual = max(usual, distance)
        block.append(row)
    if block:
        yield block


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
    rf"{SUPERSCRIPT}[^{SUPERSCRIPT_END}]*{SUPERSCRIPT_END}|[{_MARKS}\t,;&·•|+#$]+|\b(?i:and)\b"
)
_BY = re.compile(r"^\s*by\s+", re.I)
_MARKED = re.compile(rf"(?:[{_MARKS}]+|\d{{1,2}})\s?[^\W\d]|{SUPERSCRIPT}")
"""The beginning of a place of work, after the mark of its authors."""
_PLACE = re.compile(
    r",\s*[A-Z]{2}(?=\s*(?:\d|,|$))|\b(?:USA|U\.S\.A|UK|United|China|France|Germany|Italy|Spain|"
    r"Canada|Japan|Korea|India|Israel|Australia|Switzerland|Netherlands|Sweden|Singapore|Austria|Belgium|Denmark|"
    r"Norway|Finland|Poland|Portugal|Brazil|Russia|Taiwan|Hong Kong|Greece|Ireland|Turkey|Iran)\b"
)
_CONTENTS = re.compile(r"(?:table of )?contents", re.I)
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
    large = (row for row in front if row.size > size + SAME_SIZE and len(row.text.split()) > 2)
    return first + 1 if any(large) else first


def _front(rows: Sequence[Row]) -> list[Row] | None:
    """Return the lines above the abstract or the introduction, if there is one."""
    above = list(takewhile(lambda row: not _begins_text(row.text), rows))
    return above if len(above) < len(rows) else None


def _begins_text(line: str) -> bool:
    return bool(is_abstract_heading(line) or begins_introduction(line) or _CONTENTS.fullmatch(line))


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
    fit = [
        row.upright and sum(map(str.isalpha, row.text)) > 2 and not NO_TITLE.match(row.text)
        for row in rows[:_MOST_ROWS]
    ]
    for large in sorted(
        {rows[i].size for i in some if fit[i] and rows[i].size > size}, reverse=True
    ):
        wanted = [fit[i] and abs(rows[i].size - large) < SAME_SIZE for i in some]
        found = _first_lines(wanted)
        if _as_title([rows[i] for i in found]):
            return _with_small_capitals(rows, found)
    found = _first_lines(
        [fit[i] and rows[i].font != font and rows[i].size >= size - SAME_SIZE for i in some]
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
    named = [one_line(name) for name in person_names(stated[:_LONGEST_NAMES])]
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
    font, capitals = "", False
    for row in _with_whole_names(rows):
        if font and _MARKED.match(row.text):
            return
        found = list(_names_in(row.text))
        alike = font in ("", row.font) or (capitals and found[:1] and found[0].isupper())
        if len(found) == 1 and not alike and "@" not in row.text:
            continue
        capitals = capitals or (not font and any(map(str.isupper, found)))
        font = font or (row.font if found else "")
        yield from found


def _with_whole_names(rows: Iterable[Row]) -> list[Row]:
    """Return lines, those as one that divide a name between them."""
    found = list[Row]()
    for row in rows:
        if found and found[-1].font == row.font and _divides_name(found[-1].text, row.text):
            found[-1] = found[-1]._replace(text=f"{found[-1].text} {row.text}")
        else:
            found.append(row)
    return found


def _divides_name(line: str, next_: str) -> bool:
    """Return whether a line of several names ends within one, of which the next has the rest."""
    *names, begun = [each.strip() for each in _BETWEEN.split(line)]
    rest, *others = [each.strip() for each in _BETWEEN.split(next_)]
    is_begun = begun and (not is_person(begun) or (SUPERSCRIPT in line and not is_person(rest)))
    others_too = names and others and all(map(_is_person_or_nothing, others))
    return bool(is_begun and rest and others_too and is_person(f"{begun} {rest}"))


def _names_in(line: str) -> Iterator[str]:
    """Yield the names that a line begins with, and those after wide spaces."""
    if "{" in line or NO_TITLE.match(line) or _DAY.search(line):
        return
    for part in line.split("\t"):
        pieces = [each.strip(" .:()") for each in _BETWEEN.split(_BY.sub("", part))]
        people = list(takewhile(_is_person_or_nothing, pieces))
        rest = [piece for piece in pieces[len(people) :] if piece]
        # Where names alone are in capitals, a place behind one does not make it a place.
        in_capitals = bool(people and rest) and people[0].isupper() and not rest[0].isupper()
        if rest and _PLACE.search(part) and not (in_capitals or is_organisation(part)):
            continue
        yield from filter(None, people)


def _is_person_or_nothing(text: str) -> bool:
    return not text or (is_person(text) and not _PLACE.search(text))


def _team(rows: Sequence[Row]) -> list[str]:
    """Return what stands alone right below a title, as "The Clay Team"."""
    text = next((without_raised(row.text).strip(f" {_MARKS}") for row in rows[:1]), "")
    words = text.split()
    is_name = all(word[0].isupper() for word in words) and not _NO_TEAM.search(text)
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
    matches = list(_PUBLISHED.finditer(notices))
    days = (_DAY.search(notices, max(0, match.start() - 12), match.end() + 40) for match in matches)
    if day := next(filter(None, days), None):
        return _as_date(day)
    if matches:
        return matches[0][1] or f"{'19' if matches[0][2] > _LAST_CENTURY else '20'}{matches[0][2]}"
    created = _CREATED.match(metadata["CreationDate"])
    return created[1] if created and "TeX" in metadata["Creator"] + metadata["Producer"] else None


def _as_date(found: re.Match[str]) -> str:
    if found["month"]:
        day = "" if found["range"] else f"{found['day']}, "
        return f"{found['month']} {day}{found['year']}"
    return found[0]
