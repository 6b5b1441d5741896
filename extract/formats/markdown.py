"""Markdown with front matter: a paper each, as Obsidian, Hugo, Quarto or MyST keep them."""

import datetime
import re
import tomllib
from collections.abc import Iterator
from typing import Any

import yaml

from stemma.extract.formats.bibliography import numbered_references, with_marks
from stemma.extract.formats.body import Body, without_marks
from stemma.extract.formats.document import Document
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
_LONGEST = 65_536
_ABSTRACT = ("description", "tldr", "subtitle")
"""Where a shorter text stands, if there is no abstract."""


class MarkdownReader(Reader):
    """Reads files with front matter in YAML or TOML, a paper each."""

    name = "markdown"
    description = "Markdown with front matter"
    fields = (
        "the front matter as in JSON; otherwise the “Abstract” section, or the text before "
        "headings; sections and tables, with numbered references"
    )
    begins = "-+"

    def recognises(self, start: str) -> bool:
        """Recognise by front matter that has a title and something else of a paper."""
        found = _front_matter(start)
        if not found:
            return False
        names = re.findall(r"^[\"']?([A-Za-z][\w -]*?)[\"']?[ \t]*[:=]", found[1], re.M)
        known = {field_of(each) for each in names}
        return "title" in known and bool(known & {"abstract", "authors", "doi", "arxiv_id"})

    def read(self, document: Document, options: Options) -> Iterator[Paper | Problem]:
        """Read the paper."""
        text, problems = whole_text(document, options.max_record_size)
        yield from problems
        found = _front_matter(text)
        if not found:
            if text:
                yield Problem(document.name, 1, "missing front matter (required: title)", True)
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
        if not any(field_of(key) == "abstract" for key in record):
            record["abstract"] = _abstract(body) or next(
                (record[each] for each in _ABSTRACT if record.get(each)), ""
            )
        yield from read_record(
            record, 1, document, options, _body(body) if options.full_text else None
        )


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
    """Return a value as JSON would have it."""
    return value.isoformat() if isinstance(value, datetime.date) else value


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
        if each[1].strip(" #*:").casefold() in ("abstract", "summary"):
            end = headings[i + 1].start() if i + 1 < len(headings) else len(body)
            return body[each.end() : end].strip()
    return body[: headings[0].start()].strip() if headings else body.strip()
