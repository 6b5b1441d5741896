"""The Python API: a graph, and the questions that can be asked of it."""

import os
import warnings
from collections.abc import Iterable, Mapping
from enum import StrEnum
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

from stemma.extract import TrainedModel, formats
from stemma.extract.language_model import LanguageModel
from stemma.extract.sections.trust import Trust
from stemma.graph import (
    LineageDirection,
    LineageFilter,
    LineageOrder,
    Reader,
    Statistics,
    Store,
    Work,
    open_store,
    trace,
)
from stemma.graph.comparing import compare
from stemma.graph.criteria import Years
from stemma.graph.filters import date_asked
from stemma.graph.history import Build
from stemma.graph.history import since as builds_since
from stemma.graph.path import find_path
from stemma.graph.provenance import provenance_named
from stemma.graph.searching import papers_page, search
from stemma.graph.shown_works import ShownWorks
from stemma.schema import Decision, Entity, EntityKind, Paper, RelationType
from stemma.schema.text_line import MAX_RECORD_SIZE
from stemma.server import asking
from stemma.server.build import build
from stemma.server.build_report import BuildReport
from stemma.server.deciding import Outcome, decide, undo
from stemma.server.extraction_settings import ExtractionSettings
from stemma.server.notebook import (
    FoundStatements,
    FoundWorks,
    NotebookAnswer,
    NotebookComparison,
    NotebookLineage,
    NotebookPath,
)
from stemma.server.papers_in_memory import Source, as_files
from stemma.server.presentation.data import works_of_statements
from stemma.server.presentation.wording import meaning_of

Relations = Iterable[RelationType | str] | RelationType | str
Kinds = Iterable[EntityKind | str] | EntityKind | str
_Member = TypeVar("_Member", bound=StrEnum)


