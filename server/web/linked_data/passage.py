"""Passages: a text of a paper in pieces, with sentences marked and entities linked.

Statements have their fragments on the page of a paper, as in its RDF.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from stemma.graph import Reader
from stemma.graph.linked_extraction import local_names, statement_name
from stemma.schema import Evidence, Field, Paper, RelationType, Statement

Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text. `anchors` are fragments of what begins here; `entity` is what it names."""

    text: str
    is_marked: bool
    anchors: tuple[str, ...]
    entity: str | None


def anchor(field: Field, start: int, end: int) -> str:
    """Return the fragment of the IRI of a sentence."""
    return f"{field.value}-{start}-{end}"


def passage(
    paper: Paper,
    field: Field,
    evidence: Iterable[Evidence],
    named: dict[Place, str],
    marked: Iterable[Evidence],
) -> tuple[Piece, ...]:
    """Return a text of a paper in pieces, of which those of some sentences are `marked`.

    The sentences of `evidence` have anchors. `named` has entities (ids) by where they are named.
    """
    anchored, plain = (
        {(each.start, each.end) for each in some if each.field is field}
        for some in (evidence, marked)
    )
    return tuple(_pieces(paper.text(field), field, anchored, named, plain))


def _pieces(
    text: str,
    field: Field,
    anchored: Collection[Place],
    named: dict[Place, str],
    marked: Collection[Place],
) -> Iterator[Piece]:
    """Cut a text where sentences, and names of entities, begin and end."""
    spans = {*anchored, *named}
    cuts = sorted({0, len(text), *(cut for span in spans for cut in span)})
    for start, end in pairwise(cuts):
        entities = [id_ for (first, last), id_ in named.items() if first <= start and end <= last]
        yield Piece(
            text[start:end],
            any(first <= start and end <= last for first, last in marked),
            tuple(anchor(field, *place) for place in sorted(anchored) if place[0] == start),
            entities[0] if entities else None,
        )


@dataclass(slots=True)
class Parts:
    """The parts of a paper: the fragments of its statements, and where it names entities.

    `fragments` are by relation and entity (id); `names` by field and place, with the entity.
    """

    fragments: dict[tuple[RelationType, str], list[str]] = field(
        default_factory=lambda: defaultdict(list)
    )
    names: dict[Field, dict[Place, str]] = field(default_factory=lambda: defaultdict(dict))

    def fragments_of(self, statement: Statement) -> list[str]:
        """Return the ends of the IRIs of a statement, of which each has one at least."""
        known = self.fragments.get((statement.relation, statement.entity))
        return sorted(known) if known else [fragment(statement)]


def fragment(statement: Statement) -> str:
    """Return a fragment for a statement that has no IRI of its own in the graph."""
    relation = statement.relation.value.lower().replace("_", "-")
    return f"{relation}-{statement.entity.partition('/')[2]}"


def parts_of(reader: Reader, paper: str) -> Parts:
    """Return the parts of a paper (an id)."""
    found = Parts()
    for linked in reader.linked_extractions([paper]):
        ids, entities = linked.ids, linked.extraction.entities
        local = local_names(each.name for each in entities)
        for each in linked.decided.relations:
            own = statement_name(each.type, local[each.entity])
            found.fragments[each.type, ids[each.entity]].append(own)
        for entity in entities:
            for mention in entity.mentions:
                found.names[mention.field][mention.start, mention.end] = ids[entity.name]
    return found
