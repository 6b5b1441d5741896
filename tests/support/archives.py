"""Archives of files that are given as texts or bytes."""

import io
import tarfile
from collections.abc import Iterable
from pathlib import Path


def tarred(files: Iterable[tuple[str, str | bytes]], path: Path, mode: str = "w") -> Path:
    """Write an archive of tar, in which names may stand twice and lead out of it."""
    with tarfile.open(path, mode) as archive:
        for name, content in files:
            data = content if isinstance(content, bytes) else content.encode()
            (info := tarfile.TarInfo(name)).size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return path
