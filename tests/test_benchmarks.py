"""The figures of benchmarks, as the documentation has them."""

import json
import runpy
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
sys.path.append(str(ROOT / "benchmarks"))

import run_all as benchmarks  # noqa: E402
from figures import FILE, Figure, keep, kept  # noqa: E402


def test_the_table_of_the_documentation_has_the_figures_that_were_measured():
    page = benchmarks.PAGE.read_text("utf-8")
    assert benchmarks.with_table(page) == page
    measured = json.loads(benchmarks.KEPT.read_text("utf-8"))["figures"]
    assert set(measured) == {each.script for each in benchmarks.BENCHMARKS}


@pytest.mark.parametrize("benchmark", benchmarks.BENCHMARKS, ids=lambda each: each.script)
def test_every_benchmark_is_a_script_beside_the_others(benchmark, monkeypatch):
    files = dict.fromkeys(("corpus", "extractions", "store", "graph"), "x")
    script = benchmark.command(files)[1]
    monkeypatch.setattr(sys, "argv", [script, "--help"])
    with pytest.raises(SystemExit, match="0"):  # What it imports is there.
        runpy.run_path(script, run_name="__main__")


def test_figures_are_kept_where_somebody_collects_them(tmp_path, monkeypatch):
    file = tmp_path / "figures.jsonl"
    keep("storing", 2.5, "s")
    assert list(kept(file)) == []
    monkeypatch.setenv(FILE, str(file))
    keep("storing", 2.5, "s", "rows alone", 0.4)
    assert list(kept(file)) == [Figure("storing", 2.5, "s", "rows alone", 0.4)]
