"""A lineage by year, with its sentences: ``/timeline/entity/lora``."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from stemma.graph import LineageDirection, LineageEdge, LineageFilter, Reader, Work
from stemma.graph.filters import Years
from stemma.graph.timeline import Timeline, draw_timeline, edges_towards
from stemma.schema import LINEAGE_RELATIONS, EntityKind
from stemma.server.explorer.lineage_queries import LineageQuery
from stemma.server.explorer.papers_view import Order
from stemma.server.explorer.queries import (
    Dialect,
    Queries,
    arguments,
    call,
    dialect,
    string,
    strings,
)
from stemma.server.explorer.view import Row, View, numbered_pages, root_at
from stemma.server.graphql.arguments import DEEPEST_LINEAGE
from stemma.server.http.query_parameters import QueryParameters
from stemma.server.presentation.chart import bar_chart
from stemma.server.presentation.data import works_of_edges
from stemma.server.presentation.timeline import timeline_json

_FIRST, _MOST, _LAST_PAGE = 40, 200, 2000
_DEPTH = 3
_LONGEST_CHART = 30
"""Years that the chart has at most: the latest."""
_PARAMETERS = (
    *("direction", "maxDepth", "relations", "minConfidence", "includeCatalogue"),
    *("kinds", "yearFrom", "yearTo", "order", "first", "page"),
)


def timeline_view(request: Request, reader: Reader) -> View | Response:
    """Return the timeline of the work in the address, or redirect to where it is."""
    root = root_at(request, reader, "timeline")
    if isinstance(root, Response):
        return root
    given = QueryParameters(request.query_params, _PARAMETERS)
    asked = _asked(given, root)
    first = given.number("first", _FIRST, _MOST)
    page = given.number("page", 1, _LAST_PAGE)
    order = given.choice("order", list(Order), Order.OLDEST)
    found = draw_timeline(
        reader,
        root,
        asked.directions[0],
        asked.depth,
        asked.filter,
        [EntityKind(each) for each in asked.kinds],
        Years(*asked.years),
        first,
        (page - 1) * first,
        newest_first=order is Order.NEWEST,
    )
    edges = edges_towards(reader, found, asked.depth, asked.filter)
    listed = [each for own in edges.values() for each in own]
    works = {
        **works_of_edges(reader, [*listed, *found.edges]),
        **{node.work.id: node.work for node in (found.root, *found.nodes)},
    }
    values: dict[str, Any] = {
        "timeline": found,
        "edges": edges,
        "works": works,
        "asked": asked,
        "kinds": list(EntityKind),
        "order": order,
        "orders": list(Order),
        "deepest": DEEPEST_LINEAGE,
        **numbered_pages(request, page, first, found.total),
        "first": first if first != _FIRST else None,
    }
    return View(
        name=f"timeline-{root.partition('/')[2]}",
        template="timeline.html",
        values=values,
        data=lambda: timeline_json(found, works),
        table=lambda: _rows(found, edges, works),
        papers=[each.subject for edge in listed for each in edge.statements],
        queries=_queries(asked, found, dialect(reader)),
        svg=_chart(found),
    )


def _asked(given: QueryParameters, root: str) -> LineageQuery:
    return LineageQuery(
        root,
        (given.choice("direction", list(LineageDirection), LineageDirection.DESCENDANTS),),
        given.number("maxDepth", _DEPTH, DEEPEST_LINEAGE),
        LineageFilter(
            given.choices("relations", LINEAGE_RELATIONS),
            given.min_confidence(),
            given.truth("includeCatalogue", default=True),
        ),
        kinds=given.choices("kinds", list(EntityKind)),
        years=(given.year("yearFrom"), given.year("yearTo")),
    )


def _chart(found: Timeline) -> Callable[[], str] | None:
    numbers = {year: count for year, count in found.by_year.items() if year is not None}
    if not numbers:
        return None
    latest = max(numbers)
    shown = {year: count for year, count in numbers.items() if year > latest - _LONGEST_CHART}
    return partial(bar_chart, f"Works by year in the lineage of {found.root.work.name}", shown)


def _rows(
    found: Timeline, edges: dict[str, list[LineageEdge]], works: dict[str, Work]
) -> Iterator[Row]:
    yield (
        *("published", "work", "name", "steps", "child", "relation", "parent", "confidence"),
        *("paper", "paper_title", "sentence"),
    )
    for node in found.nodes:
        start = (str(node.published or ""), node.work.id, node.work.name, node.depth)
        for edge in edges[node.work.id]:
            for each in edge.statements:
                title = works[each.subject].name if each.subject in works else ""
                for text in [evidence.text for evidence in each.evidence] or [""]:
                    ends = (edge.child, each.relation.value, edge.parent, f"{each.confidence:g}")
                    yield (*start, *ends, each.subject, title, text)


def _queries(asked: LineageQuery, found: Timeline, cypher: Dialect) -> Queries:
    first, last = asked.years
    kinds = ", ".join(each.upper() for each in asked.kinds)
    relations = ", ".join(asked.filter.relations)
    total = str(max(found.total, 1))
    given = arguments(
        {
            "of": string(asked.root),
            "direction": found.direction.name,
            "maxDepth": str(asked.depth),
            "relations": f"[{relations}]" if relations else None,
            "minConfidence": f"{asked.filter.min_confidence:g}"
            if asked.filter.min_confidence
            else None,
            "includeCatalogue": None if asked.filter.include_catalogue else "false",
            "kinds": f"[{kinds}]" if kinds else None,
            "yearFrom": str(first) if first else None,
            "yearTo": str(last) if last else None,
            "first": total,
        }
    )
    return Queries(
        f"query Timeline {{\n  timeline({given}) {{\n    years {{\n      year\n"
        "      nodes { depth published work { id name } }\n    }\n    edges {\n"
        "      child { name }\n      parent { name }\n      confidence\n"
        "      statements { paper { name } evidence { text } }\n    }\n  }\n}\n",
        asked.sparql(),
        asked.cypher(cypher),
        call(
            "timeline",
            string(asked.root),
            string(found.direction.value),
            **asked.python_arguments(),
            kinds=strings(asked.kinds) if asked.kinds else None,
            since=str(first) if first else None,
            until=str(last) if last else None,
            first=total,
        ),
    )
