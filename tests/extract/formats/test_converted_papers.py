"""Papers whose texts are no records: Markdown of converters."""

from pathlib import Path

import pytest

from read_text import OnePaper
from stemma.extract.formats import find, read
from stemma.extract.formats.paper_text import arxiv_id, joined
from stemma.schema import Paper, Problem

ABSTRACT = "We fire clay with KilnFire, which builds on Wheel."


def headings(paper: Paper) -> list[tuple[str, str]]:
    assert paper.full_text
    return [(each.kind.value, each.heading) for each in paper.full_text.sections]


def paragraphs(text: str) -> str:
    """Return Markdown of which each line is a paragraph."""
    return "\n\n".join(text.strip().splitlines()) + "\n"


MARKER = paragraphs(f"""
![](_page_0_Picture_0.jpeg)
# KilnFire: Firing **Clay**<sup>∗</sup>
Ann Sand<sup>1</sup>, Bo Pot<sup>2</sup>
<sup>1</sup>University of Clay
## **Abstract**
{ABSTRACT}
## <span id="page-0-1"></span>**1 Introduction**
Clay is old [\\[1\\]](#page-5-2), at 10<sup>3</sup> degrees &amp; more.
## **2 Experiments**
### **2.1 Setup**
We use *one* kiln.
## References
- <span id="page-5-2"></span>[1] C. Mill. The wheel of clay. In Proc. of Clay, 2020.
""")
DOCLING = paragraphs(f"""
## KilnFire: Firing Clay
Ann Sand, Bo Pot
<!-- image -->
## Abstract
{ABSTRACT}
Keywords: clay, kilns
## 1 Introduction
Clay is old.
## 2 Experiments
## 2.1 Setup
We use one kiln.
""")
MINERU = paragraphs(f"""
# KilnFire: Firing Clay
Ann Sand¹ Bo Pot²
Abstract—{ABSTRACT}
Index Terms—clay
# 1 Introduction
Clay is old.
# 2 Experiments
# 2.1 Setup
We use one kiln.
""")
NOUGAT = paragraphs(f"""
# KilnFire: Firing Clay
 Ann Sand &Bo Pot
{{ann,bo}}@clay.org
###### Abstract
{ABSTRACT}
## 1 Introduction
Clay is old.
## 2 Experiments
### Setup
We use one kiln.
""")
PANDOC = (
    paragraphs(f"""
KilnFire: Firing Clay
=====================
Ann Sand
**Abstract.** {ABSTRACT}
**Introduction**
Clay is old.
Experiments
-----------
**Setup**
We use one kiln.
""")
    .replace("\n\n=", "\n=")
    .replace("\n\n--", "\n--")
)


@pytest.mark.parametrize(
    "text",
    [MARKER, DOCLING, MINERU, NOUGAT, PANDOC],
    ids=["Marker", "Docling", "MinerU", "Nougat", "Pandoc"],
)
def test_markdown_of_converters(paper_in: OnePaper, text: str) -> None:
    found = paper_in(text, "paper.md")
    assert (found.title, found.abstract) == ("KilnFire: Firing Clay", ABSTRACT)
    kinds, named = zip(*headings(found), strict=True)
    assert kinds == ("introduction", "experiments")  # the setup of experiments is a part of them
    assert [each.split(" ", 1)[-1] for each in named] == ["Introduction", "Setup"]


@pytest.mark.parametrize("front", ["tags: [clay]", "title: 'KilnFire: Firing Clay'\ntags: [clay]"])
def test_converted_markdown_with_front_matter_of_other_things(
    paper_in: OnePaper, front: str
) -> None:
    found = paper_in(f"---\n{front}\n---\n{DOCLING}", "paper.md")
    assert found.title == "KilnFire: Firing Clay"
    assert found.abstract.startswith(ABSTRACT)
    assert "introduction" in dict(headings(found))


def test_markup_of_converters_is_not_in_the_text(paper_in: OnePaper) -> None:
    found = paper_in(MARKER, "paper.md")
    assert found.full_text
    introduction, setup = found.full_text.sections
    assert introduction.text == "Clay is old [1], at 10^3 degrees & more."
    assert [each.reference.title for each in introduction.citations] == ["The wheel of clay"]
    assert setup.text == "We use one kiln."


README = paragraphs(f"""
# KilnFire
The code of KilnFire.
## Abstract
{ABSTRACT}
## Installation
Run it.
""")
LINKS = (
    "# Papers on kilns\n\n- [KilnFire](https://example.org/1): abstract\n- [Wheel](https://a.b)\n"
)
MANUAL = paragraphs("""
# How to fire a kiln
This manual says how a kiln is fired, from the first day to the last, and what to look at.
## Introduction
Clay is old.
## Firing
It is hot.
""")
NOTE = paragraphs("# A day at the kiln\nI read the abstract.\n## Later\nIt was hot.")


@pytest.mark.parametrize(
    "text", [README, LINKS, NOTE, MANUAL], ids=["a README", "links", "a note", "a manual"]
)
def test_other_markdown_is_no_paper(tmp_path: Path, text: str) -> None:
    path = tmp_path / "kilns.md"
    path.write_text(text)
    (tmp_path / "README.md").write_text(text)  # of which nobody expects that it is read
    skipped: list[str] = []
    assert find([tmp_path], skipped=skipped)[0] == [] and skipped == ["kilns.md"]
    ((problem,),) = (find([path])[1],)
    assert 'Nearest: Markdown (reader = "markdown")' in problem.reason
    assert "a README or a list of links is no paper" in problem.reason
    (problem,) = read(path, "kilns.md", reader="markdown")
    assert isinstance(problem, Problem)
    assert "it needs front matter with a title, or a title and a section" in problem.reason


@pytest.mark.parametrize(
    ("name", "page", "expected"),
    [
        ("a.pdf", "Kiln\nAbstract\nHot.\narXiv:2104.07857v1 [cs.LG] 6 Apr 2021", "2104.07857v1"),
        ("a.pdf", "Kiln\narXiv:2104.07857\nAbstract\nSee arXiv:1706.03762.", "2104.07857"),
        ("a.pdf", "Kiln\nAbstract\nSee arXiv:1706.03762.", None),
        ("papers/2104.07857v2.pdf", "Kiln", "2104.07857v2"),
        ("arXiv-2104.07857 - Kiln.txt", "Kiln", "2104.07857"),
        ("2021.12345678.pdf", "Kiln", None),
        ("1999.0416.pdf", "Kiln", None),
    ],
)
def test_the_arxiv_id_is_that_of_the_paper_itself(name, page, expected):
    assert arxiv_id(name, page) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a tem-\nperature", "a temperature"),
        ("a tem\ufffeperature", "a temperature"),
        ("an off-\nloaded GPU", "an offloaded GPU"),
        ("ZeRO-\nInfinity", "ZeRO-Infinity"),
        ("the state-of-\nthe-art", "the state-of-the-art"),
        ("pre-trained, pre-\ntrained and pre-\nsent", "pre-trained, pre-trained and present"),
        ("BERT is BE-\nRT", "BERT is BERT"),
        ("tem-\n  perature - and", "temperature - and"),
    ],
)
def test_words_that_the_end_of_a_line_divides(text: str, expected: str) -> None:
    assert joined(text) == expected
