"""Files that are compressed or in archives are read as if they were not."""

import bz2
import errno
import gzip
import lzma
import os
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
import zstandard

from archives import tarred
from stemma.extract.formats import document, find, read
from stemma.schema import Paper, Problem

CHANCE = Random(1)
RECORDS = "".join(
    f'{{"title": "Kiln {number}", "abstract": "{CHANCE.randbytes(1000).hex()}"}}\n'
    for number in range(100)
).encode()
COMPRESS: dict[str, Callable[[bytes], bytes]] = {
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "xz": lzma.compress,
    "zst": zstandard.compress,
}


def told(path: Path) -> tuple[list[str], list[str]]:
    readings = list(read(path, path.name))
    return (
        [each.title for each in readings if isinstance(each, Paper)],
        [str(each) for each in readings if isinstance(each, Problem)],
    )


def written(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


def zipped(path: Path, files: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


@pytest.mark.parametrize("ending", COMPRESS)
def test_of_several_streams_in_a_file_all_are_read(tmp_path: Path, ending: str):
    content = COMPRESS[ending](RECORDS[:-1]) + COMPRESS[ending](RECORDS[-1:])
    assert len(told(written(tmp_path / "papers", content))[0]) == 100


@pytest.mark.parametrize("ending", COMPRESS)
def test_of_a_file_cut_off_what_comes_before_is_read(tmp_path: Path, ending: str):
    # In blocks of 100 kB, of which bzip2 gives each as soon as it is whole.
    compress = {**COMPRESS, "bz2": lambda content: bz2.compress(content, 1)}[ending]
    content = compress(RECORDS)
    titles, problems = told(written(tmp_path / "papers", content[: len(content) * 3 // 4]))
    assert any("damaged or cut-off" in problem for problem in problems) or ending == "zst"
    assert 0 < len(titles) < 100


def test_a_bomb_is_read_no_further_than_a_bound(tmp_path: Path, monkeypatch):
    monkeypatch.setattr(document, "_ALWAYS_EXPANDED", 1 << 20)
    bomb = b'{"title": "A Kiln"}\n' + b" " * (4 << 20)
    for ending, compress in COMPRESS.items():
        titles, problems = told(written(tmp_path / f"bomb.{ending}", compress(bomb)))
        assert titles == ["A Kiln"]
        assert "expands to more than 200 times" in problems[-1]
    titles, problems = told(zipped(tmp_path / "bomb.zip", {"a.jsonl": bomb, "b.jsonl": bomb}))
    assert titles == ["A Kiln"]
    assert any("bomb.zip/a.jsonl: it expands" in problem for problem in problems)
    assert not any("b.jsonl" in problem for problem in problems)


@pytest.mark.parametrize("mode", ["w", "w:gz"])
def test_the_files_of_an_archive_are_read_with_their_names(tmp_path: Path, mode: str):
    files = {"a.jsonl": RECORDS, "deep/b.jsonl.gz": gzip.compress(b'{"title": "A Wheel"}\n')}
    unread = {"deep/notes.rst": b"Notes", ".hidden.jsonl": RECORDS, "logo.png": b"\x89PNG\r\n"}
    for path in (
        tarred((files | unread).items(), tmp_path / "papers.tar", mode),
        zipped(tmp_path / "papers.zip", files | unread),
    ):
        readings = list(read(path, path.name))
        papers = [each for each in readings if isinstance(each, Paper)]
        assert len(papers) == 101
        assert papers[0].sources[0].file == f"{path.name}/a.jsonl"
        assert papers[-1].sources[0].file == f"{path.name}/deep/b.jsonl.gz"
        assert {paper.sources[0].sha256 for paper in papers} == {find([path])[0][0].sha256}


def test_names_that_climb_out_of_an_archive_are_only_names(tmp_path: Path):
    folder = tmp_path / "in"
    folder.mkdir()
    files = {"../../out.jsonl": b'{"title": "A"}\n', "/etc/out.jsonl": b'{"title": "B"}\n'}
    for path in (tarred(files.items(), folder / "a.tar"), zipped(folder / "a.zip", files)):
        papers = [each for each in read(path, path.name) if isinstance(each, Paper)]
        assert [paper.sources[0].file for paper in papers] == [
            f"{path.name}/etc/out.jsonl",
            f"{path.name}/out.jsonl",
        ]
    assert [each.name for each in tmp_path.iterdir()] == ["in"]


def test_archives_may_hold_archives_but_not_without_end(tmp_path: Path):
    path = zipped(tmp_path / "0.zip", {"papers.jsonl": b'{"title": "A Kiln"}\n'})
    for level in range(1, 5):
        path = zipped(tmp_path / f"{level}.zip", {path.name: path.read_bytes()})
        titles, problems = told(path)
        assert bool(titles) is (level < 3)
        assert any("inside 3 others" in problem for problem in problems) is (level >= 3)


def test_links_in_archives_are_not_followed(tmp_path: Path):
    with tarfile.open(tmp_path / "a.tar", "w") as archive:
        info = tarfile.TarInfo("papers.jsonl")
        info.type, info.linkname = tarfile.SYMTYPE, str(tmp_path / "secret.jsonl")
        archive.addfile(info)
    written(tmp_path / "secret.jsonl", RECORDS)
    titles, problems = told(tmp_path / "a.tar")
    assert not titles
    assert "no files in a supported format" in problems[0]


@pytest.mark.parametrize("kind", ["zip", "tar"])
@pytest.mark.parametrize("kept", [0.2, 0.9])
def test_a_damaged_archive_is_reported_and_never_crashes(tmp_path: Path, kind: str, kept: float):
    whole = tmp_path / f"a.{kind}"
    zipped(whole, {"a": RECORDS}) if kind == "zip" else tarred([("a", RECORDS)], whole)
    content = whole.read_bytes()
    _, problems = told(written(tmp_path / f"cut.{kind}", content[: int(len(content) * kept)]))
    assert problems
    _, problems = told(written(tmp_path / f"zero.{kind}", content[:600] + b"\0" * 9000))
    assert problems


def test_a_disk_that_fails_is_no_damage_of_an_archive(tmp_path: Path, monkeypatch):
    def full():
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    path = zipped(tmp_path / "papers.zip", {"a.jsonl": RECORDS})
    packed = written(tmp_path / "papers.zip.gz", gzip.compress(path.read_bytes()))
    monkeypatch.setattr(document, "TemporaryFile", full)
    (problem,) = read(packed, packed.name)
    assert str(problem) == "papers.zip.gz: cannot be read: No space left on device"
    assert problem.is_temporary


def test_of_files_with_one_name_the_first_is_read(tmp_path: Path):
    files = [("a.jsonl", RECORDS), ("a.jsonl", b"x"), ("a.jsonl/b.jsonl", b"x")]
    titles, problems = told(tarred(files, tmp_path / "a.tar"))
    assert len(titles) == 100
    assert ["that of another file" in problem for problem in problems] == [True, True]
