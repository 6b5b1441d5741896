"""What the page of a work shows, gathered from the graph."""

from collections.abc import Iterable
from dataclasses import dataclass

from stemma.graph import (
    Lineage,
    LineageDirection,
    LineageEdge,
    Page,
    Reader,
    Work,
    trace,
)
from stemma.schema import (
    CATALOGUE_ORIGIN,
    Entity,
    Evidence,
    Field,
    Paper,
    RelationType,
    Statement,
)
from stemma.server.linked_data.listing import ROLES, cases_page, papers_page
from stemma.server.linked_data.parts import Parts, fragment, parts_of
from stemma.server.linked_data.passage import Piece, pieces

_MOST_SHOWN = 50
_PAPERS_SHOWN = 10


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A work at the other end of an edge of lineage."""

    work: Work
    edge: LineageEdge

    @property
    def is_catalogued(self) -> bool:
        """Whether the catalogue says so, be it alone or not."""
        return any(each.origin == CATALOGUE_ORIGIN for each in self.edge.statements)

    @property
    def quotations(self) -> list[tuple[str, Evidence]]:
        """What papers (ids) say of it, each sentence once."""
        return list(
            dict.fromkeys(
                (statement.subject, evidence)
                for statement in self.edge.statements
                for evidence in statement.evidence
            )
        )


@dataclass(frozen=True, slots=True)
class Family:
    """What a work builds on and what builds on it, as far as it is shown."""

    parents: tuple[Neighbour, ...]
    children: tuple[Neighbour, ...]
    has_more_children: bool


@dataclass(frozen=True, slots=True)
class EntityPage:
    """An entity with its names, its family, and the papers that name it."""

    work: Entity
    broader: tuple[Work, ...]
    narrower: Page
    introductions: tuple[Statement, ...]
    family: Family
    papers: dict[RelationType, Page]
    works: dict[str, Work]

    def anchors(self, statement: Statement) -> list[str]:
        """Return the fragments of statements that this page describes: facts of the catalogue."""
        return [fragment(statement)] if statement.subject == self.work.id else []


@dataclass(frozen=True, slots=True)
class PaperPage:
    """A paper with its texts and what it states, or one statement of it alone."""

    work: Paper
    contribution: Work | None
    title: tuple[Piece, ...]
    abstract: tuple[Piece, ...]
    statements: dict[RelationType, list[Statement]]
    family: Family
    works: dict[str, Work]
    parts: Parts
    chosen: str | None

    def anchors(self, statement: Statement) -> list[str]:
        """Return the fragments of a statement of this paper."""
        return self.parts.fragments_of(statement) if statement.subject == self.work.id else []


def entity_page(reader: Reader, entity: Entity) -> EntityPage:
    """Gather what is shown of an entity."""
    introductions = [
        each
        for each in reader.statements([entity.id], [RelationType.INTRODUCES]).get(entity.id, [])
        if each.entity == entity.id
    ]
    papers = {
        relation: papers_page(reader, entity.id, (relation,), _PAPERS_SHOWN) for relation in ROLES
    }
    family, works = _family(reader, entity.id)
    works |= reader.works({*entity.broader, *(each.subject for each in introductions)})
    return EntityPage(
        entity,
        tuple(works[each] for each in entity.broader if each in works),
        cases_page(reader, entity.id),
        tuple(introductions),
        family,
        {relation: page for relation, page in papers.items() if page.total},
        works,
    )


def paper_page(reader: Reader, paper: Paper, chosen: str | None = None) -> PaperPage | None:
    """Gather what is shown of a paper, or of the statement of it with the fragment `chosen`.

    Returns None where there is no such statement.
    """
    parts = parts_of(reader, paper.id)
    statements = [
        each
        for each in reader.statements([paper.id]).get(paper.id, [])
        if chosen is None or chosen in parts.fragments_of(each)
    ]
    if chosen is not None and not statements:
        return None
    family, works = _family(reader, paper.id)
    contribution = reader.contributions([paper.id]).get(paper.id)
    ids = {
        paper.id,
        *(each.entity for each in statements),
        *([contribution] if contribution else []),
    }
    by_relation: dict[RelationType, list[Statement]] = {
        relation: [each for each in statements if each.relation is relation]
        for relation in RelationType
    }
    works |= reader.works(ids)
    return PaperPage(
        paper,
        works[contribution] if contribution else None,
        _passage(paper, Field.TITLE, statements, parts),
        _passage(paper, Field.ABSTRACT, statements, parts),
        {relation: some for relation, some in by_relation.items() if some},
        family,
        works,
        parts,
        chosen,
    )


def _passage(
    paper: Paper, field: Field, statements: Iterable[Statement], parts: Parts
) -> tuple[Piece, ...]:
    marked = {
        (each.start, each.end)
        for statement in statements
        for each in statement.evidence
        if each.field is field
    }
    return tuple(pieces(paper.text(field), field, marked, parts.names[field]))


def _family(reader: Reader, work: str) -> tuple[Family, dict[str, Work]]:
    """Return the family of a work, and the papers that mention it."""
    older, younger = (
        trace(reader, work, direction, max_depth=1, first=_MOST_SHOWN)
        for direction in (LineageDirection.ANCESTORS, LineageDirection.DESCENDANTS)
    )
    parents, children = _neighbours(older), _neighbours(younger)
    saying = {
        statement.subject for each in (*parents, *children) for statement in each.edge.statements
    }
    return Family(parents, children, younger.truncated), reader.works(saying)


def _neighbours(lineage: Lineage) -> tuple[Neighbour, ...]:
    """Return the works one step away, in their order."""
    upwards = lineage.direction is LineageDirection.ANCESTORS
    edges = {
        edge.parent if upwards else edge.child: edge
        for edge in lineage.edges
        if lineage.root.id == (edge.child if upwards else edge.parent)
    }
    return tuple(Neighbour(node.work, edges[node.work.id]) for node in lineage.nodes)
