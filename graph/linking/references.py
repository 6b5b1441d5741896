"""References: which papers of a graph the lists of references of others name."""

import re
from urllib.parse import unquote

from stemma.schema.name import match_key
from stemma.schema.paper import IDENTIFIER, Paper, Reference, canonical_identifier

TITLE = "title:"
"""How the keys begin that are titles."""
_ADDRESSES = (
    (re.compile(r"https?://openalex\.org/(W\d+)$"), "openalex"),
    (re.compile(r"https?://api\.semanticscholar\.org/CorpusID:(\d+)$"), "corpusid"),
    (re.compile(r"https?://aclanthology\.org/([^/]+?)/?$"), "acl"),
    (re.compile(r"https?://dblp\.org/rec/(.+)$"), "dblp"),
    (re.compile(r"https?://pubmed\.ncbi\.nlm\.nih\.gov/(\d+)/?$"), "pmid"),
)
"""Addresses by which registries know papers; an abstract may well have the DOI of another paper."""
_WRITTEN = (
    (r"(?:https?://(?:dx\.)?doi\.org/|doi\.org/|doi:\s*)?(10\.\d{4,9}/\S+)", "doi"),
    (
        r"(?:(?:https?://)?(?:\w+\.)?arxiv\.org/(?:abs|pdf|html)/|arxiv:\s*)?"
        r"(\d{4}\.\d{4,5}(?:v\d+)?|[a-z-]+(?:\.[a-z]{2})?/\d{7}(?:v\d+)?)(?:\.pdf)?",
        "arxiv",
    ),
    (r"(?:https?://pubmed\.ncbi\.nlm\.nih\.gov/|pmid[:\s]\s*)?(\d{1,8})/?", "pmid"),
)
_IDENTIFIERS = tuple((re.compile(pattern, re.I), registry) for pattern, registry in _WRITTEN)
"""How people write the identifier of a paper where its name is asked for."""


def keys_of(paper: Paper) -> tuple[str, ...]:
    """Return what a reference may name a paper by: its ids at registries, and its title."""
    ids = [*paper.identifiers]
    for link in paper.links:
        for pattern, registry in _ADDRESSES:
            if found := pattern.match(link):
                ids.append(f"{registry}:{found[1]}")
    return tuple(dict.fromkeys((*map(canonical_identifier, ids), _title(paper.title))))


def keys_in(name: str) -> tuple[str, ...]:
    """Return the keys of papers, as of `keys_of`, that a name is if it is an identifier.

    That is a DOI, an arXiv id with or without its version, a PMID, their addresses, or the id of
    another registry with its prefix (``openalex:W123``).
    """
    text = unquote(name.strip())
    found = [
        f"{registry}:{match[1].rstrip('.,;')}"
        for pattern, registry in _IDENTIFIERS
        if (match := pattern.fullmatch(text))
    ]
    if not found and IDENTIFIER.fullmatch(text):
        found = [text]
    return tuple(map(canonical_identifier, found))


def keys_of_reference(reference: Reference) -> tuple[str, ...]:
    """Return what a reference names a paper by, the surest first."""
    keys = [canonical_identifier(reference.id)] if reference.id else []
    return (*keys, _title(reference.title)) if reference.title else tuple(keys)


def _title(title: str) -> str:
    return TITLE + match_key(title)
