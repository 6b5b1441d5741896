"""What a store that is damaged, or has no room, says: a sentence, whatever one asks of it."""

import json
import os
import random
import resource
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

from command import run_program
from command import stemma as in_process
from corpus import extracted

EXAMPLES = Path(__file__).parents[2] / "examples"
QUESTIONS = [["show"], ["lineage", "ZeRO-Infinity"], ["export", "--format", "nquads"]]


def stemma(*arguments: str, store: Path) -> subprocess.CompletedProcess[str]:
    return in_process(*arguments, "--store", str(store))


@contextmanager
def files_of_at_most(size: int) -> Iterator[None]:
    """Let this process write no file beyond a size, as where a disk is full."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.fixture(scope="module")
def sound(tmp_path_factory) -> Path:
    """A store of some examples with its RDF, which tests copy."""
    store = tmp_path_factory.mktemp("sound") / "stemma.db"
    lines = extracted(EXAMPLES, "examples").read_text("utf-8").splitlines(keepends=True)
    some = store.with_name("some.jsonl")
    some.write_text("".join(line for line in lines if "training.txt" in line), "utf-8")
    assert stemma("load", str(some), store=store).returncode == 0
    assert stemma("sparql", "ASK {}", store=store).returncode == 0, "it has RDF as well"
    return store


@pytest.fixture
def store(sound, tmp_path) -> Path:
    shutil.copytree(sound.with_name("stemma.db-cache"), tmp_path / "stemma.db-cache")
    return Path(shutil.copyfile(sound, tmp_path / "stemma.db"))


def scrambled(data: bytes) -> bytes:
    """Some bytes in the midst of the data, but for the very first, are others."""
    start = len(data) // 3
    return data[:start] + random.Random(5).randbytes(len(data) // 3) + data[2 * start :]


DAMAGES = {
    "cut": lambda data: data[: len(data) // 2],
    "empty": lambda data: b"",
    "scrambled": scrambled,
    "gone": None,
}


@pytest.mark.parametrize(
    ("file", "damage"),
    [
        *(("", each) for each in DAMAGES),
        *(("-cache/*/CURRENT", each) for each in ("empty", "gone")),
        *(("-cache/*/*.sst", each) for each in ("cut", "scrambled")),
    ],
)
def test_a_damaged_store_is_reported_in_a_sentence(sound, store, file, damage):
    for path in store.parent.glob(f"{store.name}{file}"):
        change, data = DAMAGES[damage], path.read_bytes()
        path.unlink()
        if change:
            path.write_bytes(change(data))
    answers = [stemma(*question, store=store) for question in QUESTIONS]
    if not any(answer.returncode for answer in answers):
        # Parts of a graph may be in two files; then nothing is lost.
        assert answers[-1].stdout == stemma(*QUESTIONS[-1], store=sound).stdout
    for answer in answers:
        if answer.returncode:
            assert "error: " in answer.stderr
            assert str(store) in answer.stderr
            assert "stemma check" in answer.stderr or "stemma build" in answer.stderr


@pytest.mark.process
def test_too_few_files_at_a_time_do_no_damage(store):
    limits = (resource.RLIMIT_NOFILE, (12, 12))
    program = (sys.executable, "-m", "stemma.server", "sparql", "ASK {}", "--store", str(store))
    answer = run_program(*program, preexec_fn=lambda: resource.setrlimit(*limits))
    assert answer.returncode == 1
    assert "damaged" not in answer.stderr
    assert "ulimit -n" in answer.stderr or "Too many open files" in answer.stderr


def test_a_full_disk_is_reported_and_changes_nothing(store, tmp_path):
    papers = tmp_path / "papers.jsonl"
    papers.write_text('{"title": "A Kiln", "abstract": "We fire clay with PyTorch."}')
    ask = partial(stemma, "show", "--format", "json", store=store)
    before, beside = json.loads(ask().stdout), sorted(tmp_path.iterdir())
    for command, kilobytes in (
        (["build", str(papers)], 16),
        (["decide", "rename", "ZeRO-Infinity", "ZeRO at rest"], 1),
    ):
        with files_of_at_most(kilobytes * 1024):
            answer = stemma(*command, store=store)
        assert answer.returncode == 1, answer.stdout
        assert "cannot be" in answer.stderr
        assert json.loads(ask().stdout) == before
        assert sorted(tmp_path.iterdir()) == beside, "nothing is decided"


def test_a_full_disk_leaves_extractions_as_they_were(tmp_path):
    output = tmp_path / "out.jsonl"
    output.write_text("Those of yesterday")
    with files_of_at_most(9_000):
        told = in_process("extract", str(EXAMPLES / "training.txt"), "-o", str(output))
    assert told.returncode == 1
    assert "error: " in told.stderr
    assert [*tmp_path.iterdir()] == [output]
    assert output.read_text() == "Those of yesterday"


def test_extractions_are_written_to_where_a_link_leads_and_into_pipes(tmp_path):
    link, real, pipe = (tmp_path / each for each in ("latest.jsonl", "real.jsonl", "pipe"))
    papers = tmp_path / "papers.jsonl"
    papers.write_text('{"title": "A Kiln", "abstract": "We fire clay with PyTorch."}')
    real.touch()
    link.symlink_to(real)
    arguments = ("extract", str(papers), "-o")
    assert in_process(*arguments, str(link)).returncode == 0
    assert link.is_symlink()
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    assert in_process(*arguments, str(pipe)).returncode == 0
    assert os.read(reader, 100_000).decode() == real.read_text()
    os.close(reader)
    assert in_process(*arguments, "-").stdout == real.read_text()


def test_a_check_says_what_is_wrong_and_what_to_do(store):
    whole = stemma("check", store=store)
    assert (whole.returncode, whole.stdout) == (0, f"No fault was found in {store}.\n")
    (rdf,) = store.with_name("stemma.db-cache").glob("rdf-*")
    for file in rdf.glob("*.sst"):
        file.write_bytes(scrambled(file.read_bytes()))
    assert stemma("show", store=store).returncode == 0
    told = stemma("check", store=store)
    assert told.returncode == 1
    assert told.stdout.startswith("problem: ")
    assert f"Remove {rdf}" in told.stdout
    as_json = json.loads(stemma("check", "--format", "json", store=store).stdout)
    assert not as_json["whole"]
    assert as_json["findings"][0]["fault"]
    assert stemma("check", store=store / "nowhere").returncode == 1
