"""Networks: works as nodes, and as edges what is stated of them and what derives from what."""

from collections.abc import Iterator

from stemma.graph.export.portion import Portion
from stemma.graph.lineage import LineageEdge
from stemma.graph.selection import LineageDirection
from stemma.graph.store import Work, WorkType
from stemma.schema import CATALOGUE_ORIGIN, LINEAGE_RELATIONS, Paper, PartialDate, Statement

Attributes = dict[str, str | int | float | bool]
"""What is known of a node or an edge; what is not known is left out."""

DERIVES_FROM, BROADER, CITES = "DERIVES_FROM", "BROADER", "CITES"
"""Relations between works, in addition to those that papers state."""
NODE_ATTRIBUTES = (
    "id",
    "label",
    "kind",
    "general",
    "year",
    "published",
    "authors",
    "author_names",
    "organization",
    "venue",
    "doi",
    "arxiv_id",
    "links",
    "aliases",
    "abstract",
)
EDGE_ATTRIBUTES = (
    "source",
    "target",
    "relation",
    "confidence",
    "relations",
    *(relation.value.lower() for relation in LINEAGE_RELATIONS),
    "anachronism",
    "origin",
    "confirmed",
    "comparison",
    "evidence",
)
_BETWEEN = "; "


class Network:
    """The nodes and edges of a portion, in a stable order, read as they are asked for."""

    def __init__(self, portion: Portion) -> None:
        self._portion, self._reader = portion, portion.reader
        self._done, self._total = 0, 2 * len(portion)

    def nodes(self) -> Iterator[Attributes]:
        """Yield papers and entities, with `NODE_ATTRIBUTES` as far as they are known."""
        for type_ in WorkType:
            for works in self._portion.batches(type_):
                dates = self._reader.published([work.id for work in works])
                for work in works:
                    yield self._node(work, dates.get(work.id))
                self._report(len(works))

    def edges(self) -> Iterator[Attributes]:
        """Yield statements and lineage, with `EDGE_ATTRIBUTES` as far as they are known."""
        for type_ in WorkType:
            for works in self._portion.batches(type_):
                yield from self._edges(works)
                self._report(len(works))

    def _report(self, more: int) -> None:
        self._done += more
        self._portion.progress(self._done, self._total)

    def _node(self, work: Work, date: PartialDate | None) -> Attributes:
        node: Attributes = {"id": work.id, "label": work.name}
        if isinstance(work, Paper):
            node |= {"kind": "paper", "links": _BETWEEN.join(work.links)}
            node |= {
                "author_names": _BETWEEN.join(each.name for each in work.authors),
                "organization": work.organization or "",
                "venue": work.venue or "",
                "doi": work.doi or "",
                "arxiv_id": work.arxiv_id or "",
            }
            if work.author_count is not None:
                node["authors"] = work.author_count
            if self._portion.abstracts:
                node["abstract"] = work.abstract
        else:
            node |= {"kind": work.kind.value, "general": work.general}
            node |= {"aliases": _BETWEEN.join(work.aliases)}
        if date:
            node["published"] = str(date)
            if date.year is not None:
                node["year"] = date.year
        return {name: value for name in NODE_ATTRIBUTES if (value := node.get(name, "")) != ""}

    def _edges(self, works: list[Work]) -> Iterator[Attributes]:
        ids = [work.id for work in works]
        papers = [work.id for work in works if isinstance(work, Paper)]
        stated = self._reader.statements(papers)
        cited = self._reader.cites(papers)
        derived = self._reader.lineage_edges(ids, LineageDirection.ANCESTORS)
        for work in works:
            lineage = [edge for edge in derived.get(work.id, ()) if edge.parent in self._portion]
            statements = [
                *stated.get(work.id, ()),
                *(
                    each
                    for edge in lineage
                    for each in edge.statements
                    if each.origin == CATALOGUE_ORIGIN
                ),
            ]
            statements.sort(key=lambda each: each.key)
            for statement in statements:
                if statement.entity in self._portion:
                    yield _known(_statement(statement))
            for paper in cited.get(work.id, ()):
                if paper in self._portion:
                    yield {"source": work.id, "target": paper, "relation": CITES}
            for edge in lineage:
                yield _known(_lineage(edge))
            if not isinstance(work, Paper):
                for broader in work.broader:
                    if broader in self._portion:
                        yield {"source": work.id, "target": broader, "relation": BROADER}


def _statement(statement: Statement) -> Attributes:
    edge: Attributes = {
        "source": statement.subject,
        "target": statement.entity,
        "relation": statement.relation.value,
        "confidence": statement.confidence,
        "origin": statement.origin,
        "comparison": str(statement.comparison) if statement.comparison else "",
        "evidence": statement.evidence[0].text if statement.evidence else "",
    }
    return edge | ({"confirmed": True} if statement.confirmed else {})


def _lineage(edge: LineageEdge) -> Attributes:
    attributes: Attributes = {
        "source": edge.child,
        "target": edge.parent,
        "relation": DERIVES_FROM,
        "confidence": edge.confidence,
        "relations": _BETWEEN.join(edge.relations),
        **{relation.value.lower(): sure for relation, sure in edge.confidences.items()},
        "evidence": next(
            (each.text for statement in edge.statements for each in statement.evidence), ""
        ),
    }
    return attributes | ({"anachronism": True} if edge.anachronism else {})


def _known(edge: Attributes) -> Attributes:
    return {name: value for name in EDGE_ATTRIBUTES if (value := edge.get(name, "")) != ""}
