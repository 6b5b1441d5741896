"""Origins: who wrote papers, where they come from, and what they cite, as questions name it."""

from collections.abc import Sequence
from dataclasses import dataclass

from stemma.graph import Reader, Selection, Work, WorkFilter, WorkType
from stemma.graph.filters import Years
from stemma.graph.provenance import Provenance, papers_named
from stemma.graph.selection import filters
from stemma.server.asking.wording import quoted
from stemma.server.asking.words import Span, name_of

_MOST_LOOKUPS = 20


@dataclass(frozen=True, slots=True)
class Origin:
    """Papers of one origin.

    `phrase` follows the noun: "by Ada Quill"; `arguments` are those of GraphQL. `note` says what
    the question leaves open.
    """

    provenance: Provenance
    phrase: str
    arguments: tuple[tuple[str, str], ...]
    note: str | None = None


def selection_of(origins: Sequence[Origin], years: Years) -> Selection:
    """Return the papers of all these origins and of some years; an origin of each sort counts."""
    by_name = {each.camel_case: name for name, each in filters().items()}
    named = {by_name[name]: value for each in origins for name, value in each.arguments}
    return Selection(since=years.first, until=years.last).changed(**named)


def phrases(origins: Sequence[Origin]) -> str:
    """Return the origins as they follow a noun: " by Ada Quill in Journal of Pens"."""
    return "".join(f" {each.phrase}" for each in origins)


def citing(reader: Reader, work: Work) -> Origin:
    """Return the papers that cite a paper, or those that introduce an entity."""
    papers = papers_named(reader, work.id)
    return Origin(Provenance(cites=papers), f"citing {quoted(work)}", (("cites", work.id),))


def cited_by(reader: Reader, work: Work) -> Origin:
    """Return the papers that a paper cites, or those that introduce an entity."""
    papers = papers_named(reader, work.id)
    arguments = (("citedBy", work.id),)
    return Origin(Provenance(cited_by=papers), f"cited by {quoted(work)}", arguments)


class Origins:
    """Looks up names in a question: those of authors, else of organizations, else of venues."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._known: dict[Span, Origin | None] = {}

    def find(self, words: Span) -> Origin | None:
        """Return what these words name, if anything."""
        if words not in self._known:
            name = name_of(words)
            sought = any(map(str.isalpha, name)) and len(self._known) < _MOST_LOOKUPS
            self._known[words] = self._find(name) if sought else None
        return self._known[words]

    def _find(self, name: str) -> Origin | None:
        people = self._reader.people_called(name)
        if people:
            ids = tuple(each.id for each in people)
            note = None
            if len(people) > 1:
                listed = ", ".join(ids[:5])
                note = (
                    f"“{name}” matches {len(people)} authors in this graph; showing papers by all "
                    f"of them: {listed}{' …' if len(ids) > 5 else ''}."
                )
            known = people[0].name if len(people) == 1 else name
            argument = ids[0] if len(ids) == 1 else name
            return Origin(Provenance(authors=ids), f"by {known}", (("author", argument),), note)
        for origin in (
            Origin(Provenance(organization=name), f"from {name}", (("organization", name),)),
            Origin(Provenance(venue=name), f"in {name}", (("venue", name),)),
        ):
            by = WorkFilter(provenance=origin.provenance)
            if self._reader.page(WorkType.PAPER, by, first=1).total:
                return origin
        return None
