"""What the page of a work shows, gathered from the graph."""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from stemma.graph import (
    Lineage,
    LineageDirection,
    LineageEdge,
    Page,
    Reader,
    Work,
    WorkFilter,
    trace,
)
from stemma.graph.comparing import Aspect, aspects_of
from stemma.graph.criteria import used_together
from stemma.graph.searching import namesakes
from stemma.graph.selection import Selection
from stemma.schema import (
    SECTIONS,
    Entity,
    Evidence,
    Field,
    Paper,
    PartialDate,
    RelationType,
    Statement,
)
from stemma.server.web.chart import bar_chart
from stemma.server.web.explorer.papers_page import PapersRequest
from stemma.server.web.linked_data.listing import ROLES, cases_page, papers_page
from stemma.server.web.linked_data.passage import Parts, Piece, fragment, parts_of, passage
from stemma.server.web.pages import is_served

_MOST_SHOWN = 50
_CHILDREN_SHOWN = 12
_PAPERS_SHOWN = 10
_USED_WITH_SHOWN = 12
_LONGEST_CHART = 20
"""Years that a chart has at most: the latest."""
_USED = (RelationType.USES, RelationType.BUILDS_ON)
_CITATIONS_SHOWN = 50


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A work at the other end of an edge of lineage."""

    work: Work
    edge: LineageEdge
    published: PartialDate | None

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
    """What `root` (an id) builds on and what builds on it; `more_…` count those not shown."""

    root: str
    parents: tuple[Neighbour, ...]
    children: tuple[Neighbour, ...]
    more_parents: int
    more_children: int


@dataclass(frozen=True, slots=True)
class Trend:
    """How many papers of a year name an entity; `undated` counts those without a year."""

    by_year: dict[int, int]
    undated: int

    @property
    def papers(self) -> int:
        """The number of all of them."""
        return sum(self.by_year.values()) + self.undated


def _trend(reader: Reader, entity: str) -> Trend:
    counts = reader.papers_by_year(WorkFilter(entity=entity))
    undated = counts.pop(None, 0)
    return Trend({year: papers for year, papers in counts.items() if year}, undated)


@dataclass(frozen=True, slots=True)
class EntityPage:
    """An entity with its names, its family, and the papers that name it.

    `namesakes` are other works of its name. `aspects` has the hardware, baselines and so on of the
    papers that introduce it, `used_with` what papers that use it use beside it.
    """

    work: Entity
    namesakes: tuple[Work, ...]
    broader: tuple[Work, ...]
    narrower: Page
    introductions: tuple[Statement, ...]
    family: Family
    aspects: dict[Aspect, tuple[Entity, ...]]
    used_with: tuple[tuple[Entity, int], ...]
    papers: dict[RelationType, Page]
    trend: Trend
    works: dict[str, Work]

    @property
    def chart(self) -> Markup | None:
        """The papers that name it, by year; a bar leads to those of its year."""
        if not self.trend.by_year:
            return None
        latest = max(self.trend.by_year)
        numbers = {y: n for y, n in self.trend.by_year.items() if y > latest - _LONGEST_CHART}
        hrefs = {
            year: PapersRequest(Selection(entity=self.work.id, since=year, until=year)).address()
            for year in numbers
        }
        title = f"Papers that name {self.work.name}, by year"
        return Markup(bar_chart(title, numbers, hrefs if is_served() else None))

    def anchors(self, statement: Statement) -> list[str]:
        """Return the fragments of statements that this page describes: facts of the catalogue."""
        return [fragment(statement)] if statement.subject == self.work.id else []


@dataclass(frozen=True, slots=True)
class Cited:
    """Papers that cite or are cited, as far as they are shown, and how many there are."""

    papers: tuple[Work, ...]
    total: int


@dataclass(frozen=True, slots=True)
class PaperPage:
    """A paper with its texts and what it states, or one statement of it alone.

    `sections` are the sentences that are kept of its sections, by their kind; `authors` are
    the ids of the people who wrote it, in their order.
    """

    work: Paper
    contribution: Work | None
    title: tuple[Piece, ...]
    abstract: tuple[Piece, ...]
    sections: tuple[tuple[str, tuple[Piece, ...]], ...]
    statements: dict[RelationType, list[Statement]]
    family: Family
    works: dict[str, Work]
    parts: Parts
    chosen: str | None
    authors: tuple[str, ...]
    cites: Cited
    cited_by: Cited

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
    introducing = {each.subject for each in introductions}
    works |= reader.works({*entity.broader, *introducing})
    statements = reader.statements(sorted(introducing))
    own = [
        each
        for paper in introducing
        for each in statements.get(paper, [])
        if each.entity != entity.id
    ]
    return EntityPage(
        entity,
        namesakes(reader, reader.called(entity.name), entity.id),
        tuple(works[each] for each in entity.broader if each in works),
        cases_page(reader, entity.id),
        tuple(introductions),
        family,
        {aspect: named for aspect, named in aspects_of(reader, own).items() if named},
        tuple(used_together(reader, entity.id, _USED, _USED_WITH_SHOWN)),
        {relation: page for relation, page in papers.items() if page.total},
        _trend(reader, entity.id),
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
    evidence = [each for statement in statements for each in statement.evidence]
    return PaperPage(
        paper,
        works[contribution] if contribution else None,
        passage(paper, Field.TITLE, evidence, parts.names[Field.TITLE]),
        passage(paper, Field.ABSTRACT, evidence, parts.names[Field.ABSTRACT]),
        tuple(
            (str(kind.section), passage(paper, kind, evidence, parts.names[kind]))
            for kind in SECTIONS
            if any(each.field is kind for each in evidence)
        ),
        {relation: some for relation, some in by_relation.items() if some},
        family,
        works,
        parts,
        chosen,
        tuple(reader.authors([paper.id])[paper.id]),
        _cited(reader, reader.cites([paper.id])[paper.id]),
        _cited(reader, reader.cited_by([paper.id])[paper.id]),
    )


def _cited(reader: Reader, papers: Sequence[str]) -> Cited:
    shown = papers[:_CITATIONS_SHOWN]
    return Cited(tuple(reader.works(shown).values()), len(papers))


def _family(reader: Reader, work: str) -> tuple[Family, dict[str, Work]]:
    """Return the family of a work, and the papers that mention it."""
    # All parents that are shown: the facts of the catalogue among them have addresses here.
    (older, more_parents), (younger, more_children) = (
        _near(reader, work, direction, first)
        for direction, first in (
            (LineageDirection.ANCESTORS, _MOST_SHOWN),
            (LineageDirection.DESCENDANTS, _CHILDREN_SHOWN),
        )
    )
    parents, children = _neighbours(older), _neighbours(younger)
    saying = {
        statement.subject for each in (*parents, *children) for statement in each.edge.statements
    }
    family = Family(younger.root.id, parents, children, more_parents, more_children)
    return family, reader.works(saying)


def _near(
    reader: Reader, work: str, direction: LineageDirection, first: int
) -> tuple[Lineage, int]:
    """Return a lineage of one step, and how many works it has beyond the `first`."""
    found = trace(reader, work, Selection(direction=direction, max_depth=1, first=first))
    if not found.truncated:
        return found, 0
    every = reader.neighbours([found.root.id], direction)[found.root.id]
    return found, len(set(every)) - len(found.nodes)


def _neighbours(lineage: Lineage) -> tuple[Neighbour, ...]:
    """Return the works one step away, in their order."""
    upwards = lineage.direction is LineageDirection.ANCESTORS
    edges = {
        edge.parent if upwards else edge.child: edge
        for edge in lineage.edges
        if lineage.root.id == (edge.child if upwards else edge.parent)
    }
    return tuple(
        Neighbour(node.work, edges[node.work.id], node.published) for node in lineage.nodes
    )
