"""A cluster that loses a machine in the middle comes to the same result."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from command import answer
from corpus import extracted
from patience import PATIENCE
from processes import descendants
from spark_here import need_spark
from stemma.schema import interchange, interchange_parquet

pytestmark = [pytest.mark.spark, pytest.mark.long]
EXAMPLES = Path(__file__).parents[3] / "examples"
CLUSTER = "local-cluster[2,1,1024]"
"""Two workers, each a process with one processor and so many megabytes."""


def executors(process: int) -> list[int]:
    """The processes of a cluster that run tasks, each by processes of Python that it starts."""
    found = []
    for each in descendants(process):
        try:
            command = Path(f"/proc/{each}/cmdline").read_bytes()
        except OSError:
            continue
        if b"CoarseGrainedExecutorBackend" in command:
            found.append(each)
    return found


def run(arguments: list[str], output: Path) -> str:
    """Run a command, and kill one worker in the middle. Return what it prints."""
    import pyspark  # noqa: PLC0415 - an extra

    job = output.parent / "job.py"
    job.write_text("from stemma.server.cli import main; main()")
    submit = [str(Path(pyspark.__file__).parent / "bin" / "spark-submit"), "--master", CLUSTER]
    with subprocess.Popen(
        [*submit, str(job), *arguments, "-o", str(output)],
        env=os.environ | {"PYSPARK_PYTHON": sys.executable},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        until = time.monotonic() + PATIENCE
        kill = True
        while kill and time.monotonic() < until and process.poll() is None:
            time.sleep(0.5)
            if busy := [each for each in executors(process.pid) if descendants(each)]:
                time.sleep(2)
                os.kill(busy[0], signal.SIGKILL)
                kill = False
        printed, _ = process.communicate()
    assert process.returncode == 0, printed
    assert not kill, f"nothing was killed\n{printed}"
    return printed


def test_a_worker_is_killed_while_papers_are_extracted_and_while_they_are_linked(
    tmp_path,
) -> None:
    need_spark()
    output, graph = tmp_path / "out", tmp_path / "graph"
    printed = run(["extract", str(EXAMPLES), "--fast", "--engine", "spark"], output)
    assert "Lost executor" in printed
    assert "66 papers extracted" in printed
    files = sorted(output.glob("*.parquet"))
    rows = [row for each in files for row in interchange_parquet.read(each, "", "")]
    local = extracted(EXAMPLES, "examples", fast=True)
    assert sorted(map(interchange.dump, rows)) == sorted(local.read_text().splitlines())

    printed = run(["link", str(output), "-f", "neo4j-csv"], graph)
    assert "Lost executor" in printed
    store = str(tmp_path / "stemma.db")
    answer("load", str(local), "-s", store)
    answer("export", "-s", store, "-f", "neo4j-csv", "-o", str(tmp_path / "local"))
    for table in ("Paper", "Entity", "Author", "BUILDS_ON", "DERIVES_FROM", "USES"):
        lines = [line for each in graph.glob(f"{table}/part-*") for line in each.open()]
        assert sorted(lines) == sorted((tmp_path / "local" / f"{table}.csv").open())
