"""Formats that hold a paper each, or a page: LaTeX, PDF, Markdown and HTML."""

from pathlib import Path

import pytest

from pdf_page import Page, page_of, pdf
from stemma.extract.formats import read
from stemma.schema.paper import Author, Reference


@pytest.mark.parametrize(
    "heading",
    [
        *("Abstract", "A B S T R A C T", "Abstract: We fire"),
        "Abstract We fire clay, which is done in kilns by those who can",
    ],
)
def test_abstracts_in_pdf(paper_in, heading: str) -> None:
    page = page_of(
        *((20, "Abstract Kilns of Clay"), (10, heading), (10, "very early in the day.")),
        *((12, "1. Motivation and Aim"), (10, "Clay is old.")),
    )
    paper = paper_in(pdf([page]), "paper.pdf")
    first = heading.partition("We ")
    assert paper.abstract == f"{first[1]}{first[2]} very early in the day.".strip()


LOCKED = f"/ID[<00><00>]/Encrypt<</Filter/Standard/V 1/R 2/P -4/O<{'00' * 32}>/U<{'00' * 32}>>>"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "the file is empty"),
        (b"<!DOCTYPE html><html>Forbidden</html>", "not a PDF: it is HTML, perhaps an error page"),
        (b"none", "not a PDF"),
        (b"%PDF-1.4\nnothing", "not a PDF that can be read: Failed to load document (PDFium: Data"),
        (pdf([Page()]), "the PDF has no text: it is a scanned image, so recognise its text (OCR)"),
        (pdf([Page()], LOCKED), "the PDF is protected by a password: save a copy without one"),
    ],
)
def test_a_pdf_that_cannot_be_read_says_why(problem_in, data, reason):
    problem = problem_in(data, "paper.pdf")
    assert problem.reason.startswith(reason) and problem.skipped


NOTE = """---
title: "A Kiln"
authors: [Ann Sand, {name: Bo Pot, orcid: 0000-0002-1825-0097}]
date: 2021-04-16
doi: 10.1000/kiln
---
Read in April.

## Abstract
We fire clay with PyTorch.

It holds.

## Notes
Try it.
"""


@pytest.mark.parametrize(
    "text",
    [
        NOTE,
        '+++\ntitle = "A Kiln"\nauthors = ["Ann Sand", {name="Bo Pot", '
        'orcid="0000-0002-1825-0097"}]\ndate = 2021-04-16\ndoi = "10.1000/kiln"\n'
        'abstract = "We fire clay with PyTorch.\\n\\nIt holds."\n+++\nTry it.\n',
    ],
    ids=["YAML", "TOML"],
)
def test_markdown(paper_in, text: str) -> None:
    paper = paper_in(text, "note.md")
    assert (paper.title, paper.doi) == ("A Kiln", "10.1000/kiln")
    assert str(paper.published) == "2021-04-16"
    assert paper.abstract == "We fire clay with PyTorch.\nIt holds."
    assert paper.authors == (Author("Ann Sand"), Author("Bo Pot", "0000-0002-1825-0097"))


def test_front_matter_that_cannot_be_read_is_a_problem(problem_in) -> None:
    problem = problem_in("---\ntitle: A: Kiln\nauthors: [a\n---\n", "note.md")
    assert "the front matter cannot be read" in problem.reason


LISTING = """<!DOCTYPE html><html><head><title>Daily Papers - Page</title></head><body>
<nav>Models</nav><h1>Daily Papers</h1><p>by AK and the research community</p>
<article><h3><a href="/papers/1">KilnFire on <b>GPUs</b></a></h3>
<p>We fire clay with A100 &amp; PyTorch. It is fast.</p><ul><li></li><li>• 5 authors</li></ul>
<span>·</span><span>Published on Apr 16, 2021</span></article>
<article><h3><a href="/papers/2">Wheels: Turning</a></h3><p>We turn wheels. It is fine.</p>
<div>8 authors</div><div>·</div><div>Oct 10, 2020</div></article></body></html>"""
PROPS = (
    "{&quot;id&quot;:&quot;2104.07857&quot;,&quot;authors&quot;:[{&quot;name&quot;:&quot;Ann Sand"
    "&quot;}],&quot;publishedAt&quot;:&quot;2021-04-16T00:00:00.000Z&quot;,&quot;title&quot;:"
    "&quot;A Kiln&quot;,&quot;summary&quot;:&quot;We fire\\nclay.&quot;}"
)
DATA = (
    "<!doctype html><html><head><title>Daily Papers</title></head><body><div data-target="
    '"DailyPapers" data-props="{&quot;dailyPapers&quot;:[{&quot;paper&quot;:'
    f'{PROPS}}}]}}"></div></body></html>'
)
PAPER_PAGE = (
    '<!doctype html><html><head><meta property="og:title" content="Paper page - A Kiln">'
    f'</head><body><div data-target="PaperPage" data-props="{{&quot;paper&quot;:{PROPS}}}"></div>'
    "<h1>A Kiln</h1><h2>Abstract</h2><p>We fire clay.</p></body></html>"
)
TAGS = """<!DOCTYPE html><html><head><meta name="citation_title" content="A Kiln" />
<meta name="citation_author" content="Sand, Ann" /><meta name="citation_date" content="2021/04/16">
<meta name="citation_arxiv_id" content="2104.07857" />
<meta name="citation_abstract" content="We fire clay." /></head><body>Menu</body></html>"""