class Stemma:
    """A graph of papers and what they name.

    >>> graph = Stemma("stemma.db")
    >>> graph.build("examples")
    >>> for edge in graph.lineage("ZeRO-Infinity").edges:
    ...     print(edge.child_name, "→", edge.parent_name, f"{edge.confidence:.2f}")

    A work is given by its name in any spelling, by its id, or as another answer has it;
    UnknownNameError suggests the nearest names, AmbiguousNameError lists the candidates. If one of
    several works of a name is meant, because ten times as many papers name it, a warning lists the
    others. In answers, `child`, `parent`, `subject` and `entity` are ids, and `child_name` and so
    on are the names. Relations, kinds and directions may be written as strings, in any case.

    A notebook shows a lineage as a picture and other answers as tables. To go on, there is
    `to_pandas()` (with the extra ``pandas``), and `to_networkx()` of a lineage.
    """

    def __init__(self, store: str | Path = "stemma.db") -> None:
        """Open the store at a path or URL; a folder that does not exist is made by `build`.

        Raises StoreError where something else is there.
        """
        self._store: Store | None = open_store(os.fspath(store))
        self._url = self._store.url
        _ = self._store.base  # Where it is in a folder, this must be that of a store.

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
        fast: bool = False,
        max_record_size: int = MAX_RECORD_SIZE,
        reader: str | None = None,
        columns: Mapping[str, str] | None = None,
        ids: str | Path | None = None,
        abstracts_only: bool = False,
        sections: str | Path | None = None,
        language_model: LanguageModel | None = None,
        model: str | Path | None = None,
    ) -> BuildReport:
        """Read papers into the graph; what it knows is skipped.

        A source is a file or a folder, or papers in memory: a mapping with ``title``, ``abstract``
        and so on, several of them, or a data frame with a row for each.

        `fast` extracts by rules alone, without the trained model; records over `max_record_size`
        bytes are left out. `reader` names the reader of all files, `columns` the columns of tables
        that hold a field, `ids` a file of the arXiv ids and DOIs of the only papers to take,
        `sections` a table of the relations to read from sections; they are as in `stemma build`.
        With `processes` other than 1, a script needs the guard ``if __name__ == "__main__":``.
        `abstracts_only` leaves sections out. A `language_model` reads all papers as well. `model`
        is the folder of a trained model to read with instead of the shipped one. Raises ModelError
        if it is none,
        FileNotFoundError where there is nothing at a path, ValueError where it holds nothing that
        can be read. What else cannot be read is left out with a warning, and listed in the report's
        `problems`.
        """
        settings = ExtractionSettings(
            formats.Options(year, max_record_size, reader, columns or {}, not abstracts_only),
            ids=None if ids is None else Path(ids),
            fast=fast,
            trust=None if sections is None else Trust.read(Path(sections)),
            language_model=language_model,
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
            more = len(report.problems) + report.more_problems.total() - 1
            rest = f" (and {more} more: see `problems` of the report)" if more else ""
            warnings.warn(f"{report.problems[0]}{rest}", stacklevel=2)
        return report

    def lineage(
        self,
        of: str | Work,
        direction: LineageDirection | str = LineageDirection.DESCENDANTS,
        *,
        max_depth: int = 3,
        relations: Relations = (),
        min_confidence: float = 0.0,
        include_catalogue: bool = True,
        include_general: bool = True,
        as_of: str | None = None,
        kinds: Kinds = (),
        since: int | None = None,
        until: int | None = None,
        order: LineageOrder | str = LineageOrder.DEPTH,
        first: int = 100,
        after: str | None = None,
    ) -> NotebookLineage:
        """Return what builds on a work (descendants), or what it builds on (ancestors).

        Without `include_general`, general terms (GPU, quantization) are left out, and what is
        reached only through them. `as_of` is a date (``2021``, ``2021-04``, ``2021-04-15``): the
        lineage as it was known then, without statements found only in later or undated papers.
        `kinds` and the years `since` and `until` choose what is shown, not which works the lineage
        leads through. Works come by ``depth``, or by ``date``, or the ``newest`` first.
        """
        with self.store.snapshot() as reader:
            found = trace(
                reader,
                _id(reader, of),
                _member(LineageDirection, direction),
                max_depth=_at_least_one(max_depth),
                filter=LineageFilter(
                    _several(RelationType, relations),
                    min_confidence,
                    include_catalogue,
                    date_asked(as_of),
                ),
                first=first,
                after=after,
                include_general=include_general,
                show=ShownWorks(_several(EntityKind, kinds), Years(since, until)),
                order=_member(LineageOrder, order),
            )
            return NotebookLineage.of(found, reader)

    def path(
        self,
        start: str | Work,
        goal: str | Work,
        *,
        max_length: int = 6,
        min_confidence: float = 0.0,
        include_catalogue: bool = True,
        comparisons: bool = True,
    ) -> NotebookPath:
        """Return how two works are related: the shortest way over lineage, as edges in order.

        Where there is none, `comparisons` lets it lead over works that are compared as well. A
        paper stands for what it introduces. It has no edges where there is no way.
        """
        with self.store.snapshot() as reader:
            found = find_path(
                reader,
                _id(reader, start),
                _id(reader, goal),
                max_length,
                LineageFilter((), min_confidence, include_catalogue),
                comparisons,
            )
            return NotebookPath.of(found, reader)

    def compare(self, left: str | Work, right: str | Work) -> NotebookComparison:
        """Return two works side by side: what they share, and the statements about both."""
        with self.store.snapshot() as reader:
            found = compare(reader, _id(reader, left), _id(reader, right))
            return NotebookComparison.of(found, reader)

    def ask(self, question: str, *, first: int = 100, after: str | None = None) -> NotebookAnswer:
        """Answer a question in English: "what builds on ZeRO-Infinity since 2023?".

        If the question is not understood, the answer says why, and its `understood_as` is None. It
        has `first` works of `total`; ask again with `after` its `end_cursor` for more.
        """
        with self.store.snapshot() as reader:
            return NotebookAnswer.of(asking.ask(reader, question, first, after), reader)

    def changes(self, since: str | None = None) -> list[Build]:
        """Return what the latest builds added and removed, newest first.

        `since` is a date or time (ISO 8601), or the number of a build, which is left out. Papers
        and entities are listed by id and name, edges by the ids of child and parent.
        """
        with self.store.snapshot() as reader:
            return builds_since(reader.builds(), since)

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

    def statements(self, of: str | Work, relations: Relations = ()) -> FoundStatements:
        """Return the statements that a work is subject or entity of, the surest first.

        The `comparison` of a COMPARES_WITH has its result, if the sentence states it.
        """
        chosen = _several(RelationType, relations)
        with self.store.snapshot() as reader:
            found = _id(reader, of)
            statements = reader.statements([found], chosen).get(found, [])
            return FoundStatements(statements, works_of_statements(reader, statements))

    def search(
        self,
        text: str,
        kinds: Kinds = (),
        first: int = 20,
        after: str | None = None,
        general: bool | None = None,
    ) -> FoundWorks:
        """Return works whose names or titles match `text`, the best first.

        Where none does, those that are spelt much like it. It is a list of `first` works of
        `total`; search again with `after` its `end_cursor` for more. `general` restricts it to
        general terms (GPU, quantization), or if it is False to named works (H100, GPTQ).
        """
        with self.store.snapshot() as reader:
            found = search(reader, text, _several(EntityKind, kinds), first, after, general)
            return FoundWorks.of(found, reader)

    def papers(
        self,
        *,
        author: str | None = None,
        organization: str | None = None,
        venue: str | None = None,
        cites: str | None = None,
        cited_by: str | None = None,
        text: str | None = None,
        since: int | None = None,
        until: int | None = None,
        first: int = 20,
        after: str | None = None,
    ) -> FoundWorks:
        """Return papers of an author, an organization or a venue, or by citations, oldest first.

        `author` is a name, an id or an ORCID; of several authors of one name, these are the papers
        of all. `organization` and `venue` are words of the name. `cites` and `cited_by` are
        papers, or entities, which stand for the papers that introduce them. Raises
        UnknownNameError where no author or work is called so.
        """
        with self.store.snapshot() as reader:
            provenance = provenance_named(reader, author, organization, venue, cites, cited_by)
            years = Years(since, until)
            return FoundWorks.of(papers_page(reader, provenance, text, years, first, after), reader)

    def decide(self, decision: Decision) -> Outcome:
        """Record a decision (`stemma.schema.Merge` and others), and apply it."""
        return decide(self.store, decision)

    def decisions(self) -> tuple[Decision, ...]:
        """Return what was decided, in the order in which it is applied."""
        return self.store.decisions.read()

    def undo(self, number: int) -> Outcome:
        """Undo the decision with this number, from 1."""
        return undo(self.store, number)

    def statistics(self) -> Statistics:
        """Return how many papers, entities and statements there are, by kind and relation."""
        return self.store.statistics()

    def close(self) -> None:
        """Close the store: nothing can be asked afterwards. Closing it twice is no error."""
        if self._store is not None:
            self._store.close()
        self._store = None

    def __repr__(self) -> str:
        return f"Stemma({self._url!r})"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _id(reader: Reader, work: str | Work) -> str:
    """Return the id of a work that is given by name, by id or as it is."""
    if isinstance(work, Paper | Entity):
        work = work.id
    if not isinstance(work, str):
        raise TypeError(f"expected a work name or id, got {work!r}")
    meant, remark = meaning_of(reader, work)
    if remark:
        warnings.warn(remark, stacklevel=3)
    return meant


def _at_least_one(max_depth: int) -> int:
    if max_depth < 1:
        raise ValueError(f"max_depth must be 1 or more, not {max_depth}")
    return max_depth


def _member(members: type[_Member], value: _Member | str) -> _Member:
    """Return the member called `value`: "BUILDS_ON", "builds on" and "builds-on" are one.

    Raises ValueError, which lists the members.
    """
    wanted = str(value).strip().casefold().replace(" ", "_").replace("-", "_")
    for each in members:
        if each.value.casefold() == wanted:
            return each
    raise ValueError(f"{value!r} is not one of {', '.join(members)}")


def _several(
    members: type[_Member], values: Iterable[_Member | str] | _Member | str | None
) -> tuple[_Member, ...]:
    """Return the members called `values`; a single one need not be in a list."""
    if isinstance(values, str):
        values = [values]
    return tuple(_member(members, each) for each in values or ())
