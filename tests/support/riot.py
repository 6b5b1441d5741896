"""Apache Jena's parser, which tests have read what Stemma writes: from Maven Central, into a cache.

Jena is never a dependency of the package. Usage: python tests/support/riot.py FILE...
"""

import subprocess
import sys
from pathlib import Path

from maven import SHORT_LIVED, jars

POM = Path(__file__).with_name("jena.xml")
_SECONDS_TO_READ = 1800


def complaints(*files: Path) -> str:
    """Return what ``riot --validate`` has to say against files: nothing where they are valid."""
    quiet = "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn"
    command = [
        "java",
        "-XX:MaxRAMPercentage=50",
        *SHORT_LIVED,
        quiet,
        "-cp",
        f"{jars(POM)}/*",
        "riotcmd.riot",
        "--validate",
    ]
    done = subprocess.run(
        [*command, *map(str, files)],
        capture_output=True,
        text=True,
        check=False,
        timeout=_SECONDS_TO_READ,
    )
    told = done.stdout + done.stderr
    return told or (f"riot ended with status {done.returncode}" if done.returncode else "")


if __name__ == "__main__":
    sys.exit(complaints(*map(Path, sys.argv[1:])) or None)
