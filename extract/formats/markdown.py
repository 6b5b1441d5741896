"""Markdown: a paper each, as notes with front matter, or as converters make it from PDF."""

import datetime
import html
import re
import tomllib
from typing import Any

import yaml
from markdown_it import MarkdownIt

from stemma.extract.formats.document import Document, texts_beside
from stemma.extract.formats.document_readers import HAS_ABSTRACT, front_matter
from stemma.extract.formats.html_text import PageText, parse, read_article
from stemma.extract.formats.paper_text import is_abstract_heading
from stemma.extract.formats.reader import Draft, Options
from stemma.extract.formats.record import field_of, record_draft

_NO_PAPER = (
    "no paper: it needs front matter with a title, or a title and a section called Abstract; a "
    "README or a list of links is not read"
)
_NOTE = re.compile(r"\[\[(?:[^\[\]|\n]{1,300}\|)?([^\[\]|\n]{1,300})\]\]")
"""A link of Obsidian to another note: ``[[Kiln]]``, ``[[kiln-2021|Kiln]]``."""
_CITATION = re.compile(
    r"[ \t]?\[(?:[^\[\]\n@]{0,80}[ -])?@[^\[\]\n]{1,500}\]|"
    r"[ \t]@[A-Za-z][\w:.#$%&+?~/-]{0,100}\w"
)
"""A citation of Pandoc: ``[@sand2021; see @clay2019]``; in a sentence, ``@sand2021`` shows."""
_KEY = re.compile(r"@([A-Za-z0-9](?:[\w:.#$%&+?~/-]{0,100}\w)?)")
_KEY_OF_ENTRY = re.compile(r"^[ \t]*@\s*\w+\s*[{(]\s*([^\s,]{1,200})", re.M)
_SHOWN_CITATION = re.compile(r" \[\d{1,4}(?:, \d{1,4})*\]")
_TIDYING: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"^[ \t]*>[ \t]?(?:\[![\w-]{1,40}\][+-]?)?[ \t]*", re.M), ""),
    (_NOTE, r"\1"),
    (re.compile(r"(?<![\\$`])(\$\$?)(?=\S|[ \n])([^$`]{1,1000})\1(?!\d)"), r"`\1\2\1`"),
    (re.compile(r"\n(?=[ \t]*\[\d{1,4}\][ \t])"), "\n\n"),
)
"""What Markdown does not have, as it is written by Obsidian, Pandoc and converters."""
_SOFTWARE = re.compile(
    r"\W*(?:installation|installing|install|usage|getting started|quick ?start|licen[cs]e|"
    r"contributing|citation|citing\b.*|how to cite)\W*",
    re.I,
)
"""Headings of a README, which may have the abstract of a paper."""
_BOLD_LINE = re.compile(
    r"<p>(?:<strong>|<em>){1,2}(?!(?:table|figure|fig\.|algorithm)\b)"
    r"([^<>]{2,150}[^<>.,:;])(?:</strong>|</em>){1,2}</p>",
    re.I,
)
_LINE_AFTER_LINE = re.compile(r"(?<![\n|])\n(?![\n|])")
_LONG, _MOST_WRAPPED = re.compile(r"[^\n]{300}"), 0.8
_PARSER = MarkdownIt("commonmark", {"html": True}).enable("table")
_MOST_BRACKETS = 300
"""In a paragraph; for each, the parser may look at all of it."""
_MOST_VALUES = 10_000
_ABSTRACT = ("description", "tldr", "subtitle")
"""Fields with a shorter text, which is used if there is no abstract."""


def read_paper(text: str, document: Document, options: Options) -> Draft | str:
    """Return the paper in a file, or why it has none."""
    name = document.name
    found = front_matter(text)
    if not found:
        return converted(text, name) or _NO_PAPER
    fence, front, body = found
    values = _values(fence, front)
    if isinstance(values, str):
        return values
    record = {str(key): _plain(value) for key, value in values.items()}
    known = set(map(field_of, record))
    if "title" not in known and (draft := converted(body, name)):
        return draft
    _place_authors(record)
    files = texts_beside(document, options.max_record_size)
    page = _page(body, "\n".join(filter(None, map(files, _named(record.get("bibliography"))))))
    article = read_article(page, name, "-")
    article.draft.abstract = _SHOWN_CITATION.sub("", article.draft.abstract)
    if "abstract" not in known:
        # Without its heading, it is the text before all headings.
        blocks = page.blocks[: article.first]
        if not article.draft.abstract:
            heads = (i for i, block in enumerate(page.blocks) if block.level)
            blocks = page.blocks[: next(heads, None)]
        record.setdefault("links", sorted({link for block in blocks for link in block.links}))
        record["abstract"] = (
            article.draft.abstract
            or "\n\n".join(block.shown for block in blocks)
            or next((record[each] for each in _ABSTRACT if record.get(each)), "")
        )
    draft = record_draft(record, 1, options.columns)
    draft.body = page.body(article.first)
    return draft


