"""Tables in a terminal: ids are whole, and columns with nothing in them are left out."""

from io import StringIO

import pytest
from rich.console import Console
from rich.text import Text

from stemma.schema import Paper
from stemma.schema.name import paper_id
from stemma.schema.paper import Author
from stemma.server.cli.rows import Rows
from stemma.server.cli.text import papers_table
from stemma.server.views.work import work_view

LONG = " ".join(["A Study of Kilns and Their Fires"] * 4)


def printed(rows: Rows, width: int) -> list[str]:
    out = StringIO()
    Console(file=out, width=width, highlight=False).print(rows, crop=False)
    return [line.rstrip() for line in out.getvalue().splitlines()]


@pytest.mark.parametrize("width", [20, 80, 120])
@pytest.mark.parametrize("title", ["Kilns", LONG])
def test_an_id_is_never_broken(width, title):
    paper = work_view(Paper(paper_id(title), title, authors=(Author("Ann Alpha"),)), None, {})
    lines = printed(papers_table([paper]), width)
    assert any(line.endswith(paper.id) for line in lines)
    assert "Ann Alpha" in " ".join(lines)


def test_empty_columns_are_left_out():
    header, _ = printed(papers_table([work_view(Paper("paper/kilns", "Kilns"), None, {})]), 80)
    assert header.split() == ["title", "id"]


def test_a_table_of_any_columns_is_as_wide_as_its_words():
    rows = Rows("text", "iri", "none")
    rows.add(Text("word " * 30), Text("https://example.org/" + "x" * 60), Text())
    rows.add(Text("a"), Text("b"), Text())
    lines = printed(rows, 40)
    assert any("https://example.org/" + "x" * 60 in line for line in lines)
    assert lines[0].split() == ["text", "iri"]
