"""What build, extract and load say: of every record, and of what is wrong."""

import gzip
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import zstandard
from typer.testing import CliRunner, Result

from pdf_page import page_of, pdf
from stemma.graph import open_store
from stemma.graph.sqlite.writer import Writer
from stemma.server import build as building
from stemma.server import build_report
from stemma.server.build import build, extract
from stemma.server.build_report import BuildReport
from stemma.server.cli import terminal
from stemma.server.cli.app import app
from stemma.server.extraction_settings import ExtractionSettings

ABSTRACT = "We fire clay in a kiln that is built on top of PyTorch."
Run = Callable[..., Result]


def record(title: str, abstract: str = ABSTRACT, **fields: object) -> str:
    return json.dumps({"title": title, "abstract": abstract, **fields}) + "\n"


@pytest.fixture
def run(tmp_path, monkeypatch) -> Iterator[Run]:
    monkeypatch.chdir(tmp_path)
    yield lambda *arguments: CliRunner().invoke(app, [*map(str, arguments)], prog_name="stemma")
    terminal.write_json(False)


@pytest.fixture
def papers(tmp_path) -> Path:
    """Seven records: four papers, one of them twice and once more in another file, and no paper."""
    folder = tmp_path / "papers"
    folder.mkdir()
    (folder / "a.jsonl").write_text(
        record("A Kiln") + record("A Wheel") + "{}\n" + record("A kiln ") + record("A Pot")
    )
    (folder / "b.json").write_text(f"[{record('A Wheel')}, {record('A Bowl')}]")
    return folder


def test_every_record_is_accounted_for(run, papers):
    told = run("build", "papers")
    assert told.stdout == (
        "7 records read from 2 files into stemma.db: "
        "4 papers added, 0 updated, 2 duplicates, 1 could not be read.\n"
    )
    (papers / "c.jsonl").write_text(record("A Pot", year=2024) + record("A Jug"))
    told = run("build", "papers")
    assert told.stdout == (
        "2 records read from 1 file (2 already known) into stemma.db: 1 paper added, 1 updated.\n"
    )
    told = run("extract", "papers", "-o", "out.jsonl")
    assert told.stderr.splitlines()[-1] == (
        "9 records read from 3 files: 5 papers extracted, 3 duplicates, 1 could not be read."
    )
    told = run("load", "out.jsonl")
    assert told.stdout.startswith("5 records read from 1 file into stemma.db: 0 papers added, ")


def test_a_removed_paper_comes_back_when_its_file_is_built_again(run, papers):
    run("build", "papers")
    before = run("export", "-o", "-", "--format", "nquads").stdout
    assert run("remove", "A Pot").exit_code == 0
    assert run("build", "papers").stdout.startswith("Nothing new: 2 files already")
    told = run("build", "papers", "--again")
    assert "1 paper added, 0 updated, 3 unchanged" in told.stdout
    assert run("export", "-o", "-", "--format", "nquads").stdout == before
    (papers / "a.jsonl").write_text(record("A Pot", "We throw pots.", year=2023))
    run("remove", "A Pot")
    run("build", "papers", "--again")
    shown = json.loads(run("show", "A Pot", "--format", "json").stdout)["work"]
    assert (shown["published"], shown["abstract"]) == ("2023", "We throw pots."), "it is corrected"


def configure(line: str) -> None:
    Path("stemma.toml").write_text(f"[build]\n{line}\n")


def test_a_setting_lets_larger_records_in_or_fewer(run, tmp_path):
    long = ABSTRACT * 40
    (tmp_path / "papers.jsonl").write_text(record("A Kiln") + record("A Wheel", long))
    configure('max-record-size = "2K"')
    told = run("build", "papers.jsonl")
    assert "papers.jsonl:2: a record of more than 2 K" in told.stderr
    assert "1 paper added" in told.stdout and "1 could not be read" in told.stdout
    configure('max-record-size = "1MiB"')
    again = run("build", "papers.jsonl")
    assert "1 paper added" in again.stdout, "what was too large is read once it is let in"
    configure('max-record-size = "much"')
    wrong = run("build", "papers.jsonl")
    assert wrong.exit_code == 2
    assert "500K" in wrong.stderr


