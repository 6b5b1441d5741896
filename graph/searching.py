"""Searching: works by a part of their names, page by page, and those that look like a name."""

import sys
from collections.abc import Iterable

from stemma.graph.criteria import papers_filter, passes
from stemma.graph.reader import (
    AmbiguousNameError,
    Reader,
    UnknownNameError,
    Work,
    WorkType,
    meant_by,
    page_of,
)
from stemma.graph.selection import EVERYTHING, Page, PageOrder, Selection
from stemma.schema.name import is_id


def papers_page(reader: Reader, selection: Selection) -> Page[Work]:
    """Return a page of selected papers, by default the oldest first.

    Raises BadCursorError where `after` is no paper.
    """
    ordered = selection.changed(order=selection.order or PageOrder.PUBLISHED)
    return reader.page(WorkType.PAPER, papers_filter(reader, ordered))


def search(reader: Reader, text: str, selection: Selection = EVERYTHING) -> Page[Work]:
    """Return a page of works whose names, aliases or titles match `text`, the best first.

    Where none does, of those whose names are spelt much like it. The selection has the `kinds`,
    whether they are `general`, `first` and `after`, which is the id of a work of the same answer;
    raises BadCursorError if it is invalid.
    """
    ids = reader.matching(text, selection.changed(first=sys.maxsize, after=None))
    if not ids and not selection.kinds and selection.general is None:
        ids = sorted(reader.called(text))  # By an identifier.
    alike = not ids
    if alike:
        near = nearest_works(reader, text)
        ids = [work.id for work in near if passes(work, selection)]
    page = page_of(ids, selection.first, selection.after)
    works = tuple(reader.works(page.items).values())
    return Page(works, page.total, page.has_next, page.has_previous, alike=alike)


def nearest_works(reader: Reader, name: str) -> list[Work]:
    """Return the works that `name` may mean, the likeliest first."""
    try:
        return list(reader.works([reader.resolve(name)]).values())
    except AmbiguousNameError as error:
        return list(error.candidates)
    except UnknownNameError as error:
        return works_called(reader, error.nearest)


def meaning(reader: Reader, name: str) -> tuple[str, tuple[Work, ...]]:
    """Return the work (an id) that a name means, and the others of this name. Raises: `resolve`."""
    called = {} if is_id(name) else reader.called(name)
    meant = meant_by(name, called, reader) if called else reader.resolve(name)
    return meant, namesakes(reader, called, meant)


def namesakes(reader: Reader, called: Iterable[str], meant: str) -> tuple[Work, ...]:
    """Return the others of the works (ids) `called` by a name that is taken to mean `meant`."""
    return tuple(reader.works(sorted({*called} - {meant})).values())


def works_called(reader: Reader, names: Iterable[str]) -> list[Work]:
    """Return the works with these names, each once."""
    ids: dict[str, None] = {}
    for name in names:
        try:
            ids[reader.resolve(name)] = None
        except AmbiguousNameError as error:
            ids |= dict.fromkeys(each.id for each in error.candidates)
        except UnknownNameError:
            continue
    return list(reader.works(ids).values())
