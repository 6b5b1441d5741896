"""Apache Jena, where it can be had."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

import riot
from kept import needed
from maven import SHORT_LIVED, jars

COMMANDS = {
    "sparql": "arq.sparql",
    "tdb2.tdbloader": "tdb2.tdbloader",
    "tdb2.tdbquery": "tdb2.tdbquery",
    "fuseki-server": "org.apache.jena.fuseki.main.cmds.FusekiMainCmd",
}


@pytest.fixture(scope="session")
def riot_complains() -> Callable[..., str]:
    """What riot has to say against files; skip, or fail where it must be, if there is no riot."""
    with needed("JENA"):
        jars(riot.POM)
    return riot.complaints


@pytest.fixture(scope="session")
def jena(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment in which Jena's commands are found, as its distributions have them."""
    with needed("JENA"):
        folder = jars(riot.POM)
    programs: Path = tmp_path_factory.mktemp("jena")
    for name, main in COMMANDS.items():
        command = f"exec java {' '.join(SHORT_LIVED)} -cp '{folder}/*' {main}"
        (programs / name).write_text(f'#!/bin/sh\n{command} "$@"\n')
        (programs / name).chmod(0o755)
    return {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}"}
