"""The tools that look works up: search, show, papers."""

from stemma.graph import PageOrder, Reader, Selection, WorkType
from stemma.graph.criteria import Criterion, check_criteria, filter_of, meeting_statements
from stemma.graph.profile import profile
from stemma.graph.searching import search as find
from stemma.graph.selection import PAPERS, SEARCH
from stemma.schema import Paper
from stemma.schema.quantity import quantity
from stemma.server.mcp.answers import Answer, coverage, fitting
from stemma.server.mcp.arguments import (
    Condition,
    ConditionsArgument,
    NameArgument,
    TextArgument,
    with_selection,
)
from stemma.server.mcp.names import Names
from stemma.server.mcp.problems import NothingFoundError
from stemma.server.views.page import PageView
from stemma.server.views.profile import ProfileView

_MOST_EDGES = 10
_MOST_MATCHING = 3


@with_selection(SEARCH, first=20)
def search(reader: Reader, text: TextArgument, selection: Selection) -> Answer:
    """Find papers and entities by words of their names, best matches first.

    If `pageInfo.hasNextPage` is true, pass `pageInfo.endCursor` as `after` for more.
    """
    known = coverage(reader)

    def answer(size: int) -> Answer:
        view = PageView.of_works(reader, find(reader, text, selection.changed(first=size)))
        note = "No name matches; these have a similar spelling." if view.alike else None
        return Answer(view, known, lists={"nodes": size, "aliases": 10}, note=note)

    given = fitting(answer, selection.first)
    if not given.view.total_count:  # type: ignore[attr-defined]
        chosen = selection.kinds or selection.general is not None
        without = " Try without `kinds` and `general`." if chosen else ""
        raise NothingFoundError(
            f"Nothing among the {quantity(known['papers'], 'paper')} and "
            f"{quantity(known['entities'], 'entity', 'entities')} of this graph matches "
            f"{text!r} or has a similar spelling. Try fewer or other words.{without}"
        )
    return given


@with_selection(("first", "after"), first=10)
def show(reader: Reader, name: NameArgument, selection: Selection) -> Answer:
    """What is known of a paper or an entity: facts, nearest lineage, and a page of statements.

    If `endCursor` is there, pass it as `after` for more statements.
    """
    names = Names(reader)
    found = profile(reader, names.resolve(name))
    known = coverage(reader)

    def answer(size: int) -> Answer:
        view = ProfileView.of(reader, found, size, selection.after)
        edges = dict.fromkeys(("buildsOn", "builtOnBy", "introducedBy"), _MOST_EDGES)
        most = {**edges, "statements": size, "references": 0}
        return Answer(view, known, lists=most, namesakes=names.namesakes)

    return fitting(answer, selection.first)


@with_selection(
    (*(name for name in PAPERS if name not in ("entity", "relations")), "first", "after"),
    {"text": "Text that the title contains."},
    order=PageOrder.NEWEST,
    first=20,
)
def papers(reader: Reader, selection: Selection, conditions: ConditionsArgument = None) -> Answer:
    """Papers that meet all conditions, with the supporting sentences; by default the newest first.

    For example those that run on an H100 since 2024, those of an author, or those that compare with
    vLLM: `comparison` has their results.
    """
    names = Names(reader)
    criteria = _criteria(names, conditions or [])
    named = {
        name: names.resolve(value)
        for name in ("cites", "cited_by")
        if (value := getattr(selection, name)) is not None
    }
    chosen = filter_of(reader, criteria, selection.changed(**named))
    known = coverage(reader)

    def answer(size: int) -> Answer:
        order = selection.order or PageOrder.NEWEST
        page = reader.page(WorkType.PAPER, chosen, order, selection.after, size)
        shown = [work.id for work in page.works if isinstance(work, Paper)]
        view = PageView.of_matches(reader, page, meeting_statements(reader, shown, chosen))
        note = None if page.total else "No paper in this graph meets all conditions."
        most = {"nodes": size, "statements": _MOST_MATCHING}
        return Answer(view, known, lists=most, note=note, namesakes=names.namesakes)

    return fitting(answer, selection.first)


def _criteria(names: Names, conditions: list[Condition]) -> list[Criterion]:
    check_criteria("`conditions` name", sum(1 + len(each.or_entities) for each in conditions))
    return [
        Criterion(
            names.resolve(each.entity),
            tuple(each.relations or ()),
            each.include_narrower,
            tuple(map(names.resolve, each.or_entities)),
            each.excluded,
        )
        for each in conditions
    ]
