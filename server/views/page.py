"""Views of pages: works or statements in order, with the cursor of the next page."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from operator import itemgetter
from typing import Any, Generic, Self, TypeVar

from stemma.graph import Page, Reader, Selection, Work
from stemma.graph.reader import page_of
from stemma.schema import Paper, Statement
from stemma.server.views.statement import StatementView, statement_id, statement_key, works_of
from stemma.server.views.view import View, derived, documented
from stemma.server.views.work import PaperNameView, WorkView, work_views

Item = TypeVar("Item", bound=View[Any])
_SHOWN = 10
"""Results that the text of a page names."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class PageInfo(View[Page[Any]]):
    """The position of a page among all results."""

    has_next_page: bool = derived("Whether there are more results after it.", "has_next")
    has_previous_page: bool = derived("Whether there are results before it.", "has_previous")
    start_cursor: str | None = derived("The cursor of its first result.")
    end_cursor: str | None = derived("The cursor of its last result; pass it as `after`.")
    cursors: Sequence[str] = field(compare=False)
    """Those of its results, or of the first and the last."""

    def _start_cursor(self) -> str | None:
        return self.cursors[0] if self.cursors else None

    def _end_cursor(self) -> str | None:
        return self.cursors[-1] if self.cursors else None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class MatchView(View[Any]):
    """A paper, and the statements by which it was selected."""

    paper: PaperNameView = derived("The paper.", itemgetter(0))
    rows_of = ("statements", StatementView)
    statements: tuple[StatementView, ...] = derived("By confidence.", itemgetter(1))


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class PageView(View[Page[Any]], Generic[Item]):
    """Results on a page, in order."""

    cites = True
    nodes: tuple[Item, ...] = documented("The results, in order.")
    total_count: int = derived("The number of results on all pages.", "total")
    page_info: PageInfo = derived("The position of the page among all results.")
    cursors: Sequence[str] = field(default=(), compare=False)
    """Those of its results, where these are not their ids."""

    def __iter__(self) -> Iterator[Item]:
        return iter(self.nodes)

    def __len__(self) -> int:
        return len(self.nodes)

    def __getitem__(self, index: int) -> Item:
        return self.nodes[index]

    def _page_info(self) -> PageInfo:
        nodes: Any = self.nodes
        return PageInfo(model=self.model, cursors=self.cursors or [node.id for node in nodes])

    @property
    def alike(self) -> bool:
        """Whether nothing matches, and these are spelt like the text."""
        return self.model.alike

    @property
    def end_cursor(self) -> str | None:
        """The cursor of the next page, if there is one."""
        return self.page_info.end_cursor if self.page_info.has_next_page else None

    def __str__(self) -> str:
        shown = [*map(str, self.nodes[:_SHOWN]), *["…"] * (len(self) > _SHOWN)]
        return f"{len(self)} of {self.total_count}: {', '.join(shown)}"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class WorkPage(PageView[WorkView]):
    """Works on a page."""

    rows_of = ("nodes", WorkView)
    nodes: tuple[WorkView, ...] = documented("The works, in order.")

    @classmethod
    def of(cls, reader: Reader, page: Page[Work], cursors: Sequence[str] = ()) -> Self:
        """Return the view of a page of works; `cursors` are theirs, if not their ids."""
        return cls(
            nodes=tuple(work_views(reader, page.items).values()),
            model=page,
            named={work.id: work for work in page.items},
            cursors=cursors,
        )


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class MatchPage(PageView[MatchView]):
    """Papers on a page, with the statements by which they were selected."""

    rows_of = ("nodes", MatchView)
    nodes: tuple[MatchView, ...] = documented("The papers, in order.")

    @classmethod
    def of(
        cls, reader: Reader, page: Page[Work], stated: Mapping[str, Collection[Statement]]
    ) -> Self:
        """Return the view of a page of papers with the statements by which they were selected."""
        works = reader.works(works_of(chain.from_iterable(stated.values())))
        return cls(
            nodes=tuple(
                MatchView(model=(work, stated.get(work.id, ())), named=works)
                for work in page.items
                if isinstance(work, Paper)
            ),
            model=page,
            named={work.id: work for work in page.items},
            cursors=[work.id for work in page.items],
        )


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class StatementPage(PageView[StatementView]):
    """Statements on a page."""

    rows_of = ("nodes", StatementView)
    nodes: tuple[StatementView, ...] = documented("The statements, in order.")

    @classmethod
    def of(cls, reader: Reader, page: Page[Statement]) -> Self:
        """Return the view of a page of statements."""
        works = reader.works(works_of(page.items))
        return cls(
            nodes=tuple(StatementView(model=item, named=works) for item in page.items),
            model=page,
            named=works,
        )


def statements_page(reader: Reader, work: str | None, selection: Selection) -> StatementPage:
    """Return selected statements: those with a work (an id) as subject or entity, or of the graph.

    Raises BadCursorError where `after` is not the id of a statement of the answer.
    """
    if work is None:
        return StatementPage.of(reader, statements_of_graph(reader, selection))
    statements = reader.statements([work], selection.relations).get(work, [])
    page = cut_statements(statements, selection.first, selection.after)
    return StatementPage.of(reader, page)


def cut_statements(listed: Sequence[Statement], first: int, after: str | None) -> Page[Statement]:
    """Return a page of the statements that are listed, the first after one of them (an id).

    Raises BadCursorError where there is no such statement.
    """
    return page_of(listed, first, after, statement_id)


def statements_of_graph(reader: Reader, selection: Selection) -> Page[Statement]:
    """Return the selected statements of the whole graph.

    Raises BadCursorError where `after` is not the id of a statement, and what `resolve` does.
    """
    key = None if selection.after is None else statement_key(selection.after)
    about = reader.resolve(selection.entity) if selection.entity else None
    return reader.statement_page(selection.changed(entity=about), key)
