"""The compose file and the Dockerfile, checked as far as that goes without an engine."""

import re
import sys
import tomllib
from pathlib import Path
from typing import Any

import httpx
import pytest
from ruamel.yaml import YAML

from command import answer, run_program
from service import serving
from stemma.server.settings import DEFAULT_SETTINGS

ROOT = Path(__file__).parents[1]
COMPOSE, DOCKERFILE = ROOT / "docker-compose.yml", ROOT / "Dockerfile"
POM = ROOT / "tests" / "support" / "neo4j.xml"


@pytest.fixture
def services() -> dict[str, Any]:
    found: dict[str, Any] = YAML(typ="safe").load(COMPOSE)["services"]
    return found


@pytest.mark.parametrize(
    "check",
    [
        ["check-jsonschema", "--builtin-schema", "vendor.compose-spec", str(COMPOSE)],
        ["hadolint", str(DOCKERFILE)],
    ],
)
def test_the_files_are_as_their_linters_want_them(check):
    program = Path(sys.executable).with_name(check[0])
    done = run_program(program, *check[1:])
    assert done.returncode == 0, done.stdout


def test_only_the_password_has_to_be_set(services):
    """Web pages of any origin reach Bolt on this machine: one that is known would let them in."""
    settings = re.findall(r"(?<!\$)\$\{(\w+)([^}]*)\}", COMPOSE.read_text())
    assert {name for name, given in settings if not given.startswith(":-")} == {"NEO4J_PASSWORD"}
    password = services["load"]["environment"]["NEO4J_PASSWORD"]
    assert services["neo4j"]["environment"]["NEO4J_AUTH"] == f"neo4j/{password}"
    (version,) = re.findall(r"<neo4j.version>(.+)</neo4j.version>", POM.read_text())
    assert services["neo4j"]["image"] == f"neo4j:{version}-community", "the one that is tested"


def test_nothing_is_reached_from_elsewhere_unless_somebody_says_so(services):
    ports = [port for each in services.values() for port in each.get("ports", ())]
    assert len(ports) == 3
    assert all(port.startswith("127.0.0.1:") for port in ports)


def test_each_waits_for_the_one_before_and_runs_as_a_plain_user(services):
    waits = {"load": ("neo4j", "healthy"), "stemma": ("load", "completed_successfully")}
    for name, (other, state) in waits.items():
        assert services[name]["depends_on"] == {other: {"condition": f"service_{state}"}}
        assert services[name]["cap_drop"] == ["ALL"]
        assert services[name]["read_only"]
    assert services["neo4j"]["healthcheck"]["test"][0] == "CMD-SHELL"
    users = re.findall(r"^USER (\S+)", DOCKERFILE.read_text(), re.MULTILINE)
    assert users[-1:] not in ([], ["root"], ["0"])
    assert "HEALTHCHECK" in DOCKERFILE.read_text()


def test_docker_waits_longer_than_the_server_takes_to_end(services):
    """As docs/deployment.md says: ten seconds more than `grace`."""
    waits = re.fullmatch(r"(\d+)s", services["stemma"].get("stop_grace_period", "10s"))
    assert waits and int(waits[1]) >= DEFAULT_SETTINGS.grace + 10


@pytest.mark.long  # The commands and their options are tested each day with those of the package.
@pytest.mark.process
def test_the_commands_build_push_and_serve(services, neo4j_url, tmp_path):
    papers = tmp_path / "papers"
    papers.mkdir()
    (papers / "papers.md").write_text("# Nib: a pen\n\n## Abstract\n\nNib extends LoRA.\n")
    here = {"/papers": str(papers), "/graph/stemma.db": str(tmp_path / "stemma.db"),
            "bolt://neo4j:7687": neo4j_url}  # fmt: skip
    load, serve = ([here.get(word, word) for word in services[name]["command"]]
                   for name in ("load", "stemma"))  # fmt: skip
    for _ in ("first", "again"):  # As each `docker compose up` does.
        assert "papers.md" not in answer(*load)
    assert serve[:3] == ["serve", "--store", neo4j_url]
    options = serve[3:]
    port = options.index("--port")
    with serving(neo4j_url, *options[:port], *options[port + 2 :]) as service:
        local = f"http://127.0.0.1:{service.port}"
        assert httpx.get(f"{local}/ready").json()["papers"] == 1
        asked = f"{local}/graphql?query=%7B__typename%7D"
        assert httpx.get(asked).is_success
        assert httpx.get(asked, headers={"host": "rebound.example"}).is_client_error


def test_what_the_image_is_built_of_is_there_and_holds_no_secrets():
    kept = [line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines()
            if line.startswith("!")]  # fmt: skip
    assert all((ROOT / name).exists() for name in kept)
    assert not {".env", ".git", "tests", "docker-compose.yml"} & set(kept)
    assert not re.search(r"(?i)password|token|secret", DOCKERFILE.read_text())


def test_the_image_runs_on_what_is_locked():
    """All dependencies of the package are in the lock file that the image is made from."""
    lock = (ROOT / "requirements.runtime.lock").read_text().lower().replace("_", "-")
    locked = re.findall(r"^([\w.-]+)==", lock, re.MULTILINE)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    needed = {re.match(r"[\w.-]+", each)[0].lower() for each in project["dependencies"]}
    assert set() < needed <= set(locked)
