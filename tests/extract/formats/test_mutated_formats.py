"""Files in every format that chance has damaged: nothing crashes, good records are not lost.

With ``STEMMA_MUTATIONS=26000`` in the environment four times as many files are damaged and read,
instead of some hundred. The same number makes the same files.
"""

import os
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from random import Random

import pytest

from archives import tarred
from full_texts import FOLDER, GOLD
from mutation import mutate
from pdf_page import page_of, pdf
from stemma.extract.formats import read
from stemma.schema import Paper, Problem

pytestmark = pytest.mark.soak
COUNT = 4 * int(os.environ.get("STEMMA_MUTATIONS", "100"))
PAPERS = 8
ABSTRACT = "We fire clay, 5% faster than PyTorch; it holds “well” on A100."


@dataclass(frozen=True)
class Format:
    """How a file is put together; each record has its title for TITLE.

    `before` and `after` count the neighbours that damage may reach. They are None where it may
    reach all.
    """

    record: str
    begin: str = ""
    end: str = ""
    before: int | None = 1
    after: int | None = 1


def lines(record: str) -> Format:
    return Format(" ".join(record.split()) + "\n")


def xml(record: str, begin: str, end: str) -> Format:
    return Format(record + "\n", begin, end, before=None)


JSON = '{"title": "TITLE", "abstract": "ABSTRACT"}'
# One for each way in which records stand in a file.
FORMATS = {
    "json": lines(JSON),
    "json in an array": Format(f",\n{JSON}", "[{}", "]"),
    "bibtex": Format(
        "@article{k, title = {{TITLE}}, author = {S{\\'a}nd, Ann and Bo Clay},\n"
        "  year = 2021, abstract = {ABSTRACT}}\n"
    ),
    "ris": Format(
        "TY  - JOUR\nTI  - TITLE\nAU  - Sand, Ann\nPY  - 2021\nAB  - ABSTRACT\nER  - \n\n"
    ),
    "json of arXiv": lines(
        r"""{"id": "2104.07857", "title": "TITLE", "abstract": "ABSTRACT", "doi": null,
        "versions": [{"version": "v1", "created": "Fri, 16 Apr 2021 02:22:12 GMT"}],
        "authors_parsed": [["S\\'and", "Ann", ""]]}"""
    ),
    "csv": Format(
        'TITLE,"ABSTRACT",Ann Sand; Bo Clay,2021\r\n',
        "Title,Abstract,Authors,Year\r\n",
        before=None,
    ),
    "oai": xml(
        "<record><metadata><arXiv><id>2104.07857</id><created>2021-04-16</created><title>TITLE"
        "</title><abstract>ABSTRACT</abstract></arXiv></metadata></record>",
        '<?xml version="1.0" encoding="UTF-8"?>\n<OAI-PMH><ListRecords>\n',
        "</ListRecords></OAI-PMH>\n",
    ),
    "jats": xml(
        "<article><front><article-meta><title-group><article-title>TITLE</article-title>"
        "</title-group><abstract><p>ABSTRACT</p></abstract></article-meta></front></article>",
        *("<pmc-articleset>\n", "</pmc-articleset>\n"),
    ),
}


@pytest.mark.parametrize("name", FORMATS)
def test_records_that_were_not_touched_are_read(name: str, tmp_path: Path) -> None:
    form = FORMATS[name]
    titles = [f"Kiln {word}: Firing Clay" for word in "abcdefgh"[:PAPERS]]
    record = form.record.replace("ABSTRACT", ABSTRACT)
    parts = [form.begin, *(record.replace("TITLE", each) for each in titles)]
    ends = list(accumulate(len(each.encode()) for each in parts))
    data = ("".join(parts) + form.end).encode()
    path = tmp_path / "papers"
    path.write_bytes(data)
    assert [each.title for each in read(path, name) if isinstance(each, Paper)] == titles
    for number in range(COUNT // len(FORMATS)):
        chance = Random(f"{name} {number}")
        mutated = mutate(data, [data], chance)
        path.write_bytes(mutated.data)
        readings = list(read(path, name, reader=name.partition(" ")[0]))
        assert all(isinstance(reading, Paper | Problem) for reading in readings)
        read_titles = {paper.title for paper in readings if isinstance(paper, Paper)}
        for i, title in enumerate(titles):
            first = 0 if form.before is None else ends[max(i - form.before, 0)]
            last = ends[min(i + 1 + (form.after or 0), PAPERS)]
            if mutated.spares(0, ends[0]) and mutated.spares(max(first - 1, 0), last):
                assert title in read_titles, (number, title)


SOURCE = r"""\documentclass{article}\newcommand{\sys}{Kiln}\title{\sys: Clay\thanks{Us}}
\author{Ann {\'S}and \and Bo}
\begin{document}\begin{abstract}We fire \cite{a}
\end{abstract}\section{Results}We.\begin{table}\caption{A}\begin{tabular}{ll}a &
\multirow{2}{*}{b} \\ c & \multicolumn{1}{l}{1 $\pm$ 2}\end{tabular}\end{table}
\bibliography{refs}\end{document}
"""


WHOLE = {
    "note.md": b"---\ntitle: A Kiln\nauthors: [Ann, {name: Bo}]\ndate: 2021-04-16\n---\n"
    b"# Abstract\nWe.\n# Results\n| a | b |\n|---|---|\n| c | 1 |\n",
    "page.html": b"<!DOCTYPE html><html><head><title>Daily Papers</title></head><body>"
    b"<h3>A Kiln</h3><p>We fire clay in the heat of summer.</p><div>5 authors</div><div>.</div>"
    b"<div>Oct 10, 2020</div><div data-props='{&quot;papers&quot;:[]}'></div></body></html>",
    "main.tex": SOURCE.encode(),
    "paper.pdf": pdf([page_of((20, "A Kiln for Clay"), (12, "Abstract"), (10, "We fire clay."))]),
}
WHOLE |= {name: (FOLDER / name).read_bytes() for name in GOLD}
"""Files of formats that have a paper each, or a page."""


@pytest.mark.parametrize("name", [*WHOLE, "source.tar"])
def test_a_damaged_file_is_read_or_is_a_problem(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    if name == "source.tar":
        tarred([("main.tex", SOURCE), ("refs.bib", "@misc{a, title={A}}")], path)
    data = WHOLE.get(name) or path.read_bytes()
    others = [data, WHOLE["main.tex"], WHOLE["page.html"]]
    for number in range(COUNT // 40):
        path.write_bytes(mutate(data, others, Random(f"{name} {number}")).data)
        readings = list(read(path, name))
        assert readings
        for each in readings:
            assert isinstance(each, Paper | Problem)
            if isinstance(each, Paper) and each.full_text:
                for section in each.full_text.sections:
                    assert all(
                        section.text[one.start : one.end].strip() for one in section.citations
                    )
