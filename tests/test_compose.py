"""The compose file and the Dockerfile, checked as far as that goes without an engine."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from command import answer
from stemma.server.settings import DEFAULT_SETTINGS

ROOT = Path(__file__).parents[1]
COMPOSE, DOCKERFILE = ROOT / "docker-compose.yml", ROOT / "Dockerfile"


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)


@pytest.fixture
def services() -> dict[str, Any]:
    found: dict[str, Any] = YAML(typ="safe").load(COMPOSE)["services"]
    return found


def test_the_compose_file_is_one():
    schema = ["--builtin-schema", "vendor.compose-spec"]
    done = run(str(Path(sys.executable).with_name("check-jsonschema")), *schema, str(COMPOSE))
    assert done.returncode == 0, done.stdout


def test_the_dockerfile_is_as_hadolint_wants_it():
    done = run(str(Path(sys.executable).with_name("hadolint")), str(DOCKERFILE))
    assert done.returncode == 0, done.stdout


def test_without_a_password_nothing_starts(services):
    given = [each["environment"]["NEO4J_PASSWORD"] for name, each in services.items()
             if name != "neo4j"]  # fmt: skip
    assert len(given) == 2
    for value in (services["neo4j"]["environment"]["NEO4J_AUTH"], *given):
        assert re.search(r"\$\{NEO4J_PASSWORD:\?[^}]+\}$", value), value


def test_without_a_token_no_request_is_answered(services):
    assert re.search(
        r"^\$\{STEMMA_TOKEN:\?[^}]+\}$", services["stemma"]["environment"]["STEMMA_TOKEN"]
    )
    assert "--public" not in services["stemma"]["command"]


def test_nothing_is_reached_from_elsewhere_unless_somebody_says_so(services):
    ports = [port for each in services.values() for port in each.get("ports", ())]
    assert len(ports) == 3
    assert all(port.startswith("127.0.0.1:") for port in ports)


def test_what_is_kept_is_kept_in_a_volume(services):
    assert services["neo4j"]["volumes"] == ["neo4j-data:/data"]
    assert "neo4j-data" in YAML(typ="safe").load(COMPOSE)["volumes"]


def test_images_are_pinned(services):
    assert re.fullmatch(r"neo4j:5\.26\.\d+-community", services["neo4j"]["image"])
    bases = re.findall(r"^FROM (\S+)", DOCKERFILE.read_text(), re.MULTILINE)
    assert bases
    assert all(re.fullmatch(r"python:3\.\d+-slim-\w+", base) for base in bases)


def test_neo4j_is_the_version_that_is_tested(services):
    pom = (ROOT / "tests" / "support" / "neo4j.xml").read_text()
    (version,) = re.findall(r"<neo4j.version>(.+)</neo4j.version>", pom)
    assert services["neo4j"]["image"] == f"neo4j:{version}-community"


def test_stemma_waits_for_neo4j_and_runs_as_a_plain_user(services):
    for name in ("stemma", "load"):
        assert services[name]["depends_on"]["neo4j"] == {"condition": "service_healthy"}
        assert services[name]["cap_drop"] == ["ALL"]
    assert services["neo4j"]["healthcheck"]["test"][0] == "CMD-SHELL"
    users = re.findall(r"^USER (\S+)", DOCKERFILE.read_text(), re.MULTILINE)
    assert users[-1:] not in ([], ["root"], ["0"])
    assert "HEALTHCHECK" in DOCKERFILE.read_text()


def test_docker_waits_longer_than_the_server_takes_to_end(services):
    """As docs/deployment.md says: ten seconds more than `grace`."""
    waits = re.fullmatch(r"(\d+)s", services["stemma"].get("stop_grace_period", "10s"))
    assert waits and int(waits[1]) >= DEFAULT_SETTINGS.grace + 10


def test_loading_is_asked_for(services):
    assert services["load"]["profiles"] == ["load"]
    assert services["load"]["volumes"] == ["${PAPERS:-./examples}:/papers:ro"]


@pytest.mark.parametrize("name", ["stemma", "load"])
def test_the_commands_are_ones_that_stemma_knows(services, name):
    command, *arguments = map(str, services[name]["command"])
    told = answer(command, "--help")
    for option in (each for each in arguments if each.startswith("--")):
        assert option in told


def test_what_the_image_is_built_of_is_there_and_holds_no_secrets():
    kept = [line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines()
            if line.startswith("!")]  # fmt: skip
    assert all((ROOT / name).exists() for name in kept)
    assert not {".env", ".git", "tests", "docker-compose.yml"} & set(kept)
    assert not re.search(r"(?i)password|token|secret", DOCKERFILE.read_text())


def test_the_image_runs_on_what_is_locked():
    """All dependencies of the package are in the lock file that the image is made from."""
    locked = {
        name.lower().replace("_", "-")
        for name in re.findall(
            r"^([\w.-]+)==", (ROOT / "requirements.runtime.lock").read_text(), re.MULTILINE
        )
    }
    project = (ROOT / "pyproject.toml").read_text()
    (listed,) = re.findall(r"^dependencies = \[(.+?)^\]", project, re.MULTILINE | re.DOTALL)
    needed = {name.lower() for name in re.findall(r'"([\w.-]+)', listed)}
    assert needed
    assert needed <= locked
