"""Networks: works as nodes, and as edges what is stated of them and what derives from what."""

import re
from collections.abc import Iterator
from operator import attrgetter
from xml.etree import ElementTree as ET

from stemma.graph.edge import LineageEdge
from stemma.graph.export.portion import Portion
from stemma.graph.reader import Work, WorkType
from stemma.graph.selection import LineageDirection
from stemma.schema import CATALOGUE_ORIGIN, LINEAGE_RELATIONS, Paper, PartialDate, Statement

Attributes = dict[str, str | int | float | None]
"""What is known of a node or an edge; what is not known is None, empty or left out."""

DERIVES_FROM, BROADER, CITES = "DERIVES_FROM", "BROADER", "CITES"
"""Relations between works, in addition to those that papers state."""
NODE_ATTRIBUTES = {
    "id": "string",
    "label": "string",
    "kind": "string",
    "general": "boolean",
    "year": "int",
    "published": "string",
    "authors": "int",
    "author_names": "string",
    "organization": "string",
    "venue": "string",
    "doi": "string",
    "arxiv_id": "string",
    "links": "string",
    "aliases": "string",
    "abstract": "string",
}
"""The types of the attributes, as GraphML calls them."""
EDGE_ATTRIBUTES = {
    "source": "string",
    "target": "string",
    "relation": "string",
    "confidence": "double",
    "relations": "string",
    **{relation.value.lower(): "double" for relation in LINEAGE_RELATIONS},
    "anachronism": "boolean",
    "origin": "string",
    "confirmed": "boolean",
    "comparison": "string",
    "factor": "double",
    "metric": "string",
    "direction": "string",
    "paper": "string",
    "sentence": "string",
}
_RESULT = ("factor", "metric", "direction")
_PLACES = ("id", "source", "target")
"""What XML has its own attributes for."""
_GRAPHML = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
)
_BETWEEN = "; "
_REPLACED = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
"""Control characters, of which XML has only tab and line breaks."""


def graphml(portion: Portion) -> Iterator[bytes]:
    """Write nodes and edges with their attributes, each as it is read."""
    yield _GRAPHML.encode()
    of_edges = EDGE_ATTRIBUTES | {"label": "string", "weight": "double"}
    for sort, types in (("node", NODE_ATTRIBUTES), ("edge", of_edges)):
        for name, type_ in types.items():
            if name not in _PLACES:
                key = {"id": f"{sort}-{name}", "for": sort, "attr.name": name, "attr.type": type_}
                yield ET.tostring(ET.Element("key", key), "utf-8") + b"\n"
    yield b'<graph edgedefault="directed">\n'
    for node in nodes(portion):
        yield _element("node", node)
    for edge in edges(portion):
        relation = edge["relation"]
        more = {
            "id": f"{edge['source']} {relation} {edge['target']}",
            "label": relation,
            "weight": edge.get("confidence", 1.0),
        }
        yield _element("edge", edge | more)
    yield b"</graph>\n</graphml>\n"


def _element(sort: str, attributes: Attributes) -> bytes:
    element = ET.Element(sort)
    for name, value in attributes.items():
        text = "" if value is None else fit_for_xml(str(value))
        if name in _PLACES:
            element.set(name, text)
        elif text:
            ET.SubElement(element, "data", key=f"{sort}-{name}").text = text
    written: bytes = ET.tostring(element, "utf-8")
    return written + b"\n"


def nodes(portion: Portion) -> Iterator[Attributes]:
    """Yield papers and entities in a stable order, with their `NODE_ATTRIBUTES`."""
    for works in _batches(portion, 0):
        dates = portion.reader.published([work.id for work in works])
        for work in works:
            yield _node(work, dates.get(work.id), portion.abstracts)


def edges(portion: Portion) -> Iterator[Attributes]:
    """Yield statements and lineage in a stable order, with their `EDGE_ATTRIBUTES`."""
    for works in _batches(portion, len(portion)):
        yield from _edges(portion, works)


def _batches(portion: Portion, done: int) -> Iterator[list[Work]]:
    """Yield all works, some at a time, and report progress: `done` were written before."""
    total = 2 * len(portion)
    for type_ in WorkType:
        for works in portion.batches(type_):
            yield works
            done += len(works)
            portion.progress(done, total)


def _node(work: Work, date: PartialDate | None, abstracts: bool) -> Attributes:
    dates: Attributes = {"year": date.year, "published": str(date)} if date else {}
    if isinstance(work, Paper):
        return {
            "id": work.id,
            "label": work.name,
            "kind": "paper",
            **dates,
            "authors": work.author_count,
            "author_names": _BETWEEN.join(author.name for author in work.authors),
            "organization": work.organization,
            "venue": work.venue,
            "doi": work.doi,
            "arxiv_id": work.arxiv_id,
            "links": _BETWEEN.join(work.links),
            "abstract": work.abstract if abstracts else None,
        }
    return {
        "id": work.id,
        "label": work.name,
        "kind": work.kind.value,
        "general": str(work.general).lower(),
        **dates,
        "aliases": _BETWEEN.join(work.aliases),
    }


def _edges(portion: Portion, works: list[Work]) -> Iterator[Attributes]:
    reader, ids = portion.reader, [work.id for work in works]
    papers = [work.id for work in works if isinstance(work, Paper)]
    stated, cited = reader.statements(papers), reader.cites(papers)
    derived = reader.lineage_edges(ids, LineageDirection.ANCESTORS)
    for work in works:
        lineage = [edge for edge in derived.get(work.id, ()) if edge.parent in portion]
        facts = (
            statement
            for edge in lineage
            for statement in edge.statements
            if statement.origin == CATALOGUE_ORIGIN
        )
        for statement in sorted((*stated.get(work.id, ()), *facts), key=attrgetter("key")):
            if statement.entity in portion:
                yield _statement(statement)
        for paper in cited.get(work.id, ()):
            if paper in portion:
                yield {"source": work.id, "target": paper, "relation": CITES}
        yield from map(_lineage, lineage)
        for broader in () if isinstance(work, Paper) else work.broader:
            if broader in portion:
                yield {"source": work.id, "target": broader, "relation": BROADER}


def _statement(statement: Statement) -> Attributes:
    return {
        "source": statement.subject,
        "target": statement.entity,
        "relation": statement.relation.value,
        "confidence": statement.confidence,
        "origin": statement.origin,
        "confirmed": "true" if statement.confirmed else None,
        "comparison": str(statement.comparison) if statement.comparison else None,
        **{name: getattr(statement.comparison, name, None) for name in _RESULT},
        "sentence": statement.evidence[0].text if statement.evidence else None,
    }


def _lineage(edge: LineageEdge) -> Attributes:
    return {
        "source": edge.child,
        "target": edge.parent,
        "relation": DERIVES_FROM,
        **edge.attributes,
        "anachronism": "true" if edge.anachronism else None,
    }


def fit_for_xml(text: str) -> str:
    """Replace the characters that XML cannot hold, however they are written."""
    return _REPLACED.sub("�", text)
