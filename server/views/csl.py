"""Papers as CSL-JSON, which Zotero, Pandoc and other citation managers read."""

import json
from collections.abc import Iterable
from typing import Any

from bibtexparser.middlewares.names import parse_single_name_into_parts

from stemma.schema import Paper
from stemma.schema.paper import Author
from stemma.server.views.bibtex import citation_key
from stemma.server.views.work import links


def csl(papers: Iterable[Paper]) -> str:
    """Return a list with an item for each paper."""
    items = []
    keys: set[str] = set()
    for paper in papers:
        key = citation_key(paper, keys)
        keys.add(key)
        items.append({"id": key, **_fields(paper)})
    return json.dumps(items, ensure_ascii=False, indent=2) + "\n"


def _fields(paper: Paper) -> dict[str, Any]:
    date = paper.published
    parts = [date.year, date.month, date.day] if date else []
    known = parts[: parts.index(None)] if None in parts else parts
    found = links(paper)
    fields = {
        "type": "article",
        "title": paper.title,
        "author": [_name(each) for each in paper.authors],
        "issued": {"date-parts": [known]} if known else None,
        "container-title": paper.venue,
        "publisher": paper.organization,
        "DOI": paper.doi,
        "number": f"arXiv:{paper.arxiv_id}" if paper.arxiv_id else None,
        "URL": found[0] if found else None,
    }
    return {name: value for name, value in fields.items() if value}


def _name(author: Author) -> dict[str, str]:
    """Return a name in its parts, as BibTeX divides it; that of a group in one."""
    if " and " not in author.name:
        parts = parse_single_name_into_parts(author.name, strict=False)
        if parts.first and parts.last:
            named = {
                "family": parts.last,
                "given": parts.first,
                "non-dropping-particle": parts.von,
                "suffix": parts.jr,
            }
            return {name: " ".join(words) for name, words in named.items() if words}
    return {"literal": author.name}
