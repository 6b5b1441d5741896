"""Files of RDF, loaded into a folder for as long as they are needed."""

import tempfile
import time
from pathlib import Path
from threading import Thread

import pytest

from stemma.graph.rdf.file import RdfFile, loaded


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder for temporary files."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@pytest.fixture
def file(tmp_path: Path) -> RdfFile:
    (tmp_path / "a.nt").write_text('<urn:a> <urn:b> "c" .')
    return RdfFile(tmp_path / "a.nt")


def write_files(folder: Path, seconds: float) -> None:
    """Write files into a folder, as RocksDB's threads do, for some seconds or while it exists."""
    end, number = time.monotonic() + seconds, 0
    while folder.exists() and time.monotonic() < end:
        number += 1
        try:
            (folder / f"{number}.sst").touch()
        except FileNotFoundError:
            return


def test_they_are_removed_at_the_end(file: RdfFile, temporary: Path) -> None:
    with loaded([file]) as store:
        assert len(store) == 1
    assert not list(temporary.iterdir())


def test_a_store_that_still_writes_is_removed_too(file: RdfFile, temporary: Path) -> None:
    with loaded([file]):
        Thread(target=write_files, args=[*temporary.iterdir(), 0.3]).start()
    assert not list(temporary.iterdir())
