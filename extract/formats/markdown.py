"""Markdown: a paper each, as notes with front matter, or as converters make it from PDF."""

import datetime
import html
import re
import tomllib
from collections.abc import Iterator
from typing import Any

import yaml

from stemma.extract.formats.bibliography import numbered_references, with_marks
from stemma.extract.formats.body import Body, without_marks
from stemma.extract.formats.document import Document
from stemma.extract.formats.draft import Draft
from stemma.extract.formats.link import links_in
from stemma.extract.formats.paper_text import (
    LONGEST_TITLE,
    NO_TITLE,
    arxiv_id,
    stated_doi,
    title_above,
)
from stemma.extract.formats.reader import Options, Reader
from stemma.extract.formats.record import field_of, read_record
from stemma.extract.formats.table_text import Cell, PaperTable
from stemma.extract.formats.whole import whole_text
from stemma.schema.paper import Paper
from stemma.schema.problem import Problem

_FENCE = re.compile(r"(---|\+\+\+)[ \t]*\n")
_HEADING = re.compile(r"^#{1,6}[ \t]+([^\n]*)$", re.M)
_REFERENCES = re.compile(r"(?:\d+\.?\s+)?(?:references|bibliography)$", re.I)
_CODE = re.compile(r"^(```|~~~)[^\n]*\n.*?(?:^\1[ \t]*$|\Z)", re.M | re.S)
_LINK = re.compile(r"(?<!!)\[([^\[\]\n]{1,300})\]\([^()\s]{1,1000}\)")
_TABLE = re.compile(
    r"^([ \t]*\|?[^\n|]*\|[^\n]*)\n[ \t]*\|?[ \t]*:?-{1,100}:?[ \t]*(?:\|[ \t]*:?-{1,100}:?[ \t]*)"
    r"{0,50}\|?[ \t]*\n((?:[^\n|]*\|[^\n]*(?:\n|\Z))*)",
    re.M,
)
_CAPTION = re.compile(r"table\b", re.I)
_EMPHASIS = re.compile(r"[*`]|(?<!\w)_|_(?!\w)|\\(?=\|)")
_HAS_ABSTRACT = re.compile(r"^[ \t#*_]{0,12}(?:<[^<>\n]{0,80}>)?[*_]{0,3}abstract", re.I | re.M)
_SOFTWARE = re.compile(
    r"\W*(?:installation|installing|install|usage|getting started|quick ?start|licen[cs]e|"
    r"contributing|citation|citing\b.*|how to cite)\W*",
    re.I,
)
"""Headings of a README, which may have the abstract of a paper."""
_NO_PAPER = (
    "no paper: it needs front matter with a title, or a title and a section called Abstract; a "
    "README or a list of links is not read"
)
_HTML_TABLE = re.compile(r"<table\b[^<>]{0,300}>", re.I)
_HTML_ROW = re.compile(r"<tr\b[^<>]{0,300}>", re.I)
_HTML_CELL = re.compile(r"<t[dh]\b([^<>]{0,300})>", re.I)
_COLUMNS = re.compile(r"colspan=[\"']?(\d{1,2})\b", re.I)
_TAG = re.compile(r"</?[a-z][^<>]{0,300}>", re.I)
_KEYWORDS = "Keywords"
_FOOTNOTE = re.compile(r"[\s^*∗†‡§]+$")
_TIDYING: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"<!--(?:(?!-->)[^\n]){0,200}-->"), ""),
    (re.compile(r"!\[[^\[\]\n]{0,300}\]\([^()\n]{0,1000}\)"), ""),
    (re.compile(r"<(su[pb])>([^<>\n]{0,100})</\1>", re.I), r"^\2"),
    (re.compile(r"</?(?:span|a|b|i|u|em|strong|br|center|div|p)\b[^<>]{0,300}>", re.I), ""),
    (re.compile(r"^(?=\S)([^\n]{1,300})\n=+[ \t]*$", re.M), r"# \1"),
    (re.compile(r"^(?=[^\s|#>])([^\n|]{1,99}[^\n|.])\n-{3,}[ \t]*$", re.M), r"## \1"),
    (
        re.compile(
            r"^(?:[*_]{1,3}abstract[*_]{1,3}[ \t]*[.:—–-]{0,2}[*_]{0,3}"
            r"|abstract[ \t]*[.:—–-]{1,2}|abstract(?=[ \t]*$)"
            r"|[*_]{1,3}abstract[ \t]*[.:—–-]{1,2}[*_]{0,3})[ \t]*",
            re.I | re.M,
        ),
        "###### Abstract\n\n",
    ),
    (
        re.compile(r"^[*_]{0,3}(?:key[ -]?words|index terms)\b[*_]{0,3}[ \t]*[.:—–-]", re.I | re.M),
        f"###### {_KEYWORDS}\n\n",
    ),
    (
        re.compile(
            r"^\*\*(?!(?:table|figure|fig\.|algorithm)\b)([^*\n]{2,150}[^*\n.,:;])\*\*[ \t]*$",
            re.I | re.M,
        ),
        r"###### \1",
    ),
    (re.compile(r"\*\*([^*\n]{1,300})\*\*"), r"\1"),
    (re.compile(r"(?<![\w*\\])\*([^*\s][^*\n]{0,300})\*(?![\w*])"), r"\1"),
    # A heading's number says more about its level than its marks, which are often all alike.
    (re.compile(r"^#{1,6}[ \t]+(?=\d{1,2}\.?[ \t])", re.M), "## "),
    (re.compile(r"^#{1,6}[ \t]+(?=\d{1,2}\.\d{1,2}\.?[ \t])", re.M), "### "),
    (re.compile(r"^#{1,6}[ \t]+(?=\d{1,2}\.\d{1,2}\.\d{1,2}\.?[ \t])", re.M), "#### "),
    (re.compile(r"\[(\\?\[[^\[\]\n]{1,100}\])\]\([^()\s]{1,1000}\)"), r"\1"),
    (re.compile(r"\\([\[\]&%_#])"), r"\1"),
    (re.compile(r"^[ \t]*[-*][ \t]+(?=\[\d)", re.M), ""),
)
"""Patterns and their replacements, in this order."""
_NOTE = re.compile(r"\[\[(?:[^\[\]|\n]{1,300}\|)?([^\[\]|\n]{1,300})\]\]")
"""A link of Obsidian to another note: ``[[Kiln]]``, ``[[kiln-2021|Kiln]]``."""
_IN_NOTES: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"^[ \t]*>[ \t]?(?:\[![\w-]{1,40}\][+-]?)?[ \t]*", re.M), ""),
    (re.compile(r"[ \t]?\[(?:[^\[\]\n@]{0,80}[ -])?@[^\[\]\n]{1,500}\]"), ""),
    (_NOTE, r"\1"),
)
_MOST_VALUES = 10_000
_LONGEST = 65_536
_ABSTRACT = ("description", "tldr", "subtitle")
"""Fields with a shorter text, which is used if there is no abstract."""


