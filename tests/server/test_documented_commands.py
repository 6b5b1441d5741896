"""Every `stemma` command in README, docs and `--help`, run as it is printed, one after another."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import chdir, nullcontext, redirect_stdout
from dataclasses import dataclass, replace
from io import StringIO
from pathlib import Path
from typing import Any

import httpx
import pytest
import typer.main
from typer.core import TyperGroup

from command import run_program, stemma
from paper_services import paper_services
from service import serving
from stemma.server.cli.app import app

ROOT = Path(__file__).parents[2]
PAGES = [
    ROOT / "README.md",
    ROOT / "examples" / "README.md",
    *sorted({*(ROOT / "docs").glob("*.md")} - {ROOT / "docs" / "extraction.md"}),
]
"""The examples of extraction.md continue each other: `test_documented_pipeline` runs them."""
NEO4J = "neo4j://localhost:7687"
PAPER = "LoRA: Low-Rank Adaptation of Large Language Models"
GOLD = {
    "title": PAPER,
    "entities": [{"name": "LoRA", "kind": "technique", "mentions": ["LoRA"]}],
    "relations": [{"type": "INTRODUCES", "entity": "LoRA", "evidence": PAPER}],
}
CORPORA = """
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
<https://example.org/corpora/nibbles> a skos:Concept ; skos:prefLabel "Nibbles"@en .
"""
PROGRAM = "python"
# What is fenced, a line that is indented, and a command within a line.
_CODE = re.compile(
    r"^```(?P<language>\w*)\n(?P<text>.+?)^```$|^    (?P<line>\S[^\n]*)$"
    r"|`(?P<inline>stemma [^`]+)`",
    re.MULTILINE | re.DOTALL,
)
# `stemma lineage NAME`, `stemma path A B` and `stemma build` alone say how, and are no examples.
_GENERAL = re.compile(r"…|\b[A-Z]{4,}\b| A B$|^stemma \w+$")
# Nothing in it is for a shell, but for quotation marks and a remark: it can run in this process.
_PLAIN = re.compile(r"""stemma(?: +(?:[^\s"'$*?|<>&;#(){}~`\\]|'[^']*'|"[^"$`\\]*")+)+(?: +#.*)?""")
_VALIDATES = re.compile(r"stemma check --shapes ")
_SERVES = re.compile(r"stemma serve(?! --help)")
_DRAWN = re.compile(r"[\s│├└─]+")
_CONFIDENCE = re.compile(r"\b[01]\\\.\d\d\b")
"""A confidence in an escaped text."""
_BETWEEN_PROCESSORS = 0.2
"""By how much a confidence may differ on another kind of processor (docs/extraction.md)."""


@dataclass(frozen=True)
class Example:
    """A command, or a program in Python, and what the page shows as its output, if it does."""

    text: str
    printed: str | None = None
    language: str = "sh"

    @property
    def words(self) -> tuple[str, ...]:
        """The words of a command, without a remark."""
        return tuple(self.text.partition(" #")[0].split())


def _in_lines(text: str) -> Iterator[Example]:
    """Yield the commands of stemma; other programs have tests of their own, or are not ours."""
    for line in text.replace("\\\n", " ").splitlines():
        if re.match(r"(\w+=\S+ )*stemma ", line.strip()):
            yield Example(line.strip())


def _in_page(text: str) -> Iterator[Example]:
    """Yield the examples of a page in their order."""
    for found in _CODE.finditer(text):
        language, block, inline = found["language"], found["text"] or "", found["inline"]
        if inline and not _GENERAL.search(inline):
            yield Example(inline)
        elif language == "console":
            for said in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
                command, _, printed = said.partition("\n")
                yield Example(command, printed)
        elif language == PROGRAM and "from stemma" in block:
            yield Example(block, language=PROGRAM)
        elif language == "sh" or found["line"]:
            yield from _in_lines(block or found["line"])


def _in_help() -> dict[str, list[Example]]:
    """Return the examples of each command; those of a group are one row, in its order."""

    def of(command: Any) -> list[Example]:
        examples = (command.help or "").partition("Example")[2]
        found = [Example(each) for each in re.findall(r"`(stemma [^`]+)`", examples)]
        assert found or isinstance(command, TyperGroup), f"{command.name} has no example"
        return found

    root = typer.main.get_command(app)
    rows = {}
    for name, command in root.commands.items():
        rows[f"{name} --help"] = of(command)
        if isinstance(command, TyperGroup):
            own = [example for each in command.commands.values() for example in of(each)]
            rows[f"{name} … --help"] = own
    return rows


ROWS = {page.relative_to(ROOT).as_posix(): [*_in_page(page.read_text("utf-8"))] for page in PAGES}
ON_PAGES = {each.words for row in ROWS.values() for each in row}
# What `--help` shows as a page does is run there.
ROWS |= {name: row for name, row in _in_help().items() if {each.words for each in row} - ON_PAGES}
ROWS = {name: row for name, row in ROWS.items() if row}


@pytest.fixture(autouse=True)
def surroundings(name, monkeypatch) -> Iterator[None]:
    """The command `stemma`, no other store, and services to fetch papers from."""
    programs = str(Path(sys.executable).parent)
    monkeypatch.setenv("PATH", os.pathsep.join([programs, os.environ.get("PATH", "")]))
    monkeypatch.delenv("STEMMA_STORE", raising=False)
    fetches = any("stemma fetch" in each.text for each in ROWS[name])
    with paper_services() if fetches else nullcontext():
        yield


@pytest.fixture(scope="module")
def made(example_store, tmp_path_factory) -> Path:
    """A folder with what the examples take for granted: a store, papers, and other files.

    The store holds the example papers, so that no page that builds it extracts them once more.
    """
    folder = tmp_path_factory.mktemp("documented")
    shutil.copyfile(example_store, folder / "stemma.db")
    (folder / "examples").symlink_to(ROOT / "examples")
    (folder / "papers").mkdir()
    shutil.copy(ROOT / "examples" / "finetuning.txt", folder / "papers")
    catalogue = (ROOT / "docs" / "catalogue.md").read_text("utf-8")
    (methods,) = [each["text"] for each in _CODE.finditer(catalogue)
                  if each["language"] == "turtle" and "my:lion" in each["text"]]  # fmt: skip
    (folder / "methods.ttl").write_text(methods)
    (folder / "corpora.ttl").write_text(CORPORA)
    (folder / "query.rq").write_text("SELECT ?s { ?s ?p ?o } LIMIT 3")
    (folder / "gold.jsonl").write_text(json.dumps(GOLD))
    (folder / "library.bib").write_text("@misc{zero, eprint = {2104.07857}}")
    _run("stemma export -o graph.ttl", folder)
    _run("stemma extract papers/ -o out.jsonl", folder)
    return folder


def _run(text: str, folder: Path, language: str = "sh") -> str:
    if language == PROGRAM:
        with chdir(folder), redirect_stdout(StringIO()) as printed:
            exec(compile(text, "<example>", "exec"), {"__name__": "__main__"})
        return printed.getvalue()
    if _PLAIN.fullmatch(text):
        return _well_done(text, stemma(*shlex.split(text, comments=True)[1:], cwd=folder))
    return _well_done(text, run_program("sh", "-e", "-c", text, cwd=folder))


def _well_done(text: str, done: subprocess.CompletedProcess[str]) -> str:
    """Return what a command printed that had nothing to complain of."""
    assert done.returncode == 0, f"{text}\n{done.stdout}{done.stderr}"
    assert "warning" not in done.stderr, f"{text}\n{done.stderr}"
    return done.stdout


def _serve(text: str, folder: Path) -> None:
    """Run `stemma serve` as it is printed, but for its port, until it answers."""
    words = shlex.split(text, comments=True)
    start = words.index("stemma")
    environment = dict(each.split("=", 1) for each in words[:start])
    options, chosen = words[start + 2 :], {"--store": "stemma.db"}
    for option in {"--port", "--store"}.intersection(options):
        place = options.index(option)
        chosen[option] = options[place + 1]
        del options[place : place + 2]
    where = {"cwd": folder, "env": os.environ | environment}
    with serving(chosen["--store"], *options, **where) as service:
        ready = httpx.get(f"{service.url}/health", headers={"Host": "localhost"})
        assert ready.status_code == 200


def _marks(name: str, row: Sequence[Example]) -> list[pytest.MarkDecorator]:
    """Mark what examples need."""
    needs_neo4j = any(NEO4J in each.text for each in row)
    slow = needs_neo4j or any(
        each.search(one.text) for one in row for each in (_SERVES, _VALIDATES)
    )
    return [
        *([pytest.mark.neo4j] if needs_neo4j else []),
        *([pytest.mark.long] if slow and name != "README.md" else []),
    ]


def _is_as_printed(output: str, printed: str) -> bool:
    """Return whether an output is what a page shows, but for line breaks; … is anything.

    Confidences may differ as they do between processors.
    """
    parts = [_DRAWN.sub(" ", part).strip() for part in printed.split("…")]
    expected = ".*?".join(_CONFIDENCE.sub(r"([01]\\.\\d\\d)", re.escape(part)) for part in parts)
    shown = re.fullmatch(expected, _DRAWN.sub(" ", output).strip(), re.DOTALL)
    confidences = (each for part in parts for each in _CONFIDENCE.findall(re.escape(part)))
    return shown is not None and all(
        abs(float(ours) - float(theirs.replace("\\", ""))) <= _BETWEEN_PROCESSORS
        for ours, theirs in zip(shown.groups(), confidences, strict=True)
    )


@pytest.mark.process
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=_marks(name, row)) for name, row in ROWS.items()]
)
def test_every_example_runs_as_it_is_printed(name, made, tmp_path, request):
    row = ROWS[name]
    folder = shutil.copytree(made, tmp_path / "here", symlinks=True)
    if any(NEO4J in each.text for each in row):
        url = request.getfixturevalue("neo4j_url")
        _run(f"stemma push {url} --store stemma.db", folder)
        row = [replace(each, text=each.text.replace(NEO4J, url)) for each in row]
    for each in row:
        if _SERVES.search(each.text):
            _serve(each.text, folder)
            continue
        if written := re.search(r" -o (\S+)", each.text):
            (folder / written[1]).unlink(missing_ok=True)
        output = _run(each.text, folder, each.language)
        if each.printed is not None:
            assert _is_as_printed(output, each.printed), f"{each.text}\n{output}"
