"""Questions for the works from which most of the others descend."""

from dataclasses import dataclass

from stemma.graph import Reader
from stemma.graph.filters import ALL_YEARS, Years
from stemma.schema import EntityKind
from stemma.schema.quantity import quantity
from stemma.server.asking import graphql
from stemma.server.asking.answer import MOST_WORKS, Answer, Window
from stemma.server.asking.wording import capital, counted, names, plural, within


@dataclass(frozen=True, slots=True)
class InfluenceQuestion:
    """Which works of some kinds, from some years, are the most influential."""

    kinds: tuple[EntityKind, ...] = ()
    years: Years = ALL_YEARS

    @property
    def understood_as(self) -> str:
        return f"{self._what}, by influence on the lineage"

    @property
    def _what(self) -> str:
        return f"{plural(self.kinds)}{within(self.years)}"

    def _query(self, number: int) -> str:
        """Return the question in GraphQL; `number` works have others that derive from them."""
        arguments = {
            "first": min(number, MOST_WORKS),
            "kinds": self.kinds,
            "since": self.years.first,
            "until": self.years.last,
        }
        ranked = graphql.field("influential", graphql.INFLUENCE, arguments)
        return graphql.query(graphql.field("analysis", ranked, {}))

    def answer(self, reader: Reader, window: Window) -> Answer:
        # Networks are slow to load.
        from stemma.graph.analysis import analyse  # noqa: PLC0415

        analysis = analyse(reader)
        ranked = [id_ for id_ in analysis.ranked(self.kinds, self.years) if analysis.children(id_)]
        shown = window.of(ranked)
        found = reader.works(shown)
        works = tuple(found[id_] for id_ in shown)
        shown_of = f" ({len(works)} of them shown)" if len(ranked) > len(works) else ""
        beyond = window.beyond(len(ranked))
        listed = f": {names(works, reader.published(shown), beyond)}" if works else ""
        text = (
            f"{capital(counted(len(ranked), plural(self.kinds)))}{within(self.years)} from which "
            f"others derive{shown_of}, the most influential first{listed}."
            if ranked
            else f"This graph has no {self._what} from which others derive."
        )
        derived = {id_: analysis.children(id_) for id_ in shown}
        return Answer(
            text,
            self._query(len(ranked)),
            self.understood_as,
            works,
            total=len(ranked),
            notes={
                id_: f"{quantity(number, 'work builds', 'works build')} on it"
                for id_, number in derived.items()
            },
        )
