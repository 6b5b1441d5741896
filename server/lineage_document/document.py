"""The document: a lineage as JSON, written while it is read."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from stemma.graph import LineageEdge, Reader, Work
from stemma.graph.lineage import Traversal
from stemma.schema import Paper, Statement
from stemma.schema.identifier import PAPER
from stemma.server.lineage_document.request import LineageRequest

_AT_ONCE = 200
"""How many works, or children with their edges, are held in memory at a time."""
_JSON = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_Json = dict[str, Any]
_T = TypeVar("_T")


def write(reader: Reader, asked: LineageRequest, traversal: Traversal) -> Iterator[str]:
    """Yield a lineage piece by piece; all of them make the document.

    Its schema is ``document.schema.json``, and its content is that of the GraphQL query
    ``document.graphql``. Of the whole lineage, ids, dates and names alone are held in memory.
    """
    root = traversal.root
    names = {root.id: root.name}
    yield f'{{"generation":{_JSON(reader.generation)},"root":{_JSON(_work(root))},"nodes":['
    yield from _listed(_nodes(reader, asked, traversal, names))
    yield '],"edges":['
    yield from _listed(_edges(reader, asked, names))
    yield "]}\n"


def _listed(batches: Iterable[Sequence[_Json]]) -> Iterator[str]:
    """Yield the items of a JSON array, without its brackets."""
    comma = ""
    for batch in filter(None, batches):
        yield comma + _JSON(batch)[1:-1]
        comma = ","


def _nodes(
    reader: Reader, asked: LineageRequest, traversal: Traversal, names: dict[str, str]
) -> Iterator[list[_Json]]:
    """Yield the nodes of a lineage that are shown, in order, and take down their names."""
    for places in _batches(traversal.places()):
        works = {
            id_: work
            for id_, work in reader.works([id_ for *_, id_ in places]).items()
            if asked.shows(work, traversal.dates.get(id_))
        }
        names |= {id_: work.name for id_, work in works.items()}
        yield [
            {
                "work": _work(works[id_]),
                "depth": depth,
                "published": str(traversal.dates[id_]) if id_ in traversal.dates else None,
            }
            for depth, _, id_ in places
            if id_ in works
        ]


def _edges(
    reader: Reader, asked: LineageRequest, names: Mapping[str, str]
) -> Iterator[list[_Json]]:
    """Yield the edges among works with `names`, by child and parent."""
    for children in _batches(sorted(names)):
        edges = list(asked.edges(reader, children, names))
        subjects = {each.subject for edge in edges for each in edge.statements}
        papers = reader.works([each for each in sorted(subjects) if each.startswith(PAPER)])
        yield [_edge(edge, names, papers) for edge in edges]


def _batches(items: Sequence[_T]) -> Iterator[Sequence[_T]]:
    return (items[start : start + _AT_ONCE] for start in range(0, len(items), _AT_ONCE))


def _work(work: Work) -> _Json:
    if isinstance(work, Paper):
        return {
            "type": "Paper",
            "id": work.id,
            "name": work.title,
            "organization": work.organization,
            "links": work.links,
        }
    return {
        "type": "Entity",
        "id": work.id,
        "name": work.name,
        "kind": work.kind.name,
        "aliases": work.aliases,
    }


def _edge(edge: LineageEdge, names: Mapping[str, str], papers: Mapping[str, Work]) -> _Json:
    return {
        "child": {"id": edge.child, "name": names[edge.child]},
        "parent": {"id": edge.parent, "name": names[edge.parent]},
        "relations": [relation.name for relation in edge.relations],
        "confidences": [
            {"relation": relation.name, "confidence": confidence}
            for relation, confidence in edge.confidences.items()
        ],
        "confidence": edge.confidence,
        "anachronism": edge.anachronism,
        "statements": [
            _statement(each, names, papers.get(each.subject)) for each in edge.statements
        ],
    }


def _statement(statement: Statement, names: Mapping[str, str], paper: Work | None) -> _Json:
    return {
        "subject": {
            "id": statement.subject,
            "name": paper.name if paper else names.get(statement.subject, statement.subject),
        },
        "relation": statement.relation.name,
        "entity": {"id": statement.entity, "name": names[statement.entity]},
        "confidence": statement.confidence,
        "origin": statement.origin,
        "confirmed": statement.confirmed,
        "paper": _paper(paper) if isinstance(paper, Paper) else None,
        "evidence": [
            {
                "text": each.text,
                "field": each.field.value,
                "start": each.start,
                "end": each.end,
            }
            for each in statement.evidence
        ],
    }


def _paper(paper: Paper) -> _Json:
    return {
        "id": paper.id,
        "name": paper.title,
        "published": str(paper.published) if paper.published else None,
        "links": paper.links,
    }
