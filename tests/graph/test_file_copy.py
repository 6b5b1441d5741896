"""Copies of files."""

import pytest

from stemma.graph.sqlite.writer import copy_file


def test_a_copy_has_the_content_of_the_original_and_a_life_of_its_own(tmp_path) -> None:
    original, new = tmp_path / "original", tmp_path / "new"
    original.write_bytes(bytes(range(256)) * 4096)
    copy_file(original, new)
    before = original.read_bytes()
    assert new.read_bytes() == before
    with original.open("r+b") as file:
        file.write(b"changed")
    assert new.read_bytes() == before


def test_a_file_that_exists_is_not_overwritten(tmp_path) -> None:
    (tmp_path / "original").write_text("new")
    (tmp_path / "there").write_text("old")
    with pytest.raises(FileExistsError):
        copy_file(tmp_path / "original", tmp_path / "there")
    assert (tmp_path / "there").read_text() == "old"
