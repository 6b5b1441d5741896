"""The document: a lineage as JSON, written while it is read."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

import orjson

from stemma.graph import LineageNode, Reader, Selection
from stemma.graph.lineage import Traversal, edges_within, fields_that_empty
from stemma.schema.batches import batched
from stemma.server.views.edge import EdgeView, edge_views
from stemma.server.views.lineage import NodeView
from stemma.server.views.view import View
from stemma.server.views.work import NameView, broader_works

_AT_ONCE = 200
"""How many works, or children with their edges, are held in memory at a time."""


def write(reader: Reader, selection: Selection, traversal: Traversal) -> Iterator[str]:
    """Yield a lineage piece by piece; all of them make the document.

    Its content is that of a `LineageView` of one page. Of the whole lineage, ids, dates and names
    alone are held in memory.
    """
    root = traversal.root
    emptied_by = fields_that_empty(reader, root.id, selection.direction, selection.edges)
    shown = {root.id}
    head = {
        "generation": reader.generation,
        "root": NameView(id=root.id, name=root.name).to_json(),
        "direction": selection.direction.name,
    }
    yield f'{_encoded(head)[:-1]},"nodes":['
    yield from _listed(_nodes(reader, selection, traversal, shown))
    yield '],"edges":['
    yield from _listed(_edges(reader, selection, shown))
    total = len(shown) - 1
    rest = {"totalCount": total, "truncated": False, "endCursor": None, "emptiedBy": emptied_by}
    yield f"],{_encoded(rest)[1:]}\n"


def _listed(batches: Iterable[Sequence[View]]) -> Iterator[str]:
    """Yield the items of a JSON array, without its brackets."""
    comma = ""
    for batch in filter(None, batches):
        yield comma + _encoded([each.to_json() for each in batch])[1:-1]
        comma = ","


def _nodes(
    reader: Reader, selection: Selection, traversal: Traversal, shown: set[str]
) -> Iterator[list[NodeView]]:
    """Yield the nodes of a lineage that are selected, in order, and add their ids to `shown`."""
    for places in batched(traversal.places(), _AT_ONCE):
        found = reader.works([id_ for *_, id_ in places])
        nodes = [
            node
            for depth, _, id_ in places
            if id_ in found
            and selection.shows(node := LineageNode(found[id_], depth, traversal.dates.get(id_)))
        ]
        shown |= {node.work.id for node in nodes}
        works = broader_works(reader, [node.work for node in nodes])
        yield [NodeView(model=node, works=works) for node in nodes]


def _edges(
    reader: Reader, selection: Selection, shown: Collection[str]
) -> Iterator[list[EdgeView]]:
    """Yield the edges among works that are shown, by child and parent."""
    for children in batched(sorted(shown), _AT_ONCE):
        edges = list(edges_within(reader, children, shown, selection.edges))
        yield list(edge_views(reader, edges, selection.edges))


def _encoded(value: Any) -> str:
    return orjson.dumps(value).decode()
