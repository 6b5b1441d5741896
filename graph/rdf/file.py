"""Files of RDF: which format they are in, and their quads."""

import gzip
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from time import sleep
from typing import IO, Any, cast

import pyoxigraph as ox

from stemma.graph.rdf.vocabulary import REIFIES
from stemma.graph.store import StoreError

# Of removing the folder of a store whose threads still write, and the seconds between them.
_ATTEMPTS, _WAIT = 20, 0.1

_SUFFIXES = {
    ".nq": ox.RdfFormat.N_QUADS,
    ".nquads": ox.RdfFormat.N_QUADS,
    ".trig": ox.RdfFormat.TRIG,
    ".ttl": ox.RdfFormat.TURTLE,
    ".nt": ox.RdfFormat.N_TRIPLES,
    ".rdf": ox.RdfFormat.RDF_XML,
    ".owl": ox.RdfFormat.RDF_XML,
    ".jsonld": ox.RdfFormat.JSON_LD,
}


class RdfFile:
    """A file of RDF, which may be compressed: its name ends in ``.nq``, ``.ttl.gz`` or the like."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.compressed = path.suffix.lower() == ".gz"

    @property
    def format(self) -> ox.RdfFormat | None:
        """Its format, by its name."""
        return _format(self.path)

    @staticmethod
    def is_one(path: Path) -> bool:
        """Return, by its name, whether a file is RDF."""
        return _format(path) is not None

    @contextmanager
    def opened(self) -> Iterator[IO[bytes]]:
        """Open it, uncompressed. Raises StoreError where it cannot be read, whenever that is."""
        if self.format is None:
            known = ", ".join(sorted(_SUFFIXES))
            raise StoreError(f"{self.path}: an RDF file has one of the extensions {known}.")
        try:
            with self.path.open("rb") as file:
                if self.compressed:
                    with gzip.open(file) as data:
                        yield cast(IO[bytes], data)
                else:
                    yield file
        except SyntaxError as error:
            raise StoreError(f"{self._place(error)}: {error.msg}") from error
        except MemoryError as error:  # What Oxigraph calls its bound on a token, or on a line.
            raise StoreError(
                f"{self.path}: a statement is larger than 16 MiB, which cannot be read."
            ) from error
        except (EOFError, zlib.error, OSError) as error:
            # A text: the error itself would keep this frame, and with it a store that is open.
            reason = getattr(error, "strerror", None) or str(error)
            raise StoreError(f"{self.path} cannot be read: {reason}") from error

    def _place(self, error: SyntaxError) -> str:
        return f"{self.path}:{error.lineno}" if error.lineno else str(self.path)

    def bulk_load(self, store: ox.Store) -> None:
        """Load it into a store at once."""
        with self._readable() as where:
            store.bulk_load(**where, format=self.format, base_iri=self._base_iri)

    @contextmanager
    def _readable(self) -> Iterator[dict[str, Any]]:
        """Yield what Oxigraph is to read; it is faster where it opens the file itself."""
        with self.opened() as data:
            yield {"input": data} if self.compressed else {"path": self.path}

    @property
    def _base_iri(self) -> str:
        return self.path.absolute().as_uri()


def _format(path: Path) -> ox.RdfFormat | None:
    suffixes = [each.lower() for each in path.suffixes]
    if suffixes[-1:] == [".gz"]:
        suffixes.pop()
    return _SUFFIXES.get(suffixes[-1]) if suffixes else None


@contextmanager
def loaded(files: Iterable[RdfFile]) -> Iterator[ox.Store]:
    """Hold all quads of some files, on disk. Raises StoreError where one cannot be read."""
    folder = mkdtemp(prefix="stemma-")
    try:
        store = ox.Store(folder)
        for each in files:
            each.bulk_load(store)
        _expect_no_triple_terms(store)
        yield store
        del store
    finally:
        _remove(folder)


def _remove(folder: str) -> None:
    """Remove the folder of a store that its user may still hold, so that it may still be open.

    Its threads write files until their work is done, which may be between the removal of the
    files and that of the folder.
    """
    for _ in range(_ATTEMPTS):
        try:
            rmtree(folder)
        except OSError:
            sleep(_WAIT)
        else:
            return
    rmtree(folder, ignore_errors=True)


def _expect_no_triple_terms(store: ox.Store) -> None:
    for quad in store.quads_for_pattern(None, ox.NamedNode(REIFIES), None):
        if isinstance(quad.object, ox.Triple):
            raise StoreError(f"{quad.subject} reifies a triple term: write RDF 1.1 instead of 1.2")
