"""Views of builds: what changed in the graph, and its size."""

from collections.abc import Iterable
from dataclasses import dataclass
from operator import itemgetter
from typing import Self

from stemma.graph import Reader, Statistics
from stemma.graph.history import Build, edges_added
from stemma.schema import EntityKind, RelationType
from stemma.schema.quantity import quantity
from stemma.server.views.page import PageView
from stemma.server.views.statement import EdgeView
from stemma.server.views.view import Time, View, derived, documented
from stemma.server.views.work import NameView

LISTED = 50
"""How many papers, entities, edges and removed works of a build GraphQL lists."""
_NOUNS = {
    "papers": ("paper", "papers"),
    "entities": ("entity", "entities"),
    "edges": ("lineage edge", "lineage edges"),
}


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class RemovedWorkView(View[tuple[str, str]]):
    """A paper or an entity that is no longer in the graph."""

    id: str = derived("The id that it had.", itemgetter(0))
    name: str = derived("The name or title that it had.", itemgetter(1))


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class BuildView(View[Build]):
    """The changes of one build: their numbers, and the first of them."""

    number: int = derived("The first build of a graph has the number 1.")
    started: Time = derived("When the build started, in UTC (ISO 8601).")
    finished: Time = derived("When the build finished, in UTC (ISO 8601).")
    generation: str = derived("The generation of the graph that it made.")
    papers_added: int = derived("The number of new papers.", "papers.added.count")
    papers_updated: int = derived("The number of papers that changed.", "updated")
    papers_removed: int = derived("The number of papers removed.", "papers.removed.count")
    entities_added: int = derived("The number of new entities.", "entities.added.count")
    entities_removed: int = derived("The number of entities removed.", "entities.removed.count")
    edges_added: int = derived("The number of new lineage edges.", "edges.added.count")
    edges_removed: int = derived("The number of lineage edges removed.", "edges.removed.count")
    papers: tuple[NameView, ...] = documented(
        "The first of the new papers.", of="Paper", size=LISTED
    )
    entities: tuple[NameView, ...] = documented(
        "The first of the new entities.", of="Entity", size=LISTED
    )
    edges: tuple[EdgeView, ...] = documented(
        "The first of the new lineage edges that are still in the graph.", size=LISTED
    )
    removed: tuple[RemovedWorkView, ...] = documented(
        "The first of the papers and entities that were removed.", size=LISTED
    )

    @classmethod
    def of(cls, build: Build, first: int, edges: tuple[EdgeView, ...] = ()) -> Self:
        """Return the view of a build, with the `first` of its papers, entities and edges."""
        gone = (*build.papers.removed.some, *build.entities.removed.some)
        return cls(
            model=build,
            papers=_named(build.papers.added.some[:first]),
            entities=_named(build.entities.added.some[:first]),
            edges=edges,
            removed=tuple(RemovedWorkView(model=each) for each in gone[:first]),
        )


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class BuildPage(PageView[BuildView]):
    """Builds on a page."""

    rows_of = ("nodes", BuildView)
    nodes: tuple[BuildView, ...] = documented("The builds, newest first.")


def build_views(reader: Reader, builds: Iterable[Build], first: int) -> tuple[BuildView, ...]:
    """Return views of builds, with the `first` of the papers, entities and edges of each."""
    listed = list(builds)
    added, works = edges_added(reader, listed, first)
    return tuple(
        BuildView.of(
            build,
            first,
            tuple(
                EdgeView(model=added[ends], named=works)
                for ends in build.edges.added.some[:first]
                if ends in added
            ),
        )
        for build in listed
    )


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class KindCount(View[tuple[EntityKind, int]]):
    """The number of entities of a kind."""

    kind: EntityKind = derived("The kind.", itemgetter(0))
    count: int = derived("The number of entities.", itemgetter(1))


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class RelationCount(View[tuple[RelationType, int]]):
    """The number of statements of a relation."""

    relation: RelationType = derived("The relation.", itemgetter(0))
    count: int = derived("The number of statements.", itemgetter(1))


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class StatisticsView(View[Statistics]):
    """The size of a graph."""

    papers: int = derived("The number of papers.")
    entities: int = derived("The number of entities.")
    statements: int = derived("The number of statements, with those of the catalogue.")
    lineage_edges: int = derived("The number of lineage edges.")
    decisions: int = derived("The number of decisions.")
    generation: str = derived("Changes whenever the graph does.")
    entities_by_kind: tuple[KindCount, ...] = derived(
        "The number of entities of each kind.", lambda model: model.by_kind.items(), size=5
    )
    statements_by_relation: tuple[RelationCount, ...] = derived(
        "The number of statements of each relation.",
        lambda model: model.by_relation.items(),
        size=8,
    )


def _named(some: Iterable[tuple[str, str]]) -> tuple[NameView, ...]:
    return tuple(NameView(id=id_, name=name) for id_, name in some)


def counted(build: Build) -> str:
    """Return in words how much a build changed."""
    parts = []
    for verb in ("added", "removed"):
        numbers = [
            quantity(count, *nouns)
            for name, nouns in _NOUNS.items()
            if (count := getattr(getattr(build, name), verb).count)
        ]
        if numbers:
            parts.append(f"{_enumerated(numbers)} {verb}")
    if build.updated:
        parts.append(f"{quantity(build.updated, 'paper')} updated")
    return "; ".join(parts)


def _enumerated(parts: list[str]) -> str:
    *others, last = parts
    return f"{', '.join(others)} and {last}" if others else last
