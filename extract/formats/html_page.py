"""HTML: saved "Daily Papers" pages, pages that describe a paper, and papers as pages."""

import dataclasses
import re
import textwrap
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
import yaml
from lxml import etree

from stemma.extract.formats import listing
from stemma.extract.formats.dates import is_date
from stemma.extract.formats.document import Document
from stemma.extract.formats.html_text import PageText, authors_between, parse, read_article
from stemma.extract.formats.json_reader import fields, items, string
from stemma.extract.formats.reader import Draft, Options
from stemma.extract.formats.record import record_draft
from stemma.schema import Paper
from stemma.schema.text_line import Line

_ABSTRACT = (
    "//*[re:test(concat(@class, ' ', @id), '(^|[-_ ])abstract([-_ ]|$)', 'i')][not(self::body)]"
)
_REGEX = {"re": "http://exslt.org/regular-expressions"}
_PERSONS = "//*[contains(@class, 'ltx_personname')]|//*[@rel='author']|//*[@itemprop='author']"
_DATES = "//time/@datetime|//*[self::h4 or self::p][@class='date']/text()"
_FRONT_MATTER = "//script[@type='text/front-matter']|//d-front-matter/script"
_TAG = re.compile(r"(?:citation_|dc(?:terms)?[.:]|og:|article:)(?=.)")
_SAME = {
    **{"creator": "author", "issued": "date", "published_time": "published"},
    **{"conference_title": "conference", "public_url": "url", "headline": "title"},
    **{"isPartOf": "journal", "sameAs": "doi", "@id": "doi", "name": "title"},
}
"""Names of fields in tags and in linked data, and those that records have."""
_SEVERAL = ("citation_author", "dc.creator", "dc.identifier")
_IS_PAPER = re.compile(r"citation_|dc[.]")
_DESCRIPTIONS = ("dc.description", "description", "og:description")
_DATA = "//*[@data-props]"
_LISTS = ("dailyPapers", "papers", "trendingPapers", "results")


def papers(text: str, document: Document, options: Options) -> Iterator[Paper]:
    """Read the papers of a page from its text."""
    root = parse(text)
    if root is None:
        document.note("no HTML that can be read", 1, skipped=True)
        return
    data = (_listed(element.get("data-props"), element.sourceline) for element in root.xpath(_DATA))
    listed = next(filter(None, map(list, data)), [])
    page = PageText(root)
    paper = None if listed else _paper(root, page, document.name)
    if paper and not paper.abstract:
        document.note("no abstract was found: only the title was read", 1)
    if drafts := listed or ([paper] if paper else []):
        yield from filter(None, (draft.paper(document, options) for draft in drafts))
        return
    lines = (Line(block.line, block.text.removeprefix("Published on ")) for block in page.blocks)
    yield from listing.papers((*lines, Line(0, "")), document, options.year)


def _paper(root: Any, page: PageText, name: str) -> Draft | None:
    """Return the paper that a page is about: by its tags, its linked data, or its text."""
    tags = _tags(root)
    draft = _draft({name: content for name, content in tags.items() if _IS_PAPER.match(name)})
    for script in root.xpath("//script[@type='application/ld+json']"):
        for record in _linked("".join(script.itertext())):
            _complete(draft, _draft({"abstract": record.get("description"), **record}))
    is_described = bool(draft.title)
    for script in root.xpath(_FRONT_MATTER):
        _complete(draft, _front_matter("".join(script.itertext())))
    marked = next(filter(None, map(page.text, root.xpath(_ABSTRACT, namespaces=_REGEX))), "")
    article = read_article(page, name, draft.title, marked)
    # A page that describes a paper has other texts too, such as reviews.
    if not is_described and not article.is_long and not article.has_introduction:
        return None
    persons = [line for element in root.xpath(_PERSONS) for line in _lines(element)]
    _complete(draft, Draft(1, authors=authors_between(persons)))
    _complete(draft, article.draft)
    # What the page shows is more often all of the abstract than a description of the page is.
    tags["abstract"] = next(filter(None, map(tags.get, _DESCRIPTIONS)), "")
    dates = list(filter(is_date, root.xpath(_DATES)))
    _complete(draft, _draft({**tags, **({"date": dates[0]} if dates else {})}))
    if article.has_introduction or not is_described:
        draft.body = page.body(article.first)
    return draft if draft.title else None


def _lines(element: Any) -> list[str]:
    """Return the lines of an element, without raised marks."""
    for line_break in element.iter("br"):
        line_break.tail = f"\n{line_break.tail or ''}"
    etree.strip_elements(element, "sup", with_tail=False)
    return "".join(element.itertext()).split("\n")


def _tags(root: Any) -> dict[str, Any]:
    """Return the contents of the tags of the page's head, by their names: of some, all of them."""
    tags: dict[str, Any] = {}
    for tag in root.iter("meta"):
        name = (tag.get("name") or tag.get("property") or tag.get("itemprop") or "").casefold()
        name = re.sub(r"^dc(?:terms)?[.:]", "dc.", name)
        if content := tag.get("content", "").strip():
            if name in _SEVERAL:
                tags.setdefault(name, []).append(content)
            else:
                tags.setdefault(name, content)
    return tags


def _draft(record: Mapping[str, Any], line: int = 1) -> Draft:
    """Return the draft of a record, whose fields may be named as tags or linked data have them."""
    plain: dict[str, Any] = {}
    for name, value in record.items():
        short = _TAG.sub("", name)
        plain.setdefault(_SAME.get(short, short), value)
    return record_draft(plain, line)


def _front_matter(text: str) -> Draft:
    """Return what an article of Distill says before its text, in YAML or JSON."""
    try:
        record = fields(yaml.safe_load(textwrap.dedent(text.expandtabs())))
    except (yaml.YAMLError, ValueError, RecursionError):
        return Draft(1)
    people = (fields(item) or {"name": item} for item in items(record.get("authors")))
    names = [
        person.get("author") or person.get("name") or next(iter(person), "") for person in people
    ]
    dates = [str(record[name]) for name in ("published", "date") if record.get(name)]
    return _draft({**record, "authors": names, "published": next(iter(dates), "")})


def _complete(draft: Draft, other: Draft) -> None:
    """Take from another draft what this one does not say."""
    for field in dataclasses.fields(Draft):
        if not getattr(draft, field.name):
            setattr(draft, field.name, getattr(other, field.name))


def _linked(text: str) -> list[dict[str, Any]]:
    """Return the papers in the linked data (JSON-LD) of a page."""
    try:
        waiting: list[Any] = [msgspec.json.decode(text)]
    except (ValueError, RecursionError):
        return []
    papers_found: list[dict[str, Any]] = []
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            kinds = value.get("@type")
            if "ScholarlyArticle" in (kinds if isinstance(kinds, list) else [kinds]):
                papers_found.append(value)
            else:
                waiting += value.values()
        elif isinstance(value, list):
            waiting += value
    return papers_found


def _listed(props: str, line: int) -> Iterator[Draft]:
    """Read the papers in the data of a page's component."""
    try:
        data = fields(msgspec.json.decode(props))
    except (ValueError, RecursionError):
        return
    alone = [data] if string(fields(data.get("paper")).get("summary")) else []
    for item in next((items(data[name]) for name in _LISTS if items(data.get(name))), alone):
        paper: dict[str, Any] = fields(fields(item).get("paper")) or fields(item)
        if not string(paper.get("title")):
            continue
        organization = fields(paper.get("organization")) or fields(fields(item).get("organization"))
        name = string(organization.get("fullname")) or string(organization.get("name"))
        yield _draft({**paper, "organization": name}, line)
