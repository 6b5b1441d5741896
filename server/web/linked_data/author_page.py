"""What the page of an author shows, gathered from the graph."""

from collections import Counter
from dataclasses import dataclass
from urllib.parse import urlencode

from stemma.graph import PageOrder, Reader, UnknownNameError, WorkFilter, WorkType
from stemma.graph.filters import Provenance
from stemma.graph.linking.people import Person
from stemma.server.web.pages import path
from stemma.server.web.paper_table import Row, table_of

_A_PAGE = 50
_MOST_COAUTHORS = 30


@dataclass(frozen=True, slots=True)
class AuthorPage:
    """An author with the papers of a page, those before and after, and co-authors in these."""

    person: Person
    papers: list[Row]
    coauthors: tuple[Person, ...]
    previous: str | None
    next: str | None


def author_page(reader: Reader, id_: str, after: str | None, before: str | None) -> AuthorPage:
    """Gather what is shown of an author. Raises BadCursorError."""
    person = reader.people([id_])[id_]
    page = reader.page(
        WorkType.PAPER,
        WorkFilter(provenance=Provenance(authors=(id_,))),
        PageOrder.PUBLISHED,
        after=after,
        first=_A_PAGE,
        before=before,
        backward=before is not None,
    )
    written = reader.authors([each.id for each in page.works])
    often = Counter(each for own in written.values() for each in own if each != id_)
    ids = [each for each, _ in sorted(often.items(), key=lambda own: (-own[1], own[0]))]

    def turn(**cursor: str) -> str:
        return f"/page/{path(id_)}?{urlencode({'papers': 'all', **cursor})}"

    return AuthorPage(
        person,
        table_of(reader, page.works),
        tuple(reader.people(ids[:_MOST_COAUTHORS]).values()),
        turn(before=page.works[0].id) if page.has_previous else None,
        turn(after=page.works[-1].id) if page.has_next else None,
    )


def known_author(reader: Reader, id_: str) -> str:
    """Return the id of an author as it is now. Raises UnknownNameError."""
    if reader.people([id_]):
        return id_
    # The id of one of several who share a name, where there is but one of the name now.
    short = id_.partition("--")[0]
    found = reader.people_called(short)
    if len(found) != 1:
        raise UnknownNameError(id_, ())
    return found[0].id
