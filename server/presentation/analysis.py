"""The analysis of a graph, as data and as a page in a terminal."""

from collections.abc import Iterator, Mapping
from typing import Any

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from stemma.graph import Reader, Work
from stemma.graph.analysis import (
    Analysis,
    Community,
    Influence,
    LineOfDescent,
    YearOfResearch,
)
from stemma.schema.quantity import quantity
from stemma.server.presentation.data import reference
from stemma.server.presentation.text import title

_WIDEST = 24


class AnalysisReport:
    """The `top` of what an analysis finds, and the works that it mentions."""

    def __init__(self, reader: Reader, analysis: Analysis, top: int) -> None:
        self.influential: list[Influence] = analysis.influential(top)
        self.lines: list[LineOfDescent] = analysis.lines_of_descent(top)
        self.communities: list[Community] = analysis.communities(top)
        self.years: list[YearOfResearch] = analysis.years()
        self.top = top
        ids = {each.work for each in self.influential}
        ids |= {work for line in self.lines for step in line.steps for work in step}
        ids |= {work for each in self.communities for work in each.works[:top] + each.named_by}
        ids |= {work for year in self.years for work in year.new + year.built_on}
        self.works: Mapping[str, Work] = reader.works(ids)

    def name(self, work: str) -> str:
        return self.works[work].name if work in self.works else work


def report_json(report: AnalysisReport) -> dict[str, Any]:
    """Return the report as GraphQL would."""

    def references(works: tuple[str, ...]) -> list[dict[str, str]]:
        return [reference(work, report.works) for work in works]

    return {
        "influential": [
            {
                "work": reference(each.work, report.works),
                "share": each.share,
                "children": each.children,
                "descendants": each.descendants,
            }
            for each in report.influential
        ],
        "linesOfDescent": [
            {"steps": [references(step) for step in line.steps]} for line in report.lines
        ],
        "communities": [
            {
                "name": _name(each, report),
                "size": len(each.works),
                "works": references(each.works[: report.top]),
            }
            for each in report.communities
        ],
        "years": [
            {
                "year": each.year,
                "papers": each.papers,
                "entities": each.entities,
                "edges": each.edges,
                "new": references(each.new),
                "builtOn": references(each.built_on),
            }
            for each in report.years
        ],
    }


def report_text(report: AnalysisReport) -> Iterator[RenderableType]:
    """Return the report, part by part."""
    if not report.influential and not report.years:
        yield Text("Nothing to analyse: the graph has no lineage and no dated papers.", style="dim")
        return
    if report.influential:
        yield _heading("Most influential works", "PageRank over the lineage")
        yield _influential(report)
        yield _heading("\nLongest lines of descent", "oldest first")
        yield from (_line(line, report) for line in report.lines)
        yield _heading("\nCommunities", "works with more lineage among them than with others")
        yield from (_community(each, report) for each in report.communities)
    if report.years:
        yield _heading(
            "\nYear by year", "papers; new entities with descendants ← works that they build on"
        )
        yield _years(report)


def _heading(words: str, explanation: str) -> Text:
    return Text(words, style="bold").append(f"  {explanation}", style="not bold dim")


def _influential(report: AnalysisReport) -> Table:
    rows = Table(box=None, pad_edge=False, show_header=False)
    rows.add_column(justify="right")
    rows.add_column(no_wrap=True, style="green")
    rows.add_column(overflow="fold")
    rows.add_column(style="dim")
    most = report.influential[0].share
    for each in report.influential:
        bar = "█" * max(1, round(_WIDEST * each.share / most))
        work = report.works.get(each.work)
        children = quantity(each.children, "child", "children")
        derived = f"{children}, {quantity(each.descendants, 'descendant')}"
        rows.add_row(f"{each.share:.1%}", bar, title(work) if work else each.work, derived)
    return rows


def _line(line: LineOfDescent, report: AnalysisReport) -> Text:
    steps = (" ⇄ ".join(report.name(work) for work in step) for step in line.steps)
    text = Text(f"{len(line.steps):>2} ", style="dim")
    return text.append(" → ".join(steps), style="not dim")


def _community(community: Community, report: AnalysisReport) -> Text:
    text = Text(f"{len(community.works):>4} ", style="dim", no_wrap=True, overflow="ellipsis")
    text.append(_name(community, report), style="not dim bold")
    others = [report.name(work) for work in community.works[len(community.named_by) : report.top]]
    if others:
        text.append(f"  {', '.join(others)}", style="not bold dim")
    if len(community.works) > report.top:
        text.append(" …", style="not bold dim")
    return text


def _name(community: Community, report: AnalysisReport) -> str:
    return ", ".join(report.name(work) for work in community.named_by)


def _years(report: AnalysisReport) -> Table:
    rows = Table(box=None, pad_edge=False, show_header=False)
    rows.add_column(justify="right", style="bold")
    rows.add_column(no_wrap=True, style="green")
    rows.add_column(justify="right", style="dim")
    rows.add_column(overflow="fold")
    most = max(each.papers for each in report.years)
    for each in report.years:
        bar = "█" * max(1, round(min(_WIDEST, most) * each.papers / most))
        works = Text(", ".join(map(report.name, each.new)))
        if each.built_on:
            works.append(f" ← {', '.join(map(report.name, each.built_on))}", style="dim")
        rows.add_row(str(each.year), bar, str(each.papers), works)
    return rows
