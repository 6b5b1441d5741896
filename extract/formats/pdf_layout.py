"""The layout of a PDF: which lines are not running text, which are headings, and the abstract."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from stemma.extract.formats.paper_text import (
    begins_introduction,
    begins_references,
    ends_abstract,
    is_abstract_heading,
    is_usual_heading,
    joined,
)
from stemma.extract.formats.pdf_rows import SUPERSCRIPT, SUPERSCRIPT_END, Row

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
_LINE_SPACING = 3.0
"""The largest distance of lines of a paragraph, in sizes of letters."""
_WIDER = 1.25
"""A distance this many times the usual one is a gap between paragraphs."""
SAME_SIZE = 0.35
"""In points."""
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
    r"@|^(?:copyright|©)|permission to make|^(?:figure|fig\.|table)\s*\d", re.I
)


def without_raised(text: str) -> str:
    """Return a text without its footnote marks."""
    return _RAISED.sub("", text)


def with_citations(pages: Sequence[str], numbered: bool) -> list[str]:
    """Return pages with raised numbers in brackets if they are citations of a numbered list.

    If a paper has citations in brackets, raised numbers are marks of footnotes: they are left out.
    """
    cited = sum(len(_CITED.findall(each)) for each in pages)
    raised = sum(len(_CITATION.findall(each)) for each in pages)
    if numbered and raised > _LEAST_CITATIONS and cited < _LEAST_CITATIONS:
        pages = [_CITATION.sub(r"\1 [\2]", each) for each in pages]
    return [without_raised(each) for each in pages]


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


def columns(rows: Sequence[Row]) -> Iterator[list[Row]]:
    """Yield columns: a line that is higher than the one before it begins another."""
    column: list[Row] = []
    for row in rows:
        if column and row.base > column[-1].base + 2 * max(row.size, column[-1].size):
            yield column
            column = []
        column.append(row)
    if column:
        yield column


def _notes(column: Sequence[Row], size: float, page: Sequence[Row], first: bool) -> int:
    """Return how many lines at the end of a column are footnotes or similar, in small letters."""
    count = 0
    for row in reversed(column):
        if row.size > _SMALL * size:
            break
        count += 1
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


def headings(pages: Sequence[Sequence[Row]]) -> frozenset[str]:
    """Return the lines in the style of usual headings, such as "Conclusion".

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
    looks = Counter(
        (row.size, row.font)
        for rows in pages
        for row in rows
        if (row.size, row.font) != style
        and (is_usual_heading(row.text) or begins_references(row.text))
    )
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
    width = _width(rows, style)
    found = list(blocks(rows))
    for i, whole in enumerate(found):
        if begins_introduction(whole[0].text) or whole[0].text in titles:
            break
        block, below = _without_key_words(whole), found[i + 1 : i + 2]
        text = without_raised(joined("\n".join(row.text for row in block)))
        ended = any(ends_abstract(each[0].text) or each[0].text in titles for each in below)
        if len(text) < (_SHORTEST_ABSTRACT if ended else _SHORTEST_UNENDED) or not _is_prose(text):
            continue
        own = max(row.right for row in block) - min(row.left for row in block)
        return text if ended or own < _NARROW * width or text_style([block]) != style else ""
    return ""


def _without_key_words(block: Sequence[Row]) -> Sequence[Row]:
    last = len(block)
    while last > 1 and _KEY_WORDS.fullmatch(block[last - 1].text):
        last -= 1
    return block[:last]


def _width(rows: Sequence[Row], style: tuple[float, str]) -> float:
    widths = sorted(row.right - row.left for row in rows if (row.size, row.font) == style)
    return widths[len(widths) * 3 // 4] if widths else 0


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
