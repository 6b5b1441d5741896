"""The RDF about single things of a graph, in any store.

A store in a file has it. Of a graph in Neo4j it is written when it is asked for, with what writes
the RDF of a folder: the named graphs of the papers concerned, and of the other graphs what they
say of these things.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import chain

import pyoxigraph as ox

from stemma.graph.rdf.citation_graph import citation_lines, reference_lines
from stemma.graph.rdf.entity_graph import (
    catalogued_aliases,
    concept_lines,
    entity_lines,
    fact_lines,
)
from stemma.graph.rdf.paper_graph import lines
from stemma.graph.rdf.people_graph import people_lines
from stemma.graph.rdf.vocabulary import CITATIONS
from stemma.graph.store import RdfDataset, Reader, StoreError
from stemma.schema import CATALOGUE_ORIGIN, Catalogue, Entity, Fact, RelationType
from stemma.schema.catalogue import fingerprint as shipped_fingerprint
from stemma.schema.identifier import AUTHOR, ENTITY, PAPER
from stemma.schema.namespace import DATA


@dataclass(frozen=True, slots=True)
class _Dataset:
    base: str
    rdf: ox.Store


def rdf_about(reader: Reader, things: Collection[str]) -> RdfDataset:
    """Return a data set with all that a graph says of works and authors (ids).

    Raises StoreError if the graph is in Neo4j and was linked with a catalogue of its own, which is
    not available.
    """
    if reader.dataset is not None:
        return reader.dataset
    if reader.catalogue != shipped_fingerprint():
        raise StoreError(
            "This graph was built with a catalogue of its own (--catalogue), so it has no RDF: "
            "build its papers into a folder, with the same --catalogue."
        )
    rdf = ox.Store()
    written = dict.fromkeys(_About(reader, things).lines())
    rdf.load("".join(written).encode(), format=ox.RdfFormat.N_QUADS)
    return _Dataset(DATA, rdf)


class _About:
    def __init__(self, reader: Reader, things: Collection[str]) -> None:
        self._reader = reader
        self._papers = [each for each in things if each.startswith(PAPER)]
        self._entities = [each for each in things if each.startswith(ENTITY)]
        self._authors = [each for each in things if each.startswith(AUTHOR)]

    def lines(self) -> Iterator[str]:
        """Yield lines of N-Quads, some more than once."""
        stated = self._reader.statements(self._entities)
        statements = list(chain.from_iterable(stated.values()))
        naming = {each.subject for each in statements if each.subject.startswith(PAPER)}
        for reading in self._reader.linked_extractions(sorted({*self._papers, *naming})):
            yield from lines(reading, DATA)
        facts = {
            Fact(each.subject, each.relation, each.entity)
            for each in statements
            if each.origin == CATALOGUE_ORIGIN
        }
        for fact in facts:
            yield from fact_lines(fact, DATA)
        yield from self._described()
        yield from citation_lines(self._citations(), DATA)
        yield from reference_lines(self._references(), DATA)
        yield from self._people()

    def _described(self) -> Iterator[str]:
        """Yield the descriptions of the entities, and of their narrower ones."""
        catalogue = Catalogue.shipped()
        narrower = chain.from_iterable(self._reader.narrower(self._entities).values())
        works = self._reader.works([*self._entities, *narrower])
        for id_, work in works.items():
            if isinstance(work, Entity):
                concept = catalogue.concepts.get(id_)
                aliases = catalogued_aliases(work, concept) if concept else None
                yield from entity_lines(work, aliases, DATA)
                if concept:
                    yield from concept_lines(work, aliases, DATA)

    def _citations(self) -> Iterator[tuple[str, RelationType, str]]:
        """Yield which papers have a relation to what others introduced, unless it came later."""
        own = self._reader.statements(self._papers)
        entities = {each.entity for found in own.values() for each in found}
        everything = self._reader.statements(entities)
        papers = {each.subject for found in everything.values() for each in found}
        dates = self._reader.published(papers)
        chosen = set(self._papers)
        for found in everything.values():
            stated = [each for each in found if each.subject.startswith(PAPER)]
            cited = {each.subject for each in stated if each.relation is RelationType.INTRODUCES}
            for each in stated:
                if each.relation in CITATIONS:
                    for other in cited - {each.subject}:
                        later = (
                            other in dates
                            and each.subject in dates
                            and dates[other].is_after(dates[each.subject])
                        )
                        if not later and not chosen.isdisjoint((each.subject, other)):
                            yield each.subject, each.relation, other

    def _references(self) -> Iterator[tuple[str, str]]:
        for paper, cited in self._reader.cites(self._papers).items():
            yield from ((paper, each) for each in cited)
        for paper, citing in self._reader.cited_by(self._papers).items():
            yield from ((each, paper) for each in citing)

    def _people(self) -> Iterator[str]:
        authors = self._reader.authors(self._papers)
        ids = {*self._authors, *chain.from_iterable(authors.values())}
        wrote = self._reader.written_by(ids)
        people = self._reader.people(ids)
        yield from people_lines(((people[each], wrote.get(each, [])) for each in people), DATA)
