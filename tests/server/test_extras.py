"""What needs a library that is not installed says which extra to install."""

import sys

import pytest

from command import run_program

PROGRAM = (
    "import sys; sys.modules[sys.argv.pop(1)] = None; from stemma.server.cli import main; main()"
)


@pytest.mark.process
@pytest.mark.parametrize(
    ("library", "command", "extra"),
    [
        ("httpx", "fetch arxiv:2104.07857", "fetch"),
        ("mcp", "mcp", "mcp"),
        ("opentelemetry", "serve", "telemetry"),
    ],
)
def test_a_command_without_its_library_names_the_extra(
    tmp_path, example_store, library, command, extra
):
    (tmp_path / "stemma.toml").write_text("[serve]\ntraces = true\n")
    store = () if command.startswith("fetch") else ("-s", example_store)
    program = (sys.executable, "-c", PROGRAM, library, *command.split(), *store)
    done = run_program(*program, cwd=tmp_path)
    assert done.returncode == 2, done.stderr
    assert f"install 'stemma-kg[{extra}]'" in done.stderr
