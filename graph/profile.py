"""Profiles: all that is known of one work."""

from collections.abc import Mapping
from dataclasses import dataclass

from stemma.graph.comparing import Aspect, aspects_of, testimonies
from stemma.graph.lineage_edge import LineageEdge
from stemma.graph.selection import LineageDirection
from stemma.graph.store import Reader, Work, expect_works
from stemma.schema import Entity, Paper, PartialDate, Statement


@dataclass(frozen=True, slots=True)
class Profile:
    """A work, and what papers and the catalogue say of it.

    `papers` speak for it: those that introduce an entity; a paper speaks for itself. `aspects` are
    what they name. `parents` and `children` are the edges of its lineage, one step each way; a
    paper has those of its main contribution. `statements` have it as subject or entity, the surest
    first.
    """

    work: Work
    published: PartialDate | None
    papers: tuple[Paper, ...]
    aspects: Mapping[Aspect, tuple[Entity, ...]]
    parents: tuple[LineageEdge, ...]
    children: tuple[LineageEdge, ...]
    statements: tuple[Statement, ...]


def profile(reader: Reader, work_id: str) -> Profile:
    """Return all that is known of a work. Raises UnknownNameError where no work has the id."""
    works = expect_works(reader, [work_id])
    said = testimonies(reader, works)[work_id]
    root = reader.contributions([work_id]).get(work_id, work_id)
    parents, children = (
        reader.lineage_edges([root], direction).get(root, [])
        for direction in (LineageDirection.ANCESTORS, LineageDirection.DESCENDANTS)
    )
    return Profile(
        works[work_id],
        reader.published([work_id]).get(work_id),
        said.papers,
        aspects_of(reader, said.own),
        tuple(parents),
        tuple(children),
        said.about,
    )
