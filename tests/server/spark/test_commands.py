"""`stemma extract --engine spark` and `stemma link`: what one machine finds, a cluster finds."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from subprocess import CompletedProcess

import pyarrow
import pytest
from pyarrow import parquet

from command import answer, stemma
from corpus import extracted
from stemma.graph.neo4j.elements import Node, Relationship
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


@pytest.fixture
def local() -> Path:
    """What one machine finds in the example papers."""
    return extracted(EXAMPLES, "examples", fast=True)


@pytest.fixture
def link(spark, tmp_path):
    """Link extractions on a cluster, into the folder `graph`."""

    def run(extractions: Path) -> CompletedProcess[str]:
        return stemma("link", str(extractions), "-o", str(tmp_path / "graph"))

    return run


def paper_of(line: str) -> str:
    return json.loads(line)["paper"]["id"]


def test_extractions_are_those_of_one_machine(both) -> None:
    folder, on_cluster, local = both
    assert "69 papers extracted, 4 duplicates, 1 could not be read." in on_cluster.stderr
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


def test_nodes_and_relationships_are_written_as_tables(spark, tmp_path) -> None:
    from stemma.server.spark.tables import write_parquet  # noqa: PLC0415 - an extra

    pot = Node(("Entity", "Technique"), {"id": "entity/pot", "name": "Pot", "papers": 1})
    stated = Relationship("USES", "paper/pot", "entity/pot", {"confidence": 0.5})
    write_parquet(spark, spark.sparkContext.parallelize([pot, stated]), str(tmp_path / "graph"))
    entities, uses = (parquet.read_table(tmp_path / "graph" / each) for each in ("Entity", "USES"))
    (entity,), (use,) = entities.to_pylist(), uses.to_pylist()
    assert entity["labels"] == ["Entity", "Technique"]
    assert (entity["id"], entity["papers"], entity["published"]) == ("entity/pot", 1, None)
    assert (use["start"], use["end"], use["confidence"]) == ("paper/pot", "entity/pot", 0.5)


@pytest.mark.long
def test_the_graph_of_the_examples_is_written_as_tables(local, link, tmp_path) -> None:
    with local.open("rb") as lines:
        found = list(interchange.read(lines, local.name, "0" * 64))
    interchange_parquet.write(found, tmp_path / "local.parquet")
    done = link(tmp_path / "local.parquet")
    assert done.returncode == 0, done.stderr
    answer("load", str(local), cwd=tmp_path)
    statistics = json.loads(answer("stats", "--format", "json", cwd=tmp_path))
    assert f"{statistics['papers']} papers and " in done.stderr
    tables = {each.name: parquet.read_table(each) for each in (tmp_path / "graph").iterdir()}
    assert tables["Paper"].num_rows == statistics["papers"]
    assert tables["Entity"].num_rows == statistics["entities"]
    assert tables["DERIVES_FROM"].num_rows == statistics["lineage_edges"]
    assert {"start", "end", "confidence", "evidence_text"} <= {*tables["BUILDS_ON"].column_names}
    edges = tables["BUILDS_ON"].to_pylist()
    names = {each["id"] for name in ("Paper", "Entity") for each in tables[name].to_pylist()}
    assert {each[end] for each in edges for end in ("start", "end")} <= names


def test_a_paper_that_was_extracted_twice_is_refused(link, papers, tmp_path) -> None:
    answer("extract", "papers/c.bib", "--fast", "-o", "one.parquet", cwd=tmp_path)
    parts = tmp_path / "parts"
    parts.mkdir()
    for number in range(2):
        shutil.copy(tmp_path / "one.parquet", parts / f"{number}.parquet")
    done = link(parts)
    assert done.returncode == 1
    assert "parts has papers more than once, such as paper/pot: extract all files together" in (
        done.stderr
    )
    assert not (tmp_path / "graph").exists()


def test_files_that_are_no_extractions_are_refused_by_what_is_wrong_with_them(
    link, papers, tmp_path
) -> None:
    parquet.write_table(pyarrow.table({"title": ["Pot"]}), tmp_path / "other.parquet")
    done = link(tmp_path / "other.parquet")
    assert done.returncode == 1
    assert "other.parquet: not extractions of Stemma: no column entities, paper" in done.stderr

    parts = tmp_path / "parts"
    parts.mkdir()
    answer("extract", "papers/c.bib", "--fast", "-o", "parts/whole.parquet", cwd=tmp_path)
    whole = (parts / "whole.parquet").read_bytes()
    (parts / "cut.parquet").write_bytes(whole[: len(whole) // 2])
    done = link(parts)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    _, message = done.stderr.split("error: the Spark job failed: ")
    assert "parts/cut.parquet is not a Parquet file" in message
    assert "\tat " not in message


def test_what_a_failed_job_left_is_not_taken_for_all_of_it(link, papers, tmp_path) -> None:
    parts = tmp_path / "parts"
    (parts / "_temporary").mkdir(parents=True)
    answer("extract", "papers/c.bib", "--fast", "-o", "parts/part-0.parquet", cwd=tmp_path)
    done = link(parts)
    assert done.returncode == 1
    assert "parts is incomplete: the job that writes it failed" in done.stderr
    loaded = stemma("load", "parts", cwd=tmp_path)
    assert "parts: incomplete: the job of Spark that writes it failed" in loaded.stderr
    assert "1 paper added" in loaded.stdout


@pytest.mark.long
def test_rows_that_are_no_records_are_reported_and_nothing_but_such_rows_is_an_error(
    link, papers, tmp_path
) -> None:
    answer("extract", "papers/c.bib", "--fast", "-o", "pot.parquet", cwd=tmp_path)
    (row,) = parquet.read_table(tmp_path / "pot.parquet").to_pylist()
    rows = [row | {"paper": row["paper"] | {"id": None}}, row | {"relations": None}]
    table = pyarrow.Table.from_pylist(rows, interchange_parquet.schema())
    parquet.write_table(table, tmp_path / "bad.parquet")
    done = link(tmp_path / "bad.parquet")
    assert done.returncode == 1
    assert "error: Pot: not an interchange record: the paper has no id\n" in done.stderr
    assert "error: Pot: not an interchange record: 'relations' is missing\n" in done.stderr
    assert done.stderr.endswith("error: no papers could be read\n")
    assert not (tmp_path / "graph").exists()


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
        (("--llm", "http://localhost", "--model", "m", "-o", "out"), "cannot be used with"),
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
