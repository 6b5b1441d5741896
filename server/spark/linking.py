"""Linking on a cluster: which entity each name of each paper means, over all papers.

The result is the same as that of `graph.linking.link`, without decisions. Names that are connected
by their keys (connected components) are linked together; what a component depends on beyond that is
small, and goes to all machines: the catalogue, the vendors of products, and what is certain of the
concepts that a name may mean.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from heapq import nsmallest
from typing import TYPE_CHECKING, Any, NamedTuple

from pyspark import StorageLevel

from stemma.graph.batching_writer import stated_in
from stemma.graph.linked_extraction import LinkedExtraction
from stemma.graph.linking import Claim, Name, PaperNames, Verdict, dated, names_of
from stemma.graph.linking.contradiction import by_subject, contradictions
from stemma.graph.linking.homonym import content_words
from stemma.graph.linking.known_name import KnownNames, product_of
from stemma.graph.linking.linked_entity import (
    Coinage,
    coined_entity,
    coined_ids,
    known_entity,
)
from stemma.graph.linking.naming import NameUse
from stemma.graph.linking.sense import TELLING_PAPERS, ConceptSenses, Elsewhere, Sense, senses_of
from stemma.schema import Catalogue, Entity, Extraction, Fact
from stemma.schema.batches import batched
from stemma.schema.identifier import entity_id
from stemma.server.spark.components import connected_components

if TYPE_CHECKING:
    from pyspark import RDD

_PAPERS_AT_ONCE = 1000
"""Papers of which claims are judged together."""


class Use(NamedTuple):
    """A name in a paper. `words` are the content words of the paper, in one text."""

    mention: NameUse
    words: str
    concept: str | None
    """The concept (id) of the catalogue that it means at first sight."""
    is_certain: bool
    """Whether it can mean nothing else."""

    @property
    def place(self) -> tuple[str, str]:
        """The paper (id) and the name."""
        return self.mention.paper.paper, self.mention.name.name


class ResolvedName(NamedTuple):
    """The entity (id) that a name in a paper means; the spellings that the paper has of it."""

    paper: str
    name: str
    entity: str
    forms: tuple[str, ...]
    introduced: bool


class Coined(NamedTuple):
    """An entity that is in no catalogue, before it has an id, and the uses that mean it."""

    entity: Entity
    coinage: Coinage
    uses: Sequence[tuple[str, Name]]


@dataclass
class Certain:
    """What is certain of a concept: its forms, and its first papers (ids) with their words."""

    forms: set[str] = field(default_factory=set)
    papers: dict[str, str] = field(default_factory=dict)

    def add(self, use: Use) -> Certain:
        """Note a use."""
        return self.join(Certain(set(use.mention.name.forms), {use.place[0]: use.words}))

    def join(self, other: Certain) -> Certain:
        """Return what this and another part of the uses are together."""
        papers = self.papers | other.papers
        first = nsmallest(TELLING_PAPERS, papers)
        return Certain(self.forms | other.forms, {paper: papers[paper] for paper in first})


class Linking:
    """The links of `extractions`, canonical ones, each of another paper.

    `papers` are the extractions with what their names mean, and `entities` what they mention, with
    all that is broader; `facts` are the catalogue's between these.
    """

    def __init__(self, extractions: RDD[Extraction], catalogue: Catalogue) -> None:
        self._context = extractions.context
        self._extractions = extractions.map(lambda each: (each.paper.id, each))
        self._catalogue = catalogue
        self._shared = self._context.broadcast(catalogue)

    @cached_property
    def papers(self) -> RDD[LinkedExtraction]:
        """The extractions with the entities (ids) of their names, and how claims are judged."""
        linked = self._resolved_names.map(lambda each: (each.paper, each)).groupByKey()
        introducers, facts = self._context.broadcast(self._introducers), self.facts
        catalogue = self._shared

        def judged(
            pairs: Iterable[tuple[str, tuple[Extraction, Iterable[ResolvedName] | None]]],
        ) -> Iterator[LinkedExtraction]:
            for batch in batched(pairs, _PAPERS_AT_ONCE):
                some = [each for _, each in batch]
                yield from _judged(some, catalogue.value, facts, introducers.value)

        joined = self._extractions.leftOuterJoin(linked)
        return joined.mapPartitions(judged).persist(StorageLevel.MEMORY_AND_DISK)

    @cached_property
    def entities(self) -> RDD[Entity]:
        """The entities: those that papers coined, and the concepts."""
        coined = self._coined.map(lambda each: each[0])
        return coined.union(self._context.parallelize(list(self._concepts.values())))

    @cached_property
    def facts(self) -> list[Fact]:
        """The catalogue's facts between entities."""
        return self._catalogue.facts_between(self._concepts)

    # The uses of names.

    @cached_property
    def _uses(self) -> RDD[Use]:
        catalogue = self._shared
        papers = self._extractions.mapValues(lambda each: _names_and_words(each, catalogue.value))
        cited = papers.flatMap(lambda each: _citing(each[1][0]))
        contributions = papers.flatMapValues(lambda each: filter(None, [each[0].contribution]))
        found = cited.join(contributions).values().map(_by_paper).groupByKey()
        mentions = papers.leftOuterJoin(found).values().flatMap(lambda each: _mentions(*each))
        vendors = self._context.broadcast(_vendors(mentions.map(lambda each: each[0].name.name)))

        def classified(mentions: Iterable[tuple[NameUse, str]]) -> Iterator[Use]:
            known = _known_names(catalogue.value, vendors.value)
            for mention, words in mentions:
                yield _use(mention, words, known)

        self._vendors = vendors
        return mentions.mapPartitions(classified).persist(StorageLevel.MEMORY_AND_DISK)

    @cached_property
    def _unsettled(self) -> RDD[tuple[str, Use]]:
        """The uses, by component, that mean no concept for sure, or perhaps what papers coin."""
        free = self._uses.filter(lambda use: use.concept is None)
        introduced = free.filter(lambda use: use.mention.name.introduced)
        coined = introduced.flatMap(lambda use: _keys(use.mention)).distinct()
        known = self._uses.filter(lambda use: use.concept is not None and not use.is_certain)
        doubtful = known.keyBy(_key).join(coined.map(lambda key: (key, None)))
        by_key = free.keyBy(_key).union(doubtful.mapValues(lambda pair: pair[0]))
        catalogue, vendors = self._shared, self._vendors

        def ties(uses: Iterable[Use]) -> Iterator[tuple[str, str]]:
            known = _known_names(catalogue.value, vendors.value)
            for use in uses:
                product = known.product(use.mention.name.name)
                for key in {*_keys(use.mention), *([product] if product else ())}:
                    yield use.mention.key, key

        components = connected_components(free.mapPartitions(ties))
        joined = by_key.leftOuterJoin(components)
        together = joined.map(lambda each: (each[1][1] or each[0], each[1][0]))
        return together.persist(StorageLevel.MEMORY_AND_DISK)

    @cached_property
    def _senses(self) -> RDD[ResolvedName | Coined]:
        """What the uses that were unsettled mean."""
        catalogue, vendors = self._shared, self._vendors
        certain = self._context.broadcast(self._certain)

        def linked(
            components: Iterable[tuple[str, Iterable[Use]]],
        ) -> Iterator[ResolvedName | Coined]:
            known = _known_names(catalogue.value, vendors.value)
            for _, uses in components:
                yield from _linked_together(uses, known, certain.value)

        senses = self._unsettled.groupByKey().mapPartitions(linked)
        return senses.persist(StorageLevel.MEMORY_AND_DISK)

    @cached_property
    def _certain(self) -> dict[str, Certain]:
        """What is certain of the concepts that an unsettled use may mean."""
        catalogue, vendors = self._shared, self._vendors

        def candidates(uses: Iterable[tuple[str, Use]]) -> Iterator[str]:
            known = _known_names(catalogue.value, vendors.value)
            for _, use in uses:
                yield from (each.id for each in known.candidates(use.mention))

        possible = set(self._unsettled.mapPartitions(candidates).distinct().collect())
        uses = self._uses.filter(lambda use: use.is_certain and use.concept in possible)
        pairs = uses.map(lambda use: (use.concept or "", use))
        return dict(pairs.aggregateByKey(Certain(), Certain.add, Certain.join).collect())

    @cached_property
    def _coined(self) -> RDD[tuple[Entity, Sequence[tuple[str, Name]]]]:
        """The entities that are in no catalogue, with their uses; those of one slug share it."""
        catalogue = self._shared

        def identified(
            of_one_slug: Iterable[Coined],
        ) -> list[tuple[Entity, Sequence[tuple[str, Name]]]]:
            all_ = list(of_one_slug)
            ids = coined_ids([each.coinage for each in all_], catalogue.value)
            return [
                (replace(each.entity, id=id_), each.uses)
                for id_, each in zip(ids, all_, strict=True)
            ]

        coined = self._senses.flatMap(lambda each: [each] if isinstance(each, Coined) else [])
        by_slug = coined.keyBy(lambda each: entity_id(each.entity.name)).groupByKey()
        return by_slug.values().flatMap(identified).persist(StorageLevel.MEMORY_AND_DISK)

    @cached_property
    def _resolved_names(self) -> RDD[ResolvedName]:
        coined_keys = self._unsettled.map(lambda each: (each[1].place, None))
        settled = self._uses.filter(lambda use: use.concept is not None).keyBy(
            lambda use: use.place
        )
        of_concepts = settled.subtractByKey(coined_keys).values().map(_resolved_concept)
        moved = self._senses.flatMap(lambda each: [each] if isinstance(each, ResolvedName) else [])
        coined = self._coined.flatMap(
            lambda each: [_resolved_name(paper, name, each[0].id) for paper, name in each[1]]
        )
        return of_concepts.union(moved).union(coined).persist(StorageLevel.MEMORY_AND_DISK)

    @cached_property
    def _concepts(self) -> dict[str, Entity]:
        """The entities of the catalogue that papers mention, with all that is broader."""
        concepts = self._shared
        forms: dict[str, Counter[str]] = defaultdict(Counter)
        of_concepts = self._resolved_names.filter(
            lambda each: each.entity in concepts.value.concepts
        )
        counted = of_concepts.flatMap(
            lambda each: [((each.entity, form), 1) for form in each.forms]
        ).reduceByKey(lambda a, b: a + b)
        for (concept, form), count in counted.toLocalIterator():
            forms[concept][form] = count
        return {
            id_: known_entity(self._catalogue.concepts[id_], forms[id_])
            for id_ in sorted(self._catalogue.broader_closure(forms))
        }

    @cached_property
    def _introducers(self) -> dict[str, set[str]]:
        """Two of the papers (ids) that introduce each concept: who is the only one, needs two."""
        catalogue = self._shared
        pairs = self._resolved_names.filter(
            lambda each: each.introduced and each.entity in catalogue.value.concepts
        ).map(lambda each: (each.entity, {each.paper}))
        return dict(pairs.reduceByKey(lambda a, b: set(sorted(a | b)[:2])).collect())


