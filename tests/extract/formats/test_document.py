"""Finding documents at the paths that someone names, and the reader that knows their content."""

import os
from errno import EACCES
from hashlib import sha256
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from stemma.extract.formats import Document, discovery, find, read, reader_by_name, readers
from stemma.extract.formats.reader import Reader
from stemma.schema import Paper, Problem


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    files = "b.txt a.jsonl.gz deep/down/c.NDJSON deep/d.json README.md table.xls .hidden.txt"
    for name in (*files.split(), ".git/e.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(f"this is {name}")
    return tmp_path


def names(documents: list[Document]) -> str:
    return " ".join(document.name for document in documents)


def test_a_folder_gives_its_documents_in_order_of_their_names(folder: Path):
    documents, problems = find([folder])
    assert not problems
    assert names(documents) == "a.jsonl.gz b.txt deep/d.json deep/down/c.NDJSON"
    assert [document.format for document in documents] == ["jsonl", "txt", "json", "ndjson"]
    assert documents[1].sha256 == sha256(b"this is b.txt").hexdigest()


def test_a_file_is_called_by_its_bare_name_and_read_once(folder: Path):
    documents, problems = find([folder / "deep" / "d.json", folder / "b.txt", folder])
    assert not problems
    assert names(documents) == "d.json b.txt a.jsonl.gz deep/down/c.NDJSON"


def test_links_that_lead_back_are_followed_once(folder: Path):
    (folder / "deep" / "loop").symlink_to(folder, target_is_directory=True)
    (folder / "twin.txt").symlink_to(folder / "b.txt")
    documents, problems = find([folder, folder / "deep" / ".." / "b.txt"])
    assert not problems
    assert len(documents) == 4


def test_a_link_out_of_the_folder_or_to_nowhere_is_reported_and_not_followed(folder: Path):
    out = "a link out of this folder, which is not followed: name what it leads to as well"
    links = {"self": "/proc/self", "deep/up": "..", "passwd.txt": "/etc/passwd"}
    expected = [f"{name}: {out}" for name in links]
    for name in ("round", "deep/gone.json"):
        links[name] = f"{folder.name}/round"
        expected.append(f"{name}: a link to a file that is not there")
    for name, target in links.items():
        (folder / name).symlink_to(folder.parent / target)
    documents, problems = find([folder])
    assert len(documents) == 4
    assert sorted(map(str, problems)) == sorted(expected)


def test_a_folder_in_a_folder_that_cannot_be_listed_is_reported(folder, monkeypatch):
    listed = os.scandir

    def scandir(path: str):
        if path.endswith("down"):
            raise PermissionError(EACCES, os.strerror(EACCES), path)
        return listed(path)

    monkeypatch.setattr(os, "scandir", scandir)
    documents, problems = find([folder])
    assert names(documents) == "a.jsonl.gz b.txt deep/d.json"
    assert list(map(str, problems)) == ["deep/down: cannot be read: Permission denied"]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("README.md", "unsupported file format. Nearest: Markdown"),
        ("nowhere.txt", "no such file"),
        (".git/objects", "no files in a supported format"),
    ],
)
def test_what_is_named_and_cannot_be_read_is_a_problem(folder: Path, name: str, reason: str):
    (folder / ".git" / "objects").mkdir()
    documents, problems = find([folder / name, folder / "b.txt"])
    assert [document.name for document in documents] == ["b.txt"]
    assert len(problems) == 1
    assert reason in problems[0].reason
    assert problems[0].file == str(folder / name)


def test_a_file_that_is_gone_by_the_time_it_is_read_is_a_problem(folder: Path):
    (problem,) = read(folder / "gone.txt", "gone.txt")
    assert "No such file" in problem.reason


class CardReader(Reader):
    """Reads index cards: a title after ``CARD``."""

    name = "cards"
    description = "index cards"
    fields = "title"
    endings = ("card",)

    def recognises(self, start: str) -> bool:
        return start.startswith("CARD ")

    def read(self, document, options):
        for number, text in enumerate(b"".join(document.chunks()).decode().splitlines(), 1):
            title = text.removeprefix("CARD ")
            yield Paper(f"paper/{title}", title, sources=(document.source(number, None, None),))


@pytest.fixture
def with_cards(monkeypatch):
    """Install a package that has a reader."""
    point = EntryPoint("cards", f"{__name__}:CardReader", discovery.GROUP)
    monkeypatch.setattr(discovery, "entry_points", lambda group: [point])
    readers.cache_clear()
    yield
    readers.cache_clear()


def test_reader_option_overrides_detection(tmp_path: Path):
    (path := tmp_path / "letter.text").write_text("A Kiln\n\nWe fire clay in it.\n")
    (problem,), (paper,) = (read(path, path.name, reader=name) for name in (None, "listing"))
    assert isinstance(problem, Problem) and isinstance(paper, Paper)


@pytest.mark.usefixtures("with_cards")
def test_packages_add_readers(tmp_path: Path):
    assert reader_by_name("cards").description == "index cards"
    (tmp_path / "drawer").write_text("CARD A Kiln\nCARD A Wheel\n")
    cards = [(each.title, each.sources[0].position) for each in read(tmp_path / "drawer", "drawer")]
    assert cards == [("A Kiln", 1), ("A Wheel", 2)]


def test_the_documentation_lists_all_formats():
    page = Path(__file__).parents[3] / "docs" / "commands.md"
    assert discovery.table() in page.read_text(), "python -m stemma.extract.formats prints it"
