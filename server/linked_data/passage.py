"""Passages: a text of a paper in pieces, with sentences marked and entities linked."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from stemma.schema import Evidence, Field, Paper

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
    paper: Paper, field: Field, evidence: Iterable[Evidence], named: dict[Place, str]
) -> tuple[Piece, ...]:
    """Return a text of a paper in pieces, with those of some sentences marked that are in it."""
    marked = {(each.start, each.end) for each in evidence if each.field is field}
    return tuple(pieces(paper.text(field), field, marked, named))


def pieces(
    text: str, field: Field, marked: Collection[Place], named: dict[Place, str]
) -> Iterator[Piece]:
    """Cut a text where sentences that are `marked`, and names (of entities), begin and end."""
    spans = {*marked, *named}
    cuts = sorted({0, len(text), *(cut for span in spans for cut in span)})
    for start, end in pairwise(cuts):
        entities = [id_ for (first, last), id_ in named.items() if first <= start and end <= last]
        yield Piece(
            text[start:end],
            any(first <= start and end <= last for first, last in marked),
            tuple(anchor(field, *place) for place in sorted(marked) if place[0] == start),
            entities[0] if entities else None,
        )
