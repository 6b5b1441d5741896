"""Questions of lineage: what builds on a work, what it builds on, and when."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import groupby

from stemma.graph import (
    FilterField,
    Lineage,
    LineageDirection,
    LineageEdge,
    LineageFilter,
    LineageOrder,
    PageOrder,
    Reader,
    Work,
    trace,
)
from stemma.graph.criteria import ALL_YEARS, Years
from stemma.graph.shown_works import ShownWorks
from stemma.schema import Entity, EntityKind, PartialDate, RelationType, Statement
from stemma.server.asking import graphql
from stemma.server.asking.answer import MOST_WORKS, Answer, Window
from stemma.server.asking.wording import (
    ORDERS,
    capital,
    counted,
    evidence,
    joined,
    names,
    plural,
    within,
)

DEEPEST = 20
_OTHERS = {
    FilterField.RELATIONS: "with other relations",
    FilterField.MIN_CONFIDENCE: "with lower confidence",
    FilterField.INCLUDE_CATALOGUE: "from the catalogue only",
    FilterField.AS_OF: "from later papers",
    FilterField.KINDS: "of other kinds",
    FilterField.YEARS: "of other years",
}
"""What exists where a filter leaves nothing, by the filter's field."""
_STEPS = 3


@dataclass(frozen=True, slots=True)
class LineageQuestion:
    """What builds on `of` (or what it builds on): works of some kinds, from some years.

    `by_year` asks for a list by year, `as_of` (a year) for the lineage as it was known then,
    `order` for the oldest or the newest works first rather than the nearest.
    """

    of: Work
    direction: LineageDirection = LineageDirection.DESCENDANTS
    relations: tuple[RelationType, ...] = ()
    kinds: tuple[EntityKind, ...] = ()
    years: Years = ALL_YEARS
    steps: int = _STEPS
    catalogue: bool = True
    by_year: bool = False
    as_of: int | None = None
    order: PageOrder | None = None

    @property
    def understood_as(self) -> str:
        known = f", as of {self.as_of}" if self.as_of else ""
        return f"{self._understood()}{known}{self._in_order}"

    @property
    def _in_order(self) -> str:
        return f", {ORDERS[self.order]}" if self.order else ""

    def _understood(self) -> str:
        steps = "directly" if self.steps == 1 else f"in up to {self.steps} steps"
        catalogue = "" if self.catalogue else ", without facts of the catalogue"
        what = f"{plural(self.kinds)}{within(self.years)} that "
        opening = f"timeline of {what}" if self.by_year else what
        if self.direction is LineageDirection.DESCENDANTS:
            return f"{opening}{self._verb} {self.of.name}, {steps}{catalogue}"
        return f"{opening}{self.of.name} {self._verb_of_one}, {steps}{catalogue}"

    @property
    def query(self) -> str:
        """The question in GraphQL; a lineage of some years or kinds is listed by date."""
        arguments: dict[str, object] = {
            "of": self.of.id,
            "direction": self.direction,
            "maxDepth": self.steps,
            "relations": self.relations,
            "includeCatalogue": None if self.catalogue else False,
            "asOf": str(self.as_of) if self.as_of else None,
        }
        shown = {
            **arguments,
            "kinds": self.kinds,
            "yearFrom": self.years.first,
            "yearTo": self.years.last,
            "order": None if self._order is LineageOrder.DEPTH else self._order,
            "first": MOST_WORKS,
        }
        return graphql.query(graphql.field("lineage", graphql.LINEAGE, shown))

    def answer(self, reader: Reader, window: Window) -> Answer:
        found = self._trace(reader, window.end)
        statements = _statements(found.edges)
        return Answer(
            self._sentence(reader, found, statements, found.total),
            self.query,
            self.understood_as,
            window.of([node.work for node in found.nodes]),
            tuple(statements),
            () if found.nodes else self._instead(),
            found.total,
            lineage_of=self.of,
            direction=self.direction,
            notes={
                node.work.id: str(node.published)
                for node in found.nodes
                if node.published and isinstance(node.work, Entity)
            },
        )

    def _trace(self, reader: Reader, first: int) -> Lineage:
        chosen_filter = LineageFilter(
            self.relations,
            include_catalogue=self.catalogue,
            as_of=PartialDate(self.as_of) if self.as_of else None,
        )
        return trace(
            reader,
            self.of.id,
            self.direction,
            self.steps,
            chosen_filter,
            first,
            show=ShownWorks(self.kinds, self.years),
            order=self._order,
        )

    def _sentence(
        self, reader: Reader, found: Lineage, statements: list[Statement], total: int
    ) -> str:
        works = [node.work for node in found.nodes]
        of = found.root.id
        downwards = self.direction is LineageDirection.DESCENDANTS
        what = plural(self.kinds)
        if not works:
            nothing = counted(0, what) + within(self.years)
            others = [_OTHERS[each] for each in found.emptied_by]
            more = f" It has some {joined(others, 'and')}." if others else ""
            if downwards:
                return f"This graph has {nothing} that {self._verb} {self.of.name}.{more}"
            return f"This graph has {nothing} that {self.of.name} {self._verb_of_one}.{more}"
        count = counted(total, what) + within(self.years)
        if self.by_year:
            ends = "from" if downwards else "up to"
            return f"{capital(count)}, {ends} {self.of.name}: {self._years(found)}."
        dates = {node.work.id: node.published for node in found.nodes if node.published}
        listed = names(works, dates, total - len(works))
        if downwards:
            verb = self._verb_of_one if total == 1 else self._verb
            sentence = f"{capital(count)} {verb} {self.of.name}{self._in_order}: {listed}."
        else:
            sentence = f"{self.of.name} {self._verb_of_one} {count}{self._in_order}: {listed}."
        # The sentence nearest to what was asked for is the one to show.
        near = [edge for edge in found.edges if of in (edge.child, edge.parent)]
        quotation = evidence(reader, _statements(near)) or evidence(reader, statements)
        return sentence + (quotation or " This is from the catalogue, not from a paper.")

    def _years(self, found: Lineage) -> str:
        years = groupby(found.nodes, lambda node: node.published and node.published.year)
        listed = [f"{y or 'undated'} {', '.join(n.work.name for n in own)}" for y, own in years]
        return joined(listed, "and").replace(", and ", " and ")

    def _instead(self) -> tuple[str, ...]:
        other = replace(self, kinds=(), years=ALL_YEARS, steps=_STEPS, by_year=False, order=None)
        asked = (
            "what builds on {}" if self._order is not LineageOrder.DEPTH or self.relations else ""
        )
        if other.direction is LineageDirection.ANCESTORS:
            asked = "what builds on {}"
        elif not asked:
            asked = "what does {} build on"
        return (f"{asked.format(self.of.name)}?", f"what is {self.of.name}?")

    @property
    def _verb(self) -> str:
        return (
            "improve on" if self.relations == (RelationType.IMPROVES_ON,) else "build or improve on"
        )

    @property
    def _verb_of_one(self) -> str:
        return self._verb.replace("build", "builds").replace("improve", "improves")

    @property
    def _order(self) -> LineageOrder:
        if self.order is PageOrder.NEWEST:
            return LineageOrder.NEWEST
        by_date = self.by_year or self.kinds or self.years or self.order is not None
        return LineageOrder.DATE if by_date else LineageOrder.DEPTH


def _statements(edges: Iterable[LineageEdge]) -> list[Statement]:
    """Return the statements behind edges, each once, those with sentences first."""
    distinct = {each.key: each for edge in edges for each in edge.statements}
    return sorted(
        distinct.values(), key=lambda each: (not each.evidence, -each.confidence, each.key)
    )
