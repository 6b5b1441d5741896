"""Backup: a copy of a store that may be in use, which is a store itself."""

import os
import shutil
from functools import partial
from pathlib import Path
from tempfile import mkdtemp

from stemma.graph.sqlite.generations import GenerationFolder, sync
from stemma.graph.sqlite.page_log import PAGE_LOGS
from stemma.graph.store import StoreError


def back_up(folder: GenerationFolder, target: Path) -> Path | None:
    """Copy the newest generation of a store, and people's decisions, to the new folder `target`.

    Returns the file of decisions next to it, None if there is none. What is written meanwhile is no
    part of it. Raises StoreError where the copy cannot be made: nothing of it is left then.
    """
    copied = GenerationFolder(target)
    for path in (target, copied.decisions.path):
        if path.exists():
            raise StoreError(f"{path} already exists: name a new folder for the backup.")
    held = folder.open_current()
    new: Path | None = None
    try:
        new = Path(mkdtemp(prefix=f".{target.name}-", dir=target.absolute().parent))
        new.chmod(folder.path.stat().st_mode & 0o777)
        # What another process is making of it meanwhile is no part of it, nor is what only matters
        # beside the generation before.
        left_out = shutil.ignore_patterns("rdf.new", "rdf.lock", PAGE_LOGS)
        shutil.copytree(
            held.path,
            new / "generations" / held.name,
            ignore=left_out,
            copy_function=partial(_copy, target),
        )
        shutil.copy2(folder.path / "stemma.json", new)
        (new / "CURRENT").write_text(held.name + "\n", "ascii")
        for file in (*new.rglob("*"), new):
            sync(file)
        # Later decisions than those of the generation are applied by the next build.
        text = folder.decisions.text()
        if text.data:
            copied.decisions.path.write_bytes(text.data)
            sync(copied.decisions.path)
        new.rename(target)
        sync(target.absolute().parent)
    except BaseException as error:
        if new and new.exists():
            shutil.rmtree(new, ignore_errors=True)
            copied.decisions.path.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise _unwritten(target, error) from error
        raise
    finally:
        os.close(held.lock)
    return copied.decisions.path if text.data else None


def _copy(target: Path, source: str, copy: str) -> None:
    """Copy a file. Where that fails, `copytree` would go on with the next one after an OSError."""
    try:
        shutil.copy2(source, copy)
    except OSError as error:
        raise _unwritten(target, error) from error


def _unwritten(target: Path, error: OSError) -> StoreError:
    return StoreError(f"{target} cannot be written: {error.strerror or error}")
