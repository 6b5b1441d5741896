"""The programs of docs/graphql.md: each run as it stands, against a server of the example papers.

`test_documented_commands` runs the commands with which the page starts one.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest

from asked import by_graphql
from command import run_program

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs" / "graphql.md"
DOCUMENTED = "http://127.0.0.1:8000"
TOKEN = "only-for-tests"
CLIENTS = ("curl", "Python", "JavaScript", "Apollo Client")
TASKS = ("The lineage with its sentences", "All pages", "Errors and a token")
LINEAGE, PAGES, ERRORS = TASKS


class Block(NamedTuple):
    """Code of the page, and under which headings it stands."""

    client: str
    task: str
    language: str
    text: str


def _blocks() -> Iterator[Block]:
    for client in CLIENTS:
        section = PAGE.read_text("utf-8").partition(f"\n## {client}\n")[2].partition("\n## ")[0]
        for task in TASKS:
            part = section.partition(f"\n### {task}\n")[2].partition("\n### ")[0]
            for language, text in re.findall(r"^```(\w+)\n(.+?)^```$", part, re.M | re.S):
                yield Block(client, task, language, text)


PROGRAMS = [block for block in _blocks() if block.language not in ("json", "graphql")]
SHOWN = [block for block in _blocks() if block.language == "json"]


def _each_program(task: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(
        "block",
        [block for block in PROGRAMS if block.task == task],
        ids=lambda block: block.client.replace(" ", "-").lower(),
    )


@pytest.fixture(scope="module")
def guarded_url(serve, example_store) -> Iterator[str]:
    """A server with a token."""
    with serve(example_store, token=TOKEN) as url:
        yield url


pytestmark = pytest.mark.process


@pytest.fixture
def run(request, tmp_path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run a program of the page against a server."""

    def run(block: Block, url: str, token: str = "") -> subprocess.CompletedProcess[str]:
        assert DOCUMENTED in block.text
        match block.language:
            case "sh":
                if not shutil.which("curl"):
                    pytest.skip("no curl here")
                name, program = "ask.sh", "sh"
            case "python":
                name, program = "ask.py", sys.executable
            case "js":
                program, packages = request.getfixturevalue("node")
                name = "ask.mjs"
                (tmp_path / "node_modules").symlink_to(packages)
            case language:
                pytest.fail(f"nothing here runs {language}")
        (tmp_path / name).write_text(block.text.replace(DOCUMENTED, url), "utf-8")
        environment = os.environ | {"STEMMA_TOKEN": token, "PYTHONUTF8": "1"}
        return run_program(program, name, cwd=tmp_path, env=environment, timeout=300)

    return run


def _printed(ran: subprocess.CompletedProcess[str]) -> str:
    """What a program printed, once it ended well; what is JSON without its escapes."""
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return "\n".join(
        json.dumps(json.loads(line), ensure_ascii=False) if line.startswith("{") else line
        for line in ran.stdout.splitlines()
    )


def _ask(url: str, query: str) -> dict[str, Any]:
    with httpx.Client(base_url=url, headers={"authorization": f"Bearer {TOKEN}"}) as client:
        return by_graphql(client, query)


@_each_program(LINEAGE)
def test_a_client_prints_the_lineage_with_its_sentences(block, run, server_url):
    printed = _printed(run(block, server_url))
    query = """{ lineage(of: "ZeRO-Infinity") { edges {
      child { name } statements { evidence { text } } } } }"""
    edges = _ask(server_url, query)["lineage"]["edges"]
    said = [each for edge in edges for made in edge["statements"] for each in made["evidence"]]
    assert said
    for edge in edges:
        assert edge["child"]["name"] in printed
    for sentence in said:
        assert sentence["text"] in printed


@_each_program(PAGES)
def test_a_client_goes_through_all_pages(block, run, server_url):
    printed = _printed(run(block, server_url))
    query = '{ papers(entity: "LoRA", first: 100) { nodes { title } } }'
    titles = [paper["title"] for paper in _ask(server_url, query)["papers"]["nodes"]]
    assert len(titles) > 5  # which are on one page
    places = [printed.index(title) for title in titles]
    assert places == sorted(places)
    assert all(printed.count(title) == 1 for title in titles)


@_each_program(ERRORS)
def test_a_client_hears_which_name_is_meant(block, run, guarded_url):
    printed = _printed(run(block, guarded_url, TOKEN))
    if block.client == "curl":
        assert json.loads(printed) == json.loads(SHOWN[0].text)
        return
    assert "ZeRO-Infinty is unknown; ZeRO-Infinity it is" in printed
    nodes = _ask(guarded_url, '{ lineage(of: "ZeRO-Infinity") { nodes { work { name } } } }')
    for node in nodes["lineage"]["nodes"]:
        assert node["work"]["name"] in printed


def test_the_page_lists_every_code_that_errors_have():
    """Those in the sources of the service."""
    server = ROOT / "src" / "stemma" / "server"
    files = [*(server / "graphql").glob("*.py"), server / "http" / "responses.py"]
    sources = "".join(path.read_text("utf-8") for path in files)
    used = {*re.findall(r'(?:code\b.*?|_error\(\s*)"([A-Z_]+)"', sources)} - {"OTHER"}
    table = re.findall(r"^\| (`[A-Z].+?) \|", PAGE.read_text("utf-8"), re.MULTILINE)
    assert set(re.findall(r"`([A-Z_]+)`", " ".join(table))) == used


AUDIT = """
import { auditServer } from 'graphql-http';
const results = await auditServer({ url: process.argv[2] });
console.log(JSON.stringify(results.map(({ name, status, reason }) => ({ name, status, reason }))));
"""


def test_all_audits_pass_without_a_warning(node, server_url, tmp_path):
    program, modules = node
    (tmp_path / "node_modules").symlink_to(modules)
    (tmp_path / "audit.mjs").write_text(AUDIT)
    done = run_program(program, "audit.mjs", f"{server_url}/graphql", cwd=tmp_path, timeout=120)
    results = json.loads(done.stdout)
    assert len(results) > 50
    assert [each for each in results if each["status"] != "ok"] == []
