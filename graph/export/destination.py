"""Destinations: files and folders that appear when they are complete, and not before."""

import gzip
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_COMPRESSION = 6


def write_files(files: Iterable[tuple[Path, Iterable[bytes]]], replace: bool = False) -> list[Path]:
    """Write files of pieces, compressed where their names end in ``.gz``; all appear, or none.

    Returns their paths. Raises FileExistsError where there is one and it is not to `replace`,
    OSError where they cannot be written.
    """
    parts: dict[Path, Path] = {}
    try:
        for path, pieces in files:
            _check(path, replace)
            # A link is kept, and what it leads to is written.
            parts[path] = _part(path.resolve())
            with _errors_about(path):
                _write(parts[path], pieces, path.suffix == ".gz")
        for path, part in parts.items():
            part.replace(path.resolve())
    finally:
        for part in parts.values():
            with suppress(OSError):  # such as that it could not be made
                part.unlink()
    return [*parts]


def _write(path: Path, pieces: Iterable[bytes], compressed: bool) -> None:
    with path.open("wb") as file:
        if not compressed:
            file.writelines(pieces)
            return
        # No name and no time: the same graph gives the same bytes.
        with gzip.GzipFile("", "wb", _COMPRESSION, file, mtime=0) as archive:
            archive.writelines(pieces)


def beside(path: Path) -> Callable[[str], Path]:
    """Return a function from the names of an export's files to their paths.

    In the folder `path`; or, where `path` is the name of a file, beside it: of ``graph.csv.gz``
    the file ``nodes.csv`` is ``graph-nodes.csv.gz``.
    """
    compressed = path.suffix == ".gz"
    whole = path.with_suffix("") if compressed else path
    if not whole.suffix:
        path.mkdir(exist_ok=True)
        return path.joinpath
    return lambda name: path.with_name(f"{whole.stem}-{name}{'.gz' if compressed else ''}")


@contextmanager
def new_folder(path: Path) -> Iterator[Path]:
    """Yield a folder to write to, which then becomes `path`.

    Raises FileExistsError where there is something already, unless it is an empty folder.
    """
    if path.exists() and not (path.is_dir() and not any(path.iterdir())):
        raise FileExistsError(f"{path} already exists: name a new or an empty folder.")
    part = _part(path)
    try:
        shutil.rmtree(part, ignore_errors=True)
        with _errors_about(path):
            part.mkdir(parents=True)
        yield part
        part.replace(path)
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _part(path: Path) -> Path:
    return path.with_name(f".{path.name}.part")


def _check(path: Path, replace: bool) -> None:
    if path.is_dir():
        raise IsADirectoryError(f"{path} is a folder: name a file in it.")
    if path.exists() and not replace:
        raise FileExistsError(
            f"{path} already exists: choose another name, or add --force to replace it."
        )
    if not path.parent.is_dir():
        raise FileNotFoundError(f"There is no folder {path.parent}: create it first.")


@contextmanager
def _errors_about(path: Path) -> Iterator[None]:
    """Name the file that was asked for where the one beside it cannot be written."""
    try:
        yield
    except OSError as error:
        raise OSError(f"{path} cannot be written: {error.strerror or error}") from error
