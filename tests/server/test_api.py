"""The Python API: what it accepts, what it answers, and what it says of mistakes."""

import shutil
from pathlib import Path

import pytest

from stemma import Stemma
from stemma.graph import LineageDirection, StoreError
from stemma.schema import EntityKind, RelationType


def test_a_path_with_nothing_there_is_an_error_and_nothing_is_written(tmp_path: Path):
    store = tmp_path / "new.db"
    with Stemma(store) as graph, pytest.raises(FileNotFoundError, match="nope"):
        graph.build(tmp_path / "nope")
    assert not store.exists()


def test_a_path_that_holds_nothing_to_read_is_an_error(tmp_path: Path):
    (tmp_path / "paper.png").write_text("PNG")
    (tmp_path / "empty").mkdir()
    with Stemma(tmp_path / "new.db") as graph:
        for name in ("paper.png", "empty"):
            with pytest.raises(ValueError, match=rf"{name}.*(listings|abstracts)"):
                graph.build(tmp_path / name)


def test_what_cannot_be_read_in_a_file_is_a_warning(tmp_path: Path):
    file = tmp_path / "papers.jsonl"
    file.write_text('{"title": "One", "abstract": "We present One."}\nno JSON\n[]\n')
    with (
        Stemma(tmp_path / "new.db") as graph,
        pytest.warns(UserWarning, match=r"papers\.jsonl:2.*1 more"),
    ):
        report = graph.build(file, fast=True)
    assert len(report.problems) == 2
    assert report.changes.added


@pytest.mark.parametrize("wrong", [None, 7, ["LoRA"]])
def test_a_work_that_is_not_a_name_is_a_type_error(graph: Stemma, wrong: object):
    for asked in (graph.lineage, graph.timeline, graph.statements, graph.work):
        with pytest.raises(TypeError, match="expected a work name or id"):
            asked(wrong)  # type: ignore[operator]


def test_a_work_of_an_answer_can_be_asked_about(graph: Stemma):
    (lora,) = [work for work in graph.search("LoRA") if work.id == "entity/lora"]
    assert graph.lineage(lora).edges == graph.lineage("LoRA").edges
    assert graph.path(lora, graph.work("DoRA")).edges


def test_relations_kinds_and_directions_are_written_in_any_case(graph: Stemma):
    builds_on = graph.lineage("LoRA", relations=[RelationType.BUILDS_ON]).edges
    assert builds_on
    for relations in ("BUILDS_ON", "builds on", ["builds_on"], RelationType.BUILDS_ON):
        assert graph.lineage("LoRA", relations=relations).edges == builds_on
    ancestors = graph.lineage("DoRA", LineageDirection.ANCESTORS).edges
    assert ancestors
    for direction in ("ANCESTORS", "ancestors", "Ancestors"):
        assert graph.lineage("DoRA", direction).edges == ancestors
    hardware = graph.search("A100", EntityKind.HARDWARE)
    assert hardware
    assert graph.search("A100", "HARDWARE") == graph.search("A100", ["hardware"]) == hardware


def test_a_choice_that_there_is_not_lists_those_that_there_are(graph: Stemma):
    with pytest.raises(ValueError, match="'cites' is not one of INTRODUCES, BUILDS_ON"):
        graph.statements("LoRA", "cites")
    with pytest.raises(ValueError, match="None is not one of descendants, ancestors"):
        graph.lineage("LoRA", None)  # type: ignore[arg-type]


@pytest.mark.parametrize("depth", [0, -1])
def test_a_lineage_has_at_least_one_step(graph: Stemma, depth: int):
    for asked in (graph.lineage, graph.timeline):
        with pytest.raises(ValueError, match=f"max_depth must be 1 or more, not {depth}"):
            asked("LoRA", max_depth=depth)


def test_answers_have_names_beside_ids(graph: Stemma):
    ends = ("entity/dora", "entity/lora")
    [edge] = [each for each in graph.lineage("LoRA").edges if (each.child, each.parent) == ends]
    assert (edge.child_name, edge.parent_name) == ("DoRA", "LoRA")
    assert str(edge).startswith("DoRA ")
    said = edge.statements[0]
    assert said.entity_name == "LoRA"
    assert said.subject_name == graph.work(said.subject).name
    [step] = graph.path("DoRA", "LoRA")
    assert step == edge
    named = [
        *graph.statements("LoRA"),
        *graph.ask("what compares with LoRA?").statements,
        *graph.compare("LoRA", "DoRA").statements,
    ]
    assert named
    for each in named:
        assert each.subject_name == graph.work(each.subject).name
        assert each.entity_name == graph.work(each.entity).name


def test_a_closed_graph_answers_no_more_and_holds_no_file(example_store: str, tmp_path: Path):
    def held() -> int:
        opened = [each for each in Path("/proc/self/fd").iterdir() if each.is_symlink()]
        return sum(store in str(each.readlink()) for each in opened)

    store = shutil.copytree(example_store, tmp_path / "copy.db").as_posix()
    graph = Stemma(store)
    graph.lineage("LoRA")
    graph.paper("LoRA: Low-Rank Adaptation of Large Language Models")
    assert held() > 0
    graph.close()
    graph.close()
    assert held() == 0
    with pytest.raises(ValueError, match="closed"):
        graph.lineage("LoRA")


def test_a_file_or_another_folder_is_not_a_store(tmp_path: Path):
    file = tmp_path / "readme.py"
    file.write_text("print()")
    for wrong in (file, str(file), tmp_path):
        with pytest.raises(StoreError, match="is not a Stemma store"):
            Stemma(wrong)
    with pytest.raises(TypeError):
        Stemma(None)  # type: ignore[arg-type]
