"""Senses: the things that names mean, and which of several a use means.

A name that the catalogue knows means a concept of it, unless the paper plainly speaks of something
else. Uses of other names that may mean one thing, as they are spelt alike or tied together, are a
cluster, of which senses are coined.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, lru_cache
from itertools import chain, combinations

from stemma.graph.linking.naming import (
    YEARS_EARLY,
    Age,
    Context,
    DatedPaper,
    Introduction,
    Name,
    NameUse,
    PaperNames,
    are_about_different_things,
    are_namesakes,
    best_kind,
    content_words,
    could_be_one_kind,
    is_common,
    is_made_up,
    long_forms_agree,
    mean_one_thing,
    shared_context,
    spells_out,
    written_out,
)
from stemma.schema import Catalogue, Entity, EntityKind
from stemma.schema.disjoint_sets import DisjointSets
from stemma.schema.name import ARTICLE, match_key, plain, split_vendor
from stemma.schema.partial_date import UNDATED

_OLDER_THAN_PAPERS = (EntityKind.FRAMEWORK, EntityKind.HARDWARE)
"""Kinds of what may be released or announced years before a paper presents it."""
_OF_THEIR_OWN = (EntityKind.DATASET, EntityKind.HARDWARE)
"""Kinds that no other is taken for."""
_NOUNS_OF_DATASETS = tuple(map(match_key, ("dataset", "benchmark", "corpus")))
_OF_NOBODY: tuple[frozenset[str], tuple[Entity, ...]] = (frozenset(), ())

VendorsOf = Callable[[str], Collection[str]]
"""Returns the vendors before whose product, by its match key, papers put their names."""


def vendors_in(names: Iterable[str]) -> VendorsOf:
    """Return the vendors of the products among `names`."""
    vendors = defaultdict(set)
    for product, vendor in filter(None, map(product_of, names)):
        vendors[product].add(vendor)
    return lambda key: vendors.get(key, ())


def product_of(name: str) -> tuple[str, str] | None:
    """Return product (by its match key) and vendor of a name like ``Intel Gaudi``; else None."""
    parts = split_vendor(plain(name))
    return (match_key(parts[1]), parts[0]) if parts else None


def dated(paper: PaperNames, catalogue: Catalogue) -> PaperNames:
    """Return a paper with what its date says of names that the catalogue has.

    What appeared two years after the paper or later, it cannot mean. What appeared two years
    before it or earlier, it does not introduce: either it means something else, or it is misread,
    as where it calls the concept by its long form. (But frameworks and hardware may be older than
    their papers.) Names that are hardly chosen twice may be older than the catalogue knows.

    A paper without a date is hardly older than what it names.
    """
    called = [
        _meant_by_forms((name.name, *name.forms), name.kind, name.concept, catalogue)
        for name in paper.names
    ]
    year = paper.published[0]
    is_dated = year < UNDATED[0]
    if not is_dated:
        year = _earliest(paper.names, called)

    def judged(name: Name, named: Sequence[Entity], forms: Sequence[str]) -> Name:
        years = [entity.year for entity in named if entity.year]
        is_coinage = not all(entity.general for entity in named) and not all(map(is_common, forms))
        if not years or len(years) < len(named) or is_coinage:
            return name
        if is_dated and year + YEARS_EARLY <= min(years):
            return replace(name, is_other=True)
        if not name.introduced or year < max(years) + YEARS_EARLY or _lags(name, named):
            return name
        if all(map(str.islower, forms)) or any(" " in form for form in forms):
            return replace(name, introduced=False, is_known=True)
        return replace(name, is_other=True)

    names = tuple(judged(name, *meaning) for name, meaning in zip(paper.names, called, strict=True))
    return replace(paper, names=names) if names != paper.names else paper


def _earliest(
    names: Sequence[Name], called: Sequence[tuple[Sequence[Entity], Sequence[str]]]
) -> int:
    """Return the first year in which a paper can have been written that names all this."""
    years = [
        min(entity.year or 0 for entity in named)
        for name, (named, _) in zip(names, called, strict=True)
        if named and not name.introduced
    ]
    return max(years, default=0) - YEARS_EARLY + 1


def _lags(name: Name, named: Sequence[Entity]) -> bool:
    """Return whether a name is of a kind that is presented years after it appeared."""
    return name.kind in _OLDER_THAN_PAPERS and any(entity.kind is name.kind for entity in named)


@lru_cache(maxsize=65536)
def _meant_by_forms(
    forms: tuple[str, ...], kind: EntityKind, concept: str | None, catalogue: Catalogue
) -> tuple[Sequence[Entity], Sequence[str]]:
    """Return the concepts that a paper may mean by a name, and its forms that they have."""
    by_form = {form: concepts_called(match_key(form), kind, catalogue) for form in forms}
    certain = catalogue.concepts.get(concept or "")
    named = (
        [certain] if certain else [entity for entities in by_form.values() for entity in entities]
    )
    named = [entity for entity in named if not are_namesakes(kind, entity.kind)]
    return named, [form for form, entities in by_form.items() if any(e in named for e in entities)]


def concepts_called(key: str, kind: EntityKind, catalogue: Catalogue) -> list[Entity]:
    """Return the concepts with a name, by its match key, that is used for one of a kind; data sets
    also by what a name leaves out (RACE for RACE dataset)."""
    nouns = ("", *_NOUNS_OF_DATASETS) if kind is EntityKind.DATASET else ("",)
    return [entity for noun in nouns for entity in catalogue.by_key.get(key + noun, ())]


def named_concepts(use: NameUse, catalogue: Catalogue) -> list[Entity]:
    """Return the concepts with the name of a use, or else with another form of it, by id; without
    those that it plainly is not."""
    if use.name.is_other:
        return []
    for keys in ((use.key,), sorted(use.other_keys)):
        called = (concepts_called(key, use.name.kind, catalogue) for key in keys)
        if named := {entity.id: entity for entity in chain.from_iterable(called)}:
            return [entity for _, entity in sorted(named.items()) if not differs(use.name, entity)]
    return []


def certain_concept(name: Name, catalogue: Catalogue) -> Entity | None:
    """Return the concept that the extractor was certain of, if it can be that."""
    concept = catalogue.concepts.get(name.certain) if name.certain else None
    if concept and concept.kind is not name.kind:
        called = concepts_called(match_key(name.name), name.kind, catalogue)
        if are_namesakes(name.kind, concept.kind) or any(e.kind is name.kind for e in called):
            return None
    return concept


class KnownNames:
    """The catalogue's names, also with or without their vendors.

    A vendor's name counts for nothing only where no other vendor has a product of that name: what
    several make (AMD GPU, NVIDIA GPU) is a class of things. `vendors_of` returns whose product
    papers take it for.
    """

    def __init__(self, catalogue: Catalogue, vendors_of: VendorsOf) -> None:
        self._catalogue, self._vendors_of = catalogue, vendors_of
        self._is_product = cache(self._find_whether_product)

    def _find_whether_product(self, key: str) -> bool:
        vendors, _ = self._catalogue.by_product.get(key, _OF_NOBODY)
        all_vendors = vendors.union(self._vendors_of(key))
        return len(all_vendors - {ARTICLE} or all_vendors) == 1

    def __contains__(self, key: str) -> bool:
        return key in self._catalogue.by_key

    def product(self, name: str) -> str | None:
        """Return the key of `name` without its vendor, where that is one vendor's product."""
        key, _ = product_of(name) or ("", "")
        return key if key and self._is_product(key) else None

    def concept(self, use: NameUse) -> Entity | None:
        """Return the concept that a use means; None if it means none, or one of several."""
        if certain := certain_concept(use.name, self._catalogue):
            return certain
        return the_one(self.candidates(use), use.name.kind)

    def candidates(self, use: NameUse) -> list[Entity]:
        """Return the concepts with the name of a use; else with a form; else with its vendor."""
        if use.name.is_other:
            return []
        if named := named_concepts(use, self._catalogue):
            return named
        folded = {}
        if self._is_product(use.key):
            _, concepts = self._catalogue.by_product.get(use.key, _OF_NOBODY)
            folded = {concept.id: concept for concept in concepts}
        product = self.product(use.name.name) or ""
        folded |= {entity.id: entity for entity in self._catalogue.by_key.get(product, ())}
        return [
            entity
            for _, entity in sorted(folded.items())
            if entity.kind == use.name.kind and not differs(use.name, entity)
        ]


