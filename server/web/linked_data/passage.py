"""Passages: a text of a paper in pieces, with sentences marked and entities linked.

Statements have their fragments on the page of a paper, as in its RDF.
"""

import re
from collections import defaultdict
from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

from stemma.graph import Reader
from stemma.graph.linked_extraction import local_names, statement_name
from stemma.schema import Evidence, Field, Paper, RelationType, Statement
from stemma.server.views.wording import styled

Place = tuple[int, int]
_LINE = re.compile(r".+\n*|\n+")


class Piece(NamedTuple):
    """A stretch of text. `anchors` are fragments of what begins here; `entity` is what it names."""

    text: str
    is_marked: bool
    anchors: list[str]
    entity: str | None


def passage(
    paper: Paper,
    field: Field,
    evidence: Iterable[Evidence],
    named: dict[Place, str],
    marked: Iterable[Evidence],
    around: int | None = None,
) -> list[Piece]:
    """Return a text of a paper in pieces, of which those of some sentences are `marked`.

    The sentences of `evidence` have anchors. `named` has entities (ids) by where they are named.
    The text is cut where sentences, and names of entities, begin and end. If `around` is given, it
    has only so many lines before and after what is marked: a section has a sentence on each.
    """
    text = paper.text(field)
    anchored, shown = (
        sorted({(each.start, each.end) for each in evidences if each.field is field})
        for evidences in (evidence, marked)
    )
    named = {styled(text, *place): id_ for place, id_ in named.items()}
    lines = [each.span() for each in _LINE.finditer(text)]
    if around is not None:
        marks = [any(start < last and first < end for first, last in shown) for start, end in lines]
        lines = [e for n, e in enumerate(lines) if any(marks[max(0, n - around) : n + around + 1])]
    cuts = sorted({cut for span in (*lines, *anchored, *named) for cut in span})
    pieces = []
    for start, end in pairwise(cuts):
        if not any(first <= start and end <= last for first, last in lines):
            continue
        entities = [id_ for (first, last), id_ in named.items() if first <= start and end <= last]
        is_marked = any(first <= start and end <= last for first, last in shown)
        anchors = [f"{field.value}-{first}-{last}" for first, last in anchored if first == start]
        pieces.append(Piece(text[start:end], is_marked, anchors, next(iter(entities), None)))
    return pieces


class Parts(NamedTuple):
    """The parts of a paper: the fragments of its statements, and where it names entities.

    `fragments` are by relation and entity (id); `names` by field and place, with the entity.
    """

    fragments: dict[tuple[RelationType, str], list[str]]
    names: dict[Field, dict[Place, str]]

    def fragments_of(self, statement: Statement) -> list[str]:
        """Return the ends of the IRIs of a statement, of which each has one at least."""
        known = self.fragments.get((statement.relation, statement.entity))
        return sorted(known) if known else [fragment(statement)]


def fragment(statement: Statement) -> str:
    """Return a fragment for a statement that has no IRI of its own in the graph."""
    return statement_name(statement.relation, statement.entity.partition("/")[2])


def parts_of(reader: Reader, paper: str) -> Parts:
    """Return the parts of a paper (an id)."""
    found = Parts(defaultdict(list), defaultdict(dict))
    for linked in reader.linked_extractions([paper]):
        ids, entities = linked.ids, linked.extraction.entities
        local = local_names(entity.name for entity in entities)
        for relation in linked.decided.relations:
            own = statement_name(relation.type, local[relation.entity])
            found.fragments[relation.type, ids[relation.entity]].append(own)
        for entity in entities:
            for mention in entity.mentions:
                found.names[mention.field][mention.start, mention.end] = ids[entity.name]
    return found
