"""What a notebook shows, and what goes on from there."""

import ast
import json
import re
import shutil
import sys
from html import unescape
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stemma.graph import Lineage, LineageDirection, LineageEdge, LineageNode
from stemma.schema import (
    Entity,
    EntityKind,
    Evidence,
    Field,
    Paper,
    PartialDate,
    RelationType,
    Statement,
)
from stemma.server.web.picture import lineage_svg

SVG = "{http://www.w3.org/2000/svg}"


def boxes(svg: str) -> list[tuple[str, tuple[float, ...]]]:
    """Return the tooltip of each work, and where it stands."""
    found = []
    for group in ElementTree.fromstring(svg).iter(f"{SVG}g"):
        rect = group.find(f"{SVG}rect")
        if rect is not None:
            told = group.findtext(f"{SVG}title") or ""
            place = (float(rect.get(key, 0)) for key in ("x", "y", "width", "height"))
            found.append((told, tuple(place)))
    return found


def test_a_lineage_is_a_picture_of_all_its_works(graph):
    lineage = graph.lineage("LoRA")
    svg = lineage.to_svg()
    told = dict(boxes(svg))
    assert len(told) == 1 + len(lineage.nodes)
    assert "LoRA (technique, 2021-06-17)" in told
    assert svg.count("<path") >= len(lineage.edges)
    assert svg in lineage._repr_html_()
    works, edges = len(lineage.nodes), len(lineage.edges)
    assert repr(lineage) == f"<lineage of LoRA: {works} descendants, {edges} edges>"


def _family(names: list[str], edges: list[tuple[int, int]]) -> tuple[Lineage, dict]:
    """Return works of which children derive from parents, by their numbers; the first is dated."""
    works = [Entity(f"entity/{n}", name, EntityKind.MODEL) for n, name in enumerate(names)]
    sentence = Evidence(names[-1], Field.ABSTRACT, 0, len(names[-1]))
    builds, made = RelationType.BUILDS_ON, []
    for child, parent in edges:
        ends = (works[child].id, works[parent].id)
        said = Statement("paper/p", builds, ends[1], 0.5, (sentence,), "x")
        made.append(LineageEdge(*ends, {builds: 0.5}, 0.5, (said,)))
    nodes = [LineageNode(each, 1 + n % 3, PartialDate(2020)) for n, each in enumerate(works[1:])]
    lineage = Lineage(
        works[0], LineageDirection.DESCENDANTS, tuple(nodes), tuple(made), False, None
    )
    return lineage, {each.id: each for each in (*works, Paper("paper/p", names[0]))}


@given(st.lists(st.text(max_size=60), min_size=2, max_size=40), st.data())
def test_whatever_works_are_called_the_picture_is_whole(names, data):
    number = st.integers(0, len(names) - 1)
    edges = data.draw(st.lists(st.tuples(number, number), max_size=60))
    svg = lineage_svg(*_family(names, edges))
    root = ElementTree.fromstring(svg)
    assert not any(each.tag.endswith("script") for each in root.iter())
    places = boxes(svg)
    assert len(places) == len(names)
    right, bottom = map(float, re.findall(r'viewBox="0 0 (\S+) (\S+)"', svg)[0])
    for n, (_, (x, y, width, height)) in enumerate(places):
        assert x >= 0 and x + width <= right and y + height <= bottom
        for _, (other_x, other_y, *_) in places[:n]:
            assert abs(x - other_x) >= width or abs(y - other_y) >= height, "none is on another"


def test_answers_are_shown_as_html(graph):
    path, compared = graph.path("Fuyou", "ZeRO"), graph.compare("Punica", "S-LoRA")
    answer = graph.ask("who introduced FlashAttention?")
    assert repr(answer) == answer.text
    for shown, part in (
        (path, "suffers from low GPU utilization"),
        (compared, "NVIDIA A100"),
        (answer, answer.text),
        (answer, "FlashAttention: Fast and Memory-Efficient"),
        (graph.lineage("LoRA"), "<svg"),
        (graph.search("attention", first=5), "more"),
        (graph.statements("PyTorch"), "BUILDS_ON"),
    ):
        assert part in unescape(shown._repr_html_())
        ElementTree.fromstring(f"<div>{shown._repr_html_()}</div>")


