"""What repeats one mark takes time as it is long: no pattern searches a text over and over."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from linear import grows_linearly, repeated
from stemma.extract.formats import read, readers
from stemma.extract.formats.paper_text import abstract, body, numbered_references, printed_title
from stemma.extract.formats.person_name import is_nobody, person_names
from stemma.schema import Paper


def names(text: str) -> None:
    person_names(text + "x")
    person_names(text + "x", family_first=True)
    is_nobody(text)


def recognition(text: str) -> None:
    for reader in readers():
        reader.recognises(text)


def text_of_pdf(text: str) -> None:
    abstract(f"abstract{text}x")
    body(f"1 Introduction\nIt is hot. {text}", (), {})
    numbered_references(f"[1] {text}")


REPEATED: dict[Callable[[str], Any], tuple[str, ...]] = {
    names: ("a{", "}", "((", "<a@", "and ", "a, ", "; ", "a*", "Jr ", "1 "),
    printed_title: ("Van ", "A. B, ", "A. Bo, ", "Sand, A., ", "“x ", "‘x ’y ", "(2000"),
    text_of_pdf: ("abstract \t", " \t", "Sand, A. and ", "1 "),
    recognition: (
        *("\n", " ", "@a{ ", "@a\n", "<", "<!--", "<!DOCTYPE ", "{ ", '{"a":', "[", "TY  - "),
        *("\t,", "x", "abstract ", "abstract\n1 Axx ", "abstract\n<!--", "abstract\n<table>"),
        *("abstract\n[[", "PT J\n"),
    ),
}


@pytest.mark.parametrize("use", REPEATED)
def test_a_text(use: Callable[[str], Any]) -> None:
    assert [each for each in REPEATED[use] if not grows_linearly(use, repeated(each))] == []


LATEX = "\\documentclass{article}\n\\title{A Kiln}\\begin{document}\n"
PAGE = "<html><title>LaTeXML</title><h1>A Kiln of Clay</h1><h6>Abstract</h6><p>We fire.</p>"
PAGE += "<h2>1 Introduction</h2><p>It is hot.</p><h2>2 Methods</h2>"


@pytest.mark.parametrize(
    ("name", "before", "mark", "after"),
    [
        ("kiln.tex", LATEX + "\\", "cite", ""),
        ("kiln.tex", LATEX, "\\author{", ""),
        ("kiln.csv", "title,abstract,authors\nA,B,['", "\\'", "]\n"),
        ("kiln.html", PAGE, "<p>Hot.\n", ""),
        ("kiln.json", '{"title": "A Kiln", "abstract": "We\\n\\nfire', "  ", 'clay"}'),
    ],
)
def test_a_file(tmp_path: Path, name: str, before: str, mark: str, after: str) -> None:
    def read_file(text: str) -> None:
        (tmp_path / name).write_text(before + text + after)
        assert any(isinstance(each, Paper) for each in read(tmp_path / name, name))

    assert grows_linearly(read_file, repeated(mark))
