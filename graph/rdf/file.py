"""Files of RDF, which are loaded to be validated."""

import gzip
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from time import sleep
from typing import IO, cast

import pyoxigraph as ox

from stemma.graph.rdf.vocabulary import expanded
from stemma.graph.store import StoreError

# Of removing the folder of a store whose threads still write, and the seconds between them.
_ATTEMPTS, _WAIT = 20, 0.1

_SUFFIXES = (".nq", ".trig", ".ttl", ".nt", ".rdf", ".jsonld")


def _format(path: Path) -> ox.RdfFormat | None:
    suffix = Path(path.name.lower().removesuffix(".gz")).suffix
    return ox.RdfFormat.from_extension(suffix[1:]) if suffix in _SUFFIXES else None


def _load(store: ox.Store, path: Path) -> None:
    """Load a file into a store. Raises StoreError, with the line where it is no RDF."""
    format_, base_iri = _format(path), path.absolute().as_uri()
    if format_ is None:
        known = ", ".join(sorted(_SUFFIXES))
        raise StoreError(f"{path}: an RDF file has one of the extensions {known}.")
    try:
        if path.suffix.lower() == ".gz":
            with gzip.open(path) as data:
                store.bulk_load(cast(IO[bytes], data), format=format_, base_iri=base_iri)
        else:  # Oxigraph is faster where it opens the file itself.
            store.bulk_load(path=path, format=format_, base_iri=base_iri)
    except SyntaxError as error:
        place = f"{path}:{error.lineno}" if error.lineno else str(path)
        raise StoreError(f"{place}: {error.msg}") from error
    except MemoryError as error:  # What Oxigraph calls its bound on a token, or on a line.
        raise StoreError(
            f"{path}: a statement is larger than 16 MiB, which cannot be read."
        ) from error
    except (EOFError, zlib.error, OSError) as error:
        # A text: the error itself would keep this frame, and with it a store that is open.
        reason = getattr(error, "strerror", None) or str(error)
        raise StoreError(f"{path} cannot be read: {reason}") from error


@contextmanager
def loaded(files: Iterable[Path]) -> Iterator[ox.Store]:
    """Hold all quads of some files, on disk. Raises StoreError where one cannot be read."""
    folder = mkdtemp(prefix="stemma-")
    try:
        store = ox.Store(folder)
        for file in files:
            _load(store, file)
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
    for quad in store.quads_for_pattern(None, ox.NamedNode(expanded("rdf:reifies")), None):
        if isinstance(quad.object, ox.Triple):
            raise StoreError(f"{quad.subject} reifies a triple term: write RDF 1.1 instead of 1.2")
