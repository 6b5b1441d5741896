"""A database that neo4j-admin imported: it answers as the store does, and a push goes on with it.

On the same server, since each takes long to start, the recipes of docs/cypher.md for Neo4j Graph
Data Science are run with its open edition.
"""

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from command import run_program
from corpus import extracted
from described import describe
from kept import UnavailableError, fail_if_required, needed
from maven import SHORT_LIVED, jars
from neo4j_server import POM, Server
from pushed import push
from stemma.graph import Store, open_store
from stemma.graph.export import ExportFormat, Portion, export_portion
from stemma.graph.export.neo4j_csv import COMMAND
from stemma.graph.neo4j import Address
from stemma.graph.neo4j.push import Pushed
from stemma.graph.sqlite import SqliteStore
from stemma.server.build import load

ROOT = Path(__file__).parents[3]
SUPPORT = ROOT / "tests" / "support"
SHELL, GDS = SUPPORT / "cypher-shell.xml", SUPPORT / "gds.xml"
SETTINGS = {"dbms.security.procedures.unrestricted": "gds.*"}
_RECIPES = re.compile(r"^Runs on: Neo4j with GDS\n\n```cypher\n(.+?)\n```$", re.M | re.S)
_VERSION = re.compile(r"-\d.*")
pytestmark = [
    pytest.mark.neo4j,
    pytest.mark.slow,
    pytest.mark.long,
    pytest.mark.xdist_group("imported"),
]


def admin_import(files: Path, server: Server) -> None:
    """Import the files of a folder, by the command that it documents."""
    program, *arguments = COMMAND.split()
    assert program == "neo4j-admin"
    java = ["java", *SHORT_LIVED, "-Xmx512m", "-cp", f"{jars(POM)}/*"]
    java += ["org.neo4j.cli.AdminTool"]
    home = {"NEO4J_HOME": str(server.home), "NEO4J_CONF": str(server.home / "conf")}
    done = run_program(*java, *arguments, cwd=files, env=os.environ | home, timeout=300)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]


@pytest.fixture(scope="module")
def cypher_shell() -> Callable[[str, Path], None]:
    """Run a script with Neo4j's own shell, as one types it, on a machine of plain ASCII."""
    with needed("NEO4J"):
        shell = jars(SHELL)

    def run(url: str, script: Path) -> None:
        address = Address.parse(url)
        command = ["java", *SHORT_LIVED, "-cp", f"{shell}/*", "org.neo4j.shell.Main"]
        command += ["--format", "plain", "--username", address.user or ""]
        command += ["--address", address.server]
        plain = {**os.environ, "NEO4J_PASSWORD": address.password or "", "LC_ALL": "C"}
        done = run_program(*command, "--file", str(script), env=plain, timeout=600)
        assert done.returncode == 0, done.stdout + done.stderr

    return run


@pytest.fixture(scope="module")
def plugins(tmp_path_factory: pytest.TempPathFactory) -> Path | None:
    """A folder with the jars of the library that Neo4j itself does not have, if they can be had."""
    folder = tmp_path_factory.mktemp("plugins")
    try:
        own = {_VERSION.sub("", path.name) for path in jars(POM).iterdir()}
        library = list(jars(GDS).iterdir())
    except UnavailableError as error:
        fail_if_required("NEO4J", error)
        return None
    for each in library:
        is_of_gds = each.stem.endswith("-2.13.9")
        if is_of_gds or each.name.startswith("cypher-") or _VERSION.sub("", each.name) not in own:
            (folder / each.name).symlink_to(each)
    return folder


@pytest.fixture(scope="module")
def exported(tmp_path_factory, catalogue, fill) -> Iterator[tuple[Store, Path]]:
    """A store of the default kind with the hostile library, and its files for neo4j-admin."""
    home = tmp_path_factory.mktemp("exported")
    with SqliteStore(home / "stemma.db", catalogue=catalogue) as store:
        fill(store)
        with store.snapshot() as reader:
            export_portion(Portion(reader), ExportFormat.NEO4J_CSV, home / "for-neo4j")
        yield store, home / "for-neo4j"


@pytest.fixture(scope="module")
def imported(exported, plugins, cypher_shell, tmp_path_factory) -> Iterator[Server]:
    """A server that the documented commands were run for."""
    files = exported[1]
    with needed("NEO4J"):
        server = Server(tmp_path_factory.mktemp("server"), SETTINGS, plugins)
        admin_import(files, server)
    server.start()
    try:
        cypher_shell(server.url, files / "finish.cypher")
        yield server
    finally:
        server.kill()


def make_empty(server: Server) -> None:
    """Leave nothing in the database: no constraints and indexes either."""
    with server.driver() as driver:
        driver.execute_query("MATCH (n) DETACH DELETE n")
        for kind, kinds in (("CONSTRAINT", "CONSTRAINTS"), ("INDEX", "INDEXES")):
            shown = f"SHOW {kinds} YIELD name, type WHERE type <> 'LOOKUP' RETURN name"
            for row in driver.execute_query(shown).records:
                driver.execute_query(f"DROP {kind} {row['name']}")


def test_the_import_answers_as_the_store_does_and_a_push_goes_on_with_it(
    imported, exported, answers, hostile
):
    store = exported[0]
    with open_store(imported.url) as there:
        with there.snapshot() as reader, store.snapshot() as before:
            assert answers(reader) == answers(before)
        assert list(there.check()) == []
        assert push(store, imported.url) == Pushed(everything=False)
        assert push(store, imported.url, full=True) == Pushed(
            everything=True, nodes=len(all_ids(imported))
        ), "nothing differs"
        with store.writer() as writer:
            writer.drop([hostile[0].paper.id])
            more = describe("Pen", "Pen extends Nib.", "model Pen: INTRODUCES",
                            "framework Nib: BUILDS_ON 0.7", published="2024")  # fmt: skip
            writer.put([more], "hand 1")
            writer.commit()
        assert not push(store, imported.url).everything
        with there.snapshot() as reader, store.snapshot() as after:
            assert answers(reader) == answers(after)


def all_ids(server: Server) -> list[str]:
    with server.driver() as driver:
        query = "MATCH (n:Paper|Entity|Author) RETURN n.id AS id"
        return [row["id"] for row in driver.execute_query(query).records]


@pytest.fixture
def run(imported: Server, plugins: Path | None, tmp_path: Path) -> Iterator[Callable[..., list]]:
    """Run Cypher where the library is, and the example papers are."""
    if plugins is None:
        pytest.skip("there is no Graph Data Science")
    make_empty(imported)
    with open_store(str(tmp_path / "pushed.db")) as store:
        load(store, [extracted(ROOT / "examples", "examples")])
        push(store, imported.url)
    with imported.driver() as driver:
        yield lambda recipe: [record.data() for record in driver.execute_query(recipe).records]


def test_each_recipe_of_graph_data_science_runs_one_after_the_other(run) -> None:
    recipes = _RECIPES.findall((ROOT / "docs" / "cypher.md").read_text("utf-8"))
    assert len(recipes) >= 4
    answers = []
    for recipe in recipes:
        answers.append(run(recipe))
        assert answers[-1], recipe
    influence, families = answers[1], answers[3]
    scores = {each["work"]: each["score"] for each in influence}
    assert scores["LoRA"] > scores["QLoRA"]
    members = next(family["works"] for family in families if "LoRA" in family["works"])
    assert "QLoRA" in members
