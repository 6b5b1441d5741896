"""Tables of works: papers with their authors, what they introduce and what they say."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from stemma.graph import Reader, Work
from stemma.schema import Paper, PartialDate


class PaperRow(NamedTuple):
    """A work in a table, what it `introduces`, a `sentence` of it, and a `note` on its place."""

    work: Work
    published: PartialDate | None
    introduces: Work | None = None
    sentence: str = ""
    note: str = ""


def table_of(
    reader: Reader,
    works: Sequence[Work],
    sentences: Mapping[str, str] | None = None,
    notes: Mapping[str, str] | None = None,
) -> list[PaperRow]:
    """Return the rows of works; `sentences` and `notes` are by id."""
    ids = [work.id for work in works]
    introduced = reader.contributions([e.id for e in works if isinstance(e, Paper)])
    known, dates = reader.works(set(introduced.values())), reader.published(ids)
    said, notes = sentences or {}, notes or {}
    return [
        PaperRow(
            work,
            dates.get(work.id),
            known.get(introduced.get(work.id, "")),
            said.get(work.id, ""),
            notes.get(work.id, ""),
        )
        for work in works
    ]