def _names_and_words(extraction: Extraction, catalogue: Catalogue) -> tuple[PaperNames, str]:
    words = content_words(f"{extraction.paper.title} {extraction.paper.abstract}")
    return dated(names_of(extraction), catalogue), " ".join(sorted(words))


def _citing(paper: PaperNames) -> Iterator[tuple[str, tuple[str, str]]]:
    """Yield the papers (ids) whose titles stand for names, and where they do."""
    for name in paper.names:
        if cited := NameUse(paper, name).cited:
            yield cited, (paper.paper, name.name)


def _by_paper(cited: tuple[tuple[str, str], Name]) -> tuple[str, tuple[str, Name]]:
    (paper, name), contribution = cited
    return paper, (name, contribution)


def _mentions(
    paper: tuple[PaperNames, str], found: Iterable[Any] | None
) -> Iterator[tuple[NameUse, str]]:
    names, words = paper
    contributions = dict(found or ())
    alone = replace(names, names=())
    for name in names.names:
        yield NameUse(alone, name, contributions.get(name.name)), words


def _vendors(names: RDD[str]) -> dict[str, set[str]]:
    vendors: dict[str, set[str]] = defaultdict(set)
    products = names.flatMap(lambda name: filter(None, [product_of(name)])).distinct()
    for key, vendor in products.toLocalIterator():
        vendors[key].add(vendor)
    return dict(vendors)


