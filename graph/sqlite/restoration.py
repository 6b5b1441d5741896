"""Restoration: the index of a graph that comes back as a file which Stemma exported.

The index is derived from the quads as they are in the file.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import groupby
from operator import attrgetter
from pathlib import Path

import pyoxigraph as ox

from stemma.graph.linked_extraction import LinkedExtraction
from stemma.graph.linking import Claim, Links, Verdict, names_of
from stemma.graph.rdf import vocabulary as v
from stemma.graph.rdf.citation_graph import BIBLIOGRAPHY, CITATIONS
from stemma.graph.rdf.dataset_graph import DATASET
from stemma.graph.rdf.entity_graph import CATALOGUE, ENTITIES
from stemma.graph.rdf.file import RdfFile, loaded
from stemma.graph.rdf.paper_graph import Properties, by_subject, read, run_of
from stemma.graph.rdf.people_graph import AUTHORS
from stemma.graph.sqlite.generations import GenerationFolder
from stemma.graph.sqlite.index import IndexWriter
from stemma.graph.store import StoreError
from stemma.schema import CATALOGUE_ORIGIN, Entity, EntityKind, Fact, RelationType
from stemma.schema.decision_file import DecisionText
from stemma.schema.interchange import dump

_KINDS = {term: kind for kind, term in v.KINDS.items()}
_RELATIONS = {term: relation for relation, term in v.RELATIONS.items()}
_ABOUT_ALL = (DATASET, CATALOGUE, ENTITIES, CITATIONS, BIBLIOGRAPHY, AUTHORS)

_Graph = tuple[str, dict[str, Properties]]


class OutOfOrderError(Exception):
    """Quads of one graph stand apart, or come before those that they depend on."""


@dataclass(slots=True)
class Restored:
    """What a file says about the whole graph.

    `base` begins its IRIs; `tables` are people's decisions, in TOML; `links` what they came to.
    """

    base: str
    papers: list[str] = field(default_factory=list)
    tables: list[str] = field(default_factory=list)
    links: Links = field(default_factory=lambda: Links({}, {}))


def restore(folder: GenerationFolder, file: RdfFile) -> Restored | None:
    """Take in a graph that Stemma exported, as it was, where the store in `folder` is empty yet.

    None where it is not, and where the file holds another kind of graph: nothing is changed then.
    Raises StoreError where the file cannot be read, or the graph is damaged.
    """
    if not file.has_graphs:
        return None
    with folder.writing(), folder.failure_as_store_error():
        if folder.current() is not None:
            return None
        folder.building.mkdir()
        index = folder.building / "index.db"
        try:
            restored = derive(_together(file.quads()), index)
        except OutOfOrderError:
            with loaded([file]) as rdf:
                restored = _derive_from_store(rdf, index)
        if restored is None or folder.asked_base not in (None, restored.base):
            return None
        decided = folder.decisions.text().holding(restored.tables)
        _note_decisions(index, restored, decided)
        folder.adopt(restored.base)
        if decided and decided.replaced is not None:
            with folder.decisions.staged(decided):
                folder.publish()
        else:
            folder.publish()
    return restored


def _note_decisions(path: Path, restored: Restored, decided: DecisionText | None) -> None:
    fingerprint, replaced = (decided.fingerprint, decided.replaced) if decided else ("", None)
    index = IndexWriter(path, new=False)
    try:
        index.put_decisions(
            restored.links, restored.links.verdicts, fingerprint, restored.tables, replaced
        )
    finally:
        index.close()


def derive(graphs: Iterator[_Graph], index: Path) -> Restored | None:
    """Write the index of named graphs. None where they are none that Stemma exported.

    Raises OutOfOrderError where they are not sorted as exports are, StoreError where the graph is
    damaged.
    """
    index.unlink(missing_ok=True)
    return _Derivation(index).run(graphs)


def _derive_from_store(rdf: ox.Store, index: Path) -> Restored | None:
    """Write the index of a graph that is loaded already, whatever order it came in."""
    try:
        return derive(_in_order(rdf), index)
    except OutOfOrderError:
        return None


def _together(quads: Iterable[ox.Quad]) -> Iterator[_Graph]:
    """Yield graphs one after the other, in the order of the quads."""
    seen = set[str]()
    for graph, own in groupby(quads, key=attrgetter("graph_name")):
        name = str(graph)[1:-1]
        if name in seen:
            raise OutOfOrderError
        seen.add(name)
        yield name, by_subject(own)


def _in_order(rdf: ox.Store) -> Iterator[_Graph]:
    """Yield the graphs about all papers before those of single papers."""
    names = [str(name)[1:-1] for name in rdf.named_graphs()]
    first = {end: place for place, end in enumerate(_ABOUT_ALL)}
    for name in sorted(names, key=lambda each: (first.get(each.rpartition("/")[2], 9), each)):
        yield name, by_subject(rdf.quads_for_pattern(None, None, None, ox.NamedNode(name)))


class _Derivation:
    def __init__(self, index: Path) -> None:
        self._index = IndexWriter(index, new=True)
        self._restored: Restored | None = None
        self._runs: dict[str, str] = {}
        self._counts: dict[str, int] = {}
        self._catalogue = ""
        self._general: dict[str, dict[str, Properties]] = {}
        self._verdicts: dict[str, dict[Claim, Verdict]] = {}

    def run(self, graphs: Iterator[_Graph]) -> Restored | None:
        """Read all graphs, and check that what they hold is what the data set's describes."""
        try:
            for name, resources in graphs:
                self._take(name, resources)
            if self._restored is None:
                return None
            self._finish()
        except (KeyError, ValueError, IndexError) as error:
            raise StoreError(f"The graph is damaged ({error!r}): export it again.") from error
        finally:
            self._index.close()
        return self._restored

    def _take(self, name: str, resources: dict[str, Properties]) -> None:
        end = name.rpartition("/")[2]
        if end in _ABOUT_ALL:
            if self._restored and self._restored.papers:
                raise OutOfOrderError
            self._general[end] = resources
            if end == DATASET and v.URI_SPACE in resources.get(name, {}):
                self._describe(name, resources)
            return
        if self._restored is None:
            raise OutOfOrderError
        if not self._restored.papers:
            self._put_entities(self._restored.base)
        self._put_paper(name, resources, self._restored)

    def _describe(self, name: str, resources: dict[str, Properties]) -> None:
        own = resources[name]
        (base,) = own[v.URI_SPACE]
        self._catalogue = own.get(v.LINKED_WITH, [""])[0]
        for part in own.get(v.CLASS_PARTITION, ()):
            self._counts[resources[part][v.CLASS][0]] = int(resources[part][v.ENTITIES][0])
        for part in own.get(v.PROPERTY_PARTITION, ()):
            self._counts[resources[part][v.PROPERTY][0]] = int(resources[part][v.TRIPLES][0])
        decisions = {
            int(resources[each][v.NUMBER][0]): resources[each] for each in own.get(v.DECIDED_BY, ())
        }
        self._runs = {
            run: each[v.FINGERPRINT][0] for run, each in resources.items() if v.FINGERPRINT in each
        }
        self._restored = Restored(
            base,
            tables=[decisions[number][v.TABLE][0] for number in sorted(decisions)],
            links=Links(
                {},
                {},
                verdicts=self._verdicts,
                former={
                    old.removeprefix(base): each[v.REPLACED_BY][0].removeprefix(base)
                    for old, each in resources.items()
                    if v.REPLACED_BY in each
                },
                unapplied={
                    number: each[v.NOT_APPLIED][0]
                    for number, each in sorted(decisions.items())
                    if v.NOT_APPLIED in each
                },
            ),
        )

    def _put_entities(self, base: str) -> None:
        declared: dict[str, Properties] = defaultdict(lambda: defaultdict(list))
        for graph in (CATALOGUE, ENTITIES):
            for subject, own in self._general.get(graph, {}).items():
                for term, values in own.items():
                    declared[subject][term] += values
        entities = {
            subject.removeprefix(base): _entity(subject.removeprefix(base), own, base)
            for subject, own in sorted(declared.items())
            if v.SKOS_CONCEPT in own[v.TYPE]
        }
        self._index.put_entities(entities, ())
        catalogue = self._general.get(CATALOGUE, {})
        self._index.put_concepts(
            {
                id_: own[v.OTHER_LABEL] if v.SKOS_CONCEPT in own[v.TYPE] else None
                for id_ in entities
                if v.IN_SCHEME in (own := catalogue.get(base + id_, {}))
            }
        )
        facts = (
            Fact(
                own[v.SUBJECT][0].removeprefix(base),
                _RELATIONS[own[v.PREDICATE][0]],
                own[v.OBJECT][0].removeprefix(base),
            )
            for own in declared.values()
            if own[v.ORIGIN] == [CATALOGUE_ORIGIN]
        )
        self._index.add_facts(sorted(facts))

    def _put_paper(
        self, name: str, resources: Mapping[str, Properties], restored: Restored
    ) -> None:
        try:
            _expect_children(resources)
            reading = read(resources, restored.base, self._runs[run_of(resources) or ""])
            _expect_texts(reading)
            extraction = reading.extraction
            if name != restored.base + extraction.paper.id:
                raise ValueError(f"the paper in it is {extraction.paper.id}")
            digest = blake2b(dump(extraction).encode(), digest_size=16).digest()
            self._index.put_paper(reading, names_of(extraction), digest)
        except (KeyError, ValueError, IndexError) as error:
            raise StoreError(
                f"The graph {name} is damaged ({error!r}): export it again."
            ) from error
        restored.papers.append(extraction.paper.id)
        if reading.verdicts:
            self._verdicts[extraction.paper.id] = dict(reading.verdicts)

    def _finish(self) -> None:
        assert self._restored is not None
        if not self._restored.papers:
            self._put_entities(self._restored.base)
        self._index.finish(self._catalogue)
        found = self._index.statistics()
        counts = {v.SCHOLARLY_ARTICLE: found["papers"]}
        counts |= {v.KINDS[EntityKind(kind)]: count for kind, count in found["by_kind"].items()}
        counts |= {
            v.RELATIONS[RelationType(relation)]: count
            for relation, count in found["by_relation"].items()
        }
        for term in sorted(self._counts.keys() | counts.keys()):
            declared, count = self._counts.get(term, 0), counts.get(term, 0)
            if declared != count:
                raise StoreError(
                    f"The graph is incomplete: it should have {declared} of {term}, and has "
                    f"{count}. The file may have been cut off or changed: export it again."
                )