def test_loading_passes_over_what_is_too_large(run, papers, tmp_path):
    run("extract", "papers", "-o", "out.jsonl")
    kiln, *others = (tmp_path / "out.jsonl").read_text().splitlines(keepends=True)
    large = json.loads(kiln)
    large["paper"]["abstract"] += " " * (9 * 1024 * 1024)
    with gzip.open(tmp_path / "more.jsonl.gz", "wt") as file:
        file.writelines([*others, json.dumps(large) + "\n", kiln])
    told = run("load", "more.jsonl.gz")
    assert told.exit_code == 0, told.output
    assert "more.jsonl.gz:4: a record of more than 8 MiB" in told.stderr
    assert "4 papers added, 0 updated, 1 could not be read" in told.stdout


def test_problems_are_kept_up_to_a_bound_and_counted_beyond(tmp_path, monkeypatch):
    monkeypatch.setattr(build_report, "_MOST_OF_A_KIND", 20)
    (tmp_path / "papers.jsonl").write_text("5\n" * 27 + record("A Kiln"))
    report = BuildReport()
    list(extract([tmp_path / "papers.jsonl"], ExtractionSettings(), report=report))
    assert (len(report.problems), report.skipped) == (20, 27)
    assert [*report.more_problems.values()] == [7]


@pytest.mark.parametrize("command", ["build", "extract"])
def test_the_log_can_be_json_lines_with_progress_problems_and_metrics(
    run, papers, monkeypatch, command
):
    monkeypatch.setattr(terminal, "_PAUSES_IN_JSON", (0.0, 10.0))
    done = run(command, "papers", "--format", "json", "-v")
    lines = [json.loads(line) for line in done.stderr.splitlines()]
    assert {each["logger"] for each in lines} == {"stemma.build"}
    progress = next(each for each in lines if "done" in each)
    assert {"total", "per_second", "seconds_left", "problems"} <= progress.keys()
    (problem,) = (each for each in lines if each["level"] == "warning")
    assert (problem["file"], problem["line"], problem["record_lost"]) == ("a.jsonl", 3, True)
    finished = lines[-1]
    assert finished["message"].startswith("7 records read from 2 files")
    assert (finished["records_read"], finished["duplicates"], finished["skipped"]) == (7, 2, 1)
    failed = json.loads(run(command, "none.jsonl", "--format", "json").stderr.splitlines()[-1])
    assert (failed["level"], failed["message"]) == ("error", "no papers could be read")


@pytest.mark.parametrize(("error", "pause"), [(KeyboardInterrupt, 60.0), (RuntimeError, 0.0)])
def test_a_build_that_is_stopped_keeps_what_was_read(run, papers, monkeypatch, error, pause):
    """Also one that is killed, once some time has passed, which an error stands for."""
    put = Writer.put

    def stopped(writer, extractions, extractor):
        if extractions[0].paper.title == "A Pot":
            raise error
        put(writer, extractions, extractor)

    with monkeypatch.context() as patch:
        patch.setattr(building, "_SECONDS_BETWEEN_COMMITS", pause)
        patch.setattr(building, "_MOST_TIME_FOR_COMMITS", 1e9)
        patch.setattr(Writer, "put", stopped)
        told = run("build", "papers")
    assert told.exit_code != 0
    stopped_by_hand = "Stopped, with 2 papers stored in stemma.db." in told.stderr
    assert stopped_by_hand is (error is KeyboardInterrupt)
    assert run("check").exit_code == 0
    assert "2 papers added, 0 updated, 2 unchanged" in run("build", "papers").stdout


