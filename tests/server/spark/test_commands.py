"""`stemma extract --engine spark`: what one machine finds, a cluster finds."""

import json
import subprocess
import sys
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from command import answer, stemma
from stemma.schema import Extraction, interchange, interchange_parquet

pytestmark = pytest.mark.spark
EXAMPLES = Path(__file__).parents[3] / "examples"
SPARK = ("--engine", "spark")


def extractions(output: Path) -> list[str]:
    """The records of Parquet files, or of JSON lines, in the order of papers."""
    if output.is_file():
        return sorted(output.read_text().splitlines(), key=paper_of)
    rows = (each for path in output.glob("*.parquet") for each in rows_of(path))
    return sorted(map(interchange.dump, rows), key=paper_of)


def rows_of(path: Path) -> list[Extraction]:
    found = list(interchange_parquet.read(path, path.name, "0" * 64))
    assert all(isinstance(each, Extraction) for each in found)
    return found


PAPER = {"title": "Kettle", "abstract": "We present Kettle, which builds on PyTorch."}


def write_papers(folder: Path) -> Path:
    """Write papers in several files: one twice, one damaged, and one in another format."""
    folder.mkdir()
    ladle = {"title": "Ladle", "abstract": "Ladle extends Kettle.", "year": 2024}
    lines = [json.dumps(PAPER), "{not json", json.dumps(ladle)]
    (folder / "a.jsonl").write_text("\n".join(lines))
    again = {"title": "Kettle", "doi": "10.1000/kettle", "authors": ["Ada Nib"]}
    (folder / "b.json").write_text(json.dumps([again]))
    (folder / "c.bib").write_text("@article{pot, title = {Pot}, year = {2023}}")
    return folder


@pytest.fixture
def papers(tmp_path) -> Path:
    return write_papers(tmp_path / "papers")


@pytest.fixture(scope="module")
def both(spark, tmp_path_factory) -> tuple[Path, CompletedProcess[str], CompletedProcess[str]]:
    """How the examples and other papers were extracted on a cluster, and on one machine.

    What was found is in a folder, as `out` and as `local.jsonl`.
    """
    folder = tmp_path_factory.mktemp("examples")
    papers = write_papers(folder / "papers")
    (papers / "README.md").write_text("What these files are.\n")  # Not a paper: skipped.
    command = ("extract", str(EXAMPLES), "--fast")
    # Spark began in another folder than the command.
    given = ("gone.jsonl", f"file://{papers}", *SPARK, "-o", str(folder / "out"))
    on_cluster = stemma(*command, *given, cwd=folder)
    assert on_cluster.returncode == 0, on_cluster.stderr
    return folder, on_cluster, stemma(*command, "papers", "-o", "local.jsonl", cwd=folder)


def paper_of(line: str) -> str:
    return json.loads(line)["paper"]["id"]


def test_extractions_are_those_of_one_machine(both) -> None:
    folder, on_cluster, local = both
    assert "69 papers extracted, 7 duplicates, 1 could not be read." in on_cluster.stderr
    assert on_cluster.stderr.splitlines()[-1] == local.stderr.splitlines()[-1]
    found, expected = (extractions(folder / each) for each in ("out", "local.jsonl"))
    assert {"paper/kettle", "paper/ladle", "paper/pot"} < {paper_of(each) for each in found}
    assert found == expected


def test_problems_are_reported(both) -> None:
    _, on_cluster, _ = both
    assert "a.jsonl:2: " in on_cluster.stderr
    assert "gone.jsonl: " in on_cluster.stderr


def test_a_folder_of_parts_loads_into_a_store(both, tmp_path) -> None:
    folder, _, _ = both
    for source, store in (("out", "cluster.db"), ("local.jsonl", "local.db")):
        assert "69 papers" in answer("load", str(folder / source), "-s", store, cwd=tmp_path)
        answer("export", "-s", store, "-o", f"{store}.nq", cwd=tmp_path)
    exported = [(tmp_path / f"{each}.db.nq").read_bytes() for each in ("cluster", "local")]
    assert exported[0] == exported[1]


def test_what_spark_cannot_start_or_open_is_an_error_without_a_traceback(
    spark, papers, tmp_path
) -> None:
    # Without its library, Spark does not know this scheme.
    done = stemma("extract", str(papers), *SPARK, "-o", "s3a://bucket/out")
    assert done.returncode == 1
    assert "error: the Spark job failed: " in done.stderr
    assert "S3AFileSystem not found" in done.stderr
    assert "Traceback" not in done.stderr

    # The session of the tests is on a cluster already: in a process of its own.
    code = "from stemma.server.cli import main; main()"
    arguments = ["extract", str(papers), *SPARK, "--master", "nowhere", "-o", str(tmp_path / "out")]
    started = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False
    )
    assert started.returncode == 1
    assert "error: Spark could not be started: " in started.stderr
    assert "Could not parse Master URL: 'nowhere'" in started.stderr
    assert "Traceback" not in started.stderr


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (("--ids", "ids.txt", "-o", "out"), "cannot be used with"),
        ((), "name a new folder"),
        (("-o", "out.jsonl"), "name a new folder"),
    ],
)
def test_what_a_cluster_cannot_do_is_refused(papers, tmp_path, options, reason) -> None:
    (tmp_path / "ids.txt").write_text("paper/pot")
    done = stemma("extract", "papers", *SPARK, *options, cwd=tmp_path)
    assert done.returncode == 2
    assert reason in " ".join(done.stderr.split())


def test_a_cluster_is_named_only_where_one_is_used(papers, tmp_path) -> None:
    done = stemma("extract", "papers", "--master", "spark://host:7077", "-o", "out", cwd=tmp_path)
    assert done.returncode == 2
    assert "--master: requires --engine spark" in " ".join(done.stderr.split())


def test_without_papers_there_is_no_output(spark, tmp_path) -> None:
    output = tmp_path / "out"
    done = stemma("extract", str(tmp_path / "gone.jsonl"), *SPARK, "-o", str(output))
    assert done.returncode == 1
    assert done.stderr.endswith("error: no papers could be read\n")
    assert not output.exists()


def test_a_folder_that_is_there_is_left_alone(spark, papers, tmp_path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine").write_text("mine")
    done = stemma("extract", str(papers), *SPARK, "-o", str(tmp_path / "out"))
    assert done.returncode == 1
    assert "out already exists: name a new folder." in done.stderr
    assert [each.name for each in (tmp_path / "out").iterdir()] == ["mine"]
