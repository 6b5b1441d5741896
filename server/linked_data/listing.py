"""Listings: papers and cases that the page of an entity shows the first of, page by page."""

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import urlencode

from starlette.datastructures import QueryParams

from stemma.graph import BadCursorError, Page, PageOrder, Reader, WorkFilter, WorkType
from stemma.graph.criteria import ALL_YEARS, Years
from stemma.schema import Entity, RelationType
from stemma.server.explorer.given import Given
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
_PARAMETERS = ("papers", "yearFrom", "yearTo", "order", "after", "before")


class _Any(StrEnum):
    """Asks for papers whatever their relation is."""

    ANY = "any"


class Order(StrEnum):
    """Which papers come first."""

    OLDEST = "oldest"
    NEWEST = "newest"


@dataclass(frozen=True, slots=True)
class Listing:
    """Some works that relate to an entity, with the addresses of those before and after."""

    heading: str
    of: Entity
    works: Page
    previous: str | None
    next: str | None
    chosen: "PapersRequest | None" = None


@dataclass(frozen=True, slots=True)
class PapersRequest:
    """Which papers of an entity are listed: those with one of `relations` to it, or with any.

    The oldest come first, or the newest.
    """

    relations: tuple[RelationType, ...] = ()
    years: Years = ALL_YEARS
    newest: bool = False

    @classmethod
    def parse(cls, parameters: QueryParams) -> "PapersRequest":
        """Parse query parameters. Raises ValueError, which names what is allowed."""
        given = Given(parameters, _PARAMETERS)
        wanted = given.choices("papers", [*RelationType, _Any.ANY])
        if not wanted:
            raise ValueError("`papers` has no relation; `any` asks for papers with any")
        order = given.choice("order", list(Order), Order.OLDEST)
        return cls(
            tuple(each for each in wanted if isinstance(each, RelationType)),
            Years(given.year("yearFrom"), given.year("yearTo")),
            order is Order.NEWEST,
        )

    def query(self) -> str:
        """Return the query that asks for this."""
        asked: dict[str, object] = {
            "papers": ",".join(each.value.lower() for each in self.relations) or _Any.ANY.value
        }
        if self.years.first is not None:
            asked["yearFrom"] = self.years.first
        if self.years.last is not None:
            asked["yearTo"] = self.years.last
        if self.newest:
            asked["order"] = Order.NEWEST.value
        return urlencode(asked, safe=",")


def papers_of(
    reader: Reader, entity: Entity, asked: PapersRequest, after: str | None, before: str | None
) -> Listing:
    """List papers of an entity. Raises BadCursorError."""
    if asked.newest:
        after, before = before, after
    page = papers_page(
        reader,
        entity.id,
        asked.relations,
        _A_PAGE,
        after,
        before,
        asked.years,
        from_the_end=asked.newest and after is None,
    )
    if asked.newest:
        page = Page(tuple(reversed(page.works)), page.total, page.has_previous, page.has_next)

    def turn(**cursor: str) -> str:
        return f"/page/{path(entity.id)}?{asked.query()}&{urlencode(cursor)}"

    return Listing(
        _heading(entity, asked.relations) + _in_years(asked.years),
        entity,
        page,
        turn(before=page.works[0].id) if page.works and page.has_previous else None,
        turn(after=page.works[-1].id) if page.works and page.has_next else None,
        asked,
    )


def _heading(entity: Entity, relations: Collection[RelationType]) -> str:
    if not relations:
        return f"Papers that name {entity.name}"
    if len(relations) == 1 and (role := ROLES.get(next(iter(relations)))):
        return role.format(entity.name)
    words = " or ".join(each.words for each in relations)
    return f"Papers with a relation to {entity.name}: {words}"


def _in_years(years: Years) -> str:
    if years.first == years.last:
        return f", {years.first}" if years else ""
    since = f" from {years.first}" if years.first is not None else ""
    return f",{since}{f' until {years.last}' if years.last is not None else ''}"


def cases_of(reader: Reader, entity: Entity, after: str | None, before: str | None) -> Listing:
    """List the cases of an entity. Raises BadCursorError."""
    page = cases_page(reader, entity.id, after, before)

    def turn(**cursor: str) -> str:
        return f"/page/{path(entity.id)}?{urlencode({'cases': 'all', **cursor})}"

    return Listing(
        f"Cases of {entity.name}",
        entity,
        page,
        turn(before=page.works[0].id) if page.works and page.has_previous else None,
        turn(after=page.works[-1].id) if page.works and page.has_next else None,
    )


def cases_page(
    reader: Reader, entity: str, after: str | None = None, before: str | None = None
) -> Page:
    """Return cases of an entity, in the order of their ids."""
    ids = reader.narrower([entity]).get(entity, [])
    for cursor in (after, before):
        if cursor is not None and cursor not in ids:
            raise BadCursorError(cursor)
    if before is not None:
        end = ids.index(before)
        begin = max(end - _A_PAGE, 0)
    else:
        begin = ids.index(after) + 1 if after is not None else 0
        end = begin + _A_PAGE
    works = tuple(reader.works(ids[begin:end]).values())
    return Page(works, len(ids), end < len(ids), begin > 0)


def papers_page(
    reader: Reader,
    entity: str,
    relations: Collection[RelationType],
    first: int,
    after: str | None = None,
    before: str | None = None,
    years: Years = ALL_YEARS,
    from_the_end: bool = False,
) -> Page:
    """Return papers of some years that relate to an entity so, in the order of their dates."""
    return reader.page(
        WorkType.PAPER,
        WorkFilter(
            relations=tuple(relations),
            entity=entity,
            year_from=years.first,
            year_to=years.last,
        ),
        PageOrder.PUBLISHED,
        after=after,
        first=first,
        before=before,
        backward=before is not None or from_the_end,
    )
