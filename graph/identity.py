"""Identity of papers: which records are of one paper, whatever they were read from.

What identifies a paper, and what a list of references names it by, are keys.

Records with one DOI or arXiv id are of one paper, unless neither their titles nor their authors
have anything in common: some bibliographies give the DOI of the proceedings to every paper. Other
records of one title are of one paper, unless their arXiv ids, authors, years or DOIs contradict.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from urllib.parse import unquote

from stemma.schema.name import first_free, match_key, slug
from stemma.schema.paper import ARXIV_DOI, IDENTIFIER, Paper, Reference, canonical_identifier, merge

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
_WRITTEN = {
    "doi": r"(?:https?://(?:dx\.)?doi\.org/|doi\.org/|doi:\s*)?(10\.\d{4,9}/\S+)",
    "arxiv": r"(?:(?:https?://)?(?:\w+\.)?arxiv\.org/(?:abs|pdf|html)/|arxiv:\s*)?"
    r"(\d{4}\.\d{4,5}(?:v\d+)?|[a-z-]+(?:\.[a-z]{2})?/\d{7}(?:v\d+)?)(?:\.pdf)?",
    "pmid": r"(?:https?://pubmed\.ncbi\.nlm\.nih\.gov/|pmid[:\s]\s*)?(\d{1,8})/?",
}
"""How people write the identifier of a paper where its name is asked for."""


def keys_of(paper: Paper) -> tuple[str, ...]:
    """Return the keys by which references may name a paper: ids at registries, and its title."""
    ids = [*paper.identifiers]
    for link in paper.links:
        for pattern, registry in _ADDRESSES:
            if match := pattern.match(link):
                ids.append(f"{registry}:{match[1]}")
    return tuple(dict.fromkeys((*map(canonical_identifier, ids), _title(paper.title))))


def keys_in(name: str) -> tuple[str, ...]:
    """Return the keys of papers, as of `keys_of`, that a name is if it is an identifier.

    That is a DOI, an arXiv id with or without its version, a PMID, their addresses, or the id of
    another registry with its prefix (``openalex:W123``).
    """
    text = unquote(name.strip())
    found = [
        f"{registry}:{match[1].rstrip('.,;')}"
        for registry, pattern in _WRITTEN.items()
        if (match := re.fullmatch(pattern, text, re.I))
    ]
    if not found and IDENTIFIER.fullmatch(text):
        found = [text]
    return tuple(map(canonical_identifier, found))


def keys_of_reference(reference: Reference) -> tuple[str, ...]:
    """Return the keys by which a reference names a paper, the surest first."""
    keys = [canonical_identifier(reference.id)] if reference.id else []
    return (*keys, _title(reference.title)) if reference.title else tuple(keys)


def _title(title: str) -> str:
    return TITLE + match_key(title)


FindPaper = Callable[[str], Paper | None]
"""Returns the paper with an id, if there is one."""

_REGISTRIES = ("doi:", "arxiv:")
_YEARS_APART, _YEARS_APART_OF_AUTHORS = 2, 5
"""Between a preprint and its publication; more where the authors are the same."""
_IN_COMMON = 0.5
"""Of the words of the shorter title."""
_WORD = re.compile(r"\w{2,}")


class Identities:
    """Knows the identifiers and titles of papers: those of a graph, and those noted since.

    `known_as` returns the papers (ids) of the graph that have a key, as `keys_of` returns it.
    """

    def __init__(self, known_as: Callable[[str], Iterable[str]] = lambda key: ()) -> None:
        self._known_as = known_as
        self._noted: dict[int, tuple[str, ...]] = {}  # by hashes of keys, which are smaller

    def candidates(self, record: Paper) -> list[str]:
        """Return the papers (ids) that a record may be of, the likeliest first."""
        found = (each for key in keys_of_identity(record) for each in self._with(key))
        return list(dict.fromkeys((*found, record.id)))

    def _with(self, key: str) -> tuple[str, ...]:
        return (*self._known_as(key), *self._noted.get(hash(key), ()))

    def identify(self, record: Paper, stored: FindPaper) -> list[str]:
        """Return the papers that a record is of: the first is to hold it.

        There are several where only this record shows that they are one; where it is the first of
        its paper, the id is new. `stored` knows all `candidates`.
        """
        by_id: list[str] = []
        titled: list[tuple[str, Paper]] = []
        identifiers = set(record.identifiers)
        of_title = {record.id, *self._with(TITLE + match_key(record.title))}
        for id_ in self.candidates(record):
            paper = stored(id_)
            if paper is None:
                continue
            if identifiers & set(paper.identifiers) and _alike(paper, record):
                by_id.append(id_)
            elif id_ in of_title:
                titled.append((id_, paper))
        same = [(id_, paper) for id_, paper in titled if not _contradict(paper, record)]
        same = [(i, p) for i, p in same if not any(_contradict(p, stored(b)) for b in by_id)]
        same.sort(key=lambda each: not _share_authors(each[1], record))
        found = [*by_id, *(id_ for id_, _ in same[:1])]
        return found or [self._new_id(record, stored)]

    def merge(self, record: Paper, stored: FindPaper) -> tuple[Paper, list[str]]:
        """Return `record` with all that is known of its paper, under the id of that, and the other
        papers (ids) that turned out to be the same one.

        From now on the paper has the identifiers and titles of all of them. `stored` knows all
        `candidates`.
        """
        id_, *others = self.identify(record, stored)
        known = [paper for one in (id_, *others) if (paper := stored(one))]
        for paper in (*known, record):
            self.note(id_, paper)
        return replace(merge([*known, record]), id=id_), others

    def note(self, id_: str, record: Paper) -> None:
        """Remember the keys of a paper (an id), also as one that turned out to be this one."""
        for key in map(hash, keys_of_identity(record)):
            noted = self._noted.get(key, ())
            if id_ not in noted:
                self._noted[key] = (*noted, id_)

    @staticmethod
    def _new_id(record: Paper, stored: FindPaper) -> str:
        if stored(record.id) is None:
            return record.id
        mark = record.arxiv_id or record.doi or _who_and_when(record)
        return first_free(f"{record.id}--{slug(mark)}", lambda id_: stored(id_) is not None)


def keys_of_identity(paper: Paper) -> tuple[str, ...]:
    """Return the keys by which records may be of one paper: DOI, arXiv id, title."""
    return tuple(each for each in keys_of(paper) if each.startswith((*_REGISTRIES, TITLE)))


def _alike(a: Paper, b: Paper) -> bool:
    """Return whether two records with one identifier can be of one paper."""
    ours, theirs = (set(_WORD.findall(paper.title.casefold())) for paper in (a, b))
    shorter = min(len(ours), len(theirs))
    return (
        match_key(a.title) == match_key(b.title)
        or len(ours & theirs) >= max(1, _IN_COMMON * shorter)
        or _share_authors(a, b)
    )


def _contradict(a: Paper, b: Paper | None) -> bool:
    """Return whether two records of one title cannot be of one paper."""
    if b is None:
        return False
    arxiv = [{key for key in paper.identifiers if key.startswith("arxiv:")} for paper in (a, b)]
    if all(arxiv) and not arxiv[0] & arxiv[1]:
        return True
    share = _share_authors(a, b)
    if a.authors and b.authors and not share:
        return True
    years = [paper.published.year if paper.published else None for paper in (a, b)]
    apart = _YEARS_APART_OF_AUTHORS if share else _YEARS_APART
    if years[0] and years[1] and abs(years[0] - years[1]) > apart:
        return True
    dois = {paper.doi for paper in (a, b) if paper.doi and not paper.doi.startswith(ARXIV_DOI)}
    return len(dois) > 1 and not share


def _share_authors(a: Paper, b: Paper) -> bool:
    """Return whether an author of one is among the authors of the other, by the last name."""
    if not (a.authors and b.authors):
        return False
    words = [
        {match_key(word) for author in p.authors for word in author.name.split()} for p in (a, b)
    ]
    last = [
        {match_key(author.name.split()[-1]) for author in p.authors if author.name} for p in (a, b)
    ]
    return bool(last[0] & words[1] or last[1] & words[0])


def _who_and_when(paper: Paper) -> str:
    """Return what sets a paper apart from others of its title: first author, and year."""
    name = paper.authors[0].name.split()[-1] if paper.authors else ""
    year = paper.published.year if paper.published else None
    return " ".join(filter(None, (name, str(year or "")))) or "2"
