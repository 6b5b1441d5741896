"""A script for ``cypher-shell``: statements that make the graph, with all values written out.

Running it twice makes one graph. Stemma takes the graph for one when its last line has run.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import islice

from stemma.graph.export.cypher_literal import list_literal, literal, map_literal
from stemma.graph.neo4j import note
from stemma.graph.neo4j.elements import KEYS, Node, Relationship
from stemma.graph.neo4j.layout import FILE as CONSTRAINTS
from stemma.graph.sqlite.property_graph import PaperPart, PropertyGraph
from stemma.schema.identifier import label_of

Progress = Callable[[int, int], None]

_BATCH = 100
"""Rows of a statement: a database reads long ones slowly."""
_OPENING = """\
// Makes a graph in an empty database: cypher-shell -u neo4j -f FILE
// It may be run again, should it have been interrupted.

"""


def pieces(graph: PropertyGraph, progress: Progress) -> Iterator[bytes]:
    """Yield the script, piece by piece."""
    return (piece.encode("ascii") for piece in _script(graph, progress))


def _script(graph: PropertyGraph, progress: Progress) -> Iterator[str]:
    yield _OPENING + CONSTRAINTS.read_text("utf-8") + "\n"
    yield from _nodes(graph.files())
    yield from _nodes(graph.decisions())
    yield from _nodes(graph.entities())
    yield from _relationships(graph.catalogue())
    done, parts = 0, graph.papers()
    while batch := list(islice(parts, _BATCH)):
        yield from _papers(batch)
        done += len(batch)
        progress(done, graph.paper_count)
    yield from _relationships(graph.lineage())
    yield from _nodes(graph.people())
    yield from _relationships(graph.bibliography())
    yield from _nodes([graph.note()])
    yield f"MATCH (g:_StemmaNote {{name: '{note.GRAPH}'}}) SET g.generation = 1 REMOVE g.ties;\n"


def _papers(parts: list[PaperPart]) -> Iterator[str]:
    yield from _nodes(part.paper for part in parts)
    yield from _nodes(part.reading for part in parts)
    yield from _relationships(each for part in parts for each in part.statements)


def _nodes(nodes: Iterable[Node]) -> Iterator[str]:
    by_labels: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for node in nodes:
        by_labels[node.labels].append(map_literal(node.properties))
    for labels, all_rows in by_labels.items():
        first, *more = labels
        key = KEYS[first]
        labelled = f"n:{':'.join(more)}, " if more else ""
        for rows in _batches(all_rows):
            yield (
                f"UNWIND {list_literal(rows)} AS row\n"
                f"MERGE (n:{first} {{{key}: row.{key}}}) SET {labelled}n += row;\n"
            )


def _relationships(edges: Iterable[Relationship]) -> Iterator[str]:
    by_type: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    for edge in edges:
        labels = label_of(edge.start), label_of(edge.end)
        ends = f"{literal(edge.start)}, {literal(edge.end)}"
        by_type[*labels, edge.type].append(f"[{ends}, {map_literal(edge.properties)}]")
    for (start, end, type_), all_rows in by_type.items():
        for rows in _batches(all_rows):
            yield (
                f"UNWIND {list_literal(rows)} AS row\n"
                f"MATCH (a:{start} {{id: row[0]}}) MATCH (b:{end} {{id: row[1]}})\n"
                f"MERGE (a)-[r:{type_}]->(b) SET r = row[2];\n"
            )


def _batches(rows: list[str]) -> Iterator[list[str]]:
    for start in range(0, len(rows), _BATCH):
        yield rows[start : start + _BATCH]
