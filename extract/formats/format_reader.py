"""Readers: one for each format of files that papers are read from."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, field
from typing import ClassVar

from stemma.extract.formats.document import Document
from stemma.schema import Paper, Problem
from stemma.schema.text_line import MAX_RECORD_SIZE


@dataclass(frozen=True, slots=True)
class Options:
    """How files are read.

    `year` is the year that dates without one belong to; without it, a listing's own dates decide.
    Records over `max_record_size` (bytes or characters) are skipped, without being held whole.
    `reader` is the name of the reader for all files; without it, their content decides. `columns`
    names the columns of a table that hold a field, where their names do not say so. Without
    `full_text`, sections are left out. Of `wanted` papers (by identifiers, as
    `canonical_identifier` spells them) others may be left out, where that saves time.
    """

    year: int | None = None
    max_record_size: int = MAX_RECORD_SIZE
    reader: str | None = None
    columns: Mapping[str, str] = field(default_factory=dict)
    full_text: bool = True
    wanted: Set[str] | None = None

    def __post_init__(self) -> None:
        if self.year is not None and not 1 <= self.year <= 9999:
            raise ValueError(f"not a year: {self.year}")


class Reader(ABC):
    """Reads the papers of one format.

    Others are added by the entry points ``stemma.readers``, each the class of a reader.
    """

    name: ClassVar[str]
    """What the setting `reader` calls it."""
    description: ClassVar[str]
    """The format, for people."""
    fields: ClassVar[str]
    """What is read, for people."""
    endings: ClassVar[tuple[str, ...]] = ()
    """Endings of file names that stand for this format, whatever the file holds."""

    @abstractmethod
    def recognises(self, start: str) -> bool:
        """Return whether a file is in this format, by its start of about 64 KiB."""

    @abstractmethod
    def read(self, document: Document, options: Options) -> Iterator[Paper | Problem]:
        """Read the papers of a document, one in memory at a time.

        Never raises for what it holds: what could not be read is yielded as a Problem. If nothing
        is yielded, the document is reported as one without papers.
        """
