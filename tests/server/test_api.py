"""The Python API: what it accepts, what it answers, and what it says of mistakes."""

import json
import shutil
from inspect import signature
from pathlib import Path

import pytest

import stemma
from stemma import Stemma
from stemma.graph import FilterError
from stemma.graph.selection import filters
from stemma.server.api import FiltersByRelation


def test_a_path_that_holds_nothing_to_read_is_an_error_and_nothing_is_written(tmp_path):
    (tmp_path / "paper.png").write_text("PNG")
    (tmp_path / "empty").mkdir()
    with Stemma(tmp_path / "new.db") as graph:
        with pytest.raises(FileNotFoundError, match="nope"):
            graph.build(tmp_path / "nope")
        with pytest.raises(ValueError, match="give files, folders, or papers"):
            graph.build()
        for name in ("paper.png", "empty"):
            with pytest.raises(ValueError, match=rf"{name}.*(listings|abstracts)"):
                graph.build(tmp_path / name)
    assert not (tmp_path / "new.db").exists()


def test_what_cannot_be_read_in_a_file_is_a_warning(tmp_path):
    file = tmp_path / "papers.jsonl"
    file.write_text('{"title": "One", "abstract": "We present One."}\nno JSON\n[]\n')
    with (
        Stemma(tmp_path / "new.db") as graph,
        pytest.warns(UserWarning, match=r"papers\.jsonl:2.*1 more"),
    ):
        report = graph.build(file)
    assert len(report.problems) == 2
    assert report.changes.added
    with Stemma(tmp_path / "new.db") as graph, pytest.warns(UserWarning, match=r"-\w+\.jsonl:2: "):
        graph.build([PAPERS[0], {"abstract": "No title."}])


def test_a_work_of_an_answer_can_be_asked_about_and_nothing_else_than_works(graph):
    (lora,) = [work for work in graph.search("LoRA") if work.id == "entity/lora"]
    assert graph.lineage(lora).edges == graph.lineage("LoRA").edges
    assert graph.path(lora, graph.work("DoRA")).edges
    assert graph.papers(entity=lora) == graph.papers(entity=graph.work("LoRA"))
    for asked in (graph.lineage, graph.statements, graph.work):
        with pytest.raises(TypeError, match="expected a work name or id"):
            asked(["LoRA"])


def test_statements_of_a_work_refuse_the_filters_of_those_of_the_graph(graph):
    for given in ({"min_confidence": 0.9}, {"compared": True}):
        with pytest.raises(ValueError, match=f"'{next(iter(given))}' does not go with a work"):
            graph.statements("LoRA", **given)


def test_type_checkers_know_all_filters():
    methods = (Stemma.lineage, Stemma.path, Stemma.statements, Stemma.search, Stemma.papers)
    taken = {name for each in methods for name in signature(each).parameters}
    known = {each.shown for each in filters().values()}
    assert FiltersByRelation.__annotations__.keys() == (taken & known) - {"direction"}


def test_what_filters_leave_out_is_told(graph):
    with pytest.raises(FilterError, match="max depth must be between 1 and 20, not 0"):
        graph.lineage("LoRA", max_depth=0)
    assert "all excluded by years" in repr(graph.lineage("LoRA", since=2030))


def test_a_page_of_many_results_is_shown_in_part_and_a_missing_path_is_said(graph):
    page = graph.statements(first=1000)
    assert repr(page).endswith(", …>") and page._repr_html_().count("<tr") < len(page)
    assert "none is known" in repr(graph.path("LoRA", "LoRA"))
    assert len(graph.analyse().to_pandas()) == 10


def test_a_closed_graph_answers_no_more_and_holds_no_file(example_store, tmp_path):
    def held() -> int:
        opened = [each for each in Path("/proc/self/fd").iterdir() if each.is_symlink()]
        return sum(store in str(each.readlink()) for each in opened)

    store = shutil.copyfile(example_store, tmp_path / "copy.db").as_posix()
    graph = Stemma(store)
    graph.lineage("LoRA")
    graph.paper("LoRA: Low-Rank Adaptation of Large Language Models")
    assert held() > 0
    graph.close()
    graph.close()
    assert held() == 0
    with pytest.raises(ValueError, match="closed"):
        graph.lineage("LoRA")


PAPERS = [
    {
        "title": "Heron: Serving Many Adapters",
        "abstract": "We present Heron, a system that extends LoRA.",
        "authors": ["Ada Quill", "Bo Reed"],
        "published": "2024-05-01",
        "rank": {1, 2},
    },
    {"title": "Egret: Fewer Adapters", "abstract": "We present Egret, which improves on LoRA."},
]


def test_papers_in_memory_are_built_from_as_from_files(tmp_path):
    (tmp_path / "papers.jsonl").write_text(
        "".join(f"{json.dumps(p, default=list)}\n" for p in PAPERS)
    )
    with Stemma(tmp_path / "file.db") as file, Stemma(tmp_path / "memory.db") as memory:
        file.build(tmp_path / "papers.jsonl")
        report = memory.build(iter(PAPERS))
        assert repr(report) == "<2 records read from 1 file: 2 papers added, 0 updated, 0 problems>"
        for graph in (file, memory):
            heron = graph.paper("Heron: Serving Many Adapters")
            assert [each.name for each in heron.authors] == ["Ada Quill", "Bo Reed"]
            assert str(heron.published) == "2024-05-01"
        assert memory.statements("LoRA") == file.statements("LoRA")
        again = memory.build(PAPERS)
        assert (again.files, again.files_known) == (0, 1)
        memory.build(PAPERS[0])
        assert memory.statistics().papers == 2


def test_a_data_frame_is_built_from_by_the_names_of_its_columns(tmp_path):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(
        {
            "Article Title": ["Heron: Adapters", "Egret: Adapters"],
            "Abstract": ["We present Heron.", "We present Egret."],
            "Date": pandas.to_datetime(["2024-05-01", None]),
            "Publication Year": [None, 2023],
            7: [None, 1.5],
        }
    )
    with Stemma(tmp_path / "stemma.db") as graph:
        graph.build(frame)
        dates = {each.name: str(each.published) for each in graph.papers()}
        assert dates == {"Heron: Adapters": "2024-05-01", "Egret: Adapters": "2023"}
        renamed = pandas.DataFrame({"Name": ["Crane: Adapters"], "Text": ["We present Crane."]})
        graph.build(renamed, columns={"title": "Name", "abstract": "Text"})
        assert graph.paper("Crane: Adapters").abstract == "We present Crane."


@pytest.mark.parametrize(
    ("wrong", "error", "reason"),
    [
        (7, TypeError, "expected a path, papers or a data frame"),
        (["papers.pdf"], TypeError, "give paths one by one"),
        ([], ValueError, "no papers"),
    ],
)
def test_what_is_no_paper_is_an_error(tmp_path, wrong, error, reason):
    with Stemma(tmp_path / "stemma.db") as graph, pytest.raises(error, match=reason):
        graph.build(wrong)


def test_a_graph_shows_where_it_is_but_no_password(tmp_path):
    with pytest.raises(TypeError):
        Stemma(None)
    assert {"Stemma", "__version__"} <= set(dir(stemma)), "which are loaded on first use"
    assert repr(Stemma(tmp_path / "a.db")) == f"Stemma({str(tmp_path / 'a.db')!r})"
    pytest.importorskip("neo4j")
    assert repr(Stemma("neo4j://me:secret@127.0.0.1:1")) == "Stemma('neo4j://127.0.0.1:1')"
