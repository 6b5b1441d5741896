"""Articles: papers whose text shows, in headings and paragraphs, what other formats say in fields.

Pages in HTML and Markdown are read by it, from their blocks; authors from the lines
between the title and the abstract.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import NamedTuple

from stemma.extract.formats.dates import is_date
from stemma.extract.formats.draft import Draft, author, one_line
from stemma.extract.formats.html_text import Block, PageText
from stemma.extract.formats.paper_text import (
    LONGEST_TITLE,
    NO_TITLE,
    arxiv_id,
    begins_introduction,
    begins_references,
    ends_abstract,
    is_abstract_heading,
    is_usual_heading,
    printed_doi,
)
from stemma.extract.formats.person_name import is_organisation, is_person, person_names
from stemma.schema.paper import Author

_SOFTWARE = re.compile(
    r"\W*(?:installation|installing|install|usage|getting started|quick ?start|licen[cs]e|"
    r"contributing|citation|citing\b.*|how to cite)\W*",
    re.I,
)
"""Headings of a README, which may have the abstract of a paper."""
_MARK = re.compile(
    r"\$[^$\n]{0,60}\$|\([^()\n]{0,40}\)|[\d*∗⋆†‡§¶#!?”“®˚^✉¹²³⁴⁵⁶⁷⁸⁹⁰]+|<[^<>\n]{0,100}>|"
    r"\{[^{}\n]{0,200}\}\s?@\s?\S{1,100}|\S{1,100}@\S{1,100}"
)
_MOST_LINES, _LONGEST_LINE = 100, 5000
_ACM = re.compile(r"^(?:ACM ?Reference Format:?\s*)?([^.]\D{5,1500}?)\. (?:19|20)\d\d\. ", re.I)
_ACM_HEADING = re.compile(r"ACM ?Reference Format\b", re.I)
_ABSTRACT = re.compile(r"\A(?:abstract|summary)\b[\s.:—–-]*", re.I)
_PUBLISHED = re.compile(r"(?:first )?(?:published|posted)(?: on)?\b[ :]*(.{0,40})", re.I)
_FOOTNOTE = re.compile(r"[\s^*∗†‡§]+$")
_FIRST_HEADINGS = 2
"""Among these, "Summary" is the abstract; later, it is the conclusion."""
_LEAST_PARAGRAPHS, _LEAST_PARAGRAPH = 5, 100
"""How many paragraphs, of how many characters, an article has, and a page of links has not."""


def authors_between(lines: Iterable[str]) -> list[Author]:
    """Return the authors in lines below a title, those of lines with names alone."""
    found: dict[str, Author] = {}
    in_reference = False
    for line in islice(lines, _MOST_LINES):
        in_reference |= bool(_ACM_HEADING.match(line))
        if in_reference and (cited := _ACM.match(line)):
            return [author(each) for each in person_names(cited[1])]
        for name in _names(line[:_LONGEST_LINE]):
            found.setdefault(name, author(name))
    return list(found.values())


def _names(line: str) -> list[str]:
    plain = one_line(_MARK.sub(",", line.replace("·", ","))).strip(" ,.#")
    parts = [each.strip(" .,") for each in person_names(plain)]
    *first, last = parts or [""]
    if len(first) > 1 and is_organisation(last):  # Ann Sand, Bo Pot, Cy Mill Kiln University
        parts = [*first, " ".join(last.split()[:2])]
    return parts if parts and all(map(is_person, parts)) else []


class Article(NamedTuple):
    """What the blocks of a page show of a paper."""

    draft: Draft
    first: int
    """The block with which its sections begin."""
    has_introduction: bool
    """Whether it has a heading that papers have."""
    is_long: bool
    """Whether it has headings and paragraphs, as an article."""


def read_article(page: PageText, name: str, stated: str = "", marked: str = "") -> Article:
    """Read the title page that a text shows; `name` is that of its file.

    `stated` is a title that is known, `marked` a text that is known to be the abstract.
    """
    blocks = page.blocks
    begin = _abstract(blocks, marked)
    title = _title(blocks[:begin], stated)
    first = top = 0 if title is None else title + 1
    abstract, above = marked, blocks[:begin] if begin is not None else blocks
    if begin is not None:
        ends = (i for i in range(begin + 1, len(blocks)) if _ends(blocks[i]))
        first = next(ends, len(blocks))
        abstract = marked or "\n\n".join(each.shown for each in blocks[begin:first])
    else:
        heads = (i for i in range(top, len(blocks)) if blocks[i].level and blocks[i].inside)
        if (head := next(heads, None)) is not None:
            above = blocks[:head]
            if begins_introduction(blocks[head].shown) and _is_paper(blocks[head:]):
                abstract = "\n\n".join(each.shown for each in above[top:] if _is_long(each))
                first = head
    text = "\n".join(each.shown for each in above)
    below = [each.shown for each in above[top:]]
    sections = [each for each in blocks[first:] if each.inside]
    draft = Draft(
        1,
        title=_FOOTNOTE.sub("", blocks[title].shown) if title is not None else stated,
        abstract=_ABSTRACT.sub("", abstract, count=1).strip(),
        published=next(filter(is_date, _dates(below)), None),
        authors=authors_between(below),
        doi=printed_doi(text),
        arxiv_id=arxiv_id(name, text),
    )
    return Article(
        draft,
        first,
        any(is_usual_heading(each.shown) for each in sections),
        (any(each.level for each in sections) or bool(abstract))
        and sum(map(_is_long, sections)) >= _LEAST_PARAGRAPHS,
    )


def _abstract(blocks: Sequence[Block], marked: str) -> int | None:
    """Return the number of the block in which the abstract, or its heading, begins.

    A summary is an abstract only under the first heading.
    """
    headings = 0
    for i, each in enumerate(blocks):
        headings += bool(each.level)
        is_heading = is_abstract_heading(each.shown)
        if headings > _FIRST_HEADINGS and each.shown.casefold().startswith("summary"):
            continue
        if is_heading or (marked and each.text and each.shown in marked):
            return i
    return None


def _title(blocks: Sequence[Block], stated: str) -> int | None:
    """Return the number of the block that is the title: that which is known, or a heading."""

    def good(i: int) -> bool:
        text = blocks[i].shown
        return 8 < len(text) <= LONGEST_TITLE and not NO_TITLE.match(text)

    if stated:
        return next(
            (i for i, each in enumerate(blocks) if each.level and each.shown in stated), None
        )
    able = [i for i in range(len(blocks)) if good(i) and not is_usual_heading(blocks[i].shown)]
    ranked = sorted(able, key=lambda i: (blocks[i].level != 1, not blocks[i].level, i))
    return next(iter(ranked), None)


def _ends(block: Block) -> bool:
    return bool(block.level or ends_abstract(block.shown) or is_usual_heading(block.shown))


def _is_paper(blocks: Sequence[Block]) -> bool:
    """Return whether headings from the introduction on are a paper's, not a manual's."""
    named = (is_usual_heading(each.shown) or begins_references(each.shown) for each in blocks)
    return (blocks[0].shown[:1] in "1I" and blocks[0].shown[1:2] in ". ") or sum(named) > 1


def _is_long(block: Block) -> bool:
    return not block.level and len(block.text) >= _LEAST_PARAGRAPH


def _dates(lines: Sequence[str]) -> list[str]:
    """Return what stands behind, or below, the word "Published"."""
    found = zip(map(_PUBLISHED.fullmatch, lines), [*lines[1:], ""], strict=False)
    return [each[1].strip(" .") or below for each, below in found if each]


def article_of(
    page: PageText, name: str, has_title: bool = False, with_body: bool = True
) -> Draft | None:
    """Return the paper in a text with headings; None if it is none.

    It has a title, unless it is known from elsewhere (`has_title`), and an abstract. Where only
    that is asked, its sections are not read (`with_body`).
    """
    article = read_article(page, name, "-" if has_title else "")
    if not article.draft.title or not article.draft.abstract:
        return None
    if any(_SOFTWARE.fullmatch(each.shown) for each in page.blocks if each.level):
        return None
    if with_body:
        article.draft.body = page.body(article.first)
    return article.draft
