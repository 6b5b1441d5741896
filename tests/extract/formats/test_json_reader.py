"""Values of a JSON document, read piece by piece."""

import json
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stemma.extract.formats import document, json_reader, read
from stemma.extract.formats.document import Document
from stemma.schema import Paper, Problem

LIMIT = 1 << 20
texts = st.text(max_size=30)
leaves = st.none() | st.booleans() | st.integers() | texts
values = st.recursive(
    leaves,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=5,
)
objects = st.dictionaries(texts, values, max_size=3)


@pytest.fixture(autouse=True)
def short_portions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every value stand across the end of what is held."""
    monkeypatch.setattr(document, "CHUNK", 50)
    monkeypatch.setattr(json_reader, "_NEAR", 16)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(objects, max_size=5), st.sampled_from([None, 0, 2]), st.booleans())
def test_an_array_reads_back(tmp_path, written, indent, ascii_only):
    text = json.dumps(written, indent=indent, ensure_ascii=ascii_only).replace("\x85", "")
    path = tmp_path / "papers.json"
    path.write_text(text)
    file = Document(path, path.name)
    found = list(json_reader._Values(file, LIMIT).read())
    assert not file.problems
    assert [value for _, value in found] == json.loads(text)
    places = [line for line, _ in found]
    assert all(a < b if indent is not None else a == b for a, b in pairwise(places))


def record(i: int) -> str:
    return json.dumps({"title": f"Kiln {i}", "abstract": "We fire clay.", "pots": [{"n": 1}, {}]})


@pytest.mark.parametrize(
    ("broken", "between"),
    [
        ('{"title": "Kiln 3", "abstract"; "We fire clay."}', ","),
        ('{"title": "Kiln 3, "abstract": "We.", "pots": [{"title": "Pot"}, {"n": 1}]}', ",\n  "),
        ('{"title": "Kiln 3", "abstract": "We \\x fire clay."}', "\n"),
        ('{"title": "Kiln 3" "abstract": "We fire clay."}, {"title": "Kiln', ",\n  "),
        ("[" * 5000 + "{}", ",\n  "),
        ("{}}", ",\n  "),
        ('{"name": "Kiln 3"}"}]', ",\n  "),
    ],
)
def test_after_a_mistake_it_goes_on_at_the_next_paper(tmp_path, broken, between):
    path = tmp_path / "papers.json"
    written = [record(1), record(2), broken, record(4), record(5)]
    path.write_text(f"[{between.join(written)}]")
    readings = list(read(path, path.name))
    titles = [each.title for each in readings if isinstance(each, Paper)]
    assert titles == ["Kiln 1", "Kiln 2", "Kiln 4", "Kiln 5"]
    problems = [each for each in readings if isinstance(each, Problem)]
    assert problems
    assert {problem.line for problem in problems} == {1 + 2 * between.count("\n")}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (f'[{record(1)},\n {{"t"; "K"}}\n\n]', "Expecting ':' delimiter (column 6)"),
        ('{"title": "Kiln",\n "abstract": \n\n', "Expecting value (column 13)"),
    ],
)
def test_a_mistake_is_reported_with_its_line_and_column(tmp_path, text, told):
    path = tmp_path / "papers.json"
    path.write_text(text)
    (problem,) = (each for each in read(path, path.name) if isinstance(each, Problem))
    assert str(problem) == f"papers.json:2: not JSON: {told}"
