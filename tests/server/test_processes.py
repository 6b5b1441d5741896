"""What a process of Stemma loads, needs and leaves; and what Python itself says in it."""

import json
import os
import sys
from pathlib import Path

import pytest

from command import refused, run_program

pytestmark = pytest.mark.process
OTHER_FORMATS = {
    "lxml",
    "yaml",
    "markdown_it",
    "pypdfium2",
    "stemma.extract.formats.latex_source",
    "stemma.extract.formats.paper_text",
}
"""Of what files in other formats than JSON are read with."""
SERVER = {"starlette", "asgi_correlation_id"}
PROGRAM = """
import atexit, gc, json, sys
def tell(): print(json.dumps([list(sys.modules), len(gc.get_objects())]), file=sys.stderr)
atexit.register(tell)
from stemma.server.cli import main; main()
"""


def run(folder: Path, *arguments: str) -> tuple[str, set[str], int]:
    """Run a command: what it prints, the modules that it has loaded in the end, and the objects
    that Python then searches for garbage."""
    temporary = folder / "temporary"
    temporary.mkdir(exist_ok=True)
    where = {"cwd": folder, "env": os.environ | {"TMPDIR": str(temporary)}}
    done = run_program(sys.executable, "-c", PROGRAM, *arguments, **where, input="{}")
    assert not [*temporary.iterdir()]
    modules, objects = json.loads(done.stderr.splitlines()[-1])
    return done.stdout, set(modules), objects


def test_a_build_loads_what_its_files_are_read_with_and_spacy_if_one_is_new(tmp_path):
    paper = {"title": "A Kiln", "abstract": "We fire clay."}
    (tmp_path / "one.json").write_text(json.dumps(paper))
    told, modules, objects = run(tmp_path, "build", "one.json")
    assert "1 paper added" in told
    assert "spacy" in modules
    assert not modules & {*OTHER_FORMATS, *SERVER}
    assert objects < 1000
    told, modules, _ = run(tmp_path, "build", "one.json")
    assert "Nothing new" in told
    assert not modules & {*OTHER_FORMATS, *SERVER, "spacy", "numpy"}
    told, _, _ = run(tmp_path, "load", "-", "-s", "other.db")
    assert told.startswith("1 record read from 1 file"), "of standard input nothing is left"
    _, modules, objects = run(tmp_path, "search", "kiln")
    assert not modules & {*SERVER, "stemma.extract", "spacy", "numpy"}
    assert objects < 1000


@pytest.mark.parametrize(
    ("library", "command", "extra"),
    [("httpx", "fetch arxiv:2104.07857", "fetch"), ("mcp", "mcp --store {}", "mcp")],
)
def test_a_command_without_its_library_names_the_extra(
    example_store, monkeypatch, library, command, extra
):
    monkeypatch.setitem(sys.modules, library, None)
    told = refused(*command.format(example_store).split(), status=2)
    assert f"install 'stemma-kg[{extra}]'" in told


WARNING = """
import logging.config, warnings
from stemma.server.http.log import log_config, log_python
from stemma.server.settings import LogFormat

logging.config.dictConfig(log_config(LogFormat.JSON, requests=True))
log_python()

class Stubborn:
    def __del__(self):
        raise ValueError("cannot be let go of")

warnings.warn("this will change", FutureWarning)
Stubborn()
"""


def test_what_python_says_is_logged_too():
    done = run_program(sys.executable, "-c", WARNING)
    warned, ignored = [json.loads(line) for line in done.stderr.splitlines()]
    assert "this will change" in warned["message"]
    assert "Stubborn.__del__" in ignored["message"]
    assert "cannot be let go of" in ignored["exception"]
    assert warned["level"] == ignored["level"] == "warning"
