"""References: which papers of a graph the lists of references of others name."""

import re
from collections.abc import Iterable, Iterator, Sequence

from stemma.schema.name import match_key
from stemma.schema.paper import Paper, Reference, canonical_identifier

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


def keys_of(paper: Paper) -> tuple[str, ...]:
    """Return what a reference may name a paper by: its ids at registries, and its title."""
    ids = [*paper.identifiers]
    for link in paper.links:
        for pattern, registry in _ADDRESSES:
            if found := pattern.match(link):
                ids.append(f"{registry}:{found[1]}")
    return tuple(dict.fromkeys((*map(canonical_identifier, ids), _title(paper.title))))


def keys_of_reference(reference: Reference) -> tuple[str, ...]:
    """Return what a reference names a paper by, the surest first."""
    keys = [canonical_identifier(reference.id)] if reference.id else []
    return (*keys, _title(reference.title)) if reference.title else tuple(keys)


def citations(
    identifiers: Iterable[tuple[str, str]], references: Iterable[tuple[str, Sequence[str]]]
) -> Iterator[tuple[str, str]]:
    """Yield which papers cite which; some perhaps twice.

    `identifiers` are papers with their keys, `references` papers with the keys of one reference. A
    key that several papers have names none of them.
    """
    named: dict[str, str | None] = {}
    for paper, key in identifiers:
        named[key] = paper if named.get(key, paper) == paper else None
    for paper, keys in references:
        cited = next((found for each in keys if (found := named.get(each))), None)
        if cited is not None and cited != paper:
            yield paper, cited


def _title(title: str) -> str:
    return TITLE + match_key(title)
