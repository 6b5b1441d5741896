"""Save the answers of commands and of a server as text files; `diff -r` compares two folders.

    python tests/answers.py FOLDER --extractions CACHE

What is asked is in ``answers.toml``, of two stores: the example papers, and the seeds (in the
folder that STEMMA_SHARED names). The stores are loaded from the extractions in CACHE, which are
made once: so answers are compared, and not the extractor. The answer to a question
is in FOLDER/INTERFACE/STORE/QUESTION.txt.
"""

import argparse
import json
import os
import re
import sys
import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx
import lxml.etree
import lxml.html

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests" / "support"))

from command import stemma  # noqa: E402
from service import BROWSER, serving  # noqa: E402

YEAR = "2026"
"""The year in which the listings were saved."""
FORMATS = (None, "json", "bibtex", "csl")
ASKED: dict[str, Any] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text())
WORKS: dict[str, str] = ASKED["works"]

_VARYING = (
    (r"http://127\.0\.0\.1:\d+", "http://server"),
    (r"/\S*stemma-answers-\w+", "FOLDER"),
    (r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(\.\d+)?(Z|\+\d\d:\d\d)?", "TIME"),
)
"""What differs from run to run, and what is written instead."""

Answers = Iterator[tuple[str, str]]
"""Questions, as the names of files, with their answers."""


def each_work(question: str) -> Iterator[tuple[str, str]]:
    """Return a question about each of WORKS with the work's name; as it is where it names none."""
    yield from ((question, work) for work in (WORKS if "{" in question else ("",)))


def filled(pattern: Any, work: str) -> Any:
    """Return a pattern, or what is in a list or mapping, with the name of a work filled in."""
    if isinstance(pattern, str):
        return pattern.replace("{}", work).replace("{id}", WORKS.get(work, ""))
    if isinstance(pattern, Mapping):
        return {key: filled(value, work) for key, value in pattern.items()}
    return [filled(value, work) for value in pattern]


def of_command_line(store: str, commands: Iterable[str]) -> Answers:
    for command, work in ((c, w) for each in commands for c, w in each_work(each)):
        words = [filled(word, work) for word in command.split()]
        for form in FORMATS[:1] if "-f" in words else FORMATS:
            arguments = [*words, *(["-f", form] if form else [])]
            yield " ".join(arguments), printed(*arguments, "--store", store)


def printed(*arguments: str) -> str:
    """Return the answer of a command as text: JSON in lines, or what it says of an error."""
    done = stemma(*arguments)
    return (laid_out(done.stdout) or done.stdout) + (done.stderr if done.returncode else "")


def of_queries(store: str, command: str, queries: Mapping[str, str]) -> Answers:
    for name, query in queries.items():
        for form in ("text", "json") if command == "ask" else ("table", "json", "csv"):
            yield f"{name} {form}", printed(command, query, "-f", form, "--store", store)


def of_graphql(client: httpx.Client) -> Answers:
    """Yield the answers to the examples that the playground shows of this store."""
    for each in client.get("/graphql/examples").json()["examples"]:
        answer = client.post("/graphql", json={"query": each["query"]}).json()
        yield each["question"], as_json(answer)


def of_mcp(client: httpx.Client) -> Answers:
    def call(method: str, **params: Any) -> Any:
        sent = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        accept = {"accept": "application/json, text/event-stream"}
        return client.post("/mcp", json=sent, headers=accept).json()

    yield "tools", as_json(call("tools/list"))
    for name, pattern in ASKED["mcp"].items():
        for work in WORKS if "{}" in str(pattern) else ("",):
            result = call("tools/call", name=name, arguments=filled(pattern, work))
            answer = result.get("result", result).get("structuredContent", result)
            yield f"{name} {work}".strip(), as_json(answer)


def of_pages(client: httpx.Client) -> Answers:
    for pattern, work in ((p, w) for each in ASKED["pages"] for p, w in each_work(each)):
        address = filled(pattern, work)
        response = client.get(address, headers=BROWSER)
        text = response.text
        if "text/html" in response.headers.get("content-type", ""):
            text = text_of(text)
        yield address, laid_out(text) or text


def text_of(page: str) -> str:
    """Return the text of a page: a line for each piece of it."""
    document = lxml.html.document_fromstring(page.encode())
    lxml.etree.strip_elements(document, "script", "style", "nav", with_tail=False)
    return "".join(f"{' '.join(each.split())}\n" for each in document.itertext() if each.strip())


def as_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def laid_out(text: str) -> str | None:
    """Return JSON with a line for each value, so that differences are readable."""
    try:
        return as_json(json.loads(text)) if text.startswith(("{", "[")) else None
    except ValueError:
        return None


def save(folder: Path, extractions: Path, shared: Path, stores: Collection[str]) -> None:
    """Save the answers of some stores, or of all if none is named."""
    extractions.mkdir(parents=True, exist_ok=True)
    for name, papers in (("examples", ROOT / "examples"), ("seeds", shared / "seeds")):
        if stores and name not in stores:
            continue
        extracted = extractions / f"{name}.jsonl"
        if not extracted.exists():
            printed("extract", str(papers), "-o", str(extracted), "--year", YEAR)
        with TemporaryDirectory(prefix="stemma-answers-") as work, chdir(work):
            done = printed("load", str(extracted), "--store", "stemma.db")
            write(folder, "command line", name, iter([("load", done)]))
            commands = ASKED["commands"] + (ASKED["of_examples"] if name == "examples" else [])
            write(folder, "command line", name, of_command_line("stemma.db", commands))
            write(folder, "questions", name, of_queries("stemma.db", "ask", ASKED["questions"]))
            write(folder, "SPARQL", name, of_queries("stemma.db", "sparql", ASKED["sparql"]))
            write(folder, "Cypher", name, of_queries("stemma.db", "cypher", ASKED["cypher"]))
            with (
                serving("stemma.db") as service,
                httpx.Client(base_url=service.url, timeout=120, follow_redirects=True) as client,
            ):
                write(folder, "GraphQL", name, of_graphql(client))
                write(folder, "MCP", name, of_mcp(client))
                write(folder, "pages", name, of_pages(client))
        print(f"{name}: saved", file=sys.stderr)


def write(folder: Path, interface: str, store: str, answers: Answers) -> None:
    """Write answers to files, without what differs from run to run: ports, folders and times."""
    into = folder / interface / store
    into.mkdir(parents=True, exist_ok=True)
    for question, answer in answers:
        kept = answer
        for pattern, instead in _VARYING:
            kept = re.sub(pattern, instead, kept)
        file = re.sub(r"[^\w.,=&?-]+", "_", question)[:150]
        (into / f"{file}.txt").write_text(kept)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, help="a new folder")
    parser.add_argument("--extractions", type=Path, required=True, help="their folder, kept")
    parser.add_argument("--store", action="append", help="only this store; can be repeated")
    given = parser.parse_args()
    shared = Path(os.environ.get("STEMMA_SHARED") or ROOT.parent / "shared")
    save(given.folder.resolve(), given.extractions.resolve(), shared.resolve(), given.store or ())


if __name__ == "__main__":
    main()
