"""The recipes of docs/cypher.md for Neo4j Graph Data Science, run with its open edition."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

import neo4j
import pytest

from corpus import extracted
from kept import UnavailableError
from maven import jars
from neo4j_server import POM, Server
from stemma.graph import open_store
from stemma.server.build import load

ROOT = Path(__file__).parents[2]
GDS = ROOT / "tests" / "support" / "gds.xml"
SETTINGS = {"dbms.security.procedures.unrestricted": "gds.*"}
_RECIPES = re.compile(r"^Runs on: Neo4j with GDS\n\n```cypher\n(.+?)\n```$", re.M | re.S)
_VERSION = re.compile(r"-\d.*")
pytestmark = [pytest.mark.neo4j, pytest.mark.slow, pytest.mark.xdist_group("gds")]


def plugins(folder: Path) -> Path:
    """Return a folder with the jars of the library that Neo4j itself does not have."""
    own = {_VERSION.sub("", each.name) for each in jars(POM).iterdir()}
    folder.mkdir()
    for each in jars(GDS).iterdir():
        is_of_gds = each.stem.endswith("-2.13.9")
        if is_of_gds or each.name.startswith("cypher-") or _VERSION.sub("", each.name) not in own:
            (folder / each.name).symlink_to(each)
    return folder


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[neo4j.Driver]:
    """A server with the library, and the example papers in it."""
    home = tmp_path_factory.mktemp("gds")
    try:
        server = Server(home / "home", SETTINGS, plugins(home / "plugins"))
    except UnavailableError as error:
        if os.environ.get("STEMMA_REQUIRE_NEO4J") == "1":
            pytest.fail(f"STEMMA_REQUIRE_NEO4J is set, and there is no library: {error}")
        pytest.skip(str(error))
    server.start()
    try:
        with open_store(server.url) as store:
            load(store, [extracted(ROOT / "examples", "examples")])
        with server.driver() as opened:
            yield opened
    finally:
        server.stop()


def test_each_recipe_runs_one_after_the_other(driver: neo4j.Driver) -> None:
    recipes = _RECIPES.findall((ROOT / "docs" / "cypher.md").read_text("utf-8"))
    assert len(recipes) >= 4
    answers = []
    for recipe in recipes:
        records, _, _ = driver.execute_query(recipe)
        assert records, recipe
        answers.append([each.data() for each in records])
    influence, families = answers[1], answers[3]
    scores = {each["work"]: each["score"] for each in influence}
    assert scores["LoRA"] > scores["QLoRA"]
    members = next(each["works"] for each in families if "LoRA" in each["works"])
    assert "QLoRA" in members
