"""Apache Jena, which has nothing in common with ours: it parses what is exported, and answers."""

import csv
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pyoxigraph as ox
import pytest

import riot
from corpus import extracted
from fuseki import answering
from kept import needed
from maven import SHORT_LIVED, jars
from stemma import Stemma
from stemma.graph.export import ExportFormat, Portion, export_portion, format_of
from stemma.server.build import load
from stemma.server.example import Example
from stemma.server.sparql import example_queries

EXAMPLES = Path(__file__).parents[2] / "examples"
DOCS = Path(__file__).parents[2] / "docs"
RDF, SPARQL = (f"{(DOCS / name).read_text('utf-8')}" for name in ("rdf.md", "sparql.md"))
(PROGRAM,) = re.findall(r"```python\n(.*?)```", RDF, re.DOTALL)
(COMMANDS,) = (each for each in re.findall(r"```sh\n(.*?)```", RDF, re.DOTALL) if "tdb2" in each)
ON_A_FILE, LOAD, LOADED, SERVE = COMMANDS.splitlines()
(PREFIXES,) = re.findall(r"```sparql\n(BASE .*?)```", SPARQL, re.DOTALL)
PROGRAMS = {
    "sparql": "arq.sparql",
    "tdb2.tdbloader": "tdb2.tdbloader",
    "tdb2.tdbquery": "tdb2.tdbquery",
    "fuseki-server": "org.apache.jena.fuseki.main.cmds.FusekiMainCmd",
}
BUILDING = {"fuyou", "smart-infinity"}
"""Of the examples, some that build on ZeRO-Infinity."""


@pytest.fixture(scope="module")
def riot_complains() -> Callable[..., str]:
    """What riot has to say against files; skip, or fail where it must be, if there is no riot."""
    with needed("JENA"):
        jars(riot.POM)
    return riot.complaints


@pytest.fixture(scope="module")
def jena(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment in which Jena's commands are found, as its distributions have them."""
    with needed("JENA"):
        folder = jars(riot.POM)
    programs: Path = tmp_path_factory.mktemp("jena")
    for name, main in PROGRAMS.items():
        command = f"exec java {' '.join(SHORT_LIVED)} -cp '{folder}/*' {main}"
        (programs / name).write_text(f'#!/bin/sh\n{command} "$@"\n')
        (programs / name).chmod(0o755)
    return {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the exports of the examples, and with the query."""
    folder: Path = tmp_path_factory.mktemp("elsewhere")
    with Stemma(str(folder / "stemma.db")) as stemma:
        load(stemma.store, [extracted(EXAMPLES, "examples")])
        with stemma.store.snapshot() as reader:
            export_portion(Portion(reader), ExportFormat.TURTLE, folder / "graph.ttl")
            export_portion(Portion(reader), ExportFormat.NQUADS, folder / "graph.nq")
    (query,) = re.findall(r'"""(.*?)"""', PROGRAM, re.DOTALL)
    (folder / "what.rq").write_text(query)
    return folder


def ids(text: str) -> set[str]:
    return set(re.findall(r"/id/entity/([\w.-]+)", text))


def test_rdflib_and_oxigraph(folder: Path) -> None:
    command = [sys.executable, "-W", "ignore", "-c", PROGRAM]
    said = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout
    by_rdflib, by_oxigraph = map(ids, said.splitlines())
    assert by_rdflib == by_oxigraph >= BUILDING


@pytest.fixture(scope="module")
def run(folder: Path, jena: dict[str, str]) -> Callable[[str], str]:
    """Run a command of Jena there, after the one that loads the graph; return what it prints."""

    def run(command: str) -> str:
        options: dict[str, Any] = {"cwd": folder, "env": jena, "capture_output": True}
        return subprocess.run(["sh", "-c", command], text=True, check=True, **options).stdout

    run(LOAD)
    return run


@pytest.mark.long
def test_commands_of_jena(run: Callable[[str], str]) -> None:
    on_a_file, loaded = (ids(run(each)) for each in (ON_A_FILE, LOADED))
    assert on_a_file == loaded >= BUILDING


@pytest.fixture(scope="module")
def fuseki(folder: Path, run: Callable[[str], str], jena: dict[str, str]) -> Iterator[str]:
    """The address of Fuseki."""

    def command(port: int) -> list[str]:
        options = SERVE.partition("#")[0]
        options = options.replace("server ", f"server --localhost --port {port} ")
        return ["sh", "-c", f"exec {options}"]

    with answering(command, "stemma", cwd=folder, env=jena) as url:
        yield url


def rows(text: str) -> list[list[str]]:
    """Return the rows of an answer in CSV, in which a number has one form."""
    return sorted([_value(cell) for cell in row] for row in csv.reader(text.splitlines()))


def _value(cell: str) -> str:
    try:
        return str(float(cell))
    except ValueError:
        return cell


@pytest.mark.long  # Whether what is written can be read is tested below.
def test_fuseki_answers_all_questions_as_the_server_does(folder: Path, fuseki: str) -> None:
    store = ox.Store()
    store.load(path=folder / "graph.nq")
    for each in map(
        Example.read, Path(example_queries.__file__).with_name("examples").glob("*.rq")
    ):
        query = PREFIXES + each.query
        found = httpx.get(fuseki, params={"query": query}, headers={"accept": "text/csv"})
        ours = store.query(query, use_default_graph_as_union=True)
        assert isinstance(ours, ox.QuerySolutions)
        expected = rows((ours.serialize(format=ox.QueryResultsFormat.CSV) or b"").decode())
        assert len(expected) > 1, each.question
        assert rows(found.text) == expected, each.question


NAMES = [f"graph.{ending}" for ending in ("nq", "trig", "nt", "ttl.gz", "jsonld")]


def complaints(riot_complains: Callable[..., str], papers: Path, folder: Path) -> str:
    """Return what riot has to say of the graph of some papers, in every format."""
    with Stemma(str(folder / "stemma.db")) as stemma:
        load(stemma.store, [extracted(papers, papers.name)])
        with stemma.store.snapshot() as reader:
            portion = Portion(reader)
            files = [export_portion(portion, format_of(Path(each)), folder / each)
                     for each in NAMES]  # fmt: skip
    return riot_complains(*(file for own in files for file in own))


def test_riot_parses_the_examples(riot_complains, tmp_path):
    assert not complaints(riot_complains, EXAMPLES, tmp_path)


@pytest.mark.long
def test_riot_parses_the_seeds(riot_complains, shared, tmp_path):
    assert not complaints(riot_complains, shared / "seeds", tmp_path)
