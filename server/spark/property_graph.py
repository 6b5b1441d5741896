"""The property graph on a cluster: nodes and relationships as a store would export them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, NamedTuple

from pyspark import StorageLevel

from stemma.graph.linked_extraction import canonical
from stemma.graph.linking import names_of
from stemma.graph.linking.people import Authorship, Person, key_of_name, people
from stemma.graph.linking.references import keys_of, keys_of_reference
from stemma.graph.neo4j import elements
from stemma.graph.neo4j.edge_update import SupportRow
from stemma.graph.neo4j.elements import Node, Relationship
from stemma.graph.neo4j.paper_batch import PaperRow, paper_row
from stemma.schema import Catalogue, Entity, EntityKind, Paper, RelationType
from stemma.schema.decision_file import DecisionText
from stemma.schema.interchange import dump
from stemma.schema.paper import Author
from stemma.schema.partial_date import UNDATED, PartialDate
from stemma.server.spark.components import connected_components
from stemma.server.spark.linking import Linking

if TYPE_CHECKING:
    from pyspark import RDD

    from stemma.graph.linked_extraction import LinkedExtraction
    from stemma.schema import Extraction


class Mentioned(NamedTuple):
    """What papers say of an entity: how many state something about it, and when it appeared."""

    papers: int = 0
    introduced: tuple[tuple[int, int, int], str | None] = (UNDATED, None)
    """The date of the first paper that introduces it: to be sorted by, and as a text."""
    is_baseline: bool = False

    def join(self, other: Mentioned) -> Mentioned:
        """Return what two parts of the papers are together."""
        first = min(self.introduced, other.introduced, key=lambda each: (each[0], each[1] or ""))
        return Mentioned(self.papers + other.papers, first, self.is_baseline or other.is_baseline)


class SparkPropertyGraph:
    """What `PropertyGraph` yields of a store, of `extractions` that are in none, as data sets."""

    def __init__(self, extractions: RDD[Extraction], catalogue: Catalogue) -> None:
        self._extractions = extractions.map(_canonical).persist(StorageLevel.MEMORY_AND_DISK)
        self._linking = Linking(self._extractions, catalogue)
        self._catalogue = catalogue

    def nodes(self) -> RDD[Node]:
        """Return all nodes, Stemma's notes included."""
        papers = self._rows.flatMap(elements.paper_nodes)
        note = self._extractions.context.parallelize([self._note()])
        return papers.union(self._entities()).union(self._people()).union(note)

    def relationships(self) -> RDD[Relationship]:
        """Return all relationships."""
        stated = self._rows.flatMap(elements.statements)
        all_ = stated.union(self._facts()).union(self._broader()).union(self._edges())
        return all_.union(self._wrote()).union(self._citations())

    @cached_property
    def _rows(self) -> RDD[PaperRow]:
        return self._linking.papers.map(_row).persist(StorageLevel.MEMORY_AND_DISK)

    # Entities, and what is between them.

    def _entities(self) -> RDD[Node]:
        mentioned = self._rows.flatMap(_mentioned).reduceByKey(Mentioned.join)
        entities = self._linking.entities.keyBy(lambda each: each.id)
        return entities.leftOuterJoin(mentioned).values().map(_entity_node)

    def _facts(self) -> RDD[Relationship]:
        facts = self._linking.facts
        return self._extractions.context.parallelize(
            [elements.fact(each.subject, each.relation, each.entity, 1.0) for each in facts]
        )

    def _broader(self) -> RDD[Relationship]:
        return self._linking.entities.flatMap(
            lambda each: [elements.has_broader(each.id, broader) for broader in each.broader]
        )

    def _edges(self) -> RDD[Relationship]:
        known: list[SupportRow] = [
            (each.subject, each.subject, each.entity, each.relation.value, 1.0, "")
            for each in self._linking.facts
        ]
        support = self._rows.flatMap(lambda row: row.lineage)
        all_support = support.union(self._extractions.context.parallelize(known))
        return all_support.keyBy(lambda row: row[1:3]).groupByKey().map(_edge)

    # What the records of papers come to.

    @cached_property
    def _authors(self) -> RDD[tuple[Person, list[Authorship]]]:
        """The authors: those of one name or one id are distinguished together."""
        papers = self._extractions.map(lambda each: (each.paper.id, each.paper.authors))
        names = papers.flatMap(lambda each: [(_name(author), each) for author in each[1]])
        ties = papers.values().flatMap(_author_ties)
        components = connected_components(ties)
        by_component = names.leftOuterJoin(components).map(
            lambda each: (each[1][1] or each[0], (each[0], each[1][0]))
        )
        found = by_component.groupByKey().values().flatMap(_people)
        return found.persist(StorageLevel.MEMORY_AND_DISK)

    def _people(self) -> RDD[Node]:
        return self._authors.keys().map(elements.person_node)

    def _wrote(self) -> RDD[Relationship]:
        return self._authors.flatMap(
            lambda each: [elements.wrote(each[0].id, *authorship) for authorship in each[1]]
        )

    def _citations(self) -> RDD[Relationship]:
        """Return which papers cite which: by the surest key of a reference that one paper has."""
        papers = self._extractions.map(lambda each: each.paper)
        keys = papers.flatMap(lambda each: [(key, each.id) for key in keys_of(each)])
        named = keys.reduceByKey(lambda a, b: a if a == b else "")
        asked = papers.flatMap(_reference_keys)
        found = asked.join(named.filter(lambda each: bool(each[1])))
        cited = found.values().map(lambda each: (each[0][:2], (each[0][2], each[1])))
        surest = cited.reduceByKey(min).map(lambda each: (each[0][0], each[1][1]))
        others = surest.filter(lambda each: each[0] != each[1]).distinct()
        return others.map(lambda each: elements.cites(*each))

    @cached_property
    def statistics(self) -> dict[str, Any]:
        """What there is of each kind, as a store counts it."""
        kinds = self._linking.entities.map(lambda each: each.kind.value).countByValue()
        stated = self._rows.flatMap(lambda row: [type_ for type_, _ in row.statements])
        relations = stated.countByValue()
        for each in self._linking.facts:
            relations[each.relation.value] += 1
        return {
            "papers": self._rows.count(),
            "entities": sum(kinds.values()),
            "statements": sum(relations.values()),
            "lineage_edges": self._edges().count(),
            "by_kind": {each.value: kinds[each.value] for each in EntityKind if kinds[each.value]},
            "by_relation": {each.value: relations[each.value] for each in RelationType},
        }

    def _note(self) -> Node:
        decision_file = DecisionText("", b"").fingerprint
        return elements.graph_note(self.statistics, decision_file, self._catalogue.fingerprint)


