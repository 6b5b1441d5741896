"""The questions that assistants ask as tools: by name, about lineage, in words, about builds."""

from collections.abc import Callable, Sequence
from typing import Annotated

from pydantic import Field

from stemma.graph import FilterField, LineageDirection, PageOrder, Selection, WorkType, trace
from stemma.graph.comparing import compare as put_side_by_side
from stemma.graph.comparing import profile
from stemma.graph.history import since
from stemma.graph.path import find_path
from stemma.graph.reader import page_of
from stemma.graph.searching import criteria_of, meeting_statements, papers_filter
from stemma.graph.searching import search as find
from stemma.graph.selection import LINEAGE, PAPERS, SEARCH, spelled
from stemma.schema import Paper
from stemma.schema.quantity import quantity
from stemma.server.asking import ask as answer_question
from stemma.server.mcp.answers import Names, ToolAnswer
from stemma.server.mcp.arguments import (
    ComparisonsArgument,
    ConditionsArgument,
    NameArgument,
    QuestionArgument,
    QuotesArgument,
    TextArgument,
    with_selection,
)
from stemma.server.mcp.problems import NoAnswerError
from stemma.server.views.answer import AnswerView
from stemma.server.views.build import BuildPage, build_views
from stemma.server.views.lineage import LineageView
from stemma.server.views.page import MatchPage, WorkPage
from stemma.server.views.path import PathView
from stemma.server.views.profile import ProfileView
from stemma.server.views.side_by_side import ComparisonOfWorks

_MOST_EDGES = 10
_MOST_MATCHING, _MOST_COMPARED = 3, 20


@with_selection(SEARCH, first=20)
def search(names: Names, text: TextArgument, selection: Selection) -> ToolAnswer:
    """Find papers and entities by words of their names, best matches first.

    If `pageInfo.hasNextPage` is true, pass `pageInfo.endCursor` as `after` for more.
    """
    view = WorkPage.of(names.reader, find(names.reader, text, selection))
    if not view.total_count:
        known = names.reader.statistics()
        chosen = selection.kinds or selection.general is not None
        without = " Try without `kinds` and `general`." if chosen else ""
        raise NoAnswerError(
            "NOTHING_FOUND",
            f"Nothing among the {quantity(known.papers, 'paper')} and "
            f"{quantity(known.entities, 'entity', 'entities')} of this graph matches {text!r} or "
            f"has a similar spelling. Try fewer or other words.{without}",
        )
    note = "No name matches; these have a similar spelling." if view.alike else ""
    return ToolAnswer(view, lists={"nodes": selection.first, "aliases": 10}, note=note)


@with_selection(("first", "after"), first=10)
def show(names: Names, name: NameArgument, selection: Selection) -> ToolAnswer:
    """What is known of a paper or an entity: facts, nearest lineage, and a page of statements.

    If `statements.pageInfo.hasNextPage` is true, pass its `endCursor` as `after` for more.
    """
    size = selection.first
    found = profile(names.reader, names.resolve(name))
    view = ProfileView.of(names.reader, found, size, selection.after)
    edges = dict.fromkeys(("buildsOn", "builtOnBy", "introducedBy"), _MOST_EDGES)
    most = {**edges, "nodes": size, "references": 0}
    return ToolAnswer(view, lists=most)


@with_selection(
    (*(name for name in PAPERS if name not in ("entity", "relations")), "first", "after"),
    {"text": "Text that the title contains.", "order": "By name or date: not `papers`."},
    order=PageOrder.NEWEST,
    first=20,
)
def papers(names: Names, selection: Selection, conditions: ConditionsArgument = None) -> ToolAnswer:
    """Papers that meet all conditions, with the supporting sentences; by default the newest first.

    For example those that run on an H100 since 2024, those of an author, or those that compare with
    vLLM: `comparison` has their results.
    """
    criteria = criteria_of(conditions or [], names.resolve, "`conditions` name")
    named = {
        name: names.resolve(value)
        for name in ("cites", "cited_by")
        if (value := getattr(selection, name)) is not None
    }
    selection = selection.changed(order=selection.order or PageOrder.NEWEST, **named)
    chosen = papers_filter(names.reader, selection, criteria)
    page = names.reader.page(WorkType.PAPER, chosen)
    shown = [work.id for work in page.items if isinstance(work, Paper)]
    view = MatchPage.of(names.reader, page, meeting_statements(names.reader, shown, chosen))
    note = "" if page.total else "No paper in this graph meets all conditions."
    note += _undated(chosen, lambda years: names.reader.page(WorkType.PAPER, years).total)
    most = {"nodes": selection.first, "statements": _MOST_MATCHING}
    return ToolAnswer(view, lists=most, note=note)


