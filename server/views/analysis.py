"""Views of the analysis of a graph: influence, lines of descent, communities, years."""

from dataclasses import dataclass, field
from typing import Self

from stemma.graph import Reader, Selection
from stemma.graph.analysis import Analysis, Community, Influence, LineOfDescent, YearOfResearch
from stemma.server.views.view import View, derived, documented
from stemma.server.views.work import NameView

MOST_YEARS = 100


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class InfluenceView(View):
    """The influence of a work."""

    work: NameView = derived("The work.")
    share: float = derived("Its PageRank over the lineage; the values of all works sum to 1.")
    children: int = derived("The number of works that derive from it directly.")
    descendants: int = derived("The number of works that derive from it in any number of steps.")
    model: Influence = field(compare=False)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class LineOfDescentView(View):
    """A line of works, of which the later derive from the earlier."""

    steps: tuple[tuple[NameView, ...], ...] = derived(
        "Oldest first; several works in one place if they derive from each other."
    )
    model: LineOfDescent = field(compare=False)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class CommunityView(View):
    """Works with more lineage edges between them than to others."""

    name: str = derived("The names of its most influential works, as a label.")
    size: int = derived("The number of its works.", lambda model: len(model.works))
    works: tuple[NameView, ...] = derived("The most influential first.")
    model: Community = field(compare=False)
    first: int = field(default=0, compare=False)
    """The most works."""

    def _name(self) -> str:
        return ", ".join(self.named[each].name for each in self.model.named_by)

    def _works(self) -> tuple[NameView, ...]:
        return tuple(NameView.part(work, self) for work in self.model.works[: self.first])


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class YearOfResearchView(View):
    """Figures of a year."""

    year: int = derived("The year.")
    papers: int = derived("The number of papers.")
    entities: int = derived("The number of entities that were first introduced.")
    edges: int = derived("The number of edges from the year's works to earlier ones.")
    new: tuple[NameView, ...] = derived("The most influential new entities with descendants.")
    built_on: tuple[NameView, ...] = derived(
        "The works that the year's works build and improve on most."
    )
    model: YearOfResearch = field(compare=False)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class AnalysisView(View):
    """The lineage of the whole graph; as a table, the most influential works."""

    rows_of = ("influential", InfluenceView)
    influential: tuple[InfluenceView, ...] = documented(
        "The works that most of the others descend from; general terms come after named works."
    )
    lines_of_descent: tuple[LineOfDescentView, ...] = documented(
        "The longest lines; no two share a work."
    )
    communities: tuple[CommunityView, ...] = documented(
        "The largest ones, by the Louvain method with a fixed seed."
    )
    years: tuple[YearOfResearchView, ...] = documented(
        f"At most the latest {MOST_YEARS}, in ascending order."
    )

    @classmethod
    def of(cls, reader: Reader, analysis: Analysis, first: int) -> Self:
        """Return the view of an analysis, with the `first` of each part."""
        influential = analysis.influential(Selection(first=first))
        lines = analysis.lines_of_descent(first)
        communities = analysis.communities(first)
        years = analysis.years()[-MOST_YEARS:]
        ids = {influence.work for influence in influential}
        ids |= {work for line in lines for step in line.steps for work in step}
        ids |= {
            work
            for community in communities
            for work in (*community.works[:first], *community.named_by)
        }
        ids |= {work for year in years for work in (*year.new, *year.built_on)}
        named = reader.works(ids)
        return cls(
            influential=tuple(
                InfluenceView(model=influence, named=named) for influence in influential
            ),
            lines_of_descent=tuple(LineOfDescentView(model=line, named=named) for line in lines),
            communities=tuple(
                CommunityView(model=community, named=named, first=first)
                for community in communities
            ),
            years=tuple(YearOfResearchView(model=year, named=named) for year in years),
        )