def _known_names(catalogue: Catalogue, vendors: Mapping[str, set[str]]) -> KnownNames:
    return KnownNames(catalogue, lambda key: vendors.get(key, ()))


def _use(mention: NameUse, words: str, known: KnownNames) -> Use:
    concept = known.concept(mention)
    certain = concept is not None and Sense(concept).is_certain(mention)
    return Use(mention, words, concept.id if concept else None, certain)


def _key(use: Use) -> str:
    return use.mention.key


def _keys(mention: NameUse) -> set[str]:
    return {mention.key, *mention.other_keys}


def _linked_together(
    component: Iterable[Use], known: KnownNames, certain: Mapping[str, Certain]
) -> Iterator[ResolvedName | Coined]:
    """Link the names of a component."""
    uses = sorted(component, key=lambda use: use.place)
    words = {use.place[0]: use.words for use in uses}

    def elsewhere(concept: Entity) -> Elsewhere:
        found = certain.get(concept.id, Certain())
        words.update(found.papers)
        return Elsewhere(found.forms, found.papers)

    concepts, coined = senses_of(
        [use.mention for use in uses],
        known,
        lambda paper: frozenset(words[paper].split()),
        ConceptSenses(elsewhere),
    )
    for sense in concepts:
        for each in sense.members:
            assert sense.concept is not None
            yield _resolved_name(each.paper.paper, each.name, sense.concept.id)
    for sense in coined:
        if sense.members:
            coinage = Coinage.of(sense)
            entity = coined_entity("", coinage.name, sense.members)
            members = [(each.paper.paper, each.name) for each in sense.members]
            yield Coined(entity, coinage, members)


