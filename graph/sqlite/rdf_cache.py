"""The graph as RDF beside its file: a cache for SPARQL, which can be made again at any time.

Each commit of which RDF was asked for has a folder. It is begun as a copy of the latest one, which
the log of changes then brings up to date; unchanged files are hard links, which take no room.
"""

import errno
import json
import os
import re
import shutil
from collections.abc import Callable, Collection, Iterator
from hashlib import blake2b
from pathlib import Path
from tempfile import gettempdir
from typing import TYPE_CHECKING

import pyoxigraph as ox

from stemma.distribution import version
from stemma.graph.sqlite.file import damage_as_store_error, damaged, locked
from stemma.graph.sqlite.projection import Projection
from stemma.graph.store import StoreError

if TYPE_CHECKING:
    from stemma.graph.sqlite.reader import SqliteReader

_NAME = re.compile(r"rdf-[0-9]{6,}-[0-9a-z]+")
_FILES = "files.json"
_LAYOUT = 2
"""Raised where the same graph becomes other RDF: what an earlier version wrote is made again."""
_KEPT = 2
"""Folders that stay: the one before may be about to be read."""
_READ_ONLY = {errno.EACCES, errno.EPERM, errno.EROFS}


class RdfCache:
    """The graph that `reader` reads as RDF: a named graph for each paper, and some about all."""

    def __init__(self, reader: "SqliteReader") -> None:
        self._reader = reader
        self._name = _name_of(reader.state)

    @property
    def base(self) -> str:
        """What the IRIs of the data begin with."""
        return str(self._reader.base)

    @property
    def rdf(self) -> ox.Store:
        """The quads, which are written if they were not requested before."""
        return self._reader.memory.once("rdf", self._open)

    def _open(self) -> ox.Store:
        path = self.project()
        try:
            return ox.Store.read_only(str(path))
        except OSError as error:
            if "No such file" in str(error):
                raise damaged(path, error) from error
            raise StoreError(f"{path} cannot be opened: {error}") from error

    def graphs(
        self, papers: Collection[str] | None, full: bool = False
    ) -> Iterator[tuple[str, list[bytes]]]:
        """Yield the named graphs with their lines of N-Triples, in the order of their names (IRIs).

        Of those of papers, `papers` (ids, in order) are wanted, or if it is None all. The plain
        graph leaves out how papers were read, which the `full` one has.
        """
        return Projection(self._reader).graphs(papers, full)

    @property
    def is_written(self) -> bool:
        """Whether it was written before."""
        return self._is_whole(self.path)

    @property
    def path(self) -> Path:
        """Where it is, or would be."""
        return self._reader.cache / self._name

    def project(self, tick: Callable[[], object] = int) -> Path:
        """Return the folder with the RDF, which is made if there is none; `tick` for each paper.

        Where nothing can be written beside the store, it is in a temporary folder, for all
        processes on this machine. Raises StoreError where it cannot be made.
        """
        if self.is_written:
            return self.path
        try:
            with damage_as_store_error(self._reader.path):
                try:
                    self._reader.cache.mkdir(exist_ok=True)
                    return self._made(self._reader.cache, tick)
                except OSError as error:
                    if error.errno not in _READ_ONLY:
                        raise
                    return self._made(self._temporary(), tick)
        except OSError as error:
            raise StoreError(
                f"The RDF of {self._reader.path} cannot be written: {error}"
            ) from error

    def _made(self, folder: Path, tick: Callable[[], object]) -> Path:
        path = folder / self._name
        with locked(folder / "rdf.lock"):
            if self._is_whole(path):
                return path
            shutil.rmtree(path, ignore_errors=True)
            new = folder / "rdf.new"
            if not self._is_updated(folder, new, tick):
                shutil.rmtree(new, ignore_errors=True)
                rdf = ox.Store(str(new))
                Projection(self._reader, tick).make(rdf)
                rdf.optimize()  # Queries then take a quarter less time.
                del rdf
            self.seal(new)
            new.rename(path)
            for old in _found(folder)[:-_KEPT]:
                if old != path:
                    shutil.rmtree(old, ignore_errors=True)
        return path

    def _is_updated(self, folder: Path, new: Path, tick: Callable[[], object]) -> bool:
        """Make the RDF of the latest commit that has any, and that this one followed."""
        for old in reversed(_found(folder)):
            _, number, mark = old.name.split("-")
            changed = self._reader.changed_since(f"{int(number)}-{mark}")
            if changed.changed is None:
                continue
            shutil.rmtree(new, ignore_errors=True)
            try:
                if not self._is_whole(old):
                    continue
                ox.Store.read_only(str(old)).backup(str(new))
                rdf = ox.Store(str(new))
                Projection(self._reader, tick).update(rdf, changed)
                rdf.flush()
            except (OSError, RuntimeError):
                continue  # It is damaged.
            return True
        return False

    def seal(self, path: Path) -> None:
        """Note that a folder is finished."""
        (path / _FILES).write_text(json.dumps(self._description(path)), "utf-8")

    def _description(self, path: Path) -> dict[str, str | int]:
        """Return what is noted of a folder: its files, and what wrote them."""
        files = [*path.glob("*.sst"), *path.glob("MANIFEST-*"), path / "CURRENT"]
        sizes = {each.name: each.stat().st_size for each in sorted(files)}
        return {"base": self.base, "version": version(), "layout": _LAYOUT, **sizes}

    def _is_whole(self, path: Path) -> bool:
        """Return whether a folder was finished, with this base and by this version.

        Oxigraph does not miss what was cut off: no file may be missing or have another size.
        """
        try:
            noted: object = json.loads((path / _FILES).read_text("utf-8"))
            return noted == self._description(path)
        except (OSError, ValueError):
            return False

    def _temporary(self) -> Path:
        """Return a folder of this user's alone."""
        key = str(self._reader.path.resolve()).encode()
        name = f"stemma-rdf-{os.getuid()}-{blake2b(key, digest_size=8).hexdigest()}"
        folder = Path(gettempdir()) / name
        folder.mkdir(mode=0o700, exist_ok=True)
        if folder.stat().st_uid != os.getuid():
            raise PermissionError(errno.EPERM, "it belongs to another user", str(folder))
        return folder


def _name_of(state: str) -> str:
    number, _, mark = state.partition("-")
    return f"rdf-{int(number):06}-{mark}"


def _found(folder: Path) -> list[Path]:
    """Return the folders with RDF, those of the latest commits last."""
    return sorted(each for each in folder.iterdir() if _NAME.fullmatch(each.name))
