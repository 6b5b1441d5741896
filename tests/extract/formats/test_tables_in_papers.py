"""Tables of papers: each reader gives them as lines, with a caption and cells between bars.

Those of a PDF are lines that end in figures, beside a caption.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stemma.extract.formats.body import BETWEEN_CELLS, Cell, PaperTable
from stemma.extract.formats.pdf_rows import Row
from stemma.extract.formats.pdf_table import without_tables
from stemma.schema import Field

LATEX = r"""\documentclass{article}\title{Kiln: Fast Firing}
\begin{document}\begin{abstract}We present Kiln.\end{abstract}
\section{Results}
We fire faster.
\begin{table*}[t]
\centering
\caption{Firing \textbf{clay} at $1000^\circ$.}
\begin{tabular}{@{}l|cc@{}}
\toprule
\multirow{2}{*}{Oven} & \multicolumn{2}{c}{Pots} \\ \cmidrule(lr){2-3}
 & Throughput $\uparrow$ & Time \\[2pt] \midrule
Wheel~\cite{wheel} & 1,200 $\pm$ 3 & 40\% \\
% Old & 1 & 2 \\
\arrayrulecolor{black!30}\rowcolor{gray} \textbf{Kiln (ours)} & \textbf{2,400} & $2.5\times$ \\
\bottomrule
\end{tabular}
\end{table*}
\begin{table}\begin{tabular}{ll}a & \begin{tabular}{ll}b & c\end{tabular}\\d & e\end{tabular}
\end{table}
\begin{thebibliography}{9}\bibitem{wheel} B. Clay.\newblock Wheel: A slow oven.\end{thebibliography}
\end{document}
"""
JATS = """\
<article><front><article-meta><title-group><article-title>Kiln: Fast Firing</article-title>
</title-group><abstract><p>We present Kiln.</p></abstract></article-meta></front><body><sec>
<title>Results</title><p>We fire faster.</p><table-wrap><label>Table 1</label><caption><p>Firing
clay.</p></caption><table><thead><tr><th rowspan="2">Oven</th><th colspan="2">Pots</th></tr>
<tr><th>Throughput</th><th>Time</th></tr></thead><tbody><tr><td>Wheel [<xref ref-type="bibr"
rid="r1">1</xref>]</td><td>1|2</td><td/></tr><tr><td><bold>Kiln</bold></td><td>2,400</td><td>20</td>
</tr></tbody></table></table-wrap></sec></body><back><ref-list><ref id="r1"><mixed-citation>
<article-title>Wheel: A slow oven</article-title></mixed-citation></ref></ref-list>
</back></article>
"""
TEI = """\
<TEI><teiHeader><fileDesc><titleStmt><title>Kiln: Fast Firing</title></titleStmt></fileDesc>
<profileDesc><abstract><p>We present Kiln.</p></abstract></profileDesc></teiHeader><text><body><div>
<head n="1">Results</head><p>We fire faster.</p></div><figure type="table"><head>Table
1</head><figDesc>Firing clay.</figDesc><table><row><cell>Oven</cell><cell cols="2">Pots</cell></row>
<row><cell>Wheel <ref type="bibr" target="#b0">[1]</ref></cell><cell>12</cell><cell>40</cell></row>
<row><cell>Kiln</cell><cell>24</cell></row></table></figure></body><back><div><listBibl>
<biblStruct xml:id="b0"><analytic><title level="a">Wheel: A slow oven</title></analytic>
</biblStruct></listBibl></div></back></text></TEI>
"""
MARKDOWN = """---
title: "Kiln: Fast Firing"
authors: [Ann Sand]
---
# Abstract
We present Kiln.

# Results
We fire faster.

**Table 1: Firing clay.**

| Oven      | Throughput | Time |
|:----------|-----------:|------|
| Wheel [1] | 12         | 40   |
| **Kiln**  | `24`       |      |

And more.

