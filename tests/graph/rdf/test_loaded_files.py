"""Files of RDF, loaded into a folder for as long as they are needed."""

import gzip
import tempfile
import time
from pathlib import Path
from threading import Thread

import pytest

from stemma.graph import StoreError
from stemma.graph.rdf.file import loaded


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder for temporary files."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "a.nt").write_text('<urn:a> <urn:b> "c" .')
    return tmp_path / "a.nt"


def write_files(folder: Path, seconds: float) -> None:
    """Write files into a folder, as RocksDB's threads do, for some seconds or while it exists."""
    end, number = time.monotonic() + seconds, 0
    while folder.exists() and time.monotonic() < end:
        number += 1
        try:
            (folder / f"{number}.sst").touch()
        except FileNotFoundError:
            return


def test_they_are_removed_at_the_end(file: Path, temporary: Path) -> None:
    with loaded([file]) as store:
        assert len(store) == 1
    assert not list(temporary.iterdir())


def test_a_store_that_still_writes_is_removed_too(file: Path, temporary: Path) -> None:
    with loaded([file]):
        Thread(target=write_files, args=[*temporary.iterdir(), 0.3]).start()
    assert not list(temporary.iterdir())


_CUT_OFF = gzip.compress(b'<urn:a> <urn:b> "c" .')[:-9]


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("a.nq", b"<urn:a> <urn:b> 5x .", r"a\.nq:1: "),
        ("a.nt", b'<urn:a> <urn:b> "%s" .' % (b"c" * 20_000_000), "larger than 16 MiB"),
        ("a.nt.gz", _CUT_OFF, r"a\.nt\.gz cannot be read"),
        ("a.doc", b"", r"has one of the extensions .*\.nq"),
    ],
    ids=["syntax", "too-large", "cut-off", "extension"],
)
def test_what_cannot_be_read_is_refused(name, content, reason, tmp_path):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(StoreError, match=reason), loaded([tmp_path / name]):
        pass
