"""Provenance: who wrote papers and where they appeared, for those who ask for them."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from stemma.schema import Paper, RelationType
from stemma.schema.identifier import PAPER
from stemma.schema.name import word_key

if TYPE_CHECKING:
    from stemma.graph.store import Reader


class ProvenanceRole(StrEnum):
    """What an organization or publication has to do with a paper."""

    ORGANIZATION = "organization"
    """It published the paper, or an author belongs to it."""
    VENUE = "venue"
    """The paper appeared there."""


def provenance_of(paper: Paper) -> Iterator[tuple[ProvenanceRole, str]]:
    """Yield what a paper is found by: the words of its organizations and of its venue."""
    organizations = [paper.organization, *(each.affiliation for each in paper.authors)]
    for words in dict.fromkeys(word_key(each) for each in organizations if each):
        yield ProvenanceRole.ORGANIZATION, words
    if paper.venue:
        yield ProvenanceRole.VENUE, word_key(paper.venue)


@dataclass(frozen=True, slots=True)
class Provenance:
    """Papers by one of `authors` (ids), from an organization, in a venue, that cite or are cited.

    What is None or empty does not restrict. Of an organization (that of the paper, or the
    affiliation of an author) and of a venue the name has all words of the one asked for, one after
    the other, as Microsoft Research has Microsoft. `cites` are ids of papers of which they cite
    one, `cited_by` of papers of which one cites them.
    """

    authors: tuple[str, ...] = ()
    organization: str | None = None
    venue: str | None = None
    cites: tuple[str, ...] = ()
    cited_by: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return self != ANYWHERE

    @property
    def words(self) -> dict[ProvenanceRole, str]:
        """The words that are sought, as stores have them."""
        asked = {
            ProvenanceRole.ORGANIZATION: self.organization,
            ProvenanceRole.VENUE: self.venue,
        }
        return {role: word_key(name) for role, name in asked.items() if name is not None}


ANYWHERE = Provenance()


def provenance_named(
    reader: "Reader",
    author: str | None = None,
    organization: str | None = None,
    venue: str | None = None,
    cites: str | None = None,
    cited_by: str | None = None,
) -> Provenance:
    """Return the provenance that names and ids mean; of authors of one name, any of them.

    An entity stands for the papers that introduce it. Raises UnknownNameError where no author or
    work is called so, AmbiguousNameError where several works are.
    """
    return Provenance(
        () if author is None else people_named(reader, author),
        organization,
        venue,
        () if cites is None else papers_named(reader, cites),
        () if cited_by is None else papers_named(reader, cited_by),
    )


def people_named(reader: "Reader", name: str) -> tuple[str, ...]:
    """Return the ids of the authors called `name`. Raises UnknownNameError where there is none."""
    from stemma.graph.store import UnknownAuthorError  # noqa: PLC0415 - a cycle

    found = reader.people_called(name)
    if not found:
        raise UnknownAuthorError(name)
    return tuple(each.id for each in found)


def papers_named(reader: "Reader", name: str) -> tuple[str, ...]:
    """Return the id of the paper called `name`, or of those that introduce the entity."""
    found = reader.resolve(name)
    if found.startswith(PAPER):
        return (found,)
    return tuple(reader.papers_naming([found], [RelationType.INTRODUCES])[found]) or (found,)