# References
1. B. Clay. Wheel: A slow oven. 2020.
"""
HEAD = ["Oven | Pots | Pots", "Oven | Throughput | Time"]
EXPECTED = {
    "main.tex": [
        *("Firing clay at $1000^\\circ$.", HEAD[0], "Oven | Throughput ↑ | Time"),
        *("Wheel [1] | 1,200 ± 3 | 40%", "Kiln (ours) | 2,400 | 2.5×"),
    ],
    "kiln.xml": ["Table 1 Firing clay.", *HEAD, "Wheel [1] | 1/2 | –", "Kiln | 2,400 | 20"],
    "kiln.tei.xml": ["Table 1 Firing clay.", HEAD[0], "Wheel [1] | 12 | 40", "Kiln | 24 | –"],
    "kiln.md": ["Table 1: Firing clay.", HEAD[1], "Wheel [1] | 12 | 40", "Kiln | 24 | –"],
}
SOURCES = dict(zip(EXPECTED, (LATEX, JATS, TEI, MARKDOWN), strict=True))


@pytest.mark.parametrize("name", EXPECTED)
def test_a_table_is_a_section_of_lines(paper_in, name: str) -> None:
    paper = paper_in(SOURCES[name], name)
    assert paper.full_text
    *others, table = paper.full_text.sections
    assert table.kind is Field.TABLE
    assert table.text.split("\n") == EXPECTED[name]
    (citation,) = table.citations
    assert citation.reference.title == "Wheel: A slow oven"
    assert "1" in table.text[citation.start : citation.end]
    assert {each.kind for each in others} == {Field.EXPERIMENTS}
    assert not any(BETWEEN_CELLS in each.text for each in others)
    assert "We fire faster." in others[0].text


texts = st.text("ab |\n\\&{}", max_size=6)
cells = st.builds(Cell, texts, st.integers(1, 4), st.integers(1, 4))


@given(texts, st.lists(st.lists(cells, max_size=5), max_size=6))
def test_every_row_has_as_many_cells(caption: str, rows: list[list[Cell]]) -> None:
    paragraphs = PaperTable(caption, rows).marked().split("\n\n")
    counts = {each.count(BETWEEN_CELLS) for each in paragraphs if BETWEEN_CELLS in each}
    assert len(counts) <= 1
    assert not any("\n" in paragraph for paragraph in paragraphs)


def read_rows(*lines: str) -> tuple[list[str], list[str]]:
    """Return the lines of a page that are left, and its tables as they are kept."""
    rows = [
        Row(line, 10.0, "Times", 50.0, 290.0, 700.0 - 12 * number, True)
        for number, line in enumerate(lines)
        if line  # A gap is where none is.
    ]
    left, tables = without_tables(rows)
    return [each.text for each in left], [table.marked() for table in tables]


def test_a_table_is_below_its_caption_or_above() -> None:
    below = [
        "Table 1: Firing.",
        "Oven Pots Heat",
        "Mill (2018) 9 70",
        "Old Kiln [3] 20 75",
        "We fire it.",
    ]
    left, tables = read_rows(*below)
    table = (
        "Table 1: Firing.\n\nOven | Pots | Heat\n\nMill (2018) | 9 | 70\n\nOld Kiln [3] | 20 | 75"
    )
    assert tables == [table]
    assert left == ["Table 1: Firing.", "Oven Pots Heat", "We fire it."]
    caption, heading, *rows, _ = below
    assert read_rows(heading, *rows, caption)[1] == [table]


def test_headings_of_columns_may_have_several_lines_and_a_caption_too() -> None:
    caption = ["Table 1: What is fired in", "the kilns of the village."]
    lines = [*caption, "", "Kiln-4 Wheel-2", "Base Base", "Fuel Oil Gas", "Clay 1 2", "Loam 3 4"]
    _, (table,) = read_rows(*lines)
    heading = "– | Kiln-4 Base | Wheel-2 Base"
    assert table.split("\n\n") == [" ".join(caption), heading, "Clay | 1 | 2", "Loam | 3 | 4"]


def test_a_table_ends_where_the_caption_of_the_next_one_begins() -> None:
    first = ["Table 1: Heat.", "", "Oven Heat", "Wheel 70", "Kiln 75"]
    second = ["Table 2: Time.", "", "Oven Time", "Wheel 7", "Kiln 5"]
    _, tables = read_rows(*first, *second, "Table 3.", "It is hot.")
    assert [table.partition("\n")[0] for table in tables] == ["Table 1: Heat.", "Table 2: Time."]


def test_without_a_caption_or_several_rows_there_is_no_table() -> None:
    prose = ["There were 9", "of them by 12", "as Table 1 says."]
    assert read_rows(*prose) == (prose, [])
    one = ["Table 3: Heat.", "Wheel 70", "It is hot."]
    assert read_rows(*one) == (one, [])
