"""Which reader reads a file: the one that knows its content, or the one that is asked for."""

from importlib.metadata import EntryPoint
from pathlib import Path
from time import process_time

import pytest

from stemma.extract.formats import read, reader_by_name, readers, registry
from stemma.extract.formats.reader import Reader
from stemma.schema import Paper, Problem


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
    point = EntryPoint("cards", f"{__name__}:CardReader", registry.GROUP)
    monkeypatch.setattr(registry, "entry_points", lambda group: [point])
    readers.cache_clear()
    yield
    readers.cache_clear()


def written(folder: Path, name: str, content: str) -> Path:
    path = folder / name
    path.write_text(content)
    return path


def test_reader_option_overrides_detection(tmp_path: Path):
    path = written(tmp_path, "letter.text", "A Kiln\n\nWe fire clay in it.\n")
    assert isinstance(next(iter(read(path, path.name))), Problem)
    (paper,) = read(path, path.name, reader="listing")
    assert isinstance(paper, Paper)


def test_an_unknown_reader_is_answered_with_the_nearest():
    with pytest.raises(ValueError, match="did you mean 'listing'"):
        reader_by_name("listings")


@pytest.mark.usefixtures("with_cards")
def test_packages_add_readers(tmp_path: Path):
    assert reader_by_name("cards").description == "index cards"
    found = read(written(tmp_path, "drawer", "CARD A Kiln\nCARD A Wheel\n"), "drawer")
    assert [(each.title, each.sources[0].position) for each in found] == [
        ("A Kiln", 1),
        ("A Wheel", 2),
    ]


def test_the_documentation_lists_all_formats():
    page = Path(__file__).parents[3] / "docs" / "commands.md"
    assert registry.table() in page.read_text(), "python -m stemma.extract.formats prints it"


@pytest.mark.parametrize(
    "text",
    [
        *("\n", " ", "@a{ ", "@a\n", "<", "<!--", "<!DOCTYPE ", "{ ", '{"a":', "[", "TY  - "),
        *("\t,", "x", "abstract ", "abstract\n1 Axx ", "abstract\n<!--", "abstract\n<table>"),
        *("abstract\n[[", "PT J\n"),
    ],
)
def test_no_start_of_a_file_takes_long_to_recognise(text: str):
    start = text * (65536 // len(text))
    began = process_time()
    for each in readers():
        each.recognises(start)
    assert process_time() - began < 1