def the_one(candidates: Sequence[Entity], kind: EntityKind) -> Entity | None:
    """Return which of some concepts a name of this kind means; None if that is not one."""
    if len(candidates) > 1:
        candidates = [candidate for candidate in candidates if candidate.kind == kind]
    return candidates[0] if len(candidates) == 1 else None


def differs(name: Name, concept: Entity) -> bool:
    """Return whether a paper plainly means something else by a concept's name.

    So it does where the name is short for other words, where the paper itself introduces another
    kind of thing under it, and where it names what surely is only a namesake.
    """
    spelt = written_out(name.forms)
    known = written_out((concept.name, *concept.aliases))
    if spelt and known:
        return not long_forms_agree(spelt, known)
    if name.introduced and spelt:
        return name.kind != concept.kind
    if name.introduced or spelt:
        return not could_be_one_kind(name.kind, concept.kind)
    return are_namesakes(name.kind, concept.kind)


# Senses.


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
    """Return pairs of keys: another form, and the name that more papers than not give it; and names
    of one other form and of the same words (round-to-nearest, rounding to nearest: RTN)."""
    votes: dict[str, Counter[str]] = defaultdict(Counter)
    for key, named in by_key.items():
        for use in named:
            for other in map(match_key, use.name.forms):
                if other != key:
                    votes[other][key] += len(use.papers)
    pairs = []
    for other, named_so in sorted(votes.items()):
        total, alike = named_so.total(), dict[frozenset[str], str]()
        for key, papers in sorted(named_so.items()):
            name = min(use.name.name for use in by_key[key])
            words = content_words(name).union(filter(str.isdigit, name))
            first = alike.setdefault(words, key) if words else key
            if first != key:
                pairs.append((key, first))
                named_so[first] += papers
        longer, papers = min(named_so.items(), key=lambda vote: (-vote[1], vote[0]))
        if 2 * papers > total:
            pairs.append((other, longer))
    return pairs


