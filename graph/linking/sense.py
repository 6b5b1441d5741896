"""Senses: the things that names mean, and which of several a use means.

Uses whose names may mean one thing, as they are spelt alike or tied together, are a cluster.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property, partial
from itertools import combinations
from typing import NamedTuple

from stemma.graph.linking.known_name import KnownNames
from stemma.graph.linking.naming import (
    YEARS_EARLY,
    Age,
    Context,
    DatedPaper,
    Introduction,
    LongFormWords,
    NameUse,
    best_kind,
    content_words,
    could_be_one_kind,
    is_common,
    long_forms_agree,
    mean_one_thing,
    shared_context,
    written_out,
)
from stemma.schema import Entity, EntityKind
from stemma.schema.disjoint_sets import DisjointSets
from stemma.schema.name import match_key
from stemma.schema.partial_date import UNDATED


def clusters(uses: Iterable[NameUse], known: KnownNames) -> list[list[NameUse]]:
    """Gather uses by the keys of their names, and by what ties keys together.

    A name that most papers which spell it out use as another form of a longer one (an acronym)
    goes with that; a product goes with its name after the vendor's, where both occur as one kind.
    """
    by_key = defaultdict(list)
    for use in uses:
        by_key[use.key].append(use)
    groups = DisjointSets()
    for key, longer in _longer_names(by_key):
        if key in by_key and key not in known:
            groups.join(key, longer)
    for key, named in sorted(by_key.items()):
        for name in sorted({use.name.name for use in named}):
            product = known.product(name)
            if product and product in by_key and best_kind(by_key[product]) == best_kind(named):
                groups.join(key, product)
    gathered = defaultdict(list)
    for key in sorted(by_key):
        gathered[groups.of(key)].extend(by_key[key])
    return [gathered[key] for key in sorted(gathered)]


def _longer_names(by_key: dict[str, list[NameUse]]) -> list[tuple[str, str]]:
    """Return pairs of keys: another form, and the name that more papers than not give it."""
    votes: dict[str, Counter[str]] = defaultdict(Counter)
    for key, named in by_key.items():
        for use in named:
            for form in use.name.forms:
                other = match_key(form)
                if other != key:
                    votes[other][key] += len(use.papers)
    pairs = []
    for other, named_so in sorted(votes.items()):
        longer, papers = min(named_so.items(), key=lambda each: (-each[1], each[0]))
        if 2 * papers > named_so.total():
            pairs.append((other, longer))
    return pairs


TELLING_PAPERS = 50
"""So many papers show what a concept is about as well as thousands do."""

_NEVER, _ALWAYS = -1, UNDATED[0]
"""Years before and after all papers."""


class Elsewhere(NamedTuple):
    """The forms of uses that certainly are a concept, and their papers (ids).

    Of the papers at least the first TELLING_PAPERS.
    """

    forms: Collection[str] = ()
    papers: Collection[str] = ()


class Sense:
    """One thing that names mean: a concept of the catalogue, or what papers coined.

    `elsewhere` returns what is certain of it by uses other than its members. A sense that has
    `namesakes` is what they mean that cannot mean what papers introduced by their name.
    """

    def __init__(
        self,
        concept: Entity | None = None,
        elsewhere: Callable[[], Elsewhere] = Elsewhere,
        namesakes: Sequence[NameUse] = (),
    ) -> None:
        self.concept, self._elsewhere, self.namesakes = concept, elsewhere, namesakes
        self.members: list[NameUse] = []
        self.introducers: list[NameUse] = []
        self.siblings: list[Sense] = [self]

    @property
    def first(self) -> NameUse:
        """The use that brought it up: the earliest that introduces it, if any does."""
        return min(self.introducers or self.namesakes or self.members, key=lambda each: each.age)

    @property
    def seniority(self) -> tuple[bool, str, Age]:
        """Orders senses: the catalogue's first, then by who introduced them when."""
        if self.concept:
            return (False, self.concept.id, (UNDATED, "", ""))
        return (True, "", self.first.age)

    def is_certain(self, use: NameUse) -> bool:
        """Return whether a use of a name can mean nothing but this sense."""
        certain = self.concept and use.name.certain == self.concept.id
        return use.name.introduced or bool(certain)

    def excluded_until(self, use: NameUse) -> int:
        """Return the last year of papers that cannot mean by a use what papers introduced.

        None can if the name is short for other words. Older papers cannot, unless the name is
        hardly chosen twice.
        """
        if not self.introducers:
            return _NEVER
        spelt, own = written_out(use.name.forms), written_out(self.forms)
        if spelt and own:
            return _NEVER if long_forms_agree(spelt, own) else _ALWAYS
        introduced = self.first.papers[0][0][0]
        is_dated = introduced < UNDATED[0] and is_common(use.name.name)
        return introduced - YEARS_EARLY if is_dated else _NEVER

    # What is certain does not change once names are given their first senses.

    @cached_property
    def kind(self) -> EntityKind:
        """The kind of the sense, by what is certain of it."""
        return self.concept.kind if self.concept else best_kind(self.introducers or [self.first])

    @cached_property
    def forms(self) -> tuple[str, ...]:
        """The names that certainly mean this sense."""
        known = (self.concept.name, *self.concept.aliases) if self.concept else ()
        own = (form for each in self._certain for form in each.name.forms)
        return tuple(sorted({*known, *own, *self._found_elsewhere.forms}))

    @cached_property
    def papers(self) -> list[str]:
        """Papers that certainly mean it, as many as it takes to know what it is about."""
        own = {id_ for each in self._certain for id_ in each.ids}
        return sorted(own.union(self._found_elsewhere.papers))[:TELLING_PAPERS]

    @cached_property
    def _certain(self) -> list[NameUse]:
        return [each for each in self.members if self.is_certain(each)]

    @cached_property
    def _found_elsewhere(self) -> Elsewhere:
        return self._elsewhere()


