"""What the page of a work shows, gathered from the graph."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

from markupsafe import Markup

from stemma.graph import (
    Lineage,
    LineageDirection,
    LineageEdge,
    PageOrder,
    Reader,
    Work,
    WorkFilter,
    WorkType,
    trace,
)
from stemma.graph.comparing import Aspect, aspects_of
from stemma.graph.criteria import used_together
from stemma.graph.searching import namesakes
from stemma.graph.selection import Selection
from stemma.schema import (
    SECTIONS,
    Entity,
    Field,
    Paper,
    PartialDate,
    RelationType,
    Statement,
)
from stemma.server.web.explorer.family_tree import descendants_of
from stemma.server.web.explorer.papers_page import papers_about, papers_address
from stemma.server.web.linked_data.passage import Parts, Piece, fragment, parts_of, passage
from stemma.server.web.pages import is_served
from stemma.server.web.paper_table import PaperRow, table_of

_PARENTS_SHOWN, _CHILDREN_SHOWN, _PAPERS_SHOWN, _USED_WITH_SHOWN = 50, 12, 10, 12
_LONGEST_CHART = 20
"""Years that a chart has at most: the latest."""
_USED = (RelationType.USES, RelationType.BUILDS_ON)
_CITATIONS_SHOWN = 50
_BAR_HEIGHT = 96
_TELLING = (RelationType.INTRODUCES, RelationType.BUILDS_ON, RelationType.IMPROVES_ON)
"""The relations whose sentences and names are marked in an abstract."""


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A work at the other end of an edge of lineage."""

    work: Work
    edge: LineageEdge
    published: PartialDate | None


@dataclass(frozen=True, slots=True)
class Family:
    """What `root` (an id) builds on and what builds on it; `more_…` count those not shown.

    `counts` says how many works build on it, directly and in all.
    """

    root: str
    parents: tuple[Neighbour, ...]
    children: tuple[Neighbour, ...]
    more_parents: int
    more_children: int
    counts: tuple[int, int]


@dataclass(frozen=True, slots=True)
class EntityPage:
    """An entity with its names, its family, and the papers that name it.

    `namesakes` are other works of its name. `aspects` has the hardware, baselines and so on of the
    papers that introduce it, `used_with` what papers that use it use beside it. `years` counts the
    papers that name it by year, `undated` those without one, and `relations` those by relation;
    `papers` are the newest.
    """

    work: Entity
    namesakes: tuple[Work, ...]
    broader: tuple[Work, ...]
    narrower: tuple[Work, ...]
    introductions: tuple[Statement, ...]
    family: Family
    aspects: dict[Aspect, tuple[Entity, ...]]
    used_with: tuple[tuple[Entity, int], ...]
    years: dict[int, int]
    undated: int
    relations: dict[RelationType, int]
    papers: list[PaperRow]
    works: dict[str, Work]

    @property
    def paper_count(self) -> int:
        """The number of papers that name it."""
        return sum(self.years.values()) + self.undated

    @property
    def chart(self) -> Markup | None:
        """The papers that name it, by year; a bar leads to those of its year."""
        if not self.years:
            return None
        latest = max(self.years)
        numbers = {year: n for year, n in self.years.items() if year > latest - _LONGEST_CHART}
        hrefs = {
            year: papers_address(Selection(entity=self.work.id, since=year, until=year))
            for year in (numbers if is_served() else ())
        }
        title = f"Papers that name {self.work.name}, by year"
        return Markup(_bar_chart(title, numbers, hrefs))

    def anchors(self, statement: Statement) -> list[str]:
        """Return the fragments of statements that this page describes: facts of the catalogue."""
        return [fragment(statement)] if statement.subject == self.work.id else []


@dataclass(frozen=True, slots=True)
class Cited:
    """Papers that cite or are cited, as far as they are shown, and how many there are."""

    papers: list[PaperRow]
    total: int


