"""Text in a terminal: a lineage as a tree, each thing once, and tables, whose ids are whole."""

from io import StringIO

import pytest
from rich.console import Console

from stemma.graph import LineageDirection
from stemma.graph.edge import lineage_edge
from stemma.graph.lineage import Lineage, LineageNode
from stemma.graph.path import Path
from stemma.schema import Entity, EntityKind, Evidence, Field, Paper, RelationType, Statement
from stemma.schema.model import CATALOGUE_ORIGIN
from stemma.schema.name import paper_id
from stemma.schema.paper import Author
from stemma.server.cli.asking import path_text
from stemma.server.cli.rows import Rows
from stemma.server.cli.text import papers_table, tree
from stemma.server.views.lineage import LineageView
from stemma.server.views.path import PathView
from stemma.server.views.work import work_view

HOLM = Entity("entity/holm", "Holm", EntityKind.FRAMEWORK)
KELP = Entity("entity/kelp", "Kelp", EntityKind.FRAMEWORK)
PAPER = Paper("paper/on-kelp", "On Kelp", "Kelp extends Holm.")
WORKS = {each.id: each for each in (HOLM, KELP, PAPER)}
SENTENCE = Evidence("Kelp extends Holm.", Field.ABSTRACT, 0, 18)
RELATIONS = (RelationType.BUILDS_ON, RelationType.IMPROVES_ON)


FACTS = [Statement(KELP.id, each, HOLM.id, 1.0, (), CATALOGUE_ORIGIN) for each in RELATIONS]
SAYINGS = [Statement(PAPER.id, each, HOLM.id, 0.5, (SENTENCE,), "by hand") for each in RELATIONS]


def printed(*parts: object, width: int = 100) -> str:
    out = StringIO()
    Console(file=out, width=width, highlight=False).print(*parts, sep="\n", crop=False)
    return out.getvalue()


@pytest.mark.parametrize("statements", [SAYINGS, FACTS, [*FACTS, *SAYINGS]])
def test_a_tree_has_each_sentence_and_the_catalogue_once(statements):
    node = LineageNode(KELP, 1, None)
    descendants = LineageDirection.DESCENDANTS
    edge = lineage_edge(KELP.id, HOLM.id, statements, {})
    lineage = Lineage(HOLM, descendants, (node,), (edge,), False, None)
    text = printed(tree(LineageView(model=lineage, named=WORKS)))
    origins = {each.origin for each in statements}
    assert text.count("(from the catalogue)") == (CATALOGUE_ORIGIN in origins)
    assert text.count("“Kelp extends Holm.”") == text.count("— On Kelp") == ("by hand" in origins)


def test_a_path_says_where_a_step_comes_from():
    found = lineage_edge(KELP.id, HOLM.id, [*FACTS, *SAYINGS], {})
    path = PathView(model=Path(KELP.id, HOLM.id, (found,)), named=WORKS)
    text = printed(*path_text(path))
    assert "(from the catalogue)" in text and "“Kelp extends Holm.”" in text


# Tables.

LONG = " ".join(["A Study of Kilns and Their Fires"] * 4)


def lines_of(rows: Rows, width: int) -> list[str]:
    return [line.rstrip() for line in printed(rows, width=width).splitlines()]


@pytest.mark.parametrize(("width", "title"), [(20, "Kilns"), (80, LONG)])
def test_an_id_is_never_broken_and_empty_columns_are_left_out(width, title):
    paper = work_view(Paper(paper_id(title), title, authors=(Author("Ann Alpha"),)), None, {})
    lines = lines_of(papers_table([paper]), width)
    assert any(line.endswith(paper.id) for line in lines)
    assert "Ann Alpha" in " ".join(lines)
    header, _ = lines_of(papers_table([work_view(Paper("paper/kilns", "Kilns"), None, {})]), 80)
    assert header.split() == ["title", "id"]
