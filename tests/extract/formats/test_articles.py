"""Articles: papers read by the headings, paragraphs and links of a page or of Markdown."""

from pathlib import Path

import pytest

from read_text import OnePaper
from stemma.extract.formats import find
from stemma.extract.formats.html_text import authors_between
from stemma.schema import Paper, Reference

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
OLD_DISTILL = """<!doctype html><script type="text/front-matter">
  title: Firing Clay
  description: How it works.
  published: 2021-04-16
  authors:
    - Ann Sand: https://example.org
    - Bo Pot: https://example.org
</script>""" + DISTILL.partition("</d-front-matter>")[2].replace("d-", "dt-").replace(
    "dt-footnote", "dt-fn"
).replace("text/bibtex", "text/bibliography")
BLOG = f"""<!DOCTYPE html><html><head><title>Firing Clay | The Kiln Blog</title>
<meta name="author" content="Ann Sand and Bo Pot">
<meta property="og:description" content="How it works.">
<meta property="article:published_time" content="2021-04-16T10:00:00Z"></head><body>
<header><h1>Firing Clay</h1></header><nav><h2>Menu</h2><p>Home</p></nav>
<main>{TEXT * 4}<p>Wheels turn [<a href="#r1">1</a>] at $10^3$ degrees, and this is a long sentence,
for it has to be read with its citation and all the rest.</p><h2>Kilns</h2>{TEXT}<h3>Heat</h3>{TEXT}
{REFERENCES}</main><footer><p>About us</p></footer></body></html>"""


def shown(found: Paper) -> list[tuple[str, str]]:
    assert found.full_text
    return [(each.kind.value, each.heading) for each in found.full_text.sections]


@pytest.mark.parametrize(
    "page", [DISTILL, OLD_DISTILL, BLOG], ids=["Distill", "old Distill", "a blog"]
)
def test_an_article_of_any_site(paper_in: OnePaper, page: str) -> None:
    found = paper_in(page, "page.html")
    assert (found.title, found.abstract) == ("Firing Clay", "How it works.")
    assert [each.name for each in found.authors] == ["Ann Sand", "Bo Pot"]
    assert str(found.published) == "2021-04-16"
    assert found.full_text
    first, *_ = found.full_text.sections
    assert shown(found) == [
        ("introduction", "Introduction"),
        ("method", "Kilns"),
        ("method", "Heat"),
    ]
    assert "Wheels turn [1] at $10^3$ degrees, " in first.text
    assert "Or more" not in first.text
    assert [each.reference.title for each in first.citations] == ["The wheel of clay"]


def test_a_page_of_links_is_no_article(tmp_path: Path) -> None:
    links = "<h2>Kilns</h2><p><a href='https://example.org'>A kiln</a></p>" * 20
    (tmp_path / "page.html").write_text(f"<!doctype html><html><body>{links}</body></html>")
    skipped: list[str] = []
    assert find([tmp_path], skipped=skipped)[0] == [] and skipped == ["page.html"]


def test_html_by_tex4ht_has_its_headings_in_paragraphs(paper_in: OnePaper) -> None:
    heading = "<a id='x{0}'></a><span>{0}</span> <span>{1}</span><a id='Q{0}'></a> "
    page = (
        "<span>The layout is altered.</span><!DOCTYPE html><html><head><title></title>"
        '<meta name="generator" content="TeX4ht"></head><body>'
        "<p><span>Firing Clay</span>______________</p>"
        "<p>Ann Sand <sup>*</sup> Bo Pot <sup>*</sup></p>"
        "<div class=abstract><div><span>Abstract</span></div><div>We fire clay.</div></div>"
        + heading.format("1.", "Introduction")
        + "Clay is old [<a href='#Xmill'>1</a>]."
        + heading.format("2.", "Experiments")
        + heading.format("2.1.", "Setup")
        + "One kiln.<h3>References</h3>"
        + "<p><a id='Xmill'></a>C. Mill. The wheel of clay. Kilns, 2020.</p>"
    )
    found = paper_in(page, "page.html")
    assert (found.title, found.abstract) == ("Firing Clay", "We fire clay.")
    assert [each.name for each in found.authors] == ["Ann Sand", "Bo Pot"]
    assert shown(found) == [("introduction", "1. Introduction"), ("experiments", "2.1. Setup")]
    assert found.references == (Reference(None, "The wheel of clay"),)
    assert found.full_text and found.full_text.sections[0].citations