def test_a_listing_as_html(told) -> None:
    (kiln, wheel), _ = told(LISTING)
    assert (kiln.title, kiln.abstract, kiln.author_count, str(kiln.published)) == (
        *("KilnFire on GPUs", "We fire clay with A100 & PyTorch. It is fast.", 5, "2021-04-16"),
    )
    assert (wheel.title, wheel.author_count, wheel.sources[0].position) == ("Wheels: Turning", 8, 6)


@pytest.mark.parametrize("text", [DATA, TAGS, PAPER_PAGE], ids=["a list", "tags", "a paper"])
def test_metadata_of_a_page_beside_its_text(paper_in, text: str) -> None:
    kiln = paper_in(text, "page.html")
    assert (kiln.title, kiln.abstract, kiln.arxiv_id) == ("A Kiln", "We fire clay.", "2104.07857")
    assert (kiln.authors, str(kiln.published)) == ((Author("Ann Sand"),), "2021-04-16")


TITLE = (
    '<meta content="A Kiln" name=citation_title><meta name="citation_doi" content="10.1000/kiln">'
)
PAGES = {
    "ACL Anthology": (
        f"<!doctype html><html lang=en-us><head>{TITLE}</head><body><h2 id=title>A Kiln</h2>"
        '<div class="card-body acl-abstract"><h5>Abstract</h5><span>We fire clay.</span></div>'
        "<dl><dt>Anthology ID:</dt><dd>2021.kiln-1.1</dd></dl></body></html>"
    ),
    "abs page": (
        f"<!doctype html><html><head>{TITLE}</head><body><div>Menu<div>of it</div></div>"
        '<blockquote class="abstract mathjax"><span>Abstract:</span>We fire <i>clay</i>.'
        "</blockquote><p>Comments: none</p></body></html>"
    ),
    "Dublin Core": (
        '<!doctype html><html><head><meta name="DC.Title" content="A Kiln">'
        '<meta name="DCTERMS.identifier" content="doi:10.1000/KILN">'
        '<meta name="dc.description" content="We fire clay."></head><body>Menu</body></html>'
    ),
    "linked data": (
        '<!doctype html><html><head><script type="application/ld+json">{"@graph":[{"@type":'
        '"WebPage","name":"Kilns"},{"mainEntity":{"@type":"ScholarlyArticle","headline":"A Kiln",'
        '"description":"We fire clay.","sameAs":"https://doi.org/10.1000/kiln"}}]}</script>'
        '<script type="application/ld+json">{broken</script></head><body>Menu</body></html>'
    ),
}


@pytest.mark.parametrize("page", PAGES)
def test_pages_of_papers(paper_in, page: str) -> None:
    kiln = paper_in(PAGES[page], "page.html")
    assert (kiln.title, kiln.abstract, kiln.doi) == ("A Kiln", "We fire clay.", "10.1000/kiln")


def test_a_page_without_an_abstract_says_so(told) -> None:
    (_,), (problem,) = told(f"<!doctype html><html><head>{TITLE}</head></html>", "page.html")
    assert problem.reason == "no abstract was found: only the title was read"


