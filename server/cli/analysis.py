"""The analysis of a graph, as a terminal shows it."""

from collections.abc import Iterator

from rich.console import RenderableType
from rich.table import Column, Table
from rich.text import Text

from stemma.schema.quantity import quantity
from stemma.server.cli.rows import grid
from stemma.server.views.analysis import AnalysisView, CommunityView, LineOfDescentView

_WIDEST = 24


def report_text(report: AnalysisView) -> Iterator[RenderableType]:
    """Return the report, part by part."""
    if not report.influential and not report.years:
        yield Text("Nothing to analyse: the graph has no lineage and no dated papers.", style="dim")
        return
    if report.influential:
        yield _heading("Most influential", "PageRank over the lineage")
        yield _influential(report)
        yield _heading("\nLongest lines of descent", "oldest first")
        yield from (_line(line) for line in report.lines_of_descent)
        yield _heading("\nCommunities", "more lineage among them than with others")
        yield from (_community(each) for each in report.communities)
    if report.years:
        yield _heading(
            "\nYear by year", "papers; new entities with descendants ← what they build on"
        )
        yield _years(report)


def _heading(words: str, explanation: str) -> Text:
    return Text(words, style="bold").append(f"  {explanation}", style="not bold dim")


def _influential(report: AnalysisView) -> Table:
    bars = Column(no_wrap=True, style="green")
    rows = grid(Column(justify="right"), bars, Column(overflow="fold"), Column(style="dim"))
    most = report.influential[0].share
    for each in report.influential:
        bar = "█" * max(1, round(_WIDEST * each.share / most))
        children = quantity(each.children, "child", "children")
        derived = f"{children}, {quantity(each.descendants, 'descendant')}"
        rows.add_row(f"{each.share:.1%}", bar, Text(each.work.name, style="bold"), derived)
    return rows


def _line(line: LineOfDescentView) -> Text:
    steps = (" ⇄ ".join(work.name for work in step) for step in line.steps)
    text = Text(f"{len(line.steps):>2} ", style="dim")
    return text.append(" → ".join(steps), style="not dim")


def _community(community: CommunityView) -> Text:
    text = Text(f"{community.size:>4} ", style="dim", no_wrap=True, overflow="ellipsis")
    text.append(community.name, style="not dim bold")
    named = community.name.split(", ")
    others = [work.name for work in community.works if work.name not in named]
    if others:
        text.append(f"  {', '.join(others)}", style="not bold dim")
    if community.size > len(community.works):
        text.append(" …", style="not bold dim")
    return text


def _years(report: AnalysisView) -> Table:
    years, papers = (Column(justify="right", style=each) for each in ("bold", "dim"))
    rows = grid(years, Column(no_wrap=True, style="green"), papers, Column(overflow="fold"))
    most = max(each.papers for each in report.years)
    for each in report.years:
        bar = "█" * max(1, round(min(_WIDEST, most) * each.papers / most))
        works = Text(", ".join(work.name for work in each.new))
        if each.built_on:
            works.append(f" ← {', '.join(work.name for work in each.built_on)}", style="dim")
        rows.add_row(str(each.year), bar, str(each.papers), works)
    return rows
