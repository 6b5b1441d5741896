"""The text of a paper without markup: its abstract, its numbered sections and its references."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from stemma.extract.formats.bibliography import numbered_references, with_marks
from stemma.extract.formats.body import Body, without_marks

LONGEST_TITLE = 300
_ARXIV = r"arXiv:\s?(\d{4}\.\d{4,5}(?:v\d+)?|[a-z-]+(?:\.[A-Z]{2})?/\d{7}(?:v\d+)?)"
_STAMP = re.compile(rf"{_ARXIV}\s+\[[\w.-]+\]\s+\d{{1,2}} [A-Z][a-z]{{2}} \d{{4}}")
_NAMED_SO = re.compile(r"(?:arxiv[-_ .:]?)?(\d\d(?:0[1-9]|1[0-2])\.\d{4,5}(?:v\d+)?)(?!\d)", re.I)
_DOI = re.compile(r"\b(?:doi\.org/|doi:\s*)(10\.\d{4,9}/[^\s,;\])]+)", re.I)
NO_TITLE = re.compile(
    r"arxiv:|https?:|doi:|(?:published|accepted|appear(?:s|ed)|to appear) (?:as|at|in|by)\b|"
    r"under review|preprint\W*$|(?:in )?proceedings of|journal of|vol(?:ume|\.) ?\d|"
    r"copyright (?:©|\(c\)|\d)|©|\W*\d+\W*$|latest updates",
    re.I,
)
"""Lines that stand above titles."""
_MARKED = re.compile(
    r"^[ \t]*(?:abstract|summary|a[ ]b[ ]s[ ]t[ ]r[ ]a[ ]c[ ]t)[ \t]*[.:—–-]*[ \t]*$|"
    r"^[ \t]*abstract\s*[.:—–-]+[ \t]*",
    re.I | re.M,
)
_RUN_IN = re.compile(r"^[ \t]*(?:Abstract|ABSTRACT)[ \t]+(?=[A-Z][^\n]{40})", re.M)
"""As Springer prints it: the heading stands in the first line, with nothing between."""
_END = re.compile(
    r"^[ \t]*(?:(?:1|I)\.?[ \t]+)?introduction[ \t]*$|^[ \t]*(?:key[ -]?words|index terms|"
    r"ccs concepts|acm reference format|categories and subject descriptors|contents)\b|"
    r"^[ \t]*(?:1\.?|I\.)[ \t]+(?:introduction\b[^\n]{0,60}|(?-i:[A-Z])[A-Z-]{3,40}"
    r"(?:[ \t]+(?:(?-i:[A-Z])[A-Z-]{0,40}|and|of|the|for|to|in|on)){0,7})[ \t]*$",
    re.I | re.M,
)
_NUMBERED = re.compile(
    r"^[ \t]*(?:(\d{1,2}(?:\.\d{1,2}){0,2})\.?|([IVX]{1,5})\.)[ \t]+"
    r"([A-Z][^\n]{2,80}(?<![.,;:]))[ \t]*$",
    re.M,
)
_NAMED = re.compile(
    r"^[ \t]*(introduction|background|related works?|prior work|preliminaries|methods?|methodology|"
    r"approach|experiments|experimental (?:setup|results)|evaluation|results|"
    r"results and discussion|discussion|limitations|conclusions?|acknowledge?ments?)[ \t]*$",
    re.I | re.M,
)
"""Headings that have no number."""
_ROMAN = ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII", "XIII", "XIV"]
_LISTED = re.compile(
    r"^[ \t]*(?:(?:\d+|[IVX]+)\.?[ \t]+)?(?:references|bibliography)[ \t]*$", re.I | re.M
)
_HYPHEN = re.compile(
    r"([^\W_](?:[^\W_]|-(?=[^\W_])){0,40})(?:[\ufffe\x02\u00ad][\n\f]?|[-\u2010][\n\f][ \t]*)"
    r"(?=([^\W_](?:[^\W_]|-(?=[^\W_])){0,40}))"
)
"""A word with a hyphen at the end of a line, for which PDFium writes U+FFFE, and what follows."""
_WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
_LONGEST_ABSTRACT = 6000
_MOST_TITLE_LINES = 4
_NAME = re.compile(r"[ \t]*(?:[A-Z][\w.'’-]*[ \t]+){1,3}[A-Z][\w'’-]+[ \t]*")
_AFFILIATION = re.compile(r"@|\b(?:universi|institut|department|laborator|college|school of)", re.I)
_FOOTNOTE = re.compile(r"[\d*∗†‡§¶]+")
_NUMBER = re.compile(r"\d+")
_EDGE, _OFTEN = 2, 3
"""How many lines at the top and the bottom of a page may be repeated, and on how many pages."""


def without_running_heads(pages: Iterable[str]) -> list[str]:
    """Return pages without their numbers, and without what several have at the top or bottom."""
    split = [page.splitlines() for page in pages]
    edges = [_edges(lines, first=not i) for i, lines in enumerate(split)]
    seen = Counter(key for at in edges for key in set(at.values()))
    return [
        "\n".join(
            line
            for i, line in enumerate(lines)
            if i not in at or not (at[i] == "#" or seen[at[i]] >= _OFTEN)
        )
        for lines, at in zip(split, edges, strict=True)
    ]


def _edges(lines: list[str], first: bool) -> dict[int, str]:
    """Return the lines at the edges of a page by their place, with any number alike.

    At the top of the first page stands the title, which may be the running head of others.
    """
    filled = [i for i, line in enumerate(lines) if line.strip()]
    top = () if first else filled[:_EDGE]
    return {
        i: _NUMBER.sub("#", lines[i]).strip(" \t-–—").casefold() for i in (*top, *filled[-_EDGE:])
    }


def arxiv_id(name: str, page: str) -> str | None:
    """Return the arXiv id that a paper's first page states as its own, else that in its file name.

    One in the running text is that of another paper.
    """
    found = (
        _STAMP.search(page)
        or re.search(_ARXIV, before_abstract(page))
        or _NAMED_SO.match(name.rpartition("/")[2])
    )
    return found[1] if found else None


def stated_doi(text: str) -> str | None:
    """Return the DOI that a text states first."""
    found = _DOI.search(text)
    return found[1].rstrip(".") if found else None


def has_abstract(text: str) -> bool:
    """Return whether a text has an abstract, with what follows it."""
    begin = _MARKED.search(text)
    return bool(begin and _END.search(text, begin.end()))


def before_abstract(text: str) -> str:
    """Return what stands before the abstract."""
    begin = _abstract_heading(text)
    return text[: begin.start()] if begin else text


def abstract(text: str) -> str:
    """Return what stands between the heading of the abstract and what follows it."""
    begin = _abstract_heading(text)
    if not begin:
        return ""
    end = _END.search(text, begin.end())
    found = text[begin.end() : end.start() if end else begin.end() + _LONGEST_ABSTRACT]
    return found.strip()[:_LONGEST_ABSTRACT].strip()


def title_above(text: str) -> str:
    """Return the title: the first lines of what stands above the abstract, without authors."""
    lines = [each.rstrip() for each in text.splitlines()]
    while lines and (not lines[0].strip() or NO_TITLE.match(lines[0].strip())):
        del lines[0]
    found: list[str] = []
    for i, line in enumerate(lines[:_MOST_TITLE_LINES]):
        below = lines[i + 1] if i + 1 < len(lines) else ""
        if not line.strip() or (found and (_names(line) or (_NAME.match(line) and _names(below)))):
            break
        found.append(line)
    title = " ".join(joined("\n".join(found)).split()).strip("*∗†‡^ ")
    return title if 8 < len(title) <= LONGEST_TITLE else ""


def _names(line: str) -> bool:
    """Return whether a line below a title has authors, or where they work."""
    plain = _FOOTNOTE.sub("", line).strip()
    people = [each.strip() for each in re.split(r",|&|\band\b", plain) if each.strip()]
    return bool(
        _AFFILIATION.search(line)
        or (len(people) > 1 and all(map(_NAME.fullmatch, people)))
        or re.search(r"\S[ \t]{3,}\S", plain)
    )


def _abstract_heading(text: str) -> re.Match[str] | None:
    return _MARKED.search(text) or _RUN_IN.search(text)


def body(text: str) -> Body:
    """Return the sections whose headings are numbered in order, from the introduction on.

    Where none is numbered, those with usual names.
    """
    text = without_marks(text)
    listed = _LISTED.search(text)
    references = numbered_references(text[listed.end() :]) if listed else {}
    read = text[: listed.start()] if listed else text
    headings = list(_in_order(read)) or list(_named(read))
    sections = []
    outer = ""
    for i, (number, title, _, start) in enumerate(headings):
        end = headings[i + 1][2] if i + 1 < len(headings) else len(read)
        outer = outer if "." in number else title
        sections.append(([outer, title], with_marks(read[start:end], references)))
    return Body(sections, references)


def _in_order(text: str) -> Iterator[tuple[str, str, int, int]]:
    """Yield headings, each with its number, and the offsets at which it begins and ends.

    What does not continue the numbers is a row of a table, or an item of a list.
    """
    last: list[int] = []
    for found in _NUMBERED.finditer(text):
        shown = found[1] or str(_ROMAN.index(found[2]) + 1 if found[2] in _ROMAN else 0)
        number = [int(each) for each in shown.split(".")]
        if not last and not (number == [1] and re.match(r"introduction\b", found[3], re.I)):
            continue
        level = len(number)
        next_ = [*last[: level - 1], (last[level - 1] if level <= len(last) else 0) + 1]
        if number == next_:
            last = number
            yield shown, found[3], found.start(), found.end()


def _named(text: str) -> Iterator[tuple[str, str, int, int]]:
    for found in _NAMED.finditer(text):
        yield "", found[1], found.start(), found.end()


def joined(text: str) -> str:
    """Put words together that a line's end divides, as the text has them within its lines.

    Of a word that stands nowhere else, the hyphen stays after capitals, digits and other hyphens.
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
