"""Papers in memory, such as those of a notebook: written to files, to be read like any others."""

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, TypeAlias

from stemma.extract.formats.record import field_of

if TYPE_CHECKING:
    import pandas

Source: TypeAlias = (
    "str | Path | Mapping[str, Any] | Iterable[Mapping[str, Any]] | pandas.DataFrame"
)
"""A path; or a paper, several papers, or a data frame with a row for each: fields as in files."""

_NOTHING = "there are no papers to build from: give files, folders, or papers"


@contextmanager
def as_files(sources: Sequence[Source]) -> Iterator[list[Path]]:
    """Yield the paths of sources; those of papers in memory are temporary files.

    These are named by a digest of the papers, so that a later build skips the same papers. Raises
    TypeError for a source of another type, ValueError where there are no papers.
    """
    if not sources:
        raise ValueError(_NOTHING)
    with TemporaryDirectory() as folder:
        yield [
            Path(source)
            if isinstance(source, str | os.PathLike)
            else _written(_records(source), Path(folder))
            for source in sources
        ]


def _records(source: Any) -> Iterator[Mapping[str, Any]]:
    if hasattr(source, "notna") and hasattr(source, "to_dict"):  # a data frame of pandas
        source = source.astype(object).where(source.notna(), None).to_dict("records")
    if isinstance(source, Mapping):
        source = [source]
    if not isinstance(source, Iterable):
        raise TypeError(f"expected a path, papers or a data frame, got {source!r}")
    for each in source:
        if not isinstance(each, Mapping):
            advice = "give paths one by one: build(*paths)"
            reason = advice if isinstance(each, str | os.PathLike) else "expected a mapping"
            raise TypeError(f"{each!r} is not a paper: {reason}")
        yield each


def _written(records: Iterable[Mapping[str, Any]], folder: Path) -> Path:
    unnamed, digest = folder / "papers", sha256()
    with unnamed.open("wb") as file:
        for record in records:
            # JSON lines are recognised by a title, whatever the column of titles is called.
            named = {str(name): value for name, value in record.items()}
            title = next((each for name, each in named.items() if field_of(name) == "title"), "")
            line = json.dumps({"title": title, **named}, default=_plain).encode()
            digest.update(line)
            file.write(line + b"\n")
    if not unnamed.stat().st_size:
        raise ValueError(_NOTHING)
    return unnamed.rename(folder / f"papers-{digest.hexdigest()[:12]}.jsonl")


def _plain(value: Any) -> Any:
    """Return a value in JSON: a date, an array or a number of numpy, or else its text."""
    for method in ("isoformat", "tolist"):
        if hasattr(value, method):
            return getattr(value, method)()
    return sorted(value, key=str) if isinstance(value, set | frozenset) else str(value)