TELLING_PAPERS = 50
"""So many papers show what a concept is about as well as thousands do."""

_NEVER = -1
"""A year before all papers."""


@dataclass(eq=False)
class Sense:
    """One thing that names mean: a concept of the catalogue, or what papers coined.

    `members` are the uses that mean it, `introducers` those of them that introduce it. A sense that
    has `namesakes` is what they mean that cannot mean what papers introduced by their name: its
    `siblings`. Names with keys that are `made_up` are hardly chosen twice.
    """

    concept: Entity | None = None
    namesakes: Sequence[NameUse] = ()
    members: list[NameUse] = field(default_factory=list)
    introducers: list[NameUse] = field(default_factory=list)
    siblings: Sequence["Sense"] = ()
    made_up: Collection[str] = ()

    @property
    def first(self) -> NameUse:
        """The use that brought it up: the earliest that introduces it, if any does."""
        return min(self.introducers or self.namesakes or self.members, key=lambda use: use.age)

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

    def excludes(self, use: NameUse, context: Context) -> Callable[[DatedPaper], bool]:
        """Return whether papers, which are then given, cannot mean it by a use: what papers coined.

        None can if the name is short for other words, or of what surely is only a namesake. Older
        papers cannot, unless the name is hardly chosen twice. Nor can papers about something else,
        if the name is an acronym that they leave unexplained.
        """
        if not self.introducers:
            return lambda paper: False
        spelt, own = written_out(use.name.forms), written_out(self.forms)
        if spelt and own:
            agree = long_forms_agree(spelt, own)
            return lambda paper: not agree
        if are_namesakes(use.name.kind, self.kind):
            return lambda paper: True
        name, introduced = use.name.name, self.first.papers[0][0][0]
        is_dated = introduced < UNDATED[0] and is_common(name)
        last = introduced - YEARS_EARLY if is_dated else _NEVER
        is_acronym = " " not in name and any(spells_out(name, form) for form in self.forms)
        if use.key in self.made_up or not is_acronym:
            return lambda paper: paper[0][0] <= last
        about = frozenset[str]().union(
            *(context(introducer.papers[0][1]) for introducer in self.introducers)
        )
        return lambda paper: (
            paper[0][0] <= last or are_about_different_things(context(paper[1]), about, name)
        )

    @cached_property
    def kind(self) -> EntityKind:
        """The kind of the sense, before names are given to other senses than their first."""
        return self.concept.kind if self.concept else best_kind(self.introducers or [self.first])

    @cached_property
    def forms(self) -> tuple[str, ...]:
        """The names that certainly mean this sense."""
        if self.concept:
            return (self.concept.name, *self.concept.aliases)
        uses = (*self.introducers, *self.namesakes)
        return tuple(sorted({form for use in uses for form in use.name.forms}))

    @property
    def papers(self) -> list[str]:
        """Papers that certainly mean what papers coined: as many as it takes to tell its subject.

        What surrounds a concept is not considered: of 32,775 names, one had another sense by that.
        """
        ids = {id_ for use in (*self.introducers, *self.namesakes) for id_ in use.ids}
        return sorted(ids)[:TELLING_PAPERS]


def senses_of(
    uses: Iterable[NameUse], known: KnownNames, context: Context
) -> tuple[Iterable[Sense], list[Sense]]:
    """Return the senses that uses have: concepts of the catalogue, and what papers coined."""
    concepts, free = dict[str, Sense](), list[NameUse]()

    def sense_of(concept: Entity) -> Sense:
        if concept.id not in concepts:
            concepts[concept.id] = Sense(concept)
        return concepts[concept.id]

    for use in uses:
        if concept := known.concept(use):
            sense_of(concept).members.append(use)
        else:
            free.append(use)
    coined = [sense for cluster in clusters(free, known) for sense in coin(cluster, context)]
    disambiguate([*concepts.values(), *coined], known, context, sense_of)
    return concepts.values(), coined


