"""Articles: papers read by the headings, paragraphs and links of a page or of Markdown.

Much of the Markdown is what converters make of PDFs.
"""

from pathlib import Path

import pytest

from stemma.extract.formats import find, read
from stemma.extract.formats.html_text import authors_between
from stemma.extract.formats.paper_text import arxiv_id, joined
from stemma.schema import Paper, Problem

TEXT = "<p>" + "Clay is old, and it is fired in kilns that are as old as it is. " * 3 + "</p>"
REFERENCES = (
    "<h2><a href='#r1'>References</a></h2>"
    "<ol><li id=r1>C. Mill. The wheel of clay. In Proc. of Clay, 2020.</li>"
    "<li id=r2>D. Oven. Baking with little heat. In Proc. of Clay, 2021.</li></ol>"
)
DISTILL = f"""<!doctype html><script src="https://distill.pub/template.v2.js"></script>
<d-front-matter><script type="text/json">{{"title": "Firing Clay", "description": "How it works.",
"authors": [{{"author": "Ann Sand"}}, {{"author": "Bo Pot"}}]}}</script></d-front-matter>
<d-title><h1>Firing Clay</h1></d-title><d-byline><h3>Published</h3><p>April 16, 2021</p></d-byline>
<d-article>{TEXT * 4}<p>Wheels turn<d-cite key="mill"></d-cite> at <d-math>10^3</d-math> degrees,
<d-footnote>Or more.</d-footnote> and this is a long sentence, for it has to be read.</p>
<h2>Kilns</h2>{TEXT}<h3>Heat</h3>{TEXT}</d-article><d-appendix><h3>Thanks</h3></d-appendix>
<script type="text/bibtex">@article{{mill, title={{The wheel of clay}}, author={{C. Mill}}}}
</script>"""
WHEELS = """<p>Wheels turn [<a href="#r1">1</a>] at $10^3$ degrees, and this is a long sentence,
for it has to be read with its citation and all the rest.</p>"""
BLOG = f"""<!DOCTYPE html><html><head><title>Firing Clay | The Kiln Blog</title>
<meta name="author" content="Ann Sand and Bo Pot">
<meta property="og:description" content="How it works.">
<meta property="article:published_time" content="2021-04-16T10:00:00Z"></head><body>
<header><h1>Firing Clay</h1></header><nav><h2>Menu</h2><p>Home</p></nav>
<main>{TEXT * 4}{WHEELS}<h2>Kilns</h2>{TEXT}<h3>Heat</h3>{TEXT}
{REFERENCES}</main><footer><p>About us</p></footer></body></html>"""
ALONE = f"<!DOCTYPE html><html><head><script>{'fire();' * 10_000}</script></head><body>"
PICTURE = f"<p><img src='data:image/png;base64,{'A' * 70_000}' /></p>"
NOTE = "<div class='footnotes'><ol><li id='fn1'>A note.<a href='#fnref1'>↩</a></li></ol></div>"
R_MARKDOWN = f"""{ALONE}<h1 class="title toc-ignore">Firing Clay</h1>
<h4 class="author">Ann Sand and Bo Pot</h4><h4 class="date">16 April 2021</h4>
<div class="abstract"><p class="abstract">Abstract</p>How it works.</div><div id="TOC"><ul>
<li><a href="#kilns">Kilns</a></li><li><a href="#references">References</a></li></ul></div>
<h1 id="introduction">Introduction</h1>{PICTURE}{TEXT * 5}{WHEELS}<div id="kilns"><h1>Kilns</h1>
{TEXT}<h2>Heat</h2>{TEXT}</div><div id="references">{REFERENCES}</div>{NOTE}</body></html>"""
QUARTO = f"""{ALONE}<header id="title-block-header"><h1 class="title">Firing Clay</h1>
<div class="quarto-title-meta"><div class="quarto-title-meta-heading">Authors</div>
<p>Ann Sand <a href="https://orcid.org/1"></a></p><p>Bo Pot</p><div>Published</div>
<p class="date">April 16, 2021</p></div><div class="abstract"><div class="block-title">Abstract
</div>How it works.</div></header><nav id="TOC"><h2>Contents</h2></nav><main><section id="intro">
<h2>Introduction</h2>{PICTURE}{TEXT * 5}{WHEELS}</section><section id="kilns"><h2>Kilns</h2>{TEXT}
<h3>Heat</h3>{TEXT}</section><div id="appendix">{REFERENCES}</div></main>{NOTE}</body></html>"""
JUPYTER = f"""{ALONE}<main><div><h1>Firing Clay<a class="anchor-link" href="#K">¶</a></h1>
<p>Ann Sand, Bo Pot</p><p>Published 16 April 2021</p><p><strong>Abstract.</strong> How it works.</p>
</div><h2>Introduction<a href="#I">¶</a></h2>{PICTURE}{TEXT * 5}{WHEELS}
<div class="jp-InputPrompt">In [1]:</div><pre>fire()</pre><h2>Kilns<a href="#k">¶</a></h2>{TEXT}
<h3>Heat<a href="#h">¶</a></h3>{TEXT}{REFERENCES}</main></body></html>"""


def shown(paper: Paper) -> list[tuple[str, str]]:
    assert paper.full_text
    return [(section.kind.value, section.heading) for section in paper.full_text.sections]


