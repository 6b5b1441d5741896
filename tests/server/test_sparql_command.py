"""``stemma sparql``, as people type it."""

import csv
import io
import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyoxigraph as ox
import pytest

from command import stemma
from patience import PATIENCE
from processes import ENDLESS, processor_seconds

LINEAGE = "SELECT DISTINCT ?x { ?x stemma:derivesFrom+ <entity/zero-infinity> } ORDER BY ?x"


def run(store: str, *arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
    return stemma("sparql", "-s", store, *arguments, given=given)


def test_it_prints_a_table(example_store):
    done = run(example_store, LINEAGE)
    assert done.returncode == 0
    lines = [line.strip() for line in done.stdout.splitlines()]
    assert lines[0] == "x"
    assert "entity/fuyou" in lines
    assert done.stderr == f"{len(lines) - 1} rows\n"
    assert run(example_store, "ASK { <entity/fuyou> ?p ?o }").stdout == "yes\n"
    assert run(example_store, "ASK { <entity/nobody> ?p ?o }").stdout == "no\n"


def test_it_reads_a_query_from_the_standard_input(example_store):
    given = run(example_store, LINEAGE, "--format", "csv").stdout
    from_input = run(example_store, "-", "--format", "json", given=LINEAGE).stdout
    rows = [row["x"] for row in csv.DictReader(io.StringIO(given))]
    assert rows == [row["x"]["value"] for row in json.loads(from_input)["results"]["bindings"]]


def test_a_graph_is_printed_as_turtle_or_as_is_asked(example_store):
    query = "DESCRIBE <entity/fuyou>"
    turtle = ox.parse(run(example_store, query).stdout, ox.RdfFormat.TURTLE)
    ntriples = ox.parse(run(example_store, query, "-f", "ntriples").stdout, ox.RdfFormat.N_TRIPLES)
    assert {quad.triple for quad in turtle} == {quad.triple for quad in ntriples} > set()


def test_what_is_wrong_is_reported_in_a_sentence(example_store):
    malformed = run(example_store, "SELECT * {")
    assert malformed.returncode == 1
    assert "malformed at line 1" in malformed.stderr
    refused = "error: Updates are not supported: SPARQL is read-only here.\n"
    assert run(example_store, "DROP ALL").stderr == refused
    unfit = run(example_store, "ASK {}", "-f", "turtle")
    assert unfit.returncode == 2
    assert "table, json, csv" in unfit.stderr
    assert run(example_store).returncode == 2


@pytest.mark.process
@pytest.mark.skipif(not Path("/proc").exists(), reason="there is no /proc to look at")
def test_ctrl_c_stops_it_at_once(example_store):
    command = [sys.executable, "-m", "stemma.server", "sparql", "-s", example_store, ENDLESS]
    with subprocess.Popen(command, stderr=subprocess.PIPE) as process:
        # By then it has been at the query for a while, however slow the machine.
        while processor_seconds(process.pid) < 1.7:
            assert process.poll() is None
            time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=PATIENCE) == -signal.SIGINT