def coin(cluster: Sequence[NameUse], context: Context) -> list[Sense]:
    """Make as many senses of a cluster as the papers mean that introduce its names.

    More are made of uses that can mean none of these: of data sets, of hardware, and of the rest.
    All uses that introduce nothing are given to the first sense.
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
    senses = sorted(by_group.values(), key=lambda sense: sense.seniority) or [Sense()]
    made_up = {use.key for use in cluster if is_made_up(use.name.name)}
    for sense in senses:
        sense.made_up = made_up
    others = [use for use in cluster if not use.name.introduced]
    senses[0].members += others
    if introductions:
        by_kind = defaultdict[EntityKind | None, list[NameUse]](list)
        for use in _namesakes(others, senses, context):
            by_kind[use.name.kind if use.name.kind in _OF_THEIR_OWN else None].append(use)
        namesakes = [Sense(namesakes=uses) for uses in by_kind.values()]
        senses += sorted(namesakes, key=lambda sense: sense.seniority)
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


def _namesakes(
    uses: Iterable[NameUse], senses: Sequence[Sense], context: Context
) -> Iterator[NameUse]:
    """Yield the uses, by the papers that can mean none of `senses`."""
    for use in uses:
        exclude = [sense.excludes(use, context) for sense in senses]
        if papers := [paper for paper in use.papers if all(each(paper) for each in exclude)]:
            yield use.of(papers)


def _introduction(uses: Sequence[NameUse], context: Context) -> Introduction:
    """Join the names by which one paper introduces a thing; the first is what it is called."""
    first = min((use.name for use in uses), key=lambda name: name.name)
    forms = tuple(sorted({form for use in uses for form in use.name.forms}))
    titled = any(use.name.titled for use in uses)
    return replace(first, forms=forms, titled=titled), context(uses[0].papers[0][1])


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

    def rivals_of(sense: Sense, use: NameUse) -> set[Sense]:
        rivals = {*by_key.get(use.key, ())}
        rivals.update(other for other in sense.siblings if other.introducers or other.namesakes)
        if use.key in known and (rivals or not sense.concept):
            rivals.update(map(sense_of, known.candidates(use)))
        return rivals | {sense} if sense.concept else rivals

    disambiguations: dict[tuple[Sense, ...], _Disambiguation] = {}
    members = defaultdict[Sense, list[NameUse]](list)
    for sense in senses:
        for use in sense.members:
            rivals = set() if sense.is_certain(use) else rivals_of(sense, use)
            if rivals <= {sense}:
                members[sense].append(use)
                continue
            possible = tuple(sorted(rivals, key=lambda rival: rival.seniority))
            disambiguation = disambiguations.setdefault(
                possible, _Disambiguation(possible, context)
            )
            papers = defaultdict[Sense, list[DatedPaper]](list)
            for paper, best in zip(use.papers, disambiguation.best(use), strict=True):
                papers[best or sense].append(paper)
            for after, some in papers.items():
                members[after].append(use.of(some))
    for sense in {*senses, *members}:
        sense.members = members[sense]


class _Disambiguation:
    """Several senses of one name, the catalogue's first, that a use may have."""

    def __init__(self, senses: Sequence[Sense], context: Context) -> None:
        self._senses, self._context = senses, context

    def best(self, use: NameUse) -> Iterator[Sense | None]:
        """Yield for the papers of a use the sense that fits best; of equals, the first.

        None if none can. The words around the name that belong to one sense alone decide, then its
        kind; the catalogue's sense is by far the likelier.
        """
        exclude = [sense.excludes(use, self._context) for sense in self._senses]
        for paper in use.papers:
            possible = [number for number, excludes in enumerate(exclude) if not excludes(paper)]
            if len(possible) < 2:
                yield self._senses[possible[0]] if possible else None
                continue
            words = self._context(paper[1]) - self._own_words
            fits = {number: self._fit(number, use.name.kind, words) for number in possible}
            yield self._senses[max(fits, key=lambda number: fits[number])]

    def _fit(self, number: int, kind: EntityKind, words: frozenset[str]) -> float:
        sense = self._senses[number]
        return (
            4.0 * shared_context(words, self._distinctive_words[number])
            + 1.0 * bool(sense.concept)
            + 0.3 * (kind == sense.kind)
            + 0.3 * could_be_one_kind(kind, sense.kind)
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
            own.difference(*(other for place, other in enumerate(words) if place != number))
            for number, own in enumerate(words)
        ]