def test_a_lineage_goes_on_in_pandas(graph):
    lineage = graph.lineage("LoRA")
    pytest.importorskip("pandas")
    frame = lineage.to_pandas()
    assert len(frame) == len(lineage.edges)
    dora = frame[frame.child_name == "DoRA"].iloc[0]
    assert (dora.parent, dora.depth, dora.child_published) == ("entity/lora", 1, "2024-02-14")
    [edge] = [e for e in lineage.edges if (e.child.id, e.parent.id) == ("entity/dora", dora.parent)]
    assert dora.relations == "; ".join(edge.relations)
    for each in edge.confidences:
        assert dora[each.relation.lower()] == each.confidence
    assert dora.sentence == next(s.evidence[0].text for s in edge.statements if s.evidence)
    assert {"left", "right"} <= set(graph.compare("Punica", "S-LoRA").to_pandas().columns)
    assert list(graph.path("Fuyou", "ZeRO").to_pandas().child_name) == ["Fuyou", "ZeRO-Infinity"]
    assert len(graph.lineage("Guanaco").to_pandas()) == 0


def test_lists_of_works_and_statements_go_on_in_pandas(graph):
    pytest.importorskip("pandas")
    works, statements = graph.search("attention", first=5), graph.statements("PyTorch")
    frame = works.to_pandas()
    assert list(frame.id) == [each.id for each in works]
    assert {"paper", "technique"} <= set(frame.kind)
    dao = graph.papers(author="Tri Dao").to_pandas()
    assert dao.authors.str.contains("Tri Dao").all()
    assert dao.published.is_monotonic_increasing
    stated = statements.to_pandas()
    assert list(stated.subject_name) == [each.subject.name for each in statements]
    factors = {each.comparison.factor for each in statements if each.comparison} - {None}
    assert set(stated.factor.dropna()) == factors > set()
    answer = graph.ask("which papers run on A100?")
    assert list(answer.to_pandas().id) == [each.id for each in answer.works]
    assert len(graph.statements("LoRA", "RUNS_ON").to_pandas()) == 0


def test_without_pandas_the_error_says_what_to_install(graph, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match=r"pip install 'stemma-kg\[pandas\]'"):
        graph.lineage("LoRA").to_pandas()


NOTEBOOK = Path(__file__).parents[3] / "docs" / "lineage.ipynb"
RENEW = "renew it: jupyter nbconvert --to notebook --execute --inplace docs/lineage.ipynb"


def test_the_documented_notebook_is_executed_and_runs(example_store, tmp_path, monkeypatch):
    """Its cells say what they did when it was executed, as far as works and edges go."""
    pytest.importorskip("pandas")
    display = ModuleType("IPython.display")
    display.SVG = str
    monkeypatch.setitem(sys.modules, "IPython.display", display)
    (tmp_path / "docs").mkdir()
    (tmp_path / "examples").symlink_to(NOTEBOOK.parents[1] / "examples")
    shutil.copy(example_store, tmp_path / "docs" / "stemma.db")
    monkeypatch.chdir(tmp_path / "docs")
    cells = [e for e in json.loads(NOTEBOOK.read_text("utf-8"))["cells"] if e.get("outputs")]
    names = {}
    for number, cell in enumerate(cells, 1):
        *before, last = ast.parse("".join(cell["source"])).body
        exec(compile(ast.Module(before, []), NOTEBOOK.name, "exec"), names)
        value = eval(compile(ast.Expression(last.value), NOTEBOOK.name, "eval"), names)
        [output] = cell["outputs"]
        assert cell["execution_count"] == output["execution_count"] == number
        shown = {kind: "".join(text) for kind, text in output["data"].items()}
        works = boxes(shown["image/svg+xml"]) if "image/svg+xml" in shown else None
        match value:
            case str() if works:
                assert [told for told, _ in works] == [told for told, _ in boxes(value)], RENEW
            case str():
                assert shown["text/plain"] == repr(value), RENEW
            case _:
                assert all(each in shown["text/html"] for each in value.child_name), RENEW
    names["graph"].close()
    assert number == 3
