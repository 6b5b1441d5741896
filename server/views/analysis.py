"""Views of the analysis of a graph: influence, lines of descent, communities, years."""

from dataclasses import dataclass, field
from typing import Self

from stemma.graph import Reader
from stemma.graph.analysis import Analysis, Community, Influence, LineOfDescent, YearOfResearch
from stemma.server.views.view import View, derived
from stemma.server.views.work import NameView

MOST_YEARS = 100


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class InfluenceView(View[Influence]):
    """The influence of a work."""

    work: NameView = derived("The work.")
    share: float = derived("Its PageRank over the lineage; the values of all works sum to 1.")
    children: int = derived("The number of works that derive from it directly.")
    descendants: int = derived("The number of works that derive from it in any number of steps.")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class LineOfDescentView(View[LineOfDescent]):
    """A line of works, of which the later derive from the earlier."""

    steps: tuple[tuple[NameView, ...], ...] = derived(
        "Oldest first; several works in one place if they derive from each other."
    )


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class CommunityView(View[Community]):
    """Works with more lineage edges between them than to others."""

    name: str = derived("The names of its most influential works, as a label.")
    size: int = derived("The number of its works.", lambda model: len(model.works))
    works: tuple[NameView, ...] = derived("The most influential, in order.", size=100)
    first: int = field(default=0, compare=False)
    """The most works."""

    def _name(self) -> str:
        return ", ".join(self.named[work].name for work in self.model.named_by)

    def _works(self) -> tuple[NameView, ...]:
        return tuple(NameView.part(work, self) for work in self.model.works[: self.first])


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class YearOfResearchView(View[YearOfResearch]):
    """Figures of a year."""

    year: int = derived("The year.")
    papers: int = derived("The number of papers.")
    entities: int = derived("The number of entities that were first introduced.")
    edges: int = derived("The number of edges from the year's works to earlier ones.")
    new: tuple[NameView, ...] = derived("The most influential new entities with descendants.")
    built_on: tuple[NameView, ...] = derived(
        "The works that the year's works build and improve on most."
    )


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class AnalysisView(View[Analysis]):
    """The lineage of the whole graph: influence, lines of descent, communities, years."""

    rows_of = ("influential", InfluenceView)
    influential: tuple[InfluenceView, ...] = derived(
        "The works that most of the others descend from; general terms come after named works."
    )
    lines_of_descent: tuple[LineOfDescentView, ...] = derived(
        "The longest lines; no two share a work."
    )
    communities: tuple[CommunityView, ...] = derived(
        "The largest ones, by the Louvain method with a fixed seed."
    )
    years: tuple[YearOfResearchView, ...] = derived(
        f"At most the latest {MOST_YEARS}, in ascending order.", size=MOST_YEARS
    )
    first: int = field(compare=False)
    """The most items of each part, but for the years."""

    @classmethod
    def of(cls, reader: Reader, analysis: Analysis, first: int) -> Self:
        """Return the view of an analysis, with the `first` of each part."""
        lines, years = analysis.lines_of_descent(first), analysis.years()[-MOST_YEARS:]
        communities = analysis.communities(first)
        ids = {influence.work for influence in analysis.influential(first)}
        ids |= {work for line in lines for step in line.steps for work in step}
        ids |= {work for community in communities for work in community.works[:first]}
        ids |= {work for community in communities for work in community.named_by}
        ids |= {work for year in years for work in (*year.new, *year.built_on)}
        return cls(model=analysis, first=first, named=reader.works(ids))

    def _influential(self) -> tuple[InfluenceView, ...]:
        influences = self.model.influential(self.first)
        return tuple(InfluenceView.part(influence, self) for influence in influences)

    def _lines_of_descent(self) -> tuple[LineOfDescentView, ...]:
        lines = self.model.lines_of_descent(self.first)
        return tuple(LineOfDescentView.part(line, self) for line in lines)

    def _communities(self) -> tuple[CommunityView, ...]:
        return tuple(
            CommunityView(model=community, named=self.named, first=self.first)
            for community in self.model.communities(self.first)
        )

    def _years(self) -> tuple[YearOfResearchView, ...]:
        years = self.model.years()[-MOST_YEARS:]
        return tuple(YearOfResearchView.part(year, self) for year in years)
