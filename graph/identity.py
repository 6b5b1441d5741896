"""Identity of papers: which readings are of one paper, whatever they were read from.

Readings with one DOI or arXiv id are of one paper, unless neither their titles nor their authors
have anything in common: some bibliographies give the DOI of the proceedings to every paper. Other
readings of one title are of one paper, unless their arXiv ids, authors, years or DOIs contradict.
"""

import re
from collections.abc import Callable, Iterable
from itertools import count

from stemma.graph.linking.references import TITLE, keys_of
from stemma.schema.identifier import homonym_id
from stemma.schema.name import match_key
from stemma.schema.paper import ARXIV_DOI, Paper

Held = Callable[[str], Paper | None]
"""Returns the paper with an id, if there is one."""

_REGISTRIES = ("doi:", "arxiv:")
_YEARS_APART, _YEARS_APART_OF_AUTHORS = 2, 5
"""Between a preprint and its publication; more where the authors are the same."""
_IN_COMMON = 0.5
"""Of the words of the shorter title."""
_WORD = re.compile(r"\w{2,}")


class Identities:
    """Knows by which identifiers and titles papers go: those of a graph, and those noted since.

    `known_as` returns the papers (ids) of the graph that go by a key, as `keys_of` gives it.
    """

    def __init__(self, known_as: Callable[[str], Iterable[str]] = lambda key: ()) -> None:
        self._known_as = known_as
        self._noted: dict[int, tuple[str, ...]] = {}  # by hashes of keys, which are smaller

    def candidates(self, reading: Paper) -> list[str]:
        """Return the papers (ids) that a reading may be of, the likeliest first."""
        found = (each for key in keys_of_identity(reading) for each in self._with(key))
        return list(dict.fromkeys((*found, reading.id)))

    def _with(self, key: str) -> tuple[str, ...]:
        return (*self._known_as(key), *self._noted.get(hash(key), ()))

    def identify(self, reading: Paper, held: Held) -> list[str]:
        """Return the papers that a reading is of: the first is to hold it.

        There are several where only this reading shows that they are one; where it is the first of
        its paper, the id is new. `held` knows all `candidates`.
        """
        by_id: list[str] = []
        titled: list[tuple[str, Paper]] = []
        identifiers = set(reading.identifiers)
        of_title = {reading.id, *self._with(TITLE + match_key(reading.title))}
        for id_ in self.candidates(reading):
            paper = held(id_)
            if paper is None:
                continue
            if identifiers & set(paper.identifiers) and _alike(paper, reading):
                by_id.append(id_)
            elif id_ in of_title:
                titled.append((id_, paper))
        same = [(id_, paper) for id_, paper in titled if not _contradict(paper, reading)]
        same = [(i, p) for i, p in same if not any(_contradict(p, held(b)) for b in by_id)]
        same.sort(key=lambda each: not _share_authors(each[1], reading))
        found = [*by_id, *(id_ for id_, _ in same[:1])]
        return found or [self._new_id(reading, held)]

    def note(self, id_: str, reading: Paper) -> None:
        """Remember by what a paper (an id) goes; also one that turned out to be this one."""
        for key in map(hash, keys_of_identity(reading)):
            noted = self._noted.get(key, ())
            if id_ not in noted:
                self._noted[key] = (*noted, id_)

    @staticmethod
    def _new_id(reading: Paper, held: Held) -> str:
        if held(reading.id) is None:
            return reading.id
        mark = reading.arxiv_id or reading.doi or _who_and_when(reading)
        ids = (homonym_id(reading.id, mark, number) for number in count(1))
        return next(id_ for id_ in ids if held(id_) is None)


def keys_of_identity(paper: Paper) -> tuple[str, ...]:
    """Return the keys by which readings may be of one paper: DOI, arXiv id, title."""
    return tuple(each for each in keys_of(paper) if each.startswith((*_REGISTRIES, TITLE)))


def _alike(a: Paper, b: Paper) -> bool:
    """Return whether two readings with one identifier can be of one paper."""
    ours, theirs = (set(_WORD.findall(each.title.casefold())) for each in (a, b))
    shorter = min(len(ours), len(theirs))
    return (
        match_key(a.title) == match_key(b.title)
        or len(ours & theirs) >= max(1, _IN_COMMON * shorter)
        or _share_authors(a, b)
    )


def _contradict(a: Paper, b: Paper | None) -> bool:
    """Return whether two readings of one title cannot be of one paper."""
    if b is None:
        return False
    arxiv = [{key for key in each.identifiers if key.startswith("arxiv:")} for each in (a, b)]
    if all(arxiv) and not arxiv[0] & arxiv[1]:
        return True
    share = _share_authors(a, b)
    if a.authors and b.authors and not share:
        return True
    years = [each.published.year if each.published else None for each in (a, b)]
    apart = _YEARS_APART_OF_AUTHORS if share else _YEARS_APART
    if years[0] and years[1] and abs(years[0] - years[1]) > apart:
        return True
    dois = {each.doi for each in (a, b) if each.doi and not each.doi.startswith(ARXIV_DOI)}
    return len(dois) > 1 and not share


def _share_authors(a: Paper, b: Paper) -> bool:
    """Return whether an author of one is among the authors of the other, by the last name."""
    if not (a.authors and b.authors):
        return False
    words = [{match_key(word) for each in p.authors for word in each.name.split()} for p in (a, b)]
    last = [{match_key(each.name.split()[-1]) for each in p.authors if each.name} for p in (a, b)]
    return bool(last[0] & words[1] or last[1] & words[0])


def _who_and_when(paper: Paper) -> str:
    """Return what sets a paper apart from others of its title: first author, and year."""
    name = paper.authors[0].name.split()[-1] if paper.authors else ""
    year = paper.published.year if paper.published else None
    return " ".join(filter(None, (name, str(year or "")))) or "2"
