"""Listings: the papers that the page of an entity shows the first of, a page at a time."""

from dataclasses import dataclass
from urllib.parse import urlencode

from stemma.graph import Page, PageOrder, Reader, WorkFilter, WorkType
from stemma.schema import Entity, RelationType
from stemma.server.pages import path

ROLES = {
    RelationType.COMPARES_WITH: "Papers that compare with {}",
    RelationType.USES: "Papers that use {}",
    RelationType.RUNS_ON: "Papers that run on {}",
    RelationType.EVALUATED_ON: "Papers evaluated on {}",
    RelationType.MENTIONS: "Papers that mention {}",
}
"""What papers are to an entity that they relate to so, beside its lineage."""
_A_PAGE = 50


@dataclass(frozen=True, slots=True)
class Listing:
    """Some papers that relate to an entity, with the addresses of those before and after."""

    heading: str
    of: Entity
    papers: Page
    previous: str | None
    next: str | None


def papers_of(
    reader: Reader, entity: Entity, relation: RelationType, after: str | None, before: str | None
) -> Listing:
    """List the papers that relate to an entity so. Raises BadCursorError."""
    page = papers_page(reader, entity.id, relation, _A_PAGE, after, before)

    def turn(**cursor: str) -> str:
        asked = urlencode({"papers": relation.value.lower(), **cursor})
        return f"/page/{path(entity.id)}?{asked}"

    return Listing(
        ROLES[relation].format(entity.name),
        entity,
        page,
        turn(before=page.works[0].id) if page.works and page.has_previous else None,
        turn(after=page.works[-1].id) if page.works and page.has_next else None,
    )


def papers_page(
    reader: Reader,
    entity: str,
    relation: RelationType,
    first: int,
    after: str | None = None,
    before: str | None = None,
) -> Page:
    """Return papers that relate to an entity so, in the order of their dates."""
    return reader.page(
        WorkType.PAPER,
        WorkFilter(relations=(relation,), entity=entity),
        PageOrder.PUBLISHED,
        after=after,
        first=first,
        before=before,
        backward=before is not None,
    )