class MarkdownReader(Reader):
    """Reads files of a paper each, with front matter in YAML or TOML, or without."""

    name = "markdown"
    description = "Markdown"
    fields = (
        "one paper: front matter as in JSON, with the “Abstract” section, or else the text before "
        "headings; or, as converters make it from PDF, title, abstract, DOI and arXiv id; "
        "sections and tables, with numbered references. A README or a list of links is no paper"
    )
    begins = "-+"

    def recognises(self, start: str) -> bool:
        """Recognise by a title and something else of a paper, in front matter or in the text."""
        found = _front_matter(start)
        if not found:
            return bool(_converted(start, needs_headings=True))
        names = re.findall(r"^[\"']?([A-Za-z][\w -]*?)[\"']?[ \t]*[:=]", found[1], re.M)
        known = {field_of(each) for each in names}
        if "title" not in known:
            return bool(_converted(found[2], needs_headings=True))
        return bool(known & {"abstract", "authors", "doi", "arxiv_id"}) or any(
            _is_abstract(each[1]) for each in _HEADING.finditer(found[2])
        )

    def read(self, document: Document, options: Options) -> Iterator[Paper | Problem]:
        """Read the paper."""
        text, problems = whole_text(document, options.max_record_size)
        yield from problems
        found = _front_matter(text)
        if not found:
            if draft := converted(text, document.name, options.full_text):
                yield from draft.read(document, options.year)
            elif text:
                yield Problem(document.name, 1, _NO_PAPER, skipped=True)
            return
        fence, front, body = found
        try:
            values = yaml.safe_load(front) if fence == "---" else tomllib.loads(front)
        except (yaml.YAMLError, tomllib.TOMLDecodeError, ValueError, RecursionError) as error:
            reason = f"the front matter cannot be read: {' '.join(str(error).split())}"
            yield Problem(document.name, 1, f"{reason:.300}", skipped=True)
            return
        if not isinstance(values, dict):
            yield Problem(document.name, 1, "the front matter has no fields", skipped=True)
            return
        record = {str(key): _plain(value) for key, value in values.items()}
        if not any(field_of(key) == "title" for key in record) and (
            draft := converted(body, document.name, options.full_text)
        ):
            yield from draft.read(document, options.year)
            return
        _place_authors(record)
        if not any(field_of(key) == "abstract" for key in record):
            abstract = _abstract(body)
            record.setdefault("links", list(links_in(abstract)))
            record["abstract"] = _noted(abstract) or next(
                (record[each] for each in _ABSTRACT if record.get(each)), ""
            )
        yield from read_record(
            record, 1, document, options, _body(body) if options.full_text else None
        )