@pytest.mark.parametrize(
    "page",
    [DISTILL, BLOG, R_MARKDOWN, QUARTO, JUPYTER],
    ids=["Distill", "a blog", "R Markdown", "Quarto", "Jupyter"],
)
def test_an_article_of_any_site_or_program(tmp_path: Path, page: str) -> None:
    (tmp_path / "page.html").write_text(page)
    ((document,), _) = find([tmp_path])
    (paper,) = read(document.path, "page.html")
    assert isinstance(paper, Paper) and paper.full_text
    assert (paper.title, paper.abstract) == ("Firing Clay", "How it works.")
    assert [author.name for author in paper.authors] == ["Ann Sand", "Bo Pot"]
    assert str(paper.published) == "2021-04-16"
    first, *_ = paper.full_text.sections
    kinds = {heading: kind for kind, heading in shown(paper)}
    assert kinds == {"Introduction": "introduction", "Kilns": "method", "Heat": "method"}
    assert "Wheels turn [1] at $10^3$ degrees, " in first.text
    assert "Or more" not in first.text and "In [1]" not in first.text
    assert [citation.reference.title for citation in first.citations] == ["The wheel of clay"]
    assert not any("note" in str(reference.title) for reference in paper.references)


def test_a_page_of_links_is_no_article(tmp_path: Path) -> None:
    links = "<h2>Kilns</h2><p><a href='https://example.org'>A kiln</a></p>" * 20
    (tmp_path / "page.html").write_text(f"<!doctype html><html><body>{links}</body></html>")
    skipped: list[str] = []
    assert find([tmp_path], skipped=skipped)[0] == [] and skipped == ["page.html"]


ABSTRACT = "We fire clay with KilnFire, which builds on Wheel, in kilns that are not as hot. " * 2
LONG = "Clay is old, and it is fired in kilns that are as old as it is. " * 6


def test_a_paragraph_before_the_introduction_is_the_abstract(paper_in) -> None:
    paper = paper_in(
        f"# KilnFire: Firing Clay\n\nThe Kiln Team\n\n{ABSTRACT}\n\n### 1. Introduction\n\n{LONG}\n"
        "(Mill, 2020)\n\n### References\n\n- C. Mill. The wheel of clay. In Proc. of Clay, 2020.\n"
        "- <span></span>D. Oven. Baking with little heat. In Proc. of Clay, 2021.\n",
        "paper.md",
    )
    assert (paper.abstract, paper.authors) == (ABSTRACT.strip(), ())
    assert {reference.title for reference in paper.references} == {
        *("Baking with little heat", "The wheel of clay")
    }
    assert paper.full_text
    assert [len(section.citations) for section in paper.full_text.sections] == [1]


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("Ann Sand, Bo van Pot and José-María Clay", "Ann Sand; Bo van Pot; José-María Clay"),
        ("Ann Sand*, Bo Pot†1,2", "Ann Sand; Bo Pot"),
        ("Lu O'Clay $ ^{*} $", "Lu O'Clay"),
        ("Ann Sand, Bo Pot, Cy Mill Kiln Research", "Ann Sand; Bo Pot; Cy Mill"),
        ("ACM Reference Format: Ann Sand, and Bo Pot. 2021. Firing Clay.", "Ann Sand; Bo Pot"),
        ("Kiln AI", ""),
        ("{ann,bo}@clay.org", ""),
    ],
)
def test_authors_below_a_title(line: str, names: str) -> None:
    assert "; ".join(each.name for each in authors_between([line])) == names


SHORT = "We fire clay with KilnFire, which builds on Wheel."


def paragraphs(text: str) -> str:
    """Return Markdown of which each line is a paragraph."""
    return "\n\n".join(text.strip().splitlines()) + "\n"


MARKER = paragraphs(f"""
![](_page_0_Picture_0.jpeg)
# KilnFire: Firing **Clay**<sup>∗</sup>
Ann Sand<sup>1</sup>, Bo Pot<sup>2</sup>
<sup>1</sup>University of Clay
## **Abstract**
{SHORT}
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
{SHORT}
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
Abstract—{SHORT}
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
{SHORT}
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
**Abstract.** {SHORT}
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
def test_markdown_of_converters(paper_in, text: str) -> None:
    paper = paper_in(text, "paper.md")
    assert (paper.title, paper.abstract) == ("KilnFire: Firing Clay", SHORT)
    kinds, named = zip(*shown(paper), strict=True)
    assert kinds == ("introduction", "experiments")  # the setup of experiments is a part of them
    assert [each.split(" ", 1)[-1] for each in named] == ["Introduction", "Setup"]
    introduction, _ = paper.full_text.sections
    if text is MARKER:
        assert introduction.text == "Clay is old [1], at 10^3 degrees & more."
        assert [each.reference.title for each in introduction.citations] == ["The wheel of clay"]


README = paragraphs(f"""
# KilnFire
The code of KilnFire.
## Abstract
{SHORT}
## Installation
Run it.
""")
LINKS = "# Kilns\n\n- [KilnFire](https://example.org/1): abstract\n- [Wheel](https://a.b)\n"
MANUAL = paragraphs("""
# How to fire a kiln
This manual says how a kiln is fired, from the first day to the last, and what to look at.
## Introduction
Clay is old.
## Firing
It is hot.
""")


@pytest.mark.parametrize("text", [README, LINKS, MANUAL], ids=["a README", "links", "a manual"])
def test_other_markdown_is_no_paper(tmp_path: Path, text: str) -> None:
    path = tmp_path / "kilns.md"
    path.write_text(text)
    (tmp_path / "README.md").write_text(text)  # of which nobody expects that it is read
    skipped: list[str] = []
    assert find([tmp_path], skipped=skipped)[0] == [] and skipped == ["kilns.md"]
    _, (problem,) = find([path])
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
    ],
)
def test_words_that_the_end_of_a_line_divides(text: str, expected: str) -> None:
    assert joined(text) == expected