def _undated(selection: Selection, count: Callable[[Selection], int]) -> str:
    """Return how many works, as `count` counts, the selected years leave out for want of a date."""
    if not selection.has_years:
        return ""
    counted = selection.changed(until=None, first=0, after=None)  # A number takes no sentences.
    every, dated = (count(counted.changed(since=since)) for since in (None, 1))
    return f" Without a date, and left out: {every - dated:,}." if every > dated else ""


_NOTHING = {
    LineageDirection.DESCENDANTS: "Nothing in this graph builds on it.",
    LineageDirection.ANCESTORS: "It builds on nothing in this graph.",
}


@with_selection(LINEAGE, {"relations": "Only BUILDS_ON, or only IMPROVES_ON."}, first=20)
def lineage(
    names: Names, of: NameArgument, selection: Selection, quotes: QuotesArgument = 2
) -> ToolAnswer:
    """What builds on a work (descendants), or what it builds on (ancestors), with sentences.

    By default works come by distance, then date; each edge comes with the later of its two works.
    If `pageInfo.hasNextPage` is true, pass `pageInfo.endCursor` as `after` for more.
    """
    root = names.resolve(of)
    found = trace(names.reader, root, selection)
    view = LineageView.of(names.reader, found, selection)
    note = "" if found.total else _why_empty(found.emptied_by, _NOTHING[found.direction])
    note += _undated(selection, lambda years: trace(names.reader, root, years).total)
    most = {"nodes": selection.first, "edges": len(view.edges)}
    return ToolAnswer(view, quotes, most, note)


def _why_empty(emptied_by: Sequence[FilterField], otherwise: str) -> str:
    """Say why there are no results: because of these arguments, or otherwise."""
    if not emptied_by:
        return otherwise
    return f"Everything is excluded by {spelled(emptied_by, lambda each: f'`{each.shown}`')}."


@with_selection(("min_confidence", "include_catalogue"))
def path(
    names: Names,
    start: NameArgument,
    goal: NameArgument,
    selection: Selection,
    comparisons: ComparisonsArgument = True,
    quotes: QuotesArgument = 2,
) -> ToolAnswer:
    """How two works are related: the shortest path through the lineage, with sentences."""
    ends = (names.resolve(start), names.resolve(goal))
    found = find_path(names.reader, *ends, selection=selection, comparisons=comparisons)
    note = ""
    if not found.edges:
        same = found.start == found.goal
        note = "Both names mean the same work." if same else "No path of at most 6 steps is known."
    view = PathView.of(names.reader, found, selection)
    return ToolAnswer(view, quotes, note=note)


@with_selection(("first", "after"), first=20)
def ask(names: Names, question: QuestionArgument, selection: Selection) -> ToolAnswer:
    """Answer a simple question in English by fixed rules, without a language model.

    For several conditions, or by how much works differ, use the other tools.
    If `works.pageInfo.hasNextPage` is true, pass its `endCursor` as `after` for more.
    For example "what builds on ZeRO-Infinity since 2023?" or "which papers run on H100".
    """
    answer = answer_question(names.reader, question, selection.first, selection.after)
    if answer.understood_as is None:
        raise NoAnswerError("NOT_UNDERSTOOD", answer.text, answer.suggestions)
    return ToolAnswer(AnswerView.of(names.reader, answer), lists={"nodes": selection.first})


def compare(names: Names, left: NameArgument, right: NameArgument) -> ToolAnswer:
    """Put two works side by side: what they share, how they are related, who compares them.

    The statements are what the papers of each say about the other, by confidence.
    """
    pair = put_side_by_side(names.reader, names.resolve(left), names.resolve(right))
    connected = pair.statements or pair.lineage.edges or pair.compared_by
    note = "" if connected else "No lineage or comparison directly connects them."
    most = {"statements": _MOST_COMPARED}
    view = ComparisonOfWorks.of(names.reader, pair)
    return ToolAnswer(view, lists=most, note=note)


_MOST_OF_BUILD = 15
StartArgument = Annotated[
    str | None,
    Field(
        description="Only builds since this date (2026-11-23), or after the build of this number.",
        max_length=40,
    ),
]


@with_selection(("first", "after"), first=3)
def changes(names: Names, selection: Selection, start: StartArgument = None) -> ToolAnswer:
    """What the latest builds of this graph added and removed, newest first.

    If `pageInfo.hasNextPage` is true, pass `pageInfo.endCursor` as `after` for more.
    That is when papers were loaded, not when they were published: for this use `papers`.
    Of the first build, only the numbers are kept.
    """
    builds = since(names.reader.builds(), start)
    page = page_of(builds, selection.first, selection.after, lambda build: str(build.number))
    view = BuildPage(
        nodes=build_views(names.reader, page.items, _MOST_OF_BUILD),
        model=page,
        cursors=[str(build.number) for build in page.items],
    )
    return ToolAnswer(view, 1, note="" if builds else "No builds recorded.")