def senses_of(
    uses: Iterable[NameUse],
    known: KnownNames,
    context: Context,
    certain: Callable[[Entity], Elsewhere] = lambda concept: Elsewhere(),
) -> tuple[Iterable[Sense], list[Sense]]:
    """Return the senses that uses have: concepts of the catalogue, and what papers coined.

    `certain` returns what uses elsewhere certainly are a concept.
    """
    concepts, free = dict[str, Sense](), list[NameUse]()

    def sense_of(concept: Entity) -> Sense:
        if concept.id not in concepts:
            concepts[concept.id] = Sense(concept, partial(certain, concept))
        return concepts[concept.id]

    for use in uses:
        if concept := known.concept(use):
            sense_of(concept).members.append(use)
        else:
            free.append(use)
    coined = [sense for each in clusters(free, known) for sense in coin(each, context)]
    disambiguate([*concepts.values(), *coined], known, context, sense_of)
    return concepts.values(), coined


def coin(cluster: Sequence[NameUse], context: Context) -> list[Sense]:
    """Make as many senses of a cluster as the papers mean that introduce its names.

    One more is made of uses that can mean none of these. All uses that introduce nothing are given
    to the first sense.
    """
    introductions = defaultdict[str, list[NameUse]](list)
    for use in cluster:
        if use.introducer:
            introductions[use.introducer].append(use)
    groups = _groups(introductions, context)
    by_group = defaultdict[str, Sense](Sense)
    for paper in sorted(introductions):
        sense = by_group[groups.of(paper)]
        sense.introducers += introductions[paper]
        sense.members += introductions[paper]
    senses = sorted(by_group.values(), key=lambda each: each.seniority) or [Sense()]
    others = [use for use in cluster if not use.name.introduced]
    senses[0].members += others
    if introductions and (namesakes := list(_namesakes(others, senses))):
        senses.append(Sense(elsewhere=partial(_certain_of, namesakes), namesakes=namesakes))
    for sense in senses:
        sense.siblings = senses
    return senses


def _groups(introductions: Mapping[str, Sequence[NameUse]], context: Context) -> DisjointSets:
    """Group the papers that mean one thing."""
    groups = DisjointSets()
    if len(introductions) < 2:
        return groups
    text = cache(lambda paper: _introduction(introductions[paper], context))
    for paper, other in combinations(sorted(introductions), 2):
        if groups.of(paper) != groups.of(other) and mean_one_thing(text(paper), text(other)):
            groups.join(paper, other)
    return groups


def _namesakes(uses: Iterable[NameUse], senses: Sequence[Sense]) -> Iterator[NameUse]:
    """Yield the uses, by the papers that can mean none of `senses`."""
    for use in uses:
        year = min(each.excluded_until(use) for each in senses)
        if papers := [each for each in use.papers if each[0][0] <= year]:
            yield use.of(papers)


def _certain_of(namesakes: Iterable[NameUse]) -> Elsewhere:
    """Return what is certain of what namesakes mean."""
    forms = {form for each in namesakes for form in each.name.forms}
    return Elsewhere(forms, {id_ for each in namesakes for id_ in each.ids})


