"""Watching files: what is added or changed is built."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from time import sleep

from stemma.extract import formats

_SECONDS = 2.0
"""Between two looks; what still changes between them is being written."""

_State = dict[Path, tuple[int, int]]


def changes(paths: Iterable[Path], reader: str | None = None) -> Iterator[None]:
    """Yield at once, and whenever files at `paths` have changed; it never ends by itself."""
    paths = list(paths)
    known: _State = {}
    before = _state(paths, reader)
    yield
    known = before
    while True:
        sleep(_SECONDS)
        now = _state(paths, reader)
        if now == before and now != known:
            known = now
            yield
        before = now


def _state(paths: Iterable[Path], reader: str | None) -> _State:
    """Return the size of each file, and when it was changed."""
    found: _State = {}
    for document in formats.find(paths, reader)[0]:
        try:
            stat = document.path.stat()
        except OSError:  # deleted meanwhile
            continue
        found[document.path] = (stat.st_size, stat.st_mtime_ns)
    return found
