"""What the page of an entity shows the first of: papers, and cases with pages of their own."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from urllib.parse import urlencode

from stemma.graph import Page, PageOrder, Reader, WorkFilter, WorkType
from stemma.graph.store import page_bounds
from stemma.schema import Entity, RelationType
from stemma.server.web.pages import path

ROLES = {
    RelationType.COMPARES_WITH: "Papers that compare with {}",
    RelationType.USES: "Papers that use {}",
    RelationType.RUNS_ON: "Papers that run on {}",
    RelationType.EVALUATED_ON: "Papers evaluated on {}",
    RelationType.MENTIONS: "Papers that mention {}",
}
"""What papers are to an entity that they relate to in this way, besides its lineage."""
_A_PAGE = 50


@dataclass(frozen=True, slots=True)
class Listing:
    """Some works that relate to an entity, with the addresses of those before and after."""

    heading: str
    of: Entity
    works: Page
    previous: str | None
    next: str | None


def cases_of(reader: Reader, entity: Entity, after: str | None, before: str | None) -> Listing:
    """List the cases of an entity. Raises BadCursorError."""
    page = cases_page(reader, entity.id, after, before)

    def turn(**cursor: str) -> str:
        return f"/page/{path(entity.id)}?{urlencode({'cases': 'all', **cursor})}"

    return Listing(
        f"Narrower entities of {entity.name}",
        entity,
        page,
        *turns(page, turn),
    )


def turns(page: Page, address: Callable[..., str]) -> tuple[str | None, str | None]:
    """Return the addresses of the pages before and after one, made of the cursors in it."""
    return (
        address(before=page.works[0].id) if page.works and page.has_previous else None,
        address(after=page.works[-1].id) if page.works and page.has_next else None,
    )


def cases_page(
    reader: Reader, entity: str, after: str | None = None, before: str | None = None
) -> Page:
    """Return cases of an entity, in the order of their ids."""
    ids = reader.narrower([entity]).get(entity, [])
    begin, end = page_bounds(ids, _A_PAGE, after, before, backward=before is not None)
    works = tuple(reader.works(ids[begin:end]).values())
    return Page(works, len(ids), end < len(ids), begin > 0)


def papers_page(
    reader: Reader, entity: str, relations: Collection[RelationType], first: int
) -> Page:
    """Return the first papers that relate to an entity so, in the order of their dates."""
    chosen = WorkFilter(relations=tuple(relations), entity=entity)
    return reader.page(WorkType.PAPER, chosen, PageOrder.PUBLISHED, first=first)
