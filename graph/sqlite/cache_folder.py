"""The folder of what is made of a store and can be made again: RDF, and the file for Cypher."""

import errno
import os
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from tempfile import gettempdir

from stemma.graph.sqlite.work_reader import WorkReader


def writable_cache(reader: WorkReader) -> Path:
    """Return the folder beside the store, or where nothing can be written there a temporary one.

    That is one of this user's alone, for all processes on this machine. Raises OSError where it
    cannot be made.
    """
    with suppress(OSError):
        reader.cache.mkdir(exist_ok=True)
    if os.access(reader.cache, os.W_OK):
        return reader.cache
    key = str(reader.path.resolve()).encode()
    name = f"stemma-cache-{os.getuid()}-{blake2b(key, digest_size=8).hexdigest()}"
    folder = Path(gettempdir()) / name
    folder.mkdir(mode=0o700, exist_ok=True)
    if folder.stat().st_uid != os.getuid():
        raise PermissionError(errno.EPERM, "it belongs to another user", str(folder))
    return folder