def _introduction(uses: Sequence[NameUse], context: Context) -> Introduction:
    first, *more = sorted(uses, key=lambda each: each.name.name)
    forms = {form for each in (first, *more) for form in each.name.forms}
    return Introduction(
        first.name.name,
        first.name.kind,
        tuple(sorted(forms)),
        any(each.name.titled for each in uses),
        context(first.papers[0][1]),
    )


def disambiguate(
    senses: Sequence[Sense],
    known: KnownNames,
    context: Context,
    sense_of: Callable[[Entity], Sense],
) -> None:
    """Move each use of a name with several senses to the one that fits it best, paper by paper.

    `sense_of` returns the sense of a concept, which a use may be the first to have.
    """
    by_key = defaultdict(list)
    for sense in senses:
        if sense.introducers:
            for key in sorted({match_key(form) for form in sense.forms}):
                by_key[key].append(sense)
    disambiguations: dict[tuple[Sense, ...], _Disambiguation] = {}
    moves: list[tuple[Sense, NameUse, Mapping[Sense, Sequence[DatedPaper]]]] = []
    for sense in senses:
        for use in sense.members:
            if sense.is_certain(use):
                continue
            rivals = {*by_key.get(use.key, ())}
            rivals.update(each for each in sense.siblings if each.introducers or each.namesakes)
            if use.key in known and (rivals or not sense.concept):
                rivals.update(map(sense_of, known.candidates(use)))
            if sense.concept:
                rivals.add(sense)
            if rivals <= {sense}:
                continue
            possible = tuple(sorted(rivals, key=lambda each: each.seniority))
            one = disambiguations.setdefault(possible, _Disambiguation(possible, context))
            papers = defaultdict[Sense, list[DatedPaper]](list)
            for paper, best in zip(use.papers, one.best(use), strict=True):
                papers[best or sense].append(paper)
            moves.append((sense, use, papers))
    _move(moves)


def _move(moves: Iterable[tuple[Sense, NameUse, Mapping[Sense, Sequence[DatedPaper]]]]) -> None:
    left = defaultdict[Sense, set[NameUse]](set)
    for before, use, papers in moves:
        if papers.keys() != {before}:
            left[before].add(use)
            for after, some in papers.items():
                after.members.append(use.of(some))
    for sense, uses in left.items():
        sense.members = [each for each in sense.members if each not in uses]


class _Disambiguation:
    """Several senses of one name, the catalogue's first, that a use may have."""

    def __init__(self, senses: Sequence[Sense], context: Context) -> None:
        self._senses, self._context = senses, context

    def best(self, use: NameUse) -> Iterator[Sense | None]:
        """Yield for the papers of a use the sense that fits best; of equals, the first.

        None if none can. What the name is written out as decides, then the words around it that
        belong to one sense alone, then its kind. The catalogue's sense is by far the likelier.
        """
        first, *others = self._senses
        spelt, kind = written_out(use.name.forms), use.name.kind
        if first.concept and not spelt and kind == first.kind not in {each.kind for each in others}:
            yield from [first] * len(use.papers)
            return
        excluded = [each.excluded_until(use) for each in self._senses]
        for (year, _, _), paper in use.papers:
            possible = [number for number, last in enumerate(excluded) if last < year]
            if len(possible) < 2:
                yield self._senses[possible[0]] if possible else None
                continue
            words = self._context(paper) - self._own_words
            best = max(possible, key=lambda each: (self._fit(each, kind, spelt, words), -each))
            yield self._senses[best]

    def _fit(
        self, number: int, kind: EntityKind, spelt: LongFormWords, words: frozenset[str]
    ) -> float:
        sense = self._senses[number]
        return (
            4.0 * long_forms_agree(spelt, written_out(sense.forms))
            + 4.0 * shared_context(words, self._distinctive_words[number])
            + 0.3 * (kind == sense.kind)
            + 0.3 * could_be_one_kind(kind, sense.kind)
            + 1.0 * bool(sense.concept)
        )

    @cached_property
    def _own_words(self) -> frozenset[str]:
        return content_words(" ".join(form for sense in self._senses for form in sense.forms))

    @cached_property
    def _distinctive_words(self) -> list[frozenset[str]]:
        """The words of the papers of each sense that those of no other have."""
        words: list[frozenset[str]] = [
            frozenset().union(*map(self._context, sense.papers)) for sense in self._senses
        ]
        return [
            own.difference(*(each for other, each in enumerate(words) if other != number))
            for number, own in enumerate(words)
        ]
