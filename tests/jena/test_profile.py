"""The ontology is in the OWL 2 DL profile, by the checker of the OWL API: reasoners can use it."""

import subprocess
from pathlib import Path

import pytest

from kept import needed
from maven import SHORT_LIVED, jars
from stemma.schema.namespace import ONTOLOGY_FILE

pytestmark = pytest.mark.long  # The file seldom changes, and the checker takes as long as Jena.

POM = Path(__file__).parents[1] / "support" / "robot.xml"


@pytest.fixture(scope="module")
def robot() -> str:
    """The class path of ROBOT, a command line for the OWL API."""
    with needed("JENA"):
        folder = jars(POM)
    return f"{folder}/*"


def test_the_ontology_is_in_owl_2_dl(robot, tmp_path):
    report = tmp_path / "report.txt"
    command = ["java", *SHORT_LIVED, "-cp", robot, "org.obolibrary.robot.CommandLineInterface"]
    command += ["validate-profile", "--profile", "DL"]
    command += ["--input", str(ONTOLOGY_FILE), "--output", str(report)]
    subprocess.run(command, capture_output=True, check=False, timeout=300)
    found = report.read_text()
    assert found.strip().endswith("[Ontology and imports closure in profile]"), found
