"""The Python API: a graph, and the questions that can be asked of it."""

import os
import warnings
from collections.abc import Iterable, Mapping
from functools import partial
from inspect import Parameter, currentframe
from pathlib import Path
from typing import Self, TypedDict, Unpack

from stemma.extract import TrainedModel, formats
from stemma.extract.sections.trust import Trust
from stemma.graph import LineageDirection, Reader, Selection, Store, Work, open_store, trace
from stemma.graph.analysis import analyse
from stemma.graph.comparing import compare
from stemma.graph.history import since as builds_since
from stemma.graph.path import find_path
from stemma.graph.searching import papers_page, search
from stemma.graph.selection import EVERYTHING, LINEAGE, PAPERS, SEARCH, STATEMENTS, filters
from stemma.schema import Decision, Entity, Paper, PartialDate
from stemma.schema.text_line import MAX_RECORD_SIZE
from stemma.server import asking
from stemma.server.build import build
from stemma.server.build_report import BuildReport
from stemma.server.deciding import Outcome, decide, undo
from stemma.server.extraction_settings import ExtractionSettings
from stemma.server.papers_in_memory import Source, as_files
from stemma.server.selecting import selecting
from stemma.server.views.analysis import AnalysisView
from stemma.server.views.answer import AnswerView
from stemma.server.views.build import BuildView, StatisticsView, build_views
from stemma.server.views.lineage import LineageView
from stemma.server.views.page import StatementPage, WorkPage, statements_page
from stemma.server.views.path import PathView
from stemma.server.views.side_by_side import ComparisonOfWorks
from stemma.server.views.wording import meaning_of
from stemma.server.views.work import NameView

Named = str | Work | NameView
"""A work, as users give it."""


class Filters(TypedDict, total=False):
    """The filters of all answers, for type checkers and editors: see `Selection`."""

    max_depth: int
    min_confidence: float
    include_catalogue: bool
    include_general: bool
    as_of: PartialDate | str | int | None
    kinds: Iterable[str]
    since: int | None
    until: int | None
    general: bool | None
    entity: Named | None
    author: str | None
    organization: str | None
    venue: str | None
    cites: Named | None
    cited_by: Named | None
    compared: bool
    metric: str | None
    min_factor: float | None
    max_factor: float | None
    outcome: str | None
    order: str | None
    first: int
    after: str | None


class FiltersByRelation(Filters, total=False):
    """The filters of answers that also take relations, and words of titles."""

    relations: Iterable[str]
    text: str | None


_OF_THE_GRAPH = {
    name: filters()[name].shown
    for name in STATEMENTS
    if name not in ("relations", "first", "after")
}
"""The filters that the statements of one work do not have, and what people call them."""
_with_filters = partial(selecting, lambda _: Parameter.empty)
"""Returns a decorator that lets a method take some filters as keywords: see `selecting`."""


