"""Questions of lineage: what builds on a work, what it builds on, and when."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from stemma.graph import (
    FilterField,
    Lineage,
    LineageDirection,
    LineageEdge,
    LineageFilter,
    PageOrder,
    Reader,
    Work,
    trace,
)
from stemma.graph.filters import ALL_YEARS, Years
from stemma.graph.timeline import Timeline, draw_timeline
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
_EVERY = 100_000


@dataclass(frozen=True, slots=True)
class LineageQuestion:
    """What builds on `of` (or what it builds on): works of some kinds, from some years.

    `by_year` asks for a timeline, `as_of` (a year) for the lineage as it was known then, `order`
    for the oldest or the newest works first rather than the nearest.
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
        """The question in GraphQL; a lineage that is limited to years or kinds is a timeline."""
        arguments: dict[str, object] = {
            "of": self.of.id,
            "direction": self.direction,
            "maxDepth": self.steps,
            "relations": self.relations,
            "includeCatalogue": None if self.catalogue else False,
            "asOf": str(self.as_of) if self.as_of else None,
        }
        if not self._is_timeline:
            shown = {**arguments, "first": MOST_WORKS}
            return graphql.query(graphql.field("lineage", graphql.LINEAGE, shown))
        shown = {
            **arguments,
            "kinds": self.kinds,
            "since": self.years.first,
            "until": self.years.last,
            "newestFirst": True if self.order is PageOrder.NEWEST else None,
            "first": MOST_WORKS,
        }
        return graphql.query(graphql.field("timeline", graphql.TIMELINE, shown))

    def answer(self, reader: Reader, window: Window) -> Answer:
        found = self._trace(reader, window.end)
        statements = _statements(found.edges)
        nodes = self._trace(reader, _EVERY).nodes if found.truncated else found.nodes
        return Answer(
            self._sentence(reader, found, statements, len(nodes)),
            self.query,
            self.understood_as,
            window.of([node.work for node in found.nodes]),
            tuple(statements),
            () if found.nodes else self._instead(),
            len(nodes),
            lineage_of=self.of,
            direction=self.direction,
            notes={
                node.work.id: str(node.published)
                for node in found.nodes
                if node.published and isinstance(node.work, Entity)
            },
        )

    def _trace(self, reader: Reader, first: int) -> Lineage | Timeline:
        chosen_filter = LineageFilter(
            self.relations,
            include_catalogue=self.catalogue,
            as_of=PartialDate(self.as_of) if self.as_of else None,
        )
        chosen = (self.of.id, self.direction, self.steps, chosen_filter)
        if self._is_timeline:
            return draw_timeline(
                reader,
                *chosen,
                self.kinds,
                self.years,
                first,
                newest_first=self.order is PageOrder.NEWEST,
            )
        return trace(reader, *chosen, first=first)

    def _sentence(
        self, reader: Reader, found: Lineage | Timeline, statements: list[Statement], total: int
    ) -> str:
        works = [node.work for node in found.nodes]
        of = (found.root.work if isinstance(found, Timeline) else found.root).id
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
        if self.by_year and isinstance(found, Timeline):
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

    def _years(self, found: Timeline) -> str:
        return joined(
            [
                f"{year.year or 'undated'} {', '.join(node.work.name for node in year.nodes)}"
                for year in found.years
            ],
            "and",
        ).replace(", and ", " and ")

    def _instead(self) -> tuple[str, ...]:
        other = replace(self, kinds=(), years=ALL_YEARS, steps=_STEPS, by_year=False, order=None)
        asked = "what builds on {}" if self._is_timeline or self.relations else ""
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
    def _is_timeline(self) -> bool:
        return self.by_year or bool(self.kinds) or bool(self.years) or self.order is not None


def _statements(edges: Iterable[LineageEdge]) -> list[Statement]:
    """Return the statements behind edges, each once, those with sentences first."""
    distinct = {each.key: each for edge in edges for each in edge.statements}
    return sorted(
        distinct.values(), key=lambda each: (not each.evidence, -each.confidence, each.key)
    )
