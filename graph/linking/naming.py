"""Namings: how papers name entities, as far as linking needs to know, and homonyms: whether two
papers that introduce the same name mean one thing.
"""

import re
import tomllib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path

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
    """Return the names in one paper, as linking needs them."""
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
                    entity.name,
                    entity.kind,
                    entity.concept,
                    _spellings(entity),
                    entity.name in introduced,
                    any(mention.field is Field.TITLE for mention in entity.mentions),
                )
            )
            for entity in extraction.entities
        ),
    )


@lru_cache(maxsize=131072)
def shared(name: Name) -> Name:
    """Return one object for equal names: those of all papers are in memory at once."""
    return name


@lru_cache(maxsize=65536)
def spelling(text: str) -> str:
    """Return the name in `text`, without additions that are no part of it."""
    return without_stray_brackets(without_possessive(plain(text)))


def _spellings(found: FoundEntity) -> tuple[str, ...]:
    """Return the forms of a name, except for those without its version or with another one."""
    name = spelling(found.name)
    forms = {spelling(mention.text) for mention in found.mentions}
    own = {name, *(form for form in forms if not _other_version(form, name))}
    return tuple(sorted(own.union(*map(_without_aside, own))))


def _without_aside(form: str) -> tuple[str, ...]:
    """Return the long form and the acronym that a name has together: "key-value (KV) cache"."""
    match = _ASIDE.fullmatch(form) if "(" in form else None
    if not match or not spells_out(match["short"], match["long"]):
        return ()
    return (match["long"] + match["rest"], match["short"] + match["rest"])


def _other_version(a: str, b: str) -> bool:
    """Return whether two names differ in version or size alone: those are different things."""
    return match_key(a) != match_key(b) and (
        match_key(_VERSION.sub("", a)) == match_key(_VERSION.sub("", b))
    )


