"""Fixtures that read texts as files of a format."""

from pathlib import Path
from typing import Any

import pytest

from stemma.extract.formats import read
from stemma.schema import Paper, Problem


@pytest.fixture
def told(tmp_path: Path):
    """Read a text from a file, whose name says nothing by default: its papers, and its problems."""

    def _read(content: str | bytes, name: str = "papers", **options: Any) -> tuple[list, list]:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        readings = list(read(path, name, **options))
        return (
            [each for each in readings if isinstance(each, Paper)],
            [each for each in readings if isinstance(each, Problem)],
        )

    return _read


@pytest.fixture
def paper_in(told):
    """Read the one paper of a text, without any problem."""

    def _read(content: str | bytes, name: str = "papers", **options: Any) -> Paper:
        (paper,), problems = told(content, name, **options)
        assert not problems
        return paper

    return _read


@pytest.fixture
def problem_in(told):
    """Read a text that holds no paper, and one problem."""

    def _read(content: str | bytes, name: str = "papers", **options: Any) -> Problem:
        papers, (problem,) = told(content, name, **options)
        assert not papers
        return problem

    return _read