def _expect_children(resources: Mapping[str, Properties]) -> None:
    def has(term: str) -> bool:
        return any(term in own for own in resources.values())

    if has(v.DERIVES_FROM) and not has(v.CHILD):
        raise ValueError("no statement supports its lineage; was it written by an older version?")


def _expect_texts(reading: LinkedExtraction) -> None:
    paper = reading.extraction.paper
    spans = [
        *(each for entity in reading.extraction.entities for each in entity.mentions),
        *(each for relation in reading.extraction.relations for each in relation.evidence),
    ]
    if any(each.end > len(paper.text(each.field)) for each in spans):
        raise StoreError(
            f"Evidence offsets of {paper.id} are outside its text: a graph that was exported "
            "without abstracts cannot be loaded."
        )


def _entity(id_: str, own: Properties, base: str) -> Entity:
    (kind,) = (_KINDS[each] for each in own[v.TYPE] if each in _KINDS)
    return Entity(
        id_,
        own[v.LABEL][0],
        kind,
        tuple(sorted(own.get(v.OTHER_LABEL, ()))),
        tuple(sorted(each.removeprefix(base) for each in own.get(v.BROADER, ()))),
        own[v.GENERAL] == ["true"],
        int(own[v.PUBLISHED][0]) if own.get(v.PUBLISHED) else None,
    )
