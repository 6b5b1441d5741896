"""The settings of a server: options, variables, and the file stemma.toml."""

import json
import re
from dataclasses import fields
from pathlib import Path

import pytest
from typer.testing import CliRunner

from stemma.server.cli.app import app
from stemma.server.settings import LogFormat, Settings

DOCS = Path(__file__).parents[2] / "docs" / "deployment.md"


@pytest.fixture
def served(monkeypatch, tmp_path):
    """Run ``stemma serve`` in an empty folder up to where it would listen; return the settings."""
    monkeypatch.chdir(tmp_path)
    found: list[Settings] = []

    def run(*options: str, **variables: str) -> tuple[Settings | None, str]:
        found.clear()
        arguments = ["serve", *options]
        if "--config" in options:
            arguments = [*options[-2:], "serve", *options[:-2]]
        result = CliRunner().invoke(app, arguments, env={"COLUMNS": "200", **variables})
        return (found[0] if found else None), result.output

    def listen(make, settings, *rest):
        found.append(settings)

    monkeypatch.setattr("stemma.server.http.listening.listen", listen)
    return run


@pytest.fixture
def store(example_store):
    return ("--store", example_store)


def test_settings_are_options_or_documented(served):
    help_text, page = served("--help")[1], DOCS.read_text("utf-8")
    for each in fields(Settings):
        shown = each.name.replace("_", "-")
        is_hidden = each.metadata.get("hidden")
        assert is_hidden != (f"--{shown}" in help_text)
        assert not is_hidden or f"`{shown}`" in page


def test_options_make_settings(served, store):
    options = ("--port", "0", "--allow-host", "a.example", "--allow-host", "*.b.example")
    settings, _ = served(*store, *options, "--log-format", "json")
    hosts = ("a.example", "*.b.example")
    assert settings == Settings(port=0, allow_host=hosts, log_format=LogFormat.JSON)
    assert settings.logs_requests
    assert settings.hosts == ("127.0.0.1", "a.example", "*.b.example")


FILE = """
[serve]
store = "{store}"
port = 9000
query-depth = 7
seconds = 5
allow-host = ["graph.example.org"]
log-requests = true
"""


def test_a_file_in_the_folder_gives_what_options_do_not(served, example_store):
    Path("stemma.toml").write_text(FILE.format(store=example_store))
    settings, _ = served("--port", "9001")
    assert settings == Settings(
        port=9001, query_depth=7, seconds=5, allow_host=("graph.example.org",), log_requests=True
    )
    assert settings.sparql_seconds == 5


def test_options_are_in_a_file_by_their_names(monkeypatch, tmp_path, example_store):
    monkeypatch.chdir(tmp_path)
    Path("stemma.toml").write_text(
        f'[lineage]\nstore = "{example_store}"\ndepth = 1\nkind = "technique"\nformat = "json"\n'
    )
    found = json.loads(CliRunner().invoke(app, ["lineage", "LoRA"]).stdout)
    assert {(each["work"]["kind"], each["depth"]) for each in found["nodes"]} == {("TECHNIQUE", 1)}


def test_a_variable_counts_more_than_the_file(served, store):
    Path("stemma.toml").write_text('[serve]\ntoken = "from the file"\n')
    settings, _ = served(*store, STEMMA_TOKEN="from the variable")
    assert settings.token == "from the variable"
    assert "the variable" not in repr(settings)
    assert served(*store, "--token", "by option", STEMMA_TOKEN="other")[0].token == "by option"
    Path("mine.toml").write_text("[serve]\nport = 9000\n")
    assert served(*store, "--config", "mine.toml")[0] == Settings(port=9000)
    assert served(*store, STEMMA_CONFIG="mine.toml")[0] == Settings(port=9000)
    assert "No such file" in served("--config", "nowhere.toml")[1]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("[serve\n", "line 1"),
        ("[server]\n", "there is no command for the table [server]"),
        ("serve = 3\n", "`serve` is in no table"),
        ("[serve]\nprot = 1\n", "there is no setting `prot`"),
        ("[serve]\nport = 1.5\n", "`port`: '1.5' is not a valid int range"),
        ("[serve]\nport = 70000\n", "`port`: 70000 is not in the range 0<=x<=65535"),
        ("[serve]\nseconds = 0\n", "`seconds`: 0.0 is not in the range x>=0.001"),
        ('[serve]\nlog-format = "xml"\n', "`log-format`: 'xml' is not one of 'text', 'json'"),
    ],
)
def test_what_is_wrong_in_a_file_is_reported_with_its_name(served, content, reason):
    Path("stemma.toml").write_text(content)
    settings, output = served()
    assert settings is None
    assert "stemma.toml: " in output
    assert reason in output


@pytest.mark.parametrize("options", [("--host", "0.0.0.0"), ("--host", "::", "--token", "short")])
def test_beyond_this_machine_it_needs_a_good_token(served, options):
    settings, output = served(*options)
    assert settings is None
    assert "is reachable from other machines" in output


@pytest.mark.parametrize("setting", [{"allow_host": ("*bad",)}, {"dump": ("https://a b",)}])
def test_settings_that_make_no_sense_are_reported(setting):
    with pytest.raises(ValueError, match=next(iter(setting)).replace("_", "-")):
        Settings(**setting)


def test_the_file_in_the_documentation_is_right(served, store):
    (example,) = re.findall(r"```toml\n(.*?)```", DOCS.read_text("utf-8"), re.DOTALL)
    Path("stemma.toml").write_text(example)
    settings, _ = served(*store, "--public")
    assert settings.query_depth == 8