def _converted(text: str, needs_headings: bool = False) -> tuple[str, str, str] | None:
    """Return what stands above the abstract of a paper, the abstract, and what follows; or None."""
    if not _HAS_ABSTRACT.search(text):
        return None
    text = _tidied(text)
    headings = list(_HEADING.finditer(text))
    named = [each[1].strip(" *:") for each in headings]
    is_plain = all(_is_abstract(each) or each == _KEYWORDS for each in named)
    if (is_plain and needs_headings) or any(map(_SOFTWARE.fullmatch, named)):
        return None
    for each, following in zip(headings, [*headings[1:], None], strict=True):
        if _is_abstract(each[1]):
            end = following.start() if following else len(text)
            found = text[: each.start()], text[each.end() : end].strip(), text[end:]
            return found if found[1] and _title(found[0]) else None
    return None


def converted(text: str, name: str, full_text: bool) -> Draft | None:
    """Return the paper in a text without front matter, of a file of this name; None if it is none.

    It has a title and an abstract, as converters write them.
    """
    found = _converted(text)
    if not found:
        return None
    above, abstract, rest = found
    body = _body(rest) if full_text else Body()
    return Draft(
        1,
        title=_title(above),
        abstract=_LINK.sub(r"\1", abstract),
        doi=stated_doi(above),
        arxiv_id=arxiv_id(name, above),
        references=list(body.references.values()),
        body=body,
    )


def _title(above: str) -> str:
    """Return the first heading that can be a title, else the first lines."""
    headings = (_FOOTNOTE.sub("", each[1].strip(" #*")) for each in _HEADING.finditer(above))
    titles = (each for each in headings if len(each) > 8 and not NO_TITLE.match(each))
    return next(titles, "")[:LONGEST_TITLE] or title_above(above)


def _tidied(text: str) -> str:
    """Return Markdown as converters write it in one form: headings with #, and without HTML."""
    text = _with_pipes(text)
    for pattern, plain in _TIDYING:
        text = pattern.sub(plain, text)
    return html.unescape(text)


def _with_pipes(text: str) -> str:
    """Put tables with pipes for those in HTML; one whose cells span rows is left out."""
    first, *pieces = _HTML_TABLE.split(text)
    parts = [first]
    for piece in pieces:
        inside, _, after = piece.partition("</table>")
        rows = [_cells(row) for row in _HTML_ROW.split(inside)[1:]]
        if rows and "rowspan" not in inside:
            lines = [f"| {' | '.join(row)} |" for row in rows]
            lines.insert(1, "|---" * len(rows[0]) + "|")
            parts += ["\n\n", "\n".join(lines), "\n\n"]
        parts.append(after)
    return "".join(parts)


def _cells(row: str) -> list[str]:
    """Return the cells of a row, one that spans columns in each of them."""
    _, *parts = _HTML_CELL.split(row)
    found: list[str] = []
    for attributes, cell in zip(parts[::2], parts[1::2], strict=True):
        span = _COLUMNS.search(attributes)
        text = " ".join(_TAG.sub("", cell).replace("|", "/").split())
        found += [text] * (int(span[1]) if span else 1)
    return found


