"""Programs in Java that tests need: from Maven Central, into the cache."""

import shutil
from functools import partial
from hashlib import sha256
from pathlib import Path

from kept import UnavailableError, kept, run

SHORT_LIVED = (
    # Tests end before code that is compiled better would pay off: a third less work.
    "-XX:TieredStopAtLevel=1",
    "-XX:+UseSerialGC",
    "-XX:-UsePerfData",
    # Maven has checked the jars, and verifying their classes is a third of the start of a program.
    "-XX:+UnlockDiagnosticVMOptions",
    "-XX:-BytecodeVerificationRemote",
)
"""How to run a program of Java that ends soon."""
_SECONDS_TO_RESOLVE = 900


def jars(pom: Path) -> Path:
    """Return the folder with the jars that a pom names, resolving them the first time."""
    for program in ("java", "mvn"):
        if not shutil.which(program):
            raise UnavailableError(f"no {program} here")
    digest = sha256(pom.read_bytes()).hexdigest()[:12]
    return kept(f"{pom.stem}-{digest}", partial(_resolve, pom))


def _resolve(pom: Path, folder: Path) -> None:
    command = ["mvn", "--batch-mode", "--quiet", "--file", str(pom)]
    command += ["dependency:copy-dependencies", f"-DoutputDirectory={folder}"]
    run(command, pom.stem, _SECONDS_TO_RESOLVE)
    if not folder.exists():
        raise UnavailableError(f"Maven found nothing for {pom.stem}")