def _resolved_name(paper: str, name: Name, entity: str) -> ResolvedName:
    return ResolvedName(paper, name.name, entity, name.forms, name.introduced)


def _resolved_concept(use: Use) -> ResolvedName:
    assert use.concept is not None
    return _resolved_name(use.mention.paper.paper, use.mention.name, use.concept)


def _judged(
    papers: Sequence[tuple[Extraction, Iterable[ResolvedName] | None]],
    catalogue: Catalogue,
    facts: Sequence[Fact],
    introducers: Mapping[str, set[str]],
) -> Iterator[LinkedExtraction]:
    """Judge what papers claim by the catalogue's facts."""
    ids = {
        extraction.paper.id: {each.name: each.entity for each in resolved or ()}
        for extraction, resolved in papers
    }
    extractions = {extraction.paper.id: extraction for extraction, _ in papers}
    linked = {
        id_: {name: ids[id_][name.name] for name in dated(names_of(extraction), catalogue).names}
        for id_, extraction in extractions.items()
    }
    verdicts: dict[str, dict[Claim, Verdict]] = defaultdict(dict)

    def claims_of(id_: str) -> Mapping[Claim, str | None]:
        return stated_in(extractions[id_])

    for paper, claim, verdict in contradictions(
        linked, by_subject(facts), claims_of, {}, lambda entity: introducers.get(entity, ())
    ):
        verdicts[paper][claim] = verdict
    for id_, extraction in extractions.items():
        own = replace(extraction, extractor="")
        yield LinkedExtraction(own, extraction.extractor, ids[id_], verdicts[id_])
