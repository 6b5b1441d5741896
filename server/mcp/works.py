"""The tools that look works up: search, show, papers."""

from stemma.graph import PageOrder, Reader, WorkType
from stemma.graph.criteria import Criterion, check_criteria, filter_of, meeting_statements
from stemma.graph.filters import Years
from stemma.graph.profile import profile
from stemma.graph.provenance import provenance_named
from stemma.graph.searching import search as find
from stemma.schema import Paper
from stemma.schema.quantity import quantity
from stemma.server.asking.answer import Window
from stemma.server.mcp.answers import PapersAnswer, SearchAnswer, ShowAnswer
from stemma.server.mcp.arguments import (
    AfterArgument,
    AuthorArgument,
    CitedByArgument,
    CitesArgument,
    Condition,
    ConditionsArgument,
    FirstArgument,
    KindsArgument,
    NameArgument,
    OrganizationArgument,
    SinceArgument,
    TextArgument,
    TitleArgument,
    UntilArgument,
    VenueArgument,
)
from stemma.server.mcp.names import Names
from stemma.server.mcp.page import fitting
from stemma.server.mcp.presenter import LONGEST_NAME, Presenter, cut, paper_reference
from stemma.server.mcp.problems import NothingFoundError

_MOST_EDGES = 10
_MOST_NAMES = 30
_LONGEST_ABSTRACT = 3000
_MOST_MATCHING = 3


def search(
    reader: Reader,
    text: TextArgument,
    kinds: KindsArgument = None,
    general: bool | None = None,
    first: FirstArgument = 20,
    after: AfterArgument = None,
) -> SearchAnswer:
    """Find papers and entities by words of their names, best matches first.

    `general`: only general terms (GPU, quantization), or if false only named works (H100, GPTQ).
    """
    present = Presenter(reader)
    coverage = present.coverage()

    def answer(size: int) -> SearchAnswer:
        found = find(reader, text, tuple(kinds or ()), size, after, general)
        return SearchAnswer(
            works=present.works(found.works, with_aliases=True),
            similar=found.alike,
            total=found.total,
            truncated=found.has_next,
            next_cursor=found.end_cursor,
            coverage=coverage,
        )

    given = fitting(answer, first)
    if not given.total:
        without = " Try without `kinds` and `general`." if kinds or general is not None else ""
        raise NothingFoundError(
            f"Nothing among the {quantity(coverage.papers, 'paper')} and "
            f"{quantity(coverage.entities, 'entity', 'entities')} of this graph matches "
            f"{text!r} or has a similar spelling. Try fewer or other words.{without}"
        )
    return given


def show(
    reader: Reader, name: NameArgument, first: FirstArgument = 10, after: AfterArgument = None
) -> ShowAnswer:
    """What is known of a paper or an entity: facts, nearest lineage, and a page of statements."""
    names = Names(reader)
    found = profile(reader, names.resolve(name))
    present = Presenter(reader, supports=1)
    coverage = present.coverage()
    parents = present.edges(found.parents[:_MOST_EDGES])
    children = present.edges(found.children[:_MOST_EDGES])
    work = found.work
    paper = work if isinstance(work, Paper) else None

    def answer(size: int) -> ShowAnswer:
        window = Window.after(after, size)
        next_cursor = window.cursor(len(found.statements))
        return ShowAnswer(
            work=present.works([work], with_aliases=True)[0],
            abstract=cut(paper.abstract, _LONGEST_ABSTRACT) if paper else None,
            authors=[cut(each.name, LONGEST_NAME) for each in paper.authors[:_MOST_NAMES]]
            if paper
            else None,
            venue=paper.venue if paper else None,
            introduced_by=[
                paper_reference(each) for each in found.papers[:_MOST_EDGES] if each.id != work.id
            ],
            builds_on=parents,
            builds_on_total=len(found.parents),
            built_on_by=children,
            built_on_by_total=len(found.children),
            names={
                aspect.value: [cut(each.name, LONGEST_NAME) for each in entities[:_MOST_NAMES]]
                for aspect, entities in found.aspects.items()
                if entities
            },
            statements=present.statements(window.of(found.statements)),
            total=len(found.statements),
            truncated=next_cursor is not None,
            next_cursor=next_cursor,
            namesakes=names.namesakes,
            coverage=coverage,
        )

    return fitting(answer, first)


def papers(
    reader: Reader,
    conditions: ConditionsArgument = None,
    text: TitleArgument = None,
    author: AuthorArgument = None,
    organization: OrganizationArgument = None,
    venue: VenueArgument = None,
    cites: CitesArgument = None,
    cited_by: CitedByArgument = None,
    since: SinceArgument = None,
    until: UntilArgument = None,
    newest_first: bool = True,
    first: FirstArgument = 20,
    after: AfterArgument = None,
) -> PapersAnswer:
    """Papers that meet all conditions, with the supporting sentences; by default the newest first.

    For example those that run on an H100 since 2024, those of an author, or those that compare with
    vLLM: `comparison` has their results.
    """
    names = Names(reader)
    criteria = _criteria(names, conditions or [])
    provenance = provenance_named(
        reader,
        author,
        organization,
        venue,
        names.resolve(cites) if cites is not None else None,
        names.resolve(cited_by) if cited_by is not None else None,
    )
    chosen = filter_of(reader, criteria, text, Years(since, until), provenance)
    order = PageOrder.NEWEST if newest_first else PageOrder.PUBLISHED
    present = Presenter(reader)
    coverage = present.coverage()

    def answer(size: int) -> PapersAnswer:
        page = reader.page(WorkType.PAPER, chosen, order, after, size)
        shown = [work for work in page.works if isinstance(work, Paper)]
        meeting = meeting_statements(reader, [paper.id for paper in shown], chosen)
        return PapersAnswer(
            papers=[present.match(paper, meeting[paper.id][:_MOST_MATCHING]) for paper in shown],
            total=page.total,
            truncated=page.has_next,
            next_cursor=shown[-1].id if page.has_next and shown else None,
            note=None if page.total else "No paper in this graph meets all conditions.",
            namesakes=names.namesakes,
            coverage=coverage,
        )

    return fitting(answer, first)


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