@dataclass(frozen=True, slots=True, eq=False)
class NameUse:
    """Papers that use a name in the same way, the oldest first; one alone where it introduces it.

    `contribution` is what a paper introduces whose title is used in place of a name, as full texts
    call works that have none. `meant` is the entity (an id) that these papers meant by it before a
    change, None if they are new. `key` is the name's match key.
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
    """Yield the uses of names, each with all papers that use a name in the same way."""
    gathered = defaultdict[tuple[Name, str | None], list[DatedPaper]](list)
    for paper in papers:
        dated = (paper.published, paper.paper)
        for name in paper.names:
            gathered[way_of_use(name, paper.paper)].append(dated)
    for (name, _), using in gathered.items():
        yield NameUse(name, sorted(using))


def way_of_use(name: Name, paper: str) -> tuple[Name, str | None]:
    """Return the key of a use of a name: equal for papers that use the name in the same way."""
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
        named = [name for name in names if name.titled] or names
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
    if use.name.introduced:
        return -_INTRODUCTION
    forms = (spelling(use.name.name), *use.name.forms)
    written = {written_as_general(form, kind) for form in forms}
    return 1 if True in written else -(False in written)


# Homonyms.

_WORD = re.compile(r"[^\W\d_]{3,}")
_LONGEST_ACRONYM = 5
_INTERCHANGEABLE = frozenset({EntityKind.FRAMEWORK, EntityKind.TECHNIQUE, EntityKind.MODEL})
_WORDS: dict[str, str] = tomllib.loads(Path(__file__).with_name("words.toml").read_text("utf-8"))
_FUNCTION_WORDS = frozenset(_WORDS["function_words"].split())
_ENDINGS = _WORDS["endings"].split()
# Of 3,000 pairs of papers of one field, half share a tenth of their words, one in ten 0.17, and
# versions of one paper 0.97. A system and the thesis that retells it share 0.2, and so do papers
# that call different things sequence parallelism; of 88 pairs of papers that head their titles
# with one name and are not versions of one paper, none shares more than 0.25.
_VERSIONS_OF_ONE = 0.45
_ABOUT_ONE_THING = 0.15
_A_SENTENCE = 8
_AN_ABSTRACT = 20


Introduction = tuple[Name, frozenset[str]]
"""A name as a paper introduces it, with the content words of the paper."""


def content_words(text: str) -> frozenset[str]:
    """Return the stems of the content words of `text`."""
    return frozenset(
        _stem(word) for word in _WORD.findall(text.casefold()) if word not in _FUNCTION_WORDS
    )


def could_be_one_kind(a: EntityKind, b: EntityKind) -> bool:
    """Return whether one thing may be taken for either: a system for a method, not for a chip."""
    return a == b or {a, b} <= _INTERCHANGEABLE


def are_namesakes(used: EntityKind, known: EntityKind) -> bool:
    """Return whether a name used for one kind of thing surely is not the known one of that name.

    A paper evaluates on data sets and runs on hardware, which are no methods of the same name.
    """
    # Of 50 uses of names for data sets that the catalogue has for methods or models alone (GQA,
    # RT-1, Mip-NeRF 360), 48 meant a data set that only has the name. The other way round it is
    # often one thing: a way to measure is a method as well.
    if used is EntityKind.HARDWARE:
        return known in (EntityKind.DATASET, EntityKind.TECHNIQUE, EntityKind.MODEL)
    return used is EntityKind.DATASET and known in (EntityKind.TECHNIQUE, EntityKind.MODEL)


LongFormWords = tuple[frozenset[str], ...]
"""The words of long forms."""


@lru_cache(maxsize=65536)
def written_out(forms: tuple[str, ...]) -> LongFormWords:
    """Return the words of those `forms` that another of them is an acronym of."""
    return tuple(
        content_words(long) for long in forms if any(spells_out(short, long) for short in forms)
    )


def long_forms_agree(a: LongFormWords, b: LongFormWords) -> bool:
    """Return whether any two long forms share half of the words of the shorter one."""
    return any(2 * len(one & other) >= min(len(one), len(other)) > 0 for one in a for other in b)


def mean_one_thing(one: Introduction, other: Introduction) -> bool:
    """Decide whether two papers that introduce one name mean one thing.

    What the name is short for decides; else things of different kinds differ. Else two papers
    that share most of their words are versions of one. Of other papers, two mean one thing only
    by a name that is hardly chosen by accident (PyTorch-Direct, not Sequence Parallelism), if not
    both are titled with it, and if their introductions share some words.
    """
    (a, words_of_a), (b, words_of_b) = one, other
    spelt_a, spelt_b = written_out(a.forms), written_out(b.forms)
    if spelt_a and spelt_b:
        return long_forms_agree(spelt_a, spelt_b)
    if not could_be_one_kind(a.kind, b.kind):
        return False
    own_words = content_words(" ".join((*a.forms, *b.forms)))
    shared = shared_context(words_of_a - own_words, words_of_b - own_words)
    if shared >= _VERSIONS_OF_ONE:
        return True
    accidental = not (_is_coinage(a.name) or _is_coinage(b.name)) or (a.titled and b.titled)
    return not accidental and shared >= _ABOUT_ONE_THING


def shared_context(a: frozenset[str], b: frozenset[str]) -> float:
    """Return the share, from 0 to 1, of the smaller set of words that the other has too.

    A handful of words says little: fewer than a sentence has are counted as if others lacked.
    """
    return len(a & b) / max(min(len(a), len(b)), _A_SENTENCE)


def are_about_different_things(a: frozenset[str], b: frozenset[str], name: str) -> bool:
    """Return whether two papers that have content words `a` and `b` hardly mean one thing by an
    acronym, `name`, which one of them explains and the other does not.

    Titles say too little. Of 40 abstracts that share less than the limit, 37 meant something else.
    """
    if min(len(a), len(b)) < _AN_ABSTRACT:
        return False
    own = content_words(name)
    return shared_context(a - own, b - own) < _ABOUT_ONE_THING


def spells_out(short: str, form: str) -> bool:
    """Return whether `form` has several words whose letters hold those of `short` in order."""
    short = match_key(short)
    words = re.findall(r"[^\W_]+", form.casefold())
    if len(short) < 2 or len(words) < 2 or short in words:
        return False
    if sum(map(len, words)) < 2 * len(short):
        return False
    letters = iter("".join(words))
    return words[0][0] == short[0] and all(letter in letters for letter in short)


def is_common(name: str) -> bool:
    """Return whether a name may well be given to several things: it is an acronym or one word
    (SUN, Nomad), or general (pre-training, weight sharing). Those with numbers (T5) rarely are."""
    if _is_coinage(name) or any(map(str.isdigit, name)):
        return False
    return name.islower() or " " not in name


def is_made_up(name: str) -> bool:
    """Return whether a name is one word of capitals and small letters (PyTorch-Direct, BiDAF)."""
    return _is_coinage(name) and not name.isupper()


def _is_coinage(name: str) -> bool:
    """Return whether a name is made up (PyTorch-Direct), not plain words or an acronym (CUDA).

    Names of networks (FFNet, MapNet) are often chosen twice.
    """
    for word in re.findall(r"[^\W_]+", name):
        letters = word.removesuffix("s")
        if letters.endswith("Net"):
            continue
        capitals = sum(map(str.isupper, letters))
        if capitals >= 2 and (capitals < len(letters) or capitals > _LONGEST_ACRONYM):
            return True
    return False


@lru_cache(maxsize=65536)
def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word.removesuffix(ending)
    return word