ABSTRACT = "We fire clay with KilnFire, which builds on Wheel, in kilns that are not as hot. " * 2
LONG = "Clay is old, and it is fired in kilns that are as old as it is. " * 6


@pytest.mark.parametrize(
    ("headings", "kinds"),
    [
        ("## 1 Introduction; ## 2 Experiments; ## Learning curve; ## 3 Conclusion",
         "introduction experiments experiments conclusion"),
        ("## I. INTRODUCTION; ## II. EXPERIMENTS; ## A. Data; ## III. Conclusion",
         "introduction experiments experiments conclusion"),
        ("## Introduction; ## 2 A. Sand et al.; ## 2 Experiments; ## 2.1 Data",
         "introduction experiments experiments"),
        ("### 1. Introduction; # Ovens; ### 2. Experiments; ### 3. Conclusion; ### A. Data",
         "introduction introduction experiments conclusion other"),
        ("## Introduction; ## Contents; ## Kilns", "introduction method"),
    ],
)  # fmt: skip
def test_levels_of_headings_that_converters_write(
    paper_in: OnePaper, headings: str, kinds: str
) -> None:
    sections = "\n\n".join(f"{each}\n\n{LONG}" for each in headings.split("; "))
    text = f"## KilnFire: Firing Clay\n\n## Abstract\n\n{ABSTRACT}\n\n{sections}\n"
    assert [kind for kind, _ in shown(paper_in(text, "paper.md"))] == kinds.split()


def test_a_paragraph_before_the_introduction_is_the_abstract(paper_in: OnePaper) -> None:
    found = paper_in(
        f"# KilnFire: Firing Clay\n\nThe Kiln Team\n\n{ABSTRACT}\n\n### 1. Introduction\n\n{LONG}\n"
        "(Mill, 2020)\n\n### References\n\n- C. Mill. The wheel of clay. In Proc. of Clay, 2020.\n"
        "- <span></span>D. Oven. Baking with little heat. In Proc. of Clay, 2021.\n",
        "paper.md",
    )
    assert (found.abstract, found.authors) == (ABSTRACT.strip(), ())
    assert {each.title for each in found.references} == {
        *("Baking with little heat", "The wheel of clay")
    }
    assert found.full_text
    assert [len(each.citations) for each in found.full_text.sections] == [1]


def test_lines_that_are_paragraphs(paper_in: OnePaper) -> None:
    found = paper_in(
        f"# KilnFire: Firing Clay\nAnn Sand, Bo Pot\nAbstract. {ABSTRACT}\n"
        f"# 1 Introduction\n{LONG}\n{LONG}\n"
        "# References\n[1] C. Mill. The wheel of clay. In Proc. of Clay, 2020.\n"
        "[2] D. Oven. Baking with little heat. In Proc. of Clay, 2021.\n",
        "paper.md",
    )
    assert (found.abstract, len(found.authors), len(found.references)) == (ABSTRACT.strip(), 2, 2)
    assert found.full_text
    assert found.full_text.sections[0].text == f"{LONG.strip()}\n{LONG.strip()}"


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("Ann Sand, Bo van Pot and José-María Clay", "Ann Sand; Bo van Pot; José-María Clay"),
        ("Ann Sand*, Bo Pot†1,2", "Ann Sand; Bo Pot"),
        ("Lu O'Clay $ ^{*} $", "Lu O'Clay"),
        ("ANN SAND, BO POT", "ANN SAND; BO POT"),
        ("Ann Sand, Bo Pot, Cy Mill Kiln Research", "Ann Sand; Bo Pot; Cy Mill"),
        ("ACM Reference Format: Ann Sand, and Bo Pot. 2021. Firing Clay.", "Ann Sand; Bo Pot"),
        ("Kiln AI", ""),
        ("University of Clay, Clay Town", ""),
        ("We fire clay in kilns.", ""),
        ("{ann,bo}@clay.org", ""),
    ],
)
def test_authors_below_a_title(line: str, names: str) -> None:
    assert "; ".join(each.name for each in authors_between([line])) == names
