"""What the page of a work shows, gathered from the graph for its template."""

from collections.abc import Sequence
from typing import Any

from stemma.graph import (
    LineageDirection,
    LineageEdge,
    LineageNode,
    PageOrder,
    Reader,
    Work,
    WorkType,
    trace,
)
from stemma.graph.comparing import aspects_of
from stemma.graph.searching import namesakes, used_together
from stemma.graph.selection import Selection
from stemma.schema import SECTIONS, Entity, Field, Paper, RelationType
from stemma.server.views.notes import notes
from stemma.server.web.explorer.family_tree import descendants_of
from stemma.server.web.explorer.papers_page import TELLING, papers_about
from stemma.server.web.linked_data.passage import Piece, fragment, parts_of, passage
from stemma.server.web.paper_table import table_of

_PARENTS_SHOWN, _CHILDREN_SHOWN, _PAPERS_SHOWN, _USED_WITH_SHOWN = 50, 12, 10, 12
_CITATIONS_SHOWN = 50
_LONGEST_CHART = 20
"""Years that a chart has at most: the latest."""
_USED = (RelationType.USES, RelationType.BUILDS_ON)


def entity_page(reader: Reader, entity: Entity) -> dict[str, Any]:
    """Gather what is shown of an entity: its names, its family, and the papers that name it.

    `aspects` has the hardware, baselines and so on of the papers that introduce it, `used_with`
    what papers that use it use beside it. `years` counts the papers that name it by year.
    """
    id_ = entity.id
    stated = reader.statements([id_], [RelationType.INTRODUCES]).get(id_, [])
    introductions = [statement for statement in stated if statement.entity == id_]
    introducing = {introduction.subject for introduction in introductions}
    family, works = _family(reader, id_)
    works |= reader.works({*entity.broader, *introducing})
    own = [
        statement
        for statements in reader.statements(sorted(introducing)).values()
        for statement in statements
        if statement.entity != id_
    ]
    naming = Selection(entity=id_, order=PageOrder.NEWEST, first=_PAPERS_SHOWN + 1)
    years = reader.papers_by_year(naming)
    undated = years.pop(None, 0)
    by_relation = {
        relation: len(reader.papers_naming([id_], [relation])[id_]) for relation in RelationType
    }
    page = reader.page(WorkType.PAPER, naming)
    newest = page.items[:_PAPERS_SHOWN] if page.has_next else page.items  # Not all but one.
    last = max((year for year in years if year), default=0)
    alike = namesakes(reader, reader.called(entity.name), id_)
    noted = notes(reader, [entity, *alike]) if alike else {}
    return {
        "work": entity,
        "namesakes": [(each, noted[each.id]) for each in alike],
        "broader": [works[each] for each in entity.broader if each in works],
        "narrower": list(reader.works(reader.narrower([id_]).get(id_, [])).values()),
        "introductions": introductions,
        "family": family,
        "aspects": {
            aspect: entities for aspect, entities in aspects_of(reader, own).items() if entities
        },
        "used_with": used_together(reader, id_, _USED, _USED_WITH_SHOWN),
        "paper_count": sum(years.values()) + undated,
        "undated": undated,
        "years": {year: n for year, n in years.items() if year and year > last - _LONGEST_CHART},
        "relations": {relation: number for relation, number in by_relation.items() if number},
        "papers": papers_about(reader, id_, newest),
        "works": works,
        "fragment": fragment,
    }


def paper_page(reader: Reader, paper: Paper) -> dict[str, Any]:
    """Gather what is shown of a paper: its texts, what it states, its family and citations.

    `sections` are the sentences that are kept of its sections, by their kind; `authors` are the ids
    of the people who wrote it, in their order.
    """
    parts = parts_of(reader, paper.id)
    statements = reader.statements([paper.id]).get(paper.id, [])
    family, works = _family(reader, paper.id)
    contribution = reader.contributions([paper.id]).get(paper.id)
    works |= reader.works({paper.id, *(statement.entity for statement in statements)})
    evidence = [evidence for statement in statements for evidence in statement.evidence]
    # Their names and their first sentences are marked; the others are one click away.
    telling = [statement for statement in statements if statement.relation in TELLING]
    marked = [evidence for statement in telling for evidence in statement.evidence[:1]]
    about = {statement.entity for statement in telling}
    by_relation = {r: [e for e in statements if e.relation is r] for r in RelationType}

    def shown(field: Field) -> list[Piece]:
        names = {place: id_ for place, id_ in parts.names[field].items() if id_ in about}
        return passage(paper, field, evidence, names, marked)

    return {
        "work": paper,
        "contribution": reader.works([contribution]).get(contribution) if contribution else None,
        "title": shown(Field.TITLE),
        "abstract": shown(Field.ABSTRACT),
        "sections": [
            (kind.section, shown(kind))
            for kind in SECTIONS
            if any(each.field is kind for each in evidence)
        ],
        "statements": {
            relation: statements for relation, statements in by_relation.items() if statements
        },
        "family": family,
        "works": works,
        "authors": reader.authors([paper.id])[paper.id],
        "citations": {
            "Cites": _cited(reader, reader.cites([paper.id])[paper.id]),
            "Cited by": _cited(reader, reader.cited_by([paper.id])[paper.id]),
        },
        "anchors": parts.fragments_of,
    }


def _cited(reader: Reader, papers: Sequence[str]) -> dict[str, Any]:
    shown = reader.works(papers[:_CITATIONS_SHOWN])
    return {"papers": table_of(reader, list(shown.values())), "total": len(papers)}


def _family(reader: Reader, work: str) -> tuple[dict[str, Any], dict[str, Work]]:
    """Return what a work builds on and what builds on it, and the papers that say so.

    `more_…` count those not shown; `counts` says how many works build on it, directly and in all.
    """
    # All parents that are shown: the facts of the catalogue among them have addresses here.
    root, parents, more_parents = _near(reader, work, LineageDirection.ANCESTORS, _PARENTS_SHOWN)
    _, children, more_children = _near(reader, work, LineageDirection.DESCENDANTS, _CHILDREN_SHOWN)
    saying = {
        statement.subject for _, edge in (*parents, *children) for statement in edge.statements
    }
    family = {
        "root": root,
        "parents": parents,
        "children": children,
        "more_parents": more_parents,
        "more_children": more_children,
        "counts": descendants_of(reader, root),
    }
    return family, reader.works(saying)


def _near(
    reader: Reader, work: str, direction: LineageDirection, first: int
) -> tuple[str, list[tuple[LineageNode, LineageEdge]], int]:
    """Return the root (an id) of a lineage, the works one step away with the edges, and how many
    more there are.

    General terms that build on a work are left out.
    """
    upwards = direction is LineageDirection.ANCESTORS
    asked = Selection(direction=direction, max_depth=1, first=first, include_general=upwards)
    lineage = trace(reader, work, asked)
    root = lineage.root.id
    edges = {
        edge.parent if upwards else edge.child: edge
        for edge in lineage.edges
        if root == (edge.child if upwards else edge.parent)
    }
    near = [(node, edges[node.work.id]) for node in lineage.nodes]
    return root, near, lineage.total - len(near)
