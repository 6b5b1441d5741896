"""Tables in a terminal, whose ids are whole."""

from io import StringIO

import pytest
from rich.console import Console

from stemma.schema import Paper
from stemma.schema.name import paper_id
from stemma.schema.paper import Author
from stemma.server.cli.rows import Rows
from stemma.server.cli.text import papers_table
from stemma.server.views.work import work_view

LONG = " ".join(["A Study of Kilns and Their Fires"] * 4)


def lines_of(rows: Rows, width: int) -> list[str]:
    out = StringIO()
    Console(file=out, width=width, highlight=False).print(rows, crop=False)
    return [line.rstrip() for line in out.getvalue().splitlines()]


@pytest.mark.parametrize(("width", "title"), [(20, "Kilns"), (80, LONG)])
def test_an_id_is_never_broken_and_empty_columns_are_left_out(width, title):
    paper = work_view(Paper(paper_id(title), title, authors=(Author("Ann Alpha"),)), None, {})
    lines = lines_of(papers_table([paper]), width)
    assert any(line.endswith(paper.id) for line in lines)
    assert "Ann Alpha" in " ".join(lines)
    header, _ = lines_of(papers_table([work_view(Paper("paper/kilns", "Kilns"), None, {})]), 80)
    assert header.split() == ["title", "id"]
