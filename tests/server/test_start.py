"""What a command loads, and what it does when it has answered: both decide how long it takes."""

import json
import os
import sys
from pathlib import Path

import pytest

from command import run_program

pytestmark = pytest.mark.process
OTHER_FORMATS = {"lxml", "yaml", "markdown_it", "pypdfium2", "stemma.extract.formats.bibliography"}
"""Of what files in other formats than JSON are read with."""
SERVER = {"starlette", "asgi_correlation_id"}
PROGRAM = """
import atexit, gc, json, sys
def tell(): print(json.dumps([list(sys.modules), len(gc.get_objects())]), file=sys.stderr)
atexit.register(tell)
from stemma.server.cli import main; main()
"""


def run(folder: Path, *arguments: str, given: str | None = None) -> tuple[str, set[str], int]:
    """Run a command: what it prints, the modules that it has loaded in the end, and the objects
    that Python then searches for garbage."""
    temporary = folder / "temporary"
    temporary.mkdir(exist_ok=True)
    environment = os.environ | {"TMPDIR": str(temporary)}
    program = (sys.executable, "-c", PROGRAM, *arguments)
    done = run_program(*program, cwd=folder, env=environment, input=given)
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
    _, modules, objects = run(tmp_path, "search", "kiln")
    assert not modules & {*SERVER, "stemma.extract", "spacy", "numpy"}
    assert objects < 1000


def test_of_standard_input_nothing_is_left(tmp_path):
    paper = '{"title": "A Kiln", "abstract": "We fire clay."}'
    told, _, _ = run(tmp_path, "extract", "-", "--fast", given=paper)
    assert "A Kiln" in told