def _canonical(extraction: Extraction) -> Extraction:
    return replace(canonical(extraction), extractor=extraction.extractor)


def _row(reading: LinkedExtraction) -> PaperRow:
    digest = blake2b(dump(reading.extraction).encode(), digest_size=16).digest()
    return paper_row(reading, names_of(reading.extraction), digest)


def _mentioned(row: PaperRow) -> Iterator[tuple[str, Mentioned]]:
    published = row.properties["published"]
    date = PartialDate.parse(published).sort_key if published else UNDATED
    for entity in {entity for _, entity in row.statements}:
        introduces = (RelationType.INTRODUCES.value, entity) in row.statements
        is_baseline = (RelationType.COMPARES_WITH.value, entity) in row.statements
        first = (date, published) if introduces else (UNDATED, None)
        yield entity, Mentioned(1, first, is_baseline)


def _entity_node(pair: tuple[Entity, Mentioned | None]) -> Node:
    entity, mentioned = pair[0], pair[1] or Mentioned()
    if entity.year:
        date = PartialDate(entity.year)
        mentioned = mentioned.join(Mentioned(introduced=(date.sort_key, str(date))))
    papers, (_, published), is_baseline = mentioned
    return elements.entity_node(entity, papers, published, is_baseline)


def _edge(edge: tuple[tuple[str, str], Iterable[SupportRow]]) -> Relationship:
    (child, parent), rows = edge
    support = {
        (subject, relation): (confidence, sentence)
        for subject, _, _, relation, confidence, sentence in rows
    }
    return elements.edge(child, parent, support)


def _name(author: Author) -> str:
    return key_of_name(author.name)


def _author_ties(authors: Sequence[Author]) -> Iterator[tuple[str, str]]:
    """Yield what those may be one person by who have different names."""
    for author in authors:
        for id_ in filter(None, (author.orcid, author.id)):
            yield _name(author), f"id:{id_}"


def _people(
    named: Iterable[tuple[str, tuple[str, Sequence[Author]]]],
) -> list[tuple[Person, list[Authorship]]]:
    """Return who the authors are who have some names, from all papers that have these."""
    names, papers = set[str](), dict[str, Sequence[Author]]()
    for name, (paper, authors) in named:
        names.add(name)
        papers[paper] = authors
    return people(papers.items(), names)


def _reference_keys(paper: Paper) -> Iterator[tuple[str, tuple[str, int, int]]]:
    """Yield the keys of references with the paper, the reference's number, and the key's rank."""
    for number, reference in enumerate(paper.references):
        for rank, key in enumerate(keys_of_reference(reference)):
            yield key, (paper.id, number, rank)