class Stemma:
    """A graph of papers and what they name.

    >>> graph = Stemma("stemma.db")
    >>> graph.build("examples")
    >>> for edge in graph.lineage("ZeRO-Infinity").edges:
    ...     print(edge.child, "→", edge.parent, f"{edge.confidence:.2f}")

    A work is given by its name in any spelling, by its id, or as another answer has it;
    UnknownNameError suggests the nearest names, AmbiguousNameError lists the candidates. If one of
    several works of a name is meant, because ten times as many papers name it, a warning lists the
    others. In answers, `child`, `parent`, `subject` and `entity` have an `id` and a `name`.
    Relations, kinds and directions may be written as strings, in any case. `since` and `until`
    leave out what has no date.

    A notebook shows a lineage as a picture and other answers as tables. To go on, there is
    `to_pandas()` (with the extra ``pandas``), and `to_networkx()` of a lineage.
    """

    def __init__(self, store: str | Path = "stemma.db") -> None:
        """Open the store at a path or URL; a file that does not exist is made by `build`.

        Raises StoreError where something else is there.
        """
        self._store: Store | None = open_store(os.fspath(store))
        self._url = self._store.url
        _ = self._store.base  # Where it is in a file, this must be that of a store.

    @property
    def store(self) -> Store:
        """The store. Raises ValueError after `close`."""
        if self._store is None:
            raise ValueError("this graph is closed; open it again with Stemma(…)")
        return self._store

    def build(
        self,
        *sources: Source,
        year: int | None = None,
        processes: int | None = 1,
        max_record_size: int = MAX_RECORD_SIZE,
        reader: str | None = None,
        columns: Mapping[str, str] | None = None,
        ids: str | Path | None = None,
        abstracts_only: bool = False,
        sections: str | Path | None = None,
        model: str | Path | None = None,
    ) -> BuildReport:
        """Read papers into the graph; what it knows is skipped.

        A source is a file or a folder, or papers in memory: a mapping with ``title``, ``abstract``
        and so on, several of them, or a data frame with a row for each.

        Records over `max_record_size` bytes are left out. `reader` names the reader of all files,
        `columns` the columns of tables that hold a field, `ids` a file of the arXiv ids and DOIs of
        the only papers to take, `sections` a table of the relations to read from sections; they are
        as in `stemma build`.
        With `processes` other than 1, a script needs the guard ``if __name__ == "__main__":``.
        `abstracts_only` leaves sections out. `model` is the folder of a trained model to read with
        instead of the shipped one. Raises ModelError if it is none, FileNotFoundError where there
        is nothing at a path, ValueError where it holds nothing that can be read. What else cannot
        be read is left out with a warning, and listed in the report's `problems`.
        """
        settings = ExtractionSettings(
            formats.Options(year, max_record_size, reader, columns or {}, not abstracts_only),
            ids=None if ids is None else Path(ids),
            trust=None if sections is None else Trust.read(Path(sections)),
            processes=processes,
            model=None if model is None else TrainedModel.read(model),
        )
        with as_files(sources) as files:
            for path in files:
                if not path.exists():
                    raise FileNotFoundError(f"there is no such file or folder: {path}")
            _, unreadable = formats.find(files, reader)
            if unreadable:
                raise ValueError(str(unreadable[0]))
            report = build(self.store, files, settings)
        if report.problems:
            more = len(report.problems) + sum(report.more_problems.values()) - 1
            rest = f" (and {more} more: see `problems` of the report)" if more else ""
            warnings.warn(f"{report.problems[0]}{rest}", stacklevel=2)
        return report

    @_with_filters(LINEAGE[1:])
    def lineage(
        self,
        of: Named,
        direction: LineageDirection | str = LineageDirection.DESCENDANTS,
        selection: Selection = EVERYTHING,
        **filters: Unpack[FiltersByRelation],
    ) -> LineageView:
        """Return what builds on a work (descendants), or what it builds on (ancestors).

        The filters are `include_general`, `kinds`, `since`, `until` and so on. A page has `first`
        works; the next one follows its `end_cursor`.
        """
        with self.store.snapshot() as reader:
            chosen = selection.changed(direction=Selection.read(direction=direction).direction)
            found = trace(reader, _id(reader, of), chosen)
            return LineageView.of(reader, found, chosen)

    @_with_filters(("min_confidence", "include_catalogue"))
    def path(
        self,
        start: Named,
        goal: Named,
        selection: Selection = EVERYTHING,
        *,
        max_length: int = 6,
        comparisons: bool = True,
        **filters: Unpack[Filters],
    ) -> PathView:
        """Return how two works are related: the shortest way over lineage, as edges in order.

        Where there is none, `comparisons` lets it lead over works that are compared as well. A
        paper stands for what it introduces. It has no edges where there is no way.
        """
        with self.store.snapshot() as reader:
            ends = (_id(reader, start), _id(reader, goal))
            found = find_path(reader, *ends, max_length, selection, comparisons)
            return PathView.of(reader, found, selection)

    def compare(self, left: Named, right: Named) -> ComparisonOfWorks:
        """Return two works side by side: what they share, and the statements about both."""
        with self.store.snapshot() as reader:
            pair = compare(reader, _id(reader, left), _id(reader, right))
            return ComparisonOfWorks.of(reader, pair)

    def ask(self, question: str, *, first: int = 100, after: str | None = None) -> AnswerView:
        """Answer a question in English: "what builds on ZeRO-Infinity since 2023?".

        A question of no known form is a search; `understood_as` is None if nothing matches. The
        `works` of the answer are a page; ask again with `after` its `end_cursor` for more.
        """
        with self.store.snapshot() as reader:
            return AnswerView.of(reader, asking.ask(reader, question, first, after))

    def analyse(self, top: int = 10, include_catalogue: bool = True) -> AnalysisView:
        """Return the `top` most influential works, lines of descent and communities; and years.

        Each is a tuple of the answer: `influential`, `lines_of_descent`, `communities`, `years`.
        """
        with self.store.snapshot() as reader:
            return AnalysisView.of(reader, analyse(reader, include_catalogue), top)

    def changes(self, since: str | int | None = None, first: int = 20) -> tuple[BuildView, ...]:
        """Return what the latest builds added and removed, newest first.

        `since` is a date or time (ISO 8601), or the number of a build, which is left out. Of what a
        build added, the `first` papers, entities and edges are listed; of the first build, none.
        """
        with self.store.snapshot() as reader:
            start = None if since is None else str(since)
            return build_views(reader, builds_since(reader.builds(), start), first)

    def work(self, name: str) -> Work:
        """Return the paper or entity with this name, title or id."""
        with self.store.snapshot() as reader:
            found = _id(reader, name)
            return reader.works([found])[found]

    def entity(self, name: str) -> Entity:
        """Return the entity with this name or id. Raises LookupError if there is none."""
        work = self.work(name)
        if not isinstance(work, Entity):
            raise LookupError(f"{name!r} is a paper; use paper()")
        return work

    def paper(self, title: str) -> Paper:
        """Return the paper with this title or id. Raises LookupError if there is none."""
        work = self.work(title)
        if not isinstance(work, Paper):
            raise LookupError(f"{title!r} is an entity; use entity()")
        return work

    @_with_filters(statement for statement in STATEMENTS if statement != "relations")
    def statements(
        self,
        of: Named | None = None,
        relations: Iterable[str] = (),
        selection: Selection = EVERYTHING,
        **filters: Unpack[Filters],
    ) -> StatementPage:
        """Return statements with a work as subject or entity, or all: the surest first, facts of
        the catalogue last.

        The `comparison` of a COMPARES_WITH has its result, if the sentence states it. Those of a
        work can be filtered by `relations` alone: others raise ValueError; `entity` goes with all.
        """
        if of is not None and (given := selection.given(_OF_THE_GRAPH)):
            name = next(iter(given))
            raise ValueError(
                f"{_OF_THE_GRAPH[name]!r} does not go with a work: give entity=… in its place"
            )
        with self.store.snapshot() as reader:
            chosen = selection.changed(relations=Selection.read(relations=relations).relations)
            return statements_page(reader, None if of is None else _id(reader, of), chosen)

    @_with_filters(SEARCH)
    def search(
        self, text: str, selection: Selection = EVERYTHING, **filters: Unpack[Filters]
    ) -> WorkPage:
        """Return works whose names or titles match `text`, the best first.

        Where none does, those that are spelt much like it, and the page is `alike`. `general`
        restricts it to general terms (GPU, quantization), or if it is False to named works (H100).
        """
        with self.store.snapshot() as reader:
            return WorkPage.of(reader, search(reader, text, selection))

    @_with_filters((*PAPERS, "first", "after"))
    def papers(
        self, selection: Selection = EVERYTHING, **filters: Unpack[FiltersByRelation]
    ) -> WorkPage:
        """Return papers of an author, an organization or a venue, or by citations, oldest first.

        `relations` are those that they have, to `entity` if it is given. Raises UnknownNameError
        where no author or work is called so.
        """
        with self.store.snapshot() as reader:
            return WorkPage.of(reader, papers_page(reader, selection))

    def decide(self, decision: Decision) -> Outcome:
        """Record a decision (`stemma.schema.Merge` and others), and apply it."""
        return decide(self.store, decision)

    def decisions(self) -> tuple[Decision, ...]:
        """Return what was decided, in the order in which it is applied."""
        return self.store.decisions.read()

    def undo(self, number: int) -> Outcome:
        """Undo the decision with this number, from 1."""
        return undo(self.store, number)

    def statistics(self) -> StatisticsView:
        """Return how many papers, entities and statements there are, by kind and relation."""
        return StatisticsView(model=self.store.statistics())

    def close(self) -> None:
        """Close the store: nothing can be asked afterwards. Closing it twice is no error."""
        if self._store is not None:
            self._store.close()
        self._store = None

    def __repr__(self) -> str:
        return f"Stemma({self._url!r})"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def _warn(remark: str) -> None:
    """Warn at the line that called the package."""
    level, frame = 1, currentframe()
    while frame and frame.f_globals.get("__name__", "").startswith("stemma."):
        level, frame = level + 1, frame.f_back
    warnings.warn(remark, stacklevel=level)


def _id(reader: Reader, work: Named) -> str:
    """Return the id of a work that is given by name, by id or as it is."""
    if isinstance(work, Paper | Entity | NameView):
        work = work.id
    if not isinstance(work, str):
        raise TypeError(f"expected a work name or id, got {work!r}")
    meant, remark = meaning_of(reader, work)
    if remark:
        _warn(remark)
    return meant