@dataclass(frozen=True, slots=True)
class PaperPage:
    """A paper with its texts and what it states.

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
    family, works = _family(reader, entity.id)
    introducing = {each.subject for each in introductions}
    works |= reader.works({*entity.broader, *introducing})
    own = [
        each
        for statements in reader.statements(sorted(introducing)).values()
        for each in statements
        if each.entity != entity.id
    ]
    naming = WorkFilter(entity=entity.id)
    years = reader.papers_by_year(naming)
    undated = years.pop(None, 0)
    by_relation = {
        each: len(reader.papers_naming([entity.id], [each])[entity.id]) for each in RelationType
    }
    newest = reader.page(WorkType.PAPER, naming, PageOrder.NEWEST, first=_PAPERS_SHOWN).works
    return EntityPage(
        entity,
        namesakes(reader, reader.called(entity.name), entity.id),
        tuple(works[each] for each in entity.broader if each in works),
        tuple(reader.works(reader.narrower([entity.id]).get(entity.id, [])).values()),
        tuple(introductions),
        family,
        {aspect: named for aspect, named in aspects_of(reader, own).items() if named},
        tuple(used_together(reader, entity.id, _USED, _USED_WITH_SHOWN)),
        {year: papers for year, papers in years.items() if year},
        undated,
        {relation: number for relation, number in by_relation.items() if number},
        papers_about(reader, entity.id, newest),
        works,
    )


def paper_page(reader: Reader, paper: Paper) -> PaperPage:
    """Gather what is shown of a paper."""
    parts = parts_of(reader, paper.id)
    statements = reader.statements([paper.id]).get(paper.id, [])
    family, works = _family(reader, paper.id)
    contribution = reader.contributions([paper.id]).get(paper.id)
    works |= reader.works({paper.id, *(each.entity for each in statements)})
    evidence = [each for statement in statements for each in statement.evidence]
    telling = [each for each in statements if each.relation in _TELLING]
    marked = [each for statement in telling for each in statement.evidence]
    about = {each.entity for each in telling}

    def shown(field: Field) -> tuple[Piece, ...]:
        names = {place: id_ for place, id_ in parts.names[field].items() if id_ in about}
        return passage(paper, field, evidence, names, marked)

    return PaperPage(
        paper,
        reader.works([contribution]).get(contribution) if contribution else None,
        shown(Field.TITLE),
        shown(Field.ABSTRACT),
        tuple(
            (str(kind.section), shown(kind))
            for kind in SECTIONS
            if any(each.field is kind for each in evidence)
        ),
        {
            relation: some
            for relation in RelationType
            if (some := [each for each in statements if each.relation is relation])
        },
        family,
        works,
        parts,
        tuple(reader.authors([paper.id])[paper.id]),
        _cited(reader, reader.cites([paper.id])[paper.id]),
        _cited(reader, reader.cited_by([paper.id])[paper.id]),
    )


def _cited(reader: Reader, papers: Sequence[str]) -> Cited:
    shown = reader.works(papers[:_CITATIONS_SHOWN])
    return Cited(table_of(reader, list(shown.values())), len(papers))


def _family(reader: Reader, work: str) -> tuple[Family, dict[str, Work]]:
    """Return the family of a work, and the papers that mention it."""
    # All parents that are shown: the facts of the catalogue among them have addresses here.
    older = _near(reader, work, LineageDirection.ANCESTORS, _PARENTS_SHOWN)
    younger = _near(reader, work, LineageDirection.DESCENDANTS, _CHILDREN_SHOWN)
    parents, children = _neighbours(older), _neighbours(younger)
    saying = {
        statement.subject for each in (*parents, *children) for statement in each.edge.statements
    }
    root = younger.root.id
    more_parents, more_children = (each.total - len(each.nodes) for each in (older, younger))
    counts = descendants_of(reader, root)
    family = Family(root, parents, children, more_parents, more_children, counts)
    return family, reader.works(saying)


def _near(reader: Reader, work: str, direction: LineageDirection, first: int) -> Lineage:
    """Return a lineage of one step, without general terms that build on a work."""
    general = direction is LineageDirection.ANCESTORS
    asked = Selection(direction=direction, max_depth=1, first=first, include_general=general)
    return trace(reader, work, asked)


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


def _bar_chart(title: str, numbers: Mapping[int, int], hrefs: Mapping[int, str]) -> str:
    """Return SVG with a bar for each year from the first to the last; some lead to an address."""
    years = range(min(numbers), max(numbers) + 1)
    width, height = max(len(years) * 34 + 16, 120), _BAR_HEIGHT + 40
    most, name = max(numbers.values()), escape(title)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" style="max-width:100%;height:auto" role="group" '
        f'class="chart" aria-label="{name}" '
        'font-family="system-ui, -apple-system, Segoe UI, Helvetica, Arial, sans-serif">',
        f"<title>{name}</title>",
        f'<rect class="canvas" width="{width}" height="{height}" fill="#ffffff"/>',
    ]
    for index, year in enumerate(years):
        count = numbers.get(year, 0)
        tall = _BAR_HEIGHT * count / most
        left, top = 8 + index * 34, 20 + _BAR_HEIGHT - tall
        label = f"{count:,} in {year}"
        bar = (
            f'<title>{label}</title><rect class="bar" x="{left + 4}" y="{top:.1f}" width="26" '
            f'height="{max(tall, 0.5):.1f}" rx="2" fill="#7536b8"/>'
            f'<text class="dim" x="{left + 17}" y="{top - 4:.1f}" font-size="11" '
            f'text-anchor="middle" fill="#5b6774">{count or ""}</text>'
            f'<text class="name" x="{left + 17}" y="{height - 6}" font-size="11" '
            f'text-anchor="middle" fill="#1d2733">{year}</text>'
        )
        address = escape(hrefs.get(year, ""))
        lines.append(
            f'<a href="{address}" aria-label="{label}">{bar}</a>' if address else f"<g>{bar}</g>"
        )
    return "\n".join([*lines, "</svg>"])