def test_papers_and_extractions_may_come_from_standard_input(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    given = gzip.compress((record("A Kiln") + record("A Wheel")).encode())
    told = CliRunner().invoke(app, ["extract", "-"], input=given)
    papers = [json.loads(line)["paper"] for line in told.stdout.splitlines()]
    assert [each["title"] for each in papers] == ["A Kiln", "A Wheel"]
    assert papers[1]["sources"][0]["file"] == "standard input"
    assert papers[1]["sources"][0]["position"] == 2
    loaded = CliRunner().invoke(app, ["load", "-"], input=gzip.compress(told.stdout.encode()))
    assert "2 papers added" in loaded.stdout


@pytest.mark.parametrize("given", [".", "a.jsonl."])
def test_extract_does_not_replace_the_papers_that_it_reads(run, tmp_path, given):
    (tmp_path / "a.jsonl").write_text(record("A Kiln"))
    if given == "a.jsonl.":
        (tmp_path / given).symlink_to("a.jsonl")
    told = run("extract", given, "-o", "a.jsonl")
    assert told.exit_code == 2
    assert "is one of the files to read" in " ".join(told.stderr.replace("│", " ").split())
    assert (tmp_path / "a.jsonl").read_text() == record("A Kiln")


def test_extractions_have_no_time_and_stay_if_no_paper_is_read(run, tmp_path, monkeypatch):
    name = "out.jsonl.gz"
    (tmp_path / "a.jsonl").write_text(record("A Kiln"))
    written = set()
    for now in (1e9, 2e9):  # What it wrote itself is replaced.
        monkeypatch.setattr("time.time", lambda now=now: now)
        assert run("extract", "a.jsonl", "-o", name).exit_code == 0
        written.add((tmp_path / name).read_bytes())
    assert run("extract", "b.jsonl", "-o", name).exit_code == 1
    assert {(tmp_path / name).read_bytes()} == written


def test_a_store_in_the_folder_of_papers_is_not_read(run, tmp_path):
    (tmp_path / "a.jsonl").write_text(record("A Kiln"))
    run("build", ".")
    run("decide", "rename", "PyTorch", "Torch")
    told = run("build", ".")
    again = "Nothing new: 1 file already read into stemma.db (--again reads all again).\n"
    assert (told.stdout, told.stderr) == (again, "")
    run("backup", "copy.db")
    (tmp_path / "b.jsonl").write_text(record("A Wheel"))
    told = run("build", ".")
    assert told.stdout.startswith("1 record read from 1 file (1 already known) into stemma.db")
    assert told.stderr == ""
    assert "such as a store of Stemma" in run("build", "stemma.db").stderr


def test_a_reader_in_the_configuration_overrides_detection(run, tmp_path):
    (tmp_path / "page").write_text("A Kiln\n\nWe fire clay in it every day.\n")
    assert "unsupported file format" in run("build", "page").stderr
    configure('reader = "listing"')
    told = run("build", "page")
    assert told.stdout.startswith("1 record read from 1 file into stemma.db: 1 paper added")
    configure('reader = "listning"')
    told = run("build", "page")
    assert told.exit_code == 2
    assert "did you mean 'listing'" in " ".join(told.stderr.replace("│", " ").split())


def test_a_file_that_goes_while_it_is_read_is_read_once_it_is_back(papers):
    lost, content = papers / "b.json", (papers / "b.json").read_text()

    def build_it(on_progress: Callable[..., None]) -> BuildReport:
        with open_store(str(papers.with_name("stemma.db"))) as store:
            return build(store, [papers], ExtractionSettings(), on_progress=on_progress)

    told = build_it(lambda done, total: lost.unlink(missing_ok=True))
    assert "b.json: cannot be read: No such file or directory" in map(str, told.problems)
    assert (told.files, len(told.added)) == (2, 3)
    lost.write_text(content)
    told = build_it(lambda done, total: None)
    assert (told.files, told.added) == (1, {"paper/a-bowl"})
    assert build_it(lambda done, total: None).files == 0


def test_a_library_is_read_again_once_a_file_that_it_names_is_there_or_has_changed(run, tmp_path):
    paper = tmp_path / "kiln.pdf"
    (tmp_path / "a.bib").write_text("@misc{k, title={A Kiln}, file={:kiln.pdf:PDF}}")
    (tmp_path / "b.bib").write_text("@misc{empty}")
    assert "attached files that cannot be opened: 1" in run("build", "a.bib", "b.bib").stderr
    for text in ("We fire clay on PyTorch.", "We fire clay on PyTorch and on JAX."):
        paper.write_bytes(pdf([page_of((20, "A Kiln"), (12, "Abstract"), (10, text))]))
        assert "0 papers added, 1 updated" in run("build", "a.bib", "b.bib").stdout
        nothing = "Nothing new: 2 files already read into stemma.db, 1 of which could not be read"
        assert run("build", "a.bib", "b.bib").stdout.startswith(nothing)


def test_a_file_that_needs_an_extra_is_read_once_it_is_installed(run, tmp_path, monkeypatch):
    content = zstandard.compress(record("A Kiln").encode())
    (tmp_path / "papers.jsonl.zst").write_bytes(content)
    monkeypatch.setitem(sys.modules, "zstandard", None)
    for _ in range(2):
        told = run("build", "papers.jsonl.zst")
        assert "papers.jsonl.zst: Zstandard files need an extra: " in told.stderr
        assert "0 papers added" in told.stdout
    monkeypatch.undo()
    monkeypatch.chdir(tmp_path)
    assert "1 paper added" in run("build", "papers.jsonl.zst").stdout
    assert "Nothing new" in run("build", "papers.jsonl.zst").stdout
