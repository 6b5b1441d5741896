"""A library of hostile texts, and Neo4j's own importer and shell."""

import os
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from described import described
from filled import append
from kept import needed
from maven import SHORT_LIVED, jars
from neo4j_server import POM, Server
from stemma.graph import Store
from stemma.graph.export.neo4j_csv import COMMAND
from stemma.graph.neo4j import Address
from stemma.schema import Extraction, Reject, RelationType, Rename
from stemma.schema.paper import Author, Reference

SHELL = Path(__file__).parents[2] / "support" / "cypher-shell.xml"
HOSTILE = [
    "\\u0022}) DETACH DELETE n //",
    '"; MATCH (n) DETACH DELETE n; //',
    "'] AS row MATCH (n) DETACH DELETE n RETURN ['",
    "ends with a backslash \\",
    "lines\nof\r\nseveral\n:exit\n",
    'a "quoted", comma; and\ttab',
    "control \x00\x01\x1f\x7f\x85\u2028 characters",
    "noncharacters \ufdd0\ufdef\ufeff",
    "δ 中 🦊",
    "`tick` $rows {a: 1} /* c */ // d",
]


@pytest.fixture(scope="session")
def library(describe: Callable[..., Extraction]) -> list[Extraction]:
    """Papers with every hostile text in every place of a text, and papers as they should be."""
    papers = described("""
        Quill: “a” Store (2021-04)
            | We present Quill. It extends ZeRO on A100. Unlike Ink, Quill is quick.
            | framework Quill: INTRODUCES 0.95 | technique ZeRO = Zero Redundancy: BUILDS_ON 0.25
            | hardware A100: RUNS_ON | technique Ink: COMPARES_WITH 0.6
        Nib (XXXX-05-06) | Nib extends ZeRO, as Quill does. Nib extends Quill.
            | framework Nib: INTRODUCES | technique ZeRO: BUILDS_ON | framework Quill: BUILDS_ON
            | framework ZeRO-Infinity: IMPROVES_ON 0.4
        Undated and Silent
    """)
    return papers + [_hostile(describe, *each) for each in enumerate(HOSTILE)]


def _hostile(describe: Callable[..., Extraction], number: int, text: str) -> Extraction:
    found = describe(
        f"Number {number}: {text}",
        f"{text} is extended by Nib.",
        "framework Nib: BUILDS_ON 0.5",
        "dataset Bottle: EVALUATED_ON",
        file=f"{text}.txt",
    )
    paper = replace(
        found.paper,
        organization=text,
        links=(text, "https://example.org/"),
        venue=text,
        authors=(Author(text, None, text), Author("Ada", "0000-0002-1825-0097")),
        references=(Reference("doi:10.1000/x", "A Pen"),),
    )
    (nib, bottle), (builds, evaluated) = found.entities, found.relations
    entities, relations = (
        (nib, replace(bottle, name=text)),
        (builds, replace(evaluated, entity=text)),
    )
    return replace(found, paper=paper, entities=entities, relations=relations)


@pytest.fixture(scope="session")
def fill(library: list[Extraction]) -> Callable[[Store], None]:
    """Write the hostile library into a new store, with decisions and notes of what was read."""

    def fill(store: Store) -> None:
        nib = library[1].paper.id
        append(store.decisions, Reject(nib, RelationType.BUILDS_ON, "entity/quill", "no"))
        append(store.decisions, Rename("entity/ink", 'The "Ink"'))
        with store.writer() as writer:
            writer.put(library, "hand 1")
            writer.mark_read('a "file".txt', "0" * 64, "reading 1")
            writer.mark_read("another.txt", "1" * 64, "reading 1")
            writer.commit()

    return fill


@pytest.fixture(scope="session")
def admin_import() -> Callable[[Path, Server], str]:
    """Import the files of a folder, by the command that it documents; return what that prints."""

    def run(files: Path, server: Server) -> str:
        program, *arguments = COMMAND.split()
        assert program == "neo4j-admin"
        java = ["java", *SHORT_LIVED, "-Xmx512m", "-cp", f"{jars(POM)}/*"]
        java += ["org.neo4j.cli.AdminTool"]
        home = {"NEO4J_HOME": str(server.home), "NEO4J_CONF": str(server.home / "conf")}
        done = subprocess.run(
            [*java, *arguments],
            cwd=files,
            env=os.environ | home,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
        return done.stdout

    return run


@pytest.fixture(scope="session")
def cypher_shell() -> Callable[[str, Path], None]:
    """Run a script with Neo4j's own shell, as one types it, on a machine of plain ASCII."""
    with needed("NEO4J"):
        shell = jars(SHELL)

    def run(url: str, script: Path) -> None:
        address = Address.parse(url)
        command = ["java", *SHORT_LIVED, "-cp", f"{shell}/*", "org.neo4j.shell.Main"]
        command += ["--format", "plain", "--username", address.user or ""]
        command += ["--address", address.server]
        done = subprocess.run(
            [*command, "--file", str(script)],
            env={**os.environ, "NEO4J_PASSWORD": address.password or "", "LC_ALL": "C"},
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr

    return run