LATEXML = """<!DOCTYPE html><html lang="en"><head><title>A Kiln</title>
<!--Generated on Fri Apr 16 2021 by LaTeXML (version 0.8.8) http://dlmf.nist.gov/LaTeXML/.--></head>
<body><nav>1 Introduction</nav><div>arXiv:2104.07857v2 [cs.LG] 16 Apr 2021</div>
<article class="ltx_document">
<h1 class="ltx_title ltx_title_document">KilnFire: Firing<br class="ltx_break"/>Clay<span
class="ltx_note"><sup>1</sup><span>Paid by the guild.</span></span></h1>
<div class="ltx_authors"><span class="ltx_personname">Ann Sand</span></div>
<div class="ltx_abstract"><h6>Abstract</h6><p>We fire clay &amp; <em>more</em>.</p></div>
<section><h2><span class="ltx_tag">1 </span>Introduction</h2><p>Clay is old
<cite>[<a href="#bib.bib1">1</a>]</cite>, at <math alttext="10^{3}"><semantics><mn>10</mn><mn>3</mn>
<annotation>10^{3}</annotation></semantics></math> degrees.</p></section>
<section><h2>2 Experiments</h2><section><h3>2.1 Setup</h3><p>One kiln.</p>
<figure><figcaption>Table 1: Heat.</figcaption><table>
<tr><th>Kiln</th><th colspan="2">Heat</th></tr>
<tr><td>KilnFire</td><td>9</td><td>8</td></tr></table></figure></section></section>
<section><h2>References</h2><ul><li><span>[1]</span>
<span>C. Mill.</span> <span>The wheel of clay.</span></li></ul></section>
</article></body></html>"""


def test_a_paper_in_html_by_latexml(paper_in) -> None:
    kiln = paper_in(LATEXML, "page.html")
    assert kiln.full_text
    assert (kiln.title, kiln.abstract) == ("KilnFire: Firing Clay", "We fire clay & more.")
    assert (kiln.arxiv_id, str(kiln.published)) == ("2104.07857v2", "2021-04")
    assert kiln.references == (Reference(None, "The wheel of clay"),)
    assert [(each.kind.value, each.heading, each.text) for each in kiln.full_text.sections] == [
        ("introduction", "1 Introduction", "Clay is old [1], at $10^{3}$ degrees."),
        ("experiments", "2.1 Setup", "One kiln.\nTable 1: Heat."),
        ("table", "Table 1: Heat.", "Table 1: Heat.\nKiln | Heat | Heat\nKilnFire | 9 | 8"),
    ]


JOSS = """---
title: 'A Kiln: Firing Clay'
authors:
  - {name: Ann Sand, orcid: 0000-0002-1825-0097, affiliation: "1, 2"}
  - {given-names: Jo, dropping-particle: van, surname: Pot, affiliation: 2}
affiliations: [{name: Kiln University, index: 1}, {name: Clay Institute, index: 2}]
date: 13 August 2021
bibliography: paper.bib
---
# Summary
We fire clay [@sand; see @pot, p. 2] with `kiln` and [tongs](https://example.org/tongs).
# Statement of need
Kilns are needed [@sand], as @pot shows to @potter and potter@clay.org.
"""
OBSIDIAN = """---
title: A Kiln
authors: ["[[Ann Sand]]", "[[bo-clay|Bo Clay]]"]
year: 2021
date: "`r Sys.Date()`"
journal: "[[Kilns]]"
heat: !r 1 + 1
---
> [!abstract]
> We fire *clay*
> in [[kiln-2021|kilns]].

## Notes
It is hot.
"""


def test_a_paper_of_the_journal_of_open_source_software(paper_in) -> None:
    kiln = paper_in(JOSS, "paper.md")
    assert kiln.abstract == "We fire clay with kiln and tongs."
    assert kiln.links == ("https://example.org/tongs",)
    assert kiln.authors == (
        Author("Ann Sand", "0000-0002-1825-0097", "Kiln University; Clay Institute"),
        Author("Jo van Pot", None, "Clay Institute"),
    )


def test_what_markdown_cites_of_a_bibliography(tmp_path: Path) -> None:
    listed = (f"@misc{{{key}, title={{A {key}}}}}" for key in ("sand", "pot", "oven"))
    (tmp_path / "paper.bib").write_text("\n".join(listed))
    (tmp_path / "paper.md").write_text(JOSS)
    (kiln,) = read(tmp_path / "paper.md", "paper.md")
    assert kiln.abstract == "We fire clay with kiln and tongs."
    assert [reference.title for reference in kiln.references] == ["A pot", "A sand"]
    (need,) = kiln.full_text.sections
    assert need.text == "Kilns are needed [1], as [2] shows to @potter and potter@clay.org."
    assert [citation.reference.title for citation in need.citations] == ["A sand", "A pot"]


def test_a_note_of_obsidian(paper_in) -> None:
    kiln = paper_in(OBSIDIAN, "kiln.md")
    assert (kiln.abstract, kiln.venue) == ("We fire clay in kilns.", "Kilns")
    assert [author.name for author in kiln.authors] == ["Ann Sand", "Bo Clay"]
