"""Namings: how papers name entities, as far as linking needs to know."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from stemma.graph.linking.homonym import spells_out
from stemma.schema import EntityKind, Extraction, Field, FoundEntity, RelationType
from stemma.schema.general_wording import ends_as_general, written_as_general
from stemma.schema.name import (
    match_key,
    paper_id,
    plain,
    without_possessive,
    without_stray_brackets,
)
from stemma.schema.partial_date import UNDATED

_SHORTEST_TITLE = 3
"""Words of a title that stands for a work; a shorter one is a name."""
_ASIDE = re.compile(r"(?P<long>.+?) ?\((?P<short>[^()\s]+)\)(?P<rest>.*)")
_INTRODUCTION = 3
"""Mentions that a paper counts for which introduces the name: it says that it made the thing."""
YEARS_EARLY = 2
"""A paper that is older by that than what its names would mean means something else. (Papers name
works that are published later in the same year, or in the next: as preprints.)"""
_VERSION = re.compile(r"(?<=.)[-\s._]*v?\d[\w.]*$", re.IGNORECASE)

DatedPaper = tuple[tuple[int, int, int], str]
"""The date and the id of a paper, which order papers by time."""

Age = tuple[tuple[int, int, int], str, str]

Context = Callable[[str], frozenset[str]]
"""Returns the content words of a paper, by its id; asked only where a name has several senses."""


@dataclass(frozen=True, slots=True)
class Name:
    """An entity as one paper names it; `forms` are its distinct spellings there, sorted.

    `introduced` means that it is the paper's own, `titled` that it is in the title. By the paper's
    date, `dated` finds what is never kept: `is_other` says that it is none of the catalogue's
    concepts with this name, `is_known` that the paper seemed to introduce one that others did.
    """

    name: str
    kind: EntityKind
    concept: str | None
    forms: tuple[str, ...]
    introduced: bool
    titled: bool
    is_other: bool = False
    is_known: bool = False

    @property
    def certain(self) -> str | None:
        """The concept (an id) that the extractor was certain of, if it can be that."""
        return None if self.is_other else self.concept


@dataclass(frozen=True, slots=True)
class PaperNames:
    """What linking needs to know of a paper. `published` orders papers by time."""

    paper: str
    published: tuple[int, int, int]
    names: tuple[Name, ...]


def names_of(extraction: Extraction) -> PaperNames:
    """Return what linking needs to know of one paper."""
    introduced = {
        relation.entity
        for relation in extraction.relations
        if relation.type is RelationType.INTRODUCES
    }
    date = extraction.paper.published
    return PaperNames(
        extraction.paper.id,
        date.sort_key if date else UNDATED,
        tuple(
            shared(
                Name(
                    found.name,
                    found.kind,
                    found.concept,
                    _spellings(found),
                    found.name in introduced,
                    any(mention.field is Field.TITLE for mention in found.mentions),
                )
            )
            for found in extraction.entities
        ),
    )


@lru_cache(maxsize=131072)
def shared(name: Name) -> Name:
    """Return one object for equal names: those of all papers are in memory at once."""
    return name


@lru_cache(maxsize=65536)
def spelling(text: str) -> str:
    """Return how `text` spells a name, without what is not part of it."""
    return without_stray_brackets(without_possessive(plain(text)))


def _spellings(found: FoundEntity) -> tuple[str, ...]:
    """Return the forms of a name, except for those without its version or with another one."""
    name = spelling(found.name)
    forms = {spelling(mention.text) for mention in found.mentions}
    own = {name, *(each for each in forms if not _other_version(each, name))}
    return tuple(sorted(own.union(*map(_without_aside, own))))


def _without_aside(form: str) -> tuple[str, ...]:
    """Return the long form and the acronym that a name has together: "key-value (KV) cache"."""
    found = _ASIDE.fullmatch(form) if "(" in form else None
    if not found or not spells_out(found["short"], found["long"]):
        return ()
    return (found["long"] + found["rest"], found["short"] + found["rest"])


def _other_version(a: str, b: str) -> bool:
    """Return whether two names differ in version or size alone: those are different things."""
    return match_key(a) != match_key(b) and (
        match_key(_VERSION.sub("", a)) == match_key(_VERSION.sub("", b))
    )


@dataclass(frozen=True, slots=True, eq=False)
class NameUse:
    """Papers that use a name in the same way, the oldest first; one alone where it introduces it.

    `contribution` is what a paper introduces whose title is used in place of a name. `meant` is the
    entity (an id) that these papers meant by it before a change, None if they are new. `key` is the
    name's match key.
    """

    name: Name
    papers: Sequence[DatedPaper]
    contribution: Name | None = None
    meant: str | None = None
    key: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "key", match_key((self.contribution or self.name).name))

    def of(self, papers: Sequence[DatedPaper]) -> "NameUse":
        """Return the same use by some of the papers alone."""
        return NameUse(self.name, papers, self.contribution, self.meant)

    @property
    def ids(self) -> Iterator[str]:
        """The ids of the papers."""
        return (id_ for _, id_ in self.papers)

    @property
    def introducer(self) -> str | None:
        """The paper (id) that introduces the name, if it is introduced."""
        return self.papers[0][1] if self.name.introduced else None

    @property
    def cited(self) -> str | None:
        """The id of the paper whose title the name seems to be, if it is long enough for one."""
        name = self.name
        if name.introduced or name.concept or name.name.count(" ") < _SHORTEST_TITLE - 1:
            return None
        return paper_id(name.name)

    @property
    def other_keys(self) -> set[str]:
        """The match keys of its other spellings in these papers."""
        return {match_key(form) for form in self.name.forms} - {self.key}

    @property
    def age(self) -> Age:
        """Orders uses by the dates, then the ids, of their first papers, then by name."""
        return (*self.papers[0], self.name.name)


def uses_in(papers: Iterable[PaperNames]) -> Iterator[NameUse]:
    """Yield how papers use names; those that use one in the same way together."""
    gathered = defaultdict[tuple[Name, str | None], list[DatedPaper]](list)
    for paper in papers:
        dated = (paper.published, paper.paper)
        for name in paper.names:
            gathered[way_of_use(name, paper.paper)].append(dated)
    for (name, _), using in gathered.items():
        yield NameUse(name, sorted(using))


def way_of_use(name: Name, paper: str) -> tuple[Name, str | None]:
    """Return what is equal where papers use a name in the same way."""
    if name.introduced:
        return name, paper
    return replace(name, titled=False) if name.titled else name, None


def citing(uses: Iterable[NameUse]) -> list[NameUse]:
    """Return uses, those by the title of a paper with what that introduces in `uses`.

    That is what it introduces in its title, if possible, and nothing if that is not one thing.
    """
    uses, introduced = list(uses), defaultdict[str, list[Name]](list)
    for use in uses:
        if use.introducer:
            introduced[use.introducer].append(use.name)
    for place, use in enumerate(uses):
        names = introduced.get(use.cited or "", ())
        named = [each for each in names if each.titled] or names
        if len(named) == 1:
            uses[place] = replace(use, contribution=named[0])
    return uses


def best_kind(uses: Sequence[NameUse]) -> EntityKind:
    """Return the kind that most papers give; of equals the introducing papers' one."""
    kinds = {use.name.kind for use in uses}
    if len(kinds) == 1:
        return kinds.pop()
    votes: Counter[EntityKind] = Counter()
    introduced: Counter[EntityKind] = Counter()
    for use in uses:
        votes[use.name.kind] += len(use.papers)
        introduced[use.name.kind] += use.name.introduced
    # In the order of the kinds' definition, of which max takes the first.
    return max(EntityKind, key=lambda kind: (votes[kind], introduced[kind]))


def is_general(name: str, kind: EntityKind, uses: Iterable[NameUse]) -> bool:
    """Return whether what is called `name`, and is in no catalogue, is a class or a common method.

    Each paper has a vote by how it writes the name, in full or as an acronym. Where they leave it
    open, the end of the name decides.
    """
    votes = sum(len(use.papers) * _vote(use, kind) for use in uses)
    return votes > 0 if votes else ends_as_general(name, kind)


def _vote(use: NameUse, kind: EntityKind) -> int:
    """Return how much one paper speaks for a general term; for a named work it is below 0."""
    own = written_as_general(spelling(use.name.name), kind)
    if use.name.introduced and not own:
        return -_INTRODUCTION
    written = {own, *(written_as_general(form, kind) for form in use.name.forms)}
    return 1 if True in written else -(False in written)
