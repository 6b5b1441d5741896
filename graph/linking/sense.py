"""Senses: the things that names mean, and which of several a mention means."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from stemma.graph.linking.cluster import Groups
from stemma.graph.linking.homonym import (
    Introduction,
    content_words,
    could_be_one_kind,
    mean_one_thing,
    read_alike,
    shared_context,
    written_out,
)
from stemma.graph.linking.known_name import KnownNames
from stemma.graph.linking.naming import UNDATED, Context, Mention, best_kind
from stemma.schema import Entity, EntityKind
from stemma.schema.name import match_key

_TELLING_PAPERS = 50
"""So many papers show what a concept is about as well as thousands do."""


class Sense:
    """One thing that names mean: a concept of the catalogue, or what papers coined."""

    def __init__(self, concept: Entity | None = None) -> None:
        self.concept = concept
        self.members: list[Mention] = []
        self.introducers: list[Mention] = []
        self.siblings: list[Sense] = [self]
        self._context: frozenset[str] | None = None

    @property
    def first(self) -> Mention:
        """The mention that brought it up: the earliest that introduces it, if any does."""
        return min(self.introducers or self.members, key=lambda each: each.age)

    @property
    def kind(self) -> EntityKind:
        """What it certainly is."""
        return self.concept.kind if self.concept else best_kind(self.introducers)

    @property
    def forms(self) -> set[str]:
        """How it is certainly called."""
        known = (self.concept.name, *self.concept.aliases) if self.concept else ()
        return {*known, *(form for each in self._certain() for form in each.name.forms)}

    def context(self, of: Context) -> frozenset[str]:
        """The words of papers that certainly mean it."""
        if self._context is None:
            papers = sorted({each.paper.paper for each in self._certain()})[:_TELLING_PAPERS]
            self._context = frozenset().union(*map(of, papers))
        return self._context

    def is_certain(self, mention: Mention) -> bool:
        """Tell whether a mention can mean nothing else."""
        if self.concept:
            return mention.name.concept == self.concept.id
        return mention.name.introduced

    def _certain(self) -> list[Mention]:
        return list(filter(self.is_certain, self.members)) if self.concept else self.introducers

    @property
    def seniority(self) -> tuple[bool, str, tuple[tuple[int, int, int], str]]:
        """Orders senses: the catalogue's first, then by who introduced them when."""
        if self.concept:
            return (False, self.concept.id, (UNDATED, ""))
        return (True, "", self.first.age)


def coin(cluster: Sequence[Mention], context: Context) -> list[Sense]:
    """Make as many senses of a cluster as the papers mean that introduce its names.

    Mentions by other papers are given to the first of them.
    """
    introductions = defaultdict(list)
    for mention in cluster:
        if mention.name.introduced:
            introductions[mention.paper.paper].append(mention)
    groups = Groups()
    papers = sorted(introductions)
    if len(papers) > 1:
        said = {paper: _introduction(introductions[paper], context) for paper in papers}
        for position, paper in enumerate(papers):
            for other in papers[:position]:
                if groups.of(paper) != groups.of(other) and mean_one_thing(
                    said[paper], said[other]
                ):
                    groups.join(paper, other)
    by_group: dict[str, Sense] = defaultdict(Sense)
    for paper in papers:
        sense = by_group[groups.of(paper)]
        sense.introducers += introductions[paper]
        sense.members += introductions[paper]
    senses = sorted(by_group.values(), key=lambda each: each.seniority) or [Sense()]
    senses[0].members += [mention for mention in cluster if not mention.name.introduced]
    for sense in senses:
        sense.siblings = senses
    return senses


def _introduction(mentions: Sequence[Mention], context: Context) -> Introduction:
    first, *more = sorted(mentions, key=lambda each: each.name.name)
    forms = {form for each in (first, *more) for form in each.name.forms}
    return Introduction(
        first.name.name,
        first.name.kind,
        frozenset(forms),
        any(each.name.titled for each in mentions),
        context(first.paper.paper),
    )


def settle(
    concepts: dict[str, Sense], coined: Sequence[Sense], known: KnownNames, context: Context
) -> None:
    """Move each mention of a name with several senses to the one that fits it best.

    `concepts` are senses by the ids of concepts, and grow where a mention may mean a new one.
    """
    by_key = defaultdict(list)
    for sense in coined:
        if sense.introducers:
            for key in sorted({match_key(form) for form in sense.forms}):
                by_key[key].append(sense)
    moves = []
    for sense in (*concepts.values(), *coined):
        for mention in sense.members:
            if sense.is_certain(mention):
                continue
            rivals = [*by_key.get(mention.key, ())]
            rivals += [each for each in sense.siblings if each.introducers]
            if mention.key in known and (rivals or not sense.concept):
                for concept in known.candidates(mention):
                    rivals.append(concepts.setdefault(concept.id, Sense(concept)))
            if sense.concept:
                rivals.append(sense)
            rivals = sorted(dict.fromkeys(rivals), key=lambda each: each.seniority)
            if rivals and rivals != [sense]:
                moves.append((mention, sense, _fitting(mention, rivals, context)))
    _move(moves)


def _move(moves: Iterable[tuple[Mention, Sense, Sense]]) -> None:
    left: dict[Sense, set[Mention]] = defaultdict(set)
    for mention, before, after in moves:
        if before is not after:
            left[before].add(mention)
            after.members.append(mention)
    for sense, mentions in left.items():
        sense.members = [each for each in sense.members if each not in mentions]


def _fitting(mention: Mention, senses: Sequence[Sense], context: Context) -> Sense:
    """Return the sense that fits a mention best; of equals, the first.

    What the name is written out as decides, then the words around it that belong to one sense
    alone, then its kind; the catalogue's sense is the likelier.
    """
    if len(senses) == 1:
        return senses[0]
    spelt = written_out(mention.name.forms)
    own_words = content_words(" ".join(form for sense in senses for form in sense.forms))
    words = context(mention.paper.paper) - own_words
    contexts = [sense.context(context) for sense in senses]

    def fit(position: int) -> float:
        sense = senses[position]
        others = (each for number, each in enumerate(contexts) if number != position)
        return (
            4.0 * (bool(spelt) and read_alike(spelt, written_out(sense.forms)))
            + 4.0 * shared_context(words, contexts[position].difference(*others))
            + 0.3 * (mention.name.kind == sense.kind)
            + 0.3 * could_be_one_kind(mention.name.kind, sense.kind)
            + 0.3 * bool(sense.concept)
        )

    return senses[max(range(len(senses)), key=lambda number: (fit(number), -number))]