def _front_matter(text: str) -> tuple[str, str, str] | None:
    """Return the fence, what stands between two of them, and what follows."""
    opening = _FENCE.match(text := text.removeprefix("\ufeff"))
    if not opening:
        return None
    end = text.find(f"\n{opening[1]}", opening.end() - 1, _LONGEST)
    if end < 0:
        return None
    return opening[1], text[opening.end() : end], text[end + 4 :].partition("\n")[2]


def _plain(value: Any) -> Any:
    """Return a value as JSON would have it, without links to other notes."""
    if isinstance(value, list):
        return [_plain(each) for each in value] if len(value) < _MOST_VALUES else value
    if isinstance(value, str):
        return _NOTE.sub(r"\1", value)
    return value.isoformat() if isinstance(value, datetime.date) else value


def _noted(text: str) -> str:
    """Return a text without the markup of notes and Pandoc: quotes, links, citations, emphasis."""
    for pattern, plain in _IN_NOTES:
        text = pattern.sub(plain, text)
    return _EMPHASIS.sub("", _LINK.sub(r"\1", text))


def _place_authors(record: dict[str, Any]) -> None:
    """Replace the numbers of institutions, as papers of JOSS have them, by their names."""
    listed = record.get("affiliations")
    places = {
        str(each.get("index")): str(each.get("name") or "")
        for each in (listed if isinstance(listed, list) else ())
        if isinstance(each, dict)
    }
    authors = record.get("authors")
    for each in authors if places and isinstance(authors, list) else ():
        if isinstance(each, dict):
            numbers = re.findall(r"\w+", str(each.get("affiliation") or ""))
            each["affiliation"] = [places[number] for number in numbers if number in places]


def _body(text: str) -> Body:
    """Return the sections, whose citations are the numbers of the list under "References"."""
    sections = list(_sections(without_marks(text)))
    listed = (
        section for headings, section in sections if _REFERENCES.match(headings[-1].strip(" #*:"))
    )
    references = numbered_references("\n".join(listed))
    return Body(
        (
            (headings, with_marks(_TABLE.sub("\n\n", section), references))
            for headings, section in sections
        ),
        references,
        (table for _, section in sections for table in _tables(with_marks(section, references))),
    )


def _tables(text: str) -> Iterator[PaperTable]:
    """Yield tables with pipes; a caption stands right before or after, and begins with "Table"."""
    for each in _TABLE.finditer(text):
        near = (text[: each.start()].rstrip().rpartition("\n")[2], text[each.end() :].lstrip())
        lines = (line.partition("\n")[0].strip(" *_:") for line in near)
        caption = next((line for line in lines if _CAPTION.match(line)), "")
        rows = (line.strip().strip("|").split("|") for line in (each[1], *each[2].splitlines()))
        yield PaperTable(caption, [[Cell(_EMPHASIS.sub("", cell)) for cell in row] for row in rows])


def _sections(text: str) -> Iterator[tuple[list[str], str]]:
    outer: dict[int, str] = {}
    text = _CODE.sub("", text)
    headings = list(_HEADING.finditer(text))
    for i, each in enumerate(headings):
        level = len(each[0]) - len(each[0].lstrip("#"))
        outer = {n: heading for n, heading in outer.items() if n < level} | {level: each[1]}
        end = headings[i + 1].start() if i + 1 < len(headings) else len(text)
        named = [heading for _, heading in sorted(outer.items())]
        yield named, _LINK.sub(r"\1", text[each.end() : end])


def _abstract(body: str) -> str:
    """Return the section that is the abstract, else what stands before all headings."""
    headings = list(_HEADING.finditer(body))
    for i, each in enumerate(headings):
        if _is_abstract(each[1]):
            end = headings[i + 1].start() if i + 1 < len(headings) else len(body)
            return body[each.end() : end].strip()
    return body[: headings[0].start()].strip() if headings else body.strip()


def _is_abstract(heading: str) -> bool:
    return heading.strip(" #*_:.").casefold() in ("abstract", "summary")
