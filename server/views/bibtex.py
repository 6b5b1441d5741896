"""Papers as BibTeX, which Zotero, Pandoc and other citation managers read as well."""

import re
from collections.abc import Iterable, Iterator
from functools import cache

from bibtexparser.entrypoint import write_string
from bibtexparser.library import Library
from bibtexparser.model import Block, Entry, Field
from pylatexenc.latexencode import RULE_DICT, UnicodeToLatexConversionRule, UnicodeToLatexEncoder

from stemma.extract.formats.person_name import is_organisation
from stemma.graph import Work
from stemma.schema import Paper
from stemma.schema.name import first_free
from stemma.schema.partial_date import UNDATED

_DOI = re.compile(r"https?://(?:dx\.)?doi\.org/(10\.\S+)", re.IGNORECASE)
_ARXIV = re.compile(
    r"https?://arxiv\.org/(?:abs|pdf)/([\w.\-/]+?)(?:v\d+)?(?:\.pdf)?", re.IGNORECASE
)
_PROCEEDINGS = re.compile(
    r"\b(?:proceedings|conference|symposium|workshop|advances in)\b|^\w+ (?:['’]|19|20)\d\d\D*$",
    re.IGNORECASE,
)
"""Venues that are no journals; in the end ``SC '21``."""
_UNSAFE_IN_URLS = re.compile(r"[{}\\\s]")
_LONGEST_KEY = 60


def bibtex(works: Iterable[Work]) -> str:
    """Return an entry for each of the papers among works, the oldest first, undated ones last."""
    papers = {work.id: work for work in works if isinstance(work, Paper)}
    encoder = _encoder()
    entries: list[Block] = []
    keys: set[str] = set()
    for paper in sorted(papers.values(), key=_date):
        key = citation_key(paper, keys)
        fields = list(_fields(paper, encoder))
        types = {"booktitle": "inproceedings", "journal": "article"}
        type_ = next((types[field.key] for field in fields if field.key in types), "misc")
        entries.append(Entry(type_, key, fields))
        keys.add(key)
    text: str = write_string(Library(entries))
    return text


def _date(paper: Paper) -> tuple[tuple[int, int, int], str]:
    return (paper.published.sort_key if paper.published else UNDATED, paper.id)


@cache
def _encoder() -> UnicodeToLatexEncoder:
    # BibTeX counts escaped braces as well: as words they cannot end a field.
    braces = {ord("{"): r"\textbraceleft", ord("}"): r"\textbraceright", ord('"'): '"'}
    return UnicodeToLatexEncoder(
        conversion_rules=[UnicodeToLatexConversionRule(RULE_DICT, braces), "defaults"],
        replacement_latex_protection="braces-all",
        unknown_char_policy="keep",
        unknown_char_warning=False,
    )


def _fields(paper: Paper, encoder: UnicodeToLatexEncoder) -> Iterator[Field]:
    def text(value: str) -> str:
        found: str = encoder.unicode_to_latex(" ".join(value.split()))
        return found

    # Braces keep the capitals of names, and the name of a group whole.
    yield Field("title", f"{{{text(paper.title)}}}")
    if paper.authors:
        names = [text(author.name) for author in paper.authors]
        groups = [
            f"{{{name}}}" if " and " in name or is_organisation(name) else name for name in names
        ]
        yield Field("author", " and ".join(groups))
    if paper.venue:
        is_book = _PROCEEDINGS.search(paper.venue)
        yield Field("booktitle" if is_book else "journal", text(paper.venue))
    if paper.organization:
        yield Field("organization", text(paper.organization))
    if paper.published and paper.published.year:
        yield Field("year", f"{paper.published.year:04}")
        if paper.published.month:
            yield Field("month", str(paper.published.month))
    links = [_UNSAFE_IN_URLS.sub(_in_percent, link) for link in paper.links]
    if doi := paper.doi or _first_match(_DOI, links):
        yield Field("doi", _UNSAFE_IN_URLS.sub(_in_percent, doi))
    if eprint := paper.arxiv_id or _first_match(_ARXIV, links):
        yield Field("eprint", eprint)
        yield Field("archiveprefix", "arXiv")
    urls = [link for link in links if link.startswith(("http://", "https://"))]
    if urls:
        yield Field("url", urls[0])


def _first_match(pattern: re.Pattern[str], links: Iterable[str]) -> str | None:
    return next((match[1] for link in links if (match := pattern.fullmatch(link))), None)


def _in_percent(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match[0].encode(errors="replace"))


def citation_key(paper: Paper, taken: set[str]) -> str:
    """Return the key that a paper is cited by: its id, in characters that all programs accept."""
    name = paper.id.partition("/")[2].encode("ascii", "ignore").decode()
    stem = re.sub(r"[^0-9a-z]+", "-", name).strip("-") or "paper"
    if len(stem) > _LONGEST_KEY:
        whole_words = stem[: _LONGEST_KEY + 1].rpartition("-")[0]
        stem = whole_words or stem[:_LONGEST_KEY]
    return first_free(stem, taken.__contains__)