def converted(
    text: str, name: str, is_start: bool = False, has_title: bool = False
) -> Draft | None:
    """Return the paper in a text without front matter, of a file of this name; None if it is none.

    It has a title (or `has_title`, elsewhere), and an abstract or an introduction, as converters
    write them. What may be only the start of a file has another heading, too.
    """
    if not HAS_ABSTRACT.search(text):
        return None
    page = _page(text)
    headings = [block.shown for block in page.blocks if block.level]
    if is_start and all(map(is_abstract_heading, headings)):
        return None
    article = read_article(page, name, "-" if has_title else "")
    if not (article.draft.title and article.draft.abstract) or any(
        map(_SOFTWARE.fullmatch, headings)
    ):
        return None
    if not is_start:
        article.draft.body = page.body(article.first)
    return article.draft


def bibliographies(start: str) -> list[str]:
    """Return the files in BibTeX that the front matter of a paper names."""
    found = front_matter(start)
    values = _values(*found[:2]) if found else ""
    return [] if isinstance(values, str) else _named(values.get("bibliography"))


def _named(names: object) -> list[str]:
    listed = names if isinstance(names, list) else [names]
    return [each for each in listed if isinstance(each, str) and each.endswith(".bib")]


class _Loader(yaml.SafeLoader):
    """Reads plain values; those of tags that it does not know are left out."""


_Loader.add_multi_constructor("!", lambda *_: None)


def _values(fence: str, front: str) -> dict[Any, Any] | str:
    """Return the fields of front matter, or why it has none."""
    try:
        values = yaml.load(front, _Loader) if fence == "---" else tomllib.loads(front)
    except (yaml.YAMLError, tomllib.TOMLDecodeError, ValueError, RecursionError) as error:
        return f"the front matter cannot be read: {' '.join(str(error).split())}"[:300]
    return values if isinstance(values, dict) else "the front matter has no fields"


def _page(text: str, bibliography: str = "") -> PageText:
    """Return the text of Markdown, by way of HTML, which it may have within.

    Its citations are those of works in a bibliography in BibTeX; others are left out.
    """
    known = set(_KEY_OF_ENTRY.findall(bibliography))

    def cited(found: re.Match[str]) -> str:
        keys = ",".join(filter(known.__contains__, _KEY.findall(found[0])))
        if not keys:
            return "" if "[" in found[0] else found[0]
        return f'<d-cite key="{html.escape(keys)}"></d-cite>'

    text = _CITATION.sub(cited, text.strip())
    lines = len(_LINE_AFTER_LINE.findall(text))
    if lines > text.count("\n") * _MOST_WRAPPED and _LONG.search(text):
        text = _LINE_AFTER_LINE.sub("\n\n", text)  # lines are not wrapped, but paragraphs
    for pattern, plain in _TIDYING:
        text = pattern.sub(plain, text)
    paragraphs = (
        each.replace("[", "\\[") if each.count("[") > _MOST_BRACKETS else each
        for each in text.split("\n\n")
    )
    page = _BOLD_LINE.sub(r"<h6>\1</h6>", _PARSER.render("\n\n".join(paragraphs)))
    listed = bibliography.replace("</", "<\\/")
    return PageText(
        parse(f"<html><body>{page}<script type='text/bibtex'>{listed}</script></body></html>")
    )


def _plain(value: Any) -> Any:
    """Return a value as JSON would have it, without links to other notes."""
    if isinstance(value, list):
        return [_plain(each) for each in value] if len(value) < _MOST_VALUES else value
    if isinstance(value, str):
        return "" if value.startswith("`r ") else _NOTE.sub(r"\1", value)  # a program of R
    return value.isoformat() if isinstance(value, datetime.date) else value


def _place_authors(record: dict[str, Any]) -> None:
    """Replace the numbers of institutions, as papers of JOSS have them, by their names."""
    listed = record.get("affiliations")
    places = {
        str(each.get("index")): str(each.get("name") or "")
        for each in (listed if isinstance(listed, list) else ())
        if isinstance(each, dict)
    }
    authors = record.get("authors")
    for author in authors if places and isinstance(authors, list) else ():
        if isinstance(author, dict):
            numbers = re.findall(r"\w+", str(author.get("affiliation") or ""))
            author["affiliation"] = [places[number] for number in numbers if number in places]
