"""The folder of a store: generations of the graph, of which ``CURRENT`` names the one to read.

A finished generation is never changed as long as it may be read. Readers hold a shared lock on
theirs; one writer at a time holds the writer's lock, prepares the next generation in ``building``
and publishes it by moving it among the others and renaming a new ``CURRENT`` over the old one. It
may begin with a file of the generation before the current one, which ends with that. Whatever a
writer that was killed left behind, the next one clears away.

Where ``CURRENT`` is lost, damaged or older than the generations, the newest of these is read if it
is whole. Otherwise nothing is read, written or removed until somebody decides.
"""

import fcntl
import json
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from os.path import samestat
from pathlib import Path

from stemma.graph.sqlite.integrity import damage_as_store_error, missing_file
from stemma.graph.store import StoreError
from stemma.schema.decision_file import DecisionFile
from stemma.schema.namespace import DATA

_FORMAT = 9
_NAME = re.compile(r"[0-9]{6,}")
_KEPT = 2
"""How many of the latest generations stay for readers that are about to open one."""


@dataclass(frozen=True, slots=True)
class Generation:
    """A finished generation, protected from removal as long as `lock` (a descriptor) is open."""

    name: str
    path: Path
    lock: int


class GenerationFolder:
    """A store's folder at `path`, which need not exist yet. `base` begins the IRIs of its data."""

    def __init__(self, path: Path, base: str | None = None) -> None:
        self.path = path
        self._asked_base = base
        self._current = path / "CURRENT"
        self._generations = path / "generations"
        self._description = path / "stemma.json"

    @property
    def decisions(self) -> DecisionFile:
        """People's decisions, in a file next to the folder, so that it outlives the store."""
        path = self.path.resolve()
        return DecisionFile(path.with_name(f"{path.name}.decisions.toml"))

    @property
    def building(self) -> Path:
        """Where a writer prepares the next generation."""
        return self.path / "building"

    def base(self) -> str:
        """Return the base of the data. Raises StoreError where this is no store of ours."""
        try:
            description = json.loads(self._description.read_text("utf-8"))
            version, base = description["stemma"], description["base"]
        except (FileNotFoundError, NotADirectoryError):
            if self._is_free():
                return self._asked_base or DATA
            raise StoreError(
                f"{self.path} is not a Stemma store. Give the path of one, or of a new folder."
            ) from None
        except OSError as error:
            raise StoreError(f"{self._description} cannot be read: {error.strerror}") from error
        except (ValueError, KeyError, TypeError) as error:
            example = json.dumps({"stemma": _FORMAT, "base": self._asked_base or DATA})
            raise StoreError(
                f"{self._description} is damaged: it should contain {example}, with the base "
                "that the store was created with. Correct the file."
            ) from error
        if version != _FORMAT:
            raise StoreError(
                f"{self.path} has the store format {version}; this version of Stemma reads "
                f"{_FORMAT}. Rebuild the store: move the folder away and build again; decisions, "
                "which are next to it, then apply to the new one."
            )
        if self._asked_base not in (None, base):
            raise StoreError(
                f"{self.path} has the base {base}, not {self._asked_base}: the base of a store "
                "cannot be changed."
            )
        return str(base)

    def _is_free(self) -> bool:
        """Return whether a store may be made here: nothing is, or a first try that was killed."""
        if not self.path.exists():
            return True
        started = {"writer.lock", "stemma.json.new"}
        return self.path.is_dir() and all(each.name in started for each in self.path.iterdir())

    def current(self) -> str | None:
        """Return the name of the generation to read, None before the first is finished.

        Raises StoreError if that cannot be determined.
        """
        named = self.named()
        if named and (self._generations / named / "lock").exists():
            return named
        return self._newest(named)

    def named(self) -> str | None:
        """Return the generation that ``CURRENT`` names, None where it names none."""
        try:
            content = self._current.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise StoreError(f"{self.path} cannot be read: {error.strerror}") from error
        name = content.decode("ascii", "replace").strip()
        return name if _NAME.fullmatch(name) else None

    def _newest(self, named: str | None) -> str | None:
        """Return the newest generation where the one that is `named` is missing, or none is."""
        finished = self.finished()
        if not (finished or named):
            return None
        newest = finished[-1].name if finished else ""
        if newest > (named or "") and missing_file(finished[-1]) is None:
            return newest
        found = f"names {named}, which is missing" if named else "names no generation"
        whole = [path.name for path in finished if missing_file(path) is None]
        hint = (
            f"The newest complete generation is {whole[-1]}: to continue from there, write "
            f"{whole[-1]} into "
            f"{self._current}."
            if whole
            else "None is complete: restore a backup, or rebuild the store in another folder."
        )
        raise StoreError(f"{self.path} is damaged: CURRENT {found}. {hint}")

    def open_current(self) -> Generation:
        """Hold the current generation for reading. Raises StoreError where there is none."""
        self.base()
        while name := self.current():
            path = self._generations / name
            try:
                lock = os.open(path / "lock", os.O_RDONLY | os.O_CLOEXEC)
            except FileNotFoundError:
                continue
            except OSError as error:
                raise StoreError(f"{path} cannot be opened: {error.strerror}") from error
            fcntl.flock(lock, fcntl.LOCK_SH)
            # It may have been cleared away between the opening and the locking.
            if (path / "lock").exists():
                return Generation(name, path, lock)
            os.close(lock)
        raise StoreError(f"There is no graph in {self.path} yet: create one with `stemma build`.")

    def is_current(self, generation: Generation) -> bool:
        """Return whether a generation is the one to read.

        Another store may have been put in the place of this one: its generations have the same
        names.
        """
        if generation.name != self.current():
            return False
        try:
            there = (self._generations / generation.name / "lock").stat()
        except OSError:
            return False
        return samestat(there, os.fstat(generation.lock))

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Hold the writer's lock. Raises StoreError if another process holds it."""
        base = self.base()
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            lock = os.open(self.path / "writer.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise StoreError(f"{self.path} cannot be written: {error.strerror}") from error
        try:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise StoreError(
                    f"Another process is writing to {self.path}. Try again when it has finished."
                ) from None
            with self.failure_as_store_error():
                if not self._description.exists():
                    description = {"stemma": _FORMAT, "base": base}
                    _replace(self._description, json.dumps(description) + "\n")
                self._recover_current()
            self.discard()
            try:
                yield
            finally:
                self.discard()  # also what a full disk has no more room for
        finally:
            os.close(lock)

    @contextmanager
    def failure_as_store_error(self) -> Iterator[None]:
        """Turn what goes wrong as the store is written into StoreError."""
        try:
            with damage_as_store_error(self.path):
                yield
        except OSError as error:
            reason = error.strerror or error
            raise StoreError(f"{self.path} cannot be written: {reason}") from error

    def discard(self) -> None:
        """Clear away what is being built."""
        shutil.rmtree(self.building, ignore_errors=True)

    @property
    def next(self) -> str:
        """The name of the generation that is built next."""
        return f"{int(self.current() or 0) + 1:06}"

    def publish(self) -> str:
        """Make what was built the current generation, and return its name."""
        name = self.next
        (self.building / "lock").touch()
        sync(self.building)
        self._generations.mkdir(exist_ok=True)
        self.building.rename(self._generations / name)
        try:
            sync(self._generations)
            _replace(self._current, name + "\n")
        except OSError:
            if self.named() != name:
                shutil.rmtree(self._generations / name, ignore_errors=True)
            raise
        self._remove_old(name)
        return name

    def _recover_current(self) -> None:
        """Make ``CURRENT`` name the generation that is read.

        Removes what was moved into place by a writer that died before it could say so.
        """
        current = self.current()
        if current is None:
            return
        if current != self.named():
            _replace(self._current, current + "\n")
        for path in self.finished():
            if path.name > current:
                shutil.rmtree(path, ignore_errors=True)

    def take_from_previous(self, name: str) -> bool:
        """Move a file of the generation before the current one into `building`.

        That generation ends with it, so it is done only if no reader has it open. Returns whether
        it was.
        """
        path = self._previous
        with _unread(path) as unread:
            if not (unread and (path / name).exists()):
                return False
            # Before anything is changed: no crash may bring the generation back.
            sync(path)
            (path / name).rename(self.building / name)
        return True

    def give_back(self, name: str) -> None:
        """Move a file that was taken from the previous generation back, which can be read again."""
        (self.building / name).rename(self._previous / name)
        sync(self._previous)
        (self._previous / "lock").touch()

    @property
    def previous(self) -> str:
        """The name of the generation before the current one."""
        return f"{int(self.current() or 0) - 1:06}"

    @property
    def _previous(self) -> Path:
        return self._generations / self.previous

    def _remove_old(self, current: str) -> None:
        """Remove generations that no process reads, except the latest."""
        for path in self.finished()[:-_KEPT]:
            if path.name < current:
                _remove_unless_read(path)

    def finished(self) -> list[Path]:
        """Return the folders of the generations that were finished, the oldest first."""
        if not self._generations.exists():
            return []
        return sorted(each for each in self._generations.iterdir() if _NAME.fullmatch(each.name))


def _remove_unless_read(path: Path) -> None:
    with _unread(path) as unread:
        if unread or not (path / "lock").exists():
            shutil.rmtree(path, ignore_errors=True)


@contextmanager
def _unread(path: Path) -> Iterator[bool]:
    """End a generation, unless somebody reads it; give whether it was ended."""
    try:
        lock = os.open(path / "lock", os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        yield False
        return
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        yield False
    else:
        # The lock file goes first: a reader that waits for it sees that it is gone.
        (path / "lock").unlink()
        yield True
    finally:
        os.close(lock)


def _replace(path: Path, content: str) -> None:
    """Write a small file so that readers see either the old one or the new one."""
    new = path.with_name(path.name + ".new")
    with new.open("w", encoding="utf-8") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)
    sync(path.parent)


def sync(path: Path) -> None:
    """Flush a file, or the listing of a folder, to the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
