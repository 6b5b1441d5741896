"""Provenance: who wrote papers and where they appeared, for those who ask for them."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from stemma.schema.name import word_key
from stemma.schema.paper import Paper


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
    the other, as Microsoft Research has Microsoft. `cites` is the id of a paper that they cite,
    `cited_by` of one that cites them.
    """

    authors: tuple[str, ...] = ()
    organization: str | None = None
    venue: str | None = None
    cites: str | None = None
    cited_by: str | None = None

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
