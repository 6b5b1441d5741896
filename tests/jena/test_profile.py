"""The ontology is in the OWL 2 DL profile, by the checker of the OWL API: reasoners can use it."""

import subprocess
from pathlib import Path

import pytest

from kept import needed
from maven import SHORT_LIVED, jars
from stemma.schema.vocabulary import ONTOLOGY_FILE

pytestmark = pytest.mark.long  # The file seldom changes, and the checker takes as long as Jena.

POM = Path(__file__).parents[1] / "support" / "robot.xml"


@pytest.fixture(scope="module")
def robot() -> str:
    """The class path of ROBOT, a command line for the OWL API."""
    with needed("JENA"):
        folder = jars(POM)
    return f"{folder}/*"


def violations(robot: str, ontology: Path, folder: Path) -> str:
    report = folder / "report.txt"
    command = ["java", *SHORT_LIVED, "-cp", robot,
               "org.obolibrary.robot.CommandLineInterface", "validate-profile",
               "--profile", "DL", "--input", str(ontology), "--output", str(report)]  # fmt: skip
    subprocess.run(command, capture_output=True, check=False, timeout=300)
    return report.read_text()


def test_the_ontology_is_in_owl_2_dl(robot, tmp_path):
    report = violations(robot, ONTOLOGY_FILE, tmp_path)
    assert report.strip().endswith("[Ontology and imports closure in profile]"), report


def test_the_checker_would_complain(robot, tmp_path):
    worse = tmp_path / "worse.ttl"
    text = ONTOLOGY_FILE.read_text("utf-8")
    worse.write_text(f"{text}\nrdf:Statement a owl:Class ; rdfs:subClassOf stemma:Claim .\n")
    assert "reserved vocabulary" in violations(robot, worse, tmp_path)
