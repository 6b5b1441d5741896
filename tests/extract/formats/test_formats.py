"""Every format, as the services and programs write it; the papers are made up."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from stemma.schema import Paper, PartialDate
from stemma.schema.paper import Author, Reference

ORCID = "0000-0002-1825-0097"
ANN = Author("Ann Sand", ORCID, "Kiln University")
APRIL = PartialDate(2021, 4, 16)
WHOLE = {
    **{"title": "A Kiln", "abstract": "We fire clay.", "venue": "Journal of Kilns"},
    **{"doi": "10.1000/kiln", "arxiv_id": "2104.07857", "published": APRIL},
}
"""What most of the formats say of one paper."""


def read_as(paper: Paper, expected: dict[str, Any]) -> None:
    assert {name: getattr(paper, name) for name in expected} == expected


RECORDS: dict[str, tuple[str, tuple[str, ...], dict[str, Any]]] = {
    "Crossref": (
        """{"DOI": "10.1000/kiln", "type": "journal-article", "title": ["A Kiln &amp;amp; Pots"],
        "subtitle": ["A study"], "container-title": ["Journal of Kilns"],
        "abstract": "<jats:title>Abstract</jats:title><jats:p>We fire &lt; 5 pots.</jats:p>",
        "author": [{"given": "Ann", "family": "Sand", "affiliation": [{"name": "Kiln University"}],
                    "ORCID": "http://orcid.org/0000-0002-1825-0097"}],
        "published": {"date-parts": [[2021, 4]]},
        "reference": [{"key": "1", "DOI": "10.1000/Pot"}, {"key": "2", "article-title": "A Wheel"}]
        }""",
        (
            '{"status": "ok", "message-type": "work-list", "message": {"items": […]}}',
            '{"status": "ok", "message-type": "work", "message": …}',
        ),
        {
            **{"title": "A Kiln & Pots: A study", "abstract": "We fire < 5 pots."},
            **{"authors": (ANN,), "venue": "Journal of Kilns", "published": PartialDate(2021, 4)},
            "references": (Reference(None, "A Wheel"), Reference("doi:10.1000/pot")),
        },
    ),
    "the snapshot of arXiv": (
        r"""{"id": "2104.07857", "submitter": "Ann Sand", "title": "A Kiln for\n  Pots",
        "authors": "Ann S\\'and, Bo Clay (Kiln University)", "comments": "14 pages",
        "journal-ref": "J. Kilns 3 (2021) 1-9", "doi": "10.1000/kiln", "categories": "cs.LG cs.DC",
        "abstract": "  We fire\nclay with $\\alpha$ heat.\n", "update_date": "2023-01-04",
        "versions": [{"version": "v1", "created": "Fri, 16 Apr 2021 02:22:12 GMT"},
                     {"version": "v3", "created": "Mon, 2 Jan 2023 02:22:12 GMT"}],
        "authors_parsed": [["S\\'and", "Ann", ""], ["Clay", "Bo", "Jr.", "Kiln University"]]}""",
        ("…",),
        {
            **{"title": "A Kiln for Pots", "abstract": "We fire clay with $\\alpha$ heat."},
            # The first version, not the last update.
            **{"arxiv_id": "2104.07857v3", "published": APRIL, "doi": "10.1000/kiln"},
            "venue": "J. Kilns 3 (2021) 1-9",
            "authors": (Author("Ann Sánd"), Author("Bo Clay Jr.", None, "Kiln University")),
        },
    ),
    "OpenAlex": (
        """{"id": "https://openalex.org/W123", "doi": "https://doi.org/10.1000/kiln",
        "title": "A <i>Kiln</i> &amp; a Wheel", "display_name": "A Kiln", "publication_year": 2021,
        "publication_date": "2021-04-16", "authorships": [
          {"author_position": "first", "institutions": [{"display_name": "Kiln University"}],
           "author": {"id": "https://openalex.org/A1", "display_name": "Ann Sand",
                      "orcid": "https://orcid.org/0000-0002-1825-0097"}},
          {"author": {"display_name": "Bo Clay", "orcid": null}, "institutions": []}],
        "primary_location": {"landing_page_url": "https://doi.org/10.1000/kiln",
          "source": {"display_name": "Journal of Kilns", "type": "journal"}},
        "locations": [{"landing_page_url": "http://arxiv.org/abs/2104.07857",
          "source": {"display_name": "arXiv (Cornell University)", "type": "repository"}},
          {"landing_page_url": null, "source": null}],
        "referenced_works": ["https://openalex.org/W1", "https://openalex.org/W2"],
        "abstract_inverted_index": {"We": [0], "fire": [1, 3], "clay;": [2], "well.": [4]}}""",
        ("…", '{"meta": {"count": 1}, "results": […], "group_by": []}'),
        {
            **WHOLE,
            **{"title": "A Kiln & a Wheel", "abstract": "We fire clay; fire well."},
            "authors": (
                Author(*("Ann Sand", ORCID, "Kiln University"), "openalex:A1"),
                Author("Bo Clay"),
            ),
            "references": (Reference("openalex:W1"), Reference("openalex:W2")),
        },
    ),
    "the API of Semantic Scholar": (
        """{"paperId": "000000000000000000000000000000000000000a", "corpusId": 77,
        "title": "A Kiln", "url": "https://www.semanticscholar.org/paper/0",
        "externalIds": {"ArXiv": "2104.07857", "DOI": "10.1000/kiln", "CorpusId": 77},
        "abstract": "We fire clay.", "venue": "Journal of Kilns", "year": 2021,
        "publicationDate": "2021-04-16",
        "authors": [{"authorId": "1", "name": "Ann Sand", "affiliations": ["Kiln University"]}],
        "references": [
          {"paperId": "1", "title": "A Pot", "externalIds": {"DOI": "10.1000/pot"}},
          {"paperId": null, "title": "A Wheel", "externalIds": null}]}""",
        (
            *("…", "[…, null]", '{"total": 1, "offset": 0, "data": […]}'),
            '{"offset": 0, "data": [{"contexts": ["We."], "citedPaper": …}]}',
        ),
        {
            **WHOLE,
            "authors": (Author("Ann Sand", None, "Kiln University", "s2:1"),),
            "references": (Reference(None, "A Wheel"), Reference("doi:10.1000/pot", "A Pot")),
        },
    ),
    "Papers with Code": (
        """[{"paper_url": "https://example.org/kiln", "arxiv_id": "2104.07857", "title": "A Kiln",
        "abstract": "We fire clay.", "authors": ["Ann Sand"], "date": "2021-04-16",
        "url_abs": "https://doi.org/10.1000/kiln", "proceeding": "Journal of Kilns",
        "conference": null}]""",
        ("…",),
        {**WHOLE, "authors": (Author("Ann Sand"),)},
    ),
    "S2ORC": (
        """{"paper_id": "1", "title": "A Kiln", "year": "2021", "abstract": "We fire clay.",
        "authors": [{"first": "Ann", "middle": ["B"], "last": "Sand", "suffix": ""}],
        "identifiers": {"doi": "10.1000/kiln"}}""",
        ("…",),
        {
            **WHOLE,
            **{"authors": (Author("Ann B Sand"),), "published": PartialDate(2021)},
            **{"venue": None, "arxiv_id": None},
        },
    ),
    "unarXive": (
        """{"paper_id": "2104.07857", "abstract": {"section": "Abstract", "text": "We."},
        "body_text": [], "metadata": {"id": "2104.07857", "title": "A Kiln", "doi": "10.1000/kiln",
          "abstract": "We fire clay.", "authors_parsed": [["Sand", "Ann", ""]],
          "journal-ref": "Journal of Kilns",
          "versions": [{"version": "v1", "created": "Fri, 16 Apr 2021 00:00:00 GMT"}]}}""",
        ("…",),
        {**WHOLE, "arxiv_id": "2104.07857v1", "authors": (Author("Ann Sand"),)},
    ),
}
"""A record of each service, what may be around it, and what is read of it."""


@pytest.mark.parametrize(("name", "around"), [(n, a) for n in RECORDS for a in RECORDS[n][1]])
def test_answers_of_services_in_json(paper_in, name, around):
    record, _, expected = RECORDS[name]
    answer = json.loads(around.replace("…", record))
    for indent in (None, 2):
        read_as(paper_in(json.dumps(answer, indent=indent), "answer.json"), expected)


def test_the_data_sets_of_semantic_scholar(told) -> None:
    papers, (problem,) = told(
        """{"corpusid": 77, "externalids": {"ArXiv": null, "DOI": "10.1000/kiln"}, \
"title": "A Wheel", "authors": [{"authorId": "1", "name": "Ann Sand"}], "venue": "", "year": 2021, \
"publicationdate": null, "journal": {"name": "Journal of Wheels", "pages": "1-2", "volume": "3"}}
{"corpusid": 78, "externalids": {"arxiv": null}, "content": {"source": {"pdfurls": null}, \
"text": "A Kiln\\nAnn Sand\\nWe fire clay.\\nBody.", "annotations": {"author": null, \
"title": "[{\\"start\\": 0, \\"end\\": 6}]", "abstract": "[{\\"start\\": 16, \\"end\\": 29}]"}}}
{"corpusid": 79, "abstract": "We turn.", "openaccessinfo": {}}
"""
    )
    assert [(paper.title, paper.abstract, paper.venue) for paper in papers] == [
        ("A Wheel", "", "Journal of Wheels"),
        ("A Kiln", "We fire clay.", None),
    ]
    assert "no title" in problem.reason


OAI = """<?xml version="1.0" encoding="UTF-8"?>
<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/">
<responseDate>2021-05-01T00:00:00Z</responseDate>
<ListRecords>
<record><header status="deleted"><identifier>oai:arXiv.org:1</identifier></header></record>
<record>
 <header><identifier>oai:arXiv.org:2104.07857</identifier><datestamp>2023-01-04</datestamp></header>
 <metadata>%s</metadata>
</record>
</ListRecords>
</OAI-PMH>
"""
OAI_ARXIV = """<arXiv xmlns="http://arxiv.org/OAI/arXiv/"><id>2104.07857</id>
<created>2021-04-16</created><updated>2023-01-02</updated>
<authors><author><keyname>Sand</keyname><forenames>Ann</forenames>
<affiliation>Kiln University</affiliation></author>
<author><keyname>Clay</keyname><forenames>Bo</forenames><suffix>Jr.</suffix></author></authors>
<title>A Kiln &amp; a Wheel</title><categories>cs.LG</categories><doi>10.1000/kiln</doi>
<journal-ref>J. Kilns 3</journal-ref><abstract>  We fire
clay.</abstract></arXiv>"""
OAI_RAW = """<arXivRaw xmlns="http://arxiv.org/OAI/arXivRaw/"><id>2104.07857</id>
<version version="v1"><date>Fri, 16 Apr 2021 02:22:12 GMT</date><size>9kb</size></version>
<version version="v2"><date>Mon, 2 Jan 2023 02:22:12 GMT</date><size>9kb</size></version>
<title>A Kiln &amp; a Wheel</title><authors>Ann Sand, Bo Clay and C. Pot</authors>
<abstract>We fire clay.</abstract></arXivRaw>"""
ATOM = """<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom"><title type="html">ArXiv Query</title>
<entry><id>http://arxiv.org/api/errors#x</id><title>Error</title></entry>
<entry><id>http://arxiv.org/abs/2104.07857v1</id><updated>2021-04-20T00:00:00Z</updated>
<published>2021-04-16T02:22:12Z</published><title>A Kiln
  for Pots</title><summary>  We fire clay.
</summary><author><name>Ann Sand</name>
<arxiv:affiliation xmlns:arxiv="http://arxiv.org/schemas/atom">Kiln University</arxiv:affiliation>
</author><arxiv:doi xmlns:arxiv="http://arxiv.org/schemas/atom">10.1000/kiln</arxiv:doi>
<arxiv:journal_ref xmlns:arxiv="http://arxiv.org/schemas/atom">J. Kilns</arxiv:journal_ref>
<link href="http://arxiv.org/abs/2104.07857v1" rel="alternate" type="text/html"/></entry></feed>
"""
JATS = """<?xml version="1.0"?>
<!DOCTYPE article PUBLIC "-//NLM//DTD JATS 1.2//EN" "JATS-archivearticle1.dtd">
<article xmlns:xlink="http://www.w3.org/1999/xlink" article-type="research-article">
<front><journal-meta><journal-title-group><journal-title>Journal of Kilns</journal-title>
</journal-title-group></journal-meta>
<article-meta><article-id pub-id-type="pmc">77</article-id>
<article-id pub-id-type="doi">10.1000/kiln</article-id>
<title-group><article-title>A <italic>Kiln</italic></article-title></title-group>
<contrib-group>
<contrib contrib-type="author"><contrib-id contrib-id-type="orcid"
>https://orcid.org/0000-0002-1825-0097</contrib-id>
<name><surname>Sand</surname><given-names>Ann</given-names></name>
<xref ref-type="aff" rid="a1"><sup>1</sup></xref></contrib>
<contrib contrib-type="author"><collab>The Kiln Group</collab></contrib>
<contrib contrib-type="editor"><name><surname>Pen</surname></name></contrib>
<aff id="a1"><label>1</label>Kiln University</aff></contrib-group>
<pub-date pub-type="collection"><year>2021</year></pub-date>
<pub-date pub-type="epub"><day>16</day><month>4</month><year>2021</year></pub-date>
<abstract abstract-type="graphical"><p>A picture.</p></abstract>
<abstract><sec><title>Aims</title><p>We fire&#160;clay.</p></sec>
<sec><p>It holds.</p></sec></abstract>
</article-meta></front>
<body><sec><title>Introduction</title><p>Kilns <xref rid="r1">[1]</xref>.</p></sec></body>
<back><ref-list><ref id="r1"><mixed-citation><article-title>A Pot</article-title>
<pub-id pub-id-type="doi">10.1000/Pot</pub-id></mixed-citation></ref></ref-list></back></article>
"""
TEI = """<?xml version="1.0" encoding="UTF-8"?>
<TEI xml:space="preserve" xmlns="http://www.tei-c.org/ns/1.0"><teiHeader xml:lang="en">
<fileDesc><titleStmt><title level="a" type="main">A Kiln</title></titleStmt>
<publicationStmt><publisher/><date type="published" when="2021-04-16">16 Apr 2021</date>
</publicationStmt><sourceDesc><biblStruct><analytic>
<author><persName><forename type="first">Ann</forename><forename type="middle">B</forename>
<surname>Sand</surname></persName><idno type="ORCID">0000-0002-1825-0097</idno>
<affiliation key="aff0"><orgName type="department">Clay</orgName>
<orgName type="institution">Kiln University</orgName></affiliation></author>
<title level="a" type="main">A Kiln</title></analytic><monogr><imprint><date/></imprint></monogr>
<idno type="DOI">10.1000/kiln</idno><idno type="arXiv">arXiv:2104.07857v1[cs.DC]</idno>
</biblStruct></sourceDesc></fileDesc>
<profileDesc><abstract><div><p>We fire clay.</p></div></abstract></profileDesc></teiHeader>
<text><body><div><head n="1">Introduction</head>
<p>Kilns <ref target="#b0">[1]</ref>.</p></div></body>
<back><div type="references"><listBibl><biblStruct xml:id="b0"><analytic>
<title level="a" type="main">A Pot</title><idno type="DOI">10.1000/POT</idno></analytic>
<monogr><title level="j">Pots</title></monogr></biblStruct></listBibl></div></back></text></TEI>
"""
POT = (Reference("doi:10.1000/pot", "A Pot"),)
WITHOUT_ORCID = replace(ANN, orcid=None)
OF_OAI = {"title": "A Kiln & a Wheel", "abstract": "We fire clay.", "published": APRIL}
OF_ARXIV = OF_OAI | {"arxiv_id": "2104.07857", "doi": "10.1000/kiln", "venue": "J. Kilns 3"}
OF_ATOM = WHOLE | {"title": "A Kiln for Pots", "arxiv_id": "2104.07857v1", "venue": "J. Kilns"}
OF_JATS = WHOLE | {"abstract": "Aims\nWe fire\xa0clay.\nIt holds.", "arxiv_id": None}
OF_TEI = WHOLE | {"arxiv_id": "2104.07857v1", "venue": None}
XML: dict[str, tuple[str, int, dict[str, Any]]] = {
    "arXiv": (
        *(OAI % OAI_ARXIV, 8),
        OF_ARXIV | {"authors": (WITHOUT_ORCID, Author("Bo Clay Jr."))},
    ),
    "arXivRaw": (OAI % OAI_RAW, 8, OF_OAI | {"arxiv_id": "2104.07857v2", "doi": None}),
    "Atom": (ATOM, 4, OF_ATOM | {"authors": (WITHOUT_ORCID,)}),
    "JATS": (JATS, 3, OF_JATS | {"authors": (ANN, Author("The Kiln Group")), "references": POT}),
    "TEI": (TEI, 2, OF_TEI | {"authors": (replace(ANN, name="Ann B Sand"),), "references": POT}),
}
"""Texts of formats, the line of the only paper in each, and what is read of it."""


@pytest.mark.parametrize(("text", "line", "expected"), XML.values(), ids=XML)
def test_xml(paper_in, text: str, line: int, expected: dict[str, Any]) -> None:
    paper = paper_in(text)
    read_as(paper, expected)
    assert paper.sources[0].position == line


@pytest.mark.parametrize("kind", ["new", "replace"])
def test_feeds_of_new_papers_on_arxiv(paper_in, kind: str) -> None:
    said = f"arXiv:2104.07857v1 Announce Type: {kind} \nAbstract: We fire clay."
    rss = f"""<?xml version='1.0' encoding='UTF-8'?>
<rss xmlns:arxiv="http://arxiv.org/schemas/atom" xmlns:dc="http://purl.org/dc/elements/1.1/"
version="2.0"><channel><title>cs.LG updates on arXiv.org</title><description>News</description>
<item><title>A Kiln</title><link>https://arxiv.org/abs/2104.07857</link>
<description>{said}</description><pubDate>Fri, 16 Apr 2021 00:00:00 -0400</pubDate>
<dc:creator>Ann Sand, Bo Clay</dc:creator></item></channel></rss>
"""
    atom = f"""<?xml version='1.0' encoding='UTF-8'?>
<feed xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns="http://www.w3.org/2005/Atom">
<title>cs.LG updates on arXiv.org</title><entry><id>oai:arXiv.org:2104.07857v1</id>
<title>A Kiln</title><summary>{said}</summary><published>2021-04-16T00:00:00-04:00</published>
<dc:creator>Ann Sand, Bo Clay</dc:creator></entry></feed>
"""
    expected = {
        **{"title": "A Kiln", "abstract": "We fire clay.", "arxiv_id": "2104.07857v1"},
        "authors": (Author("Ann Sand"), Author("Bo Clay")),
        "published": APRIL if kind == "new" else PartialDate(2021, 4),
    }
    for feed in (rss, atom):
        read_as(paper_in(feed, "feed"), expected)


KILN = r"""% Encoding: UTF-8
@string{jk = "Journal of Kilns"}
@comment{jabref-meta: databaseType:biblatex;}

@article{sand2021kiln,
  author    = {Sand, Ann and {\"O}zg{\"u}r Clay and van der Pot, Bo and
    {The Kiln Group} and others},
  title     = {A {Kiln} for $O(n^2)$ Pots --- {\'e}t{\'e} at 50\% Heat},
  journal   = jk # " and Wheels",
  year      = 2021,
  month     = apr,
  doi       = {10.1000/KILN\_1},
  url       = {https://example.org/kiln https://dl.acm.org/doi/10.1000/kiln_1},
  abstract  = {We fire clay in summer.

               It holds 5% longer \& better.},
}

@inproceedings{wheel, title = "A Wheel", booktitle = {Proc.\ of Pots}, year = "2020",
  eprint = {2104.07857v2}, archivePrefix = {arXiv}, title = "Said twice"}
@misc{pot, title={A Pot}, journal={arXiv preprint arXiv:2001.00001}, date={2020-02-03/2020-02-05}}
@proceedings{all, title={Proceedings of Pots}, year={2020}}
"""


def test_bibtex(told) -> None:
    papers, problems = told(KILN)
    (problem,), (kiln, wheel, pot) = problems, papers
    assert problem.reason == "the entry 'all' is a volume (@proceedings) and no paper"
    assert kiln.title == "A Kiln for $O(n^2)$ Pots — été at 50% Heat"
    assert kiln.abstract == "We fire clay in summer.\nIt holds 5% longer & better."
    names = ", ".join(author.name for author in kiln.authors)
    assert names == "Ann Sand, Özgür Clay, Bo van der Pot, The Kiln Group"
    assert (kiln.venue, str(kiln.published)) == ("Journal of Kilns and Wheels", "2021-04")
    assert (kiln.doi, kiln.sources[0].position) == ("10.1000/kiln_1", 5)
    assert kiln.links == ("https://doi.org/10.1000/kiln_1", "https://example.org/kiln")
    assert (wheel.title, wheel.venue) == ("A Wheel", "Proc. of Pots")
    assert wheel.arxiv_id == "2104.07857v2"
    assert (pot.arxiv_id, str(pot.published)) == ("2001.00001", "2020-02-03")


@pytest.mark.parametrize("delimiter", [",", "\t", ";"])
def test_csv(told, delimiter: str) -> None:
    rows = [
        "Article Title|ABSTRACT|Publication Year|Author Full Names|Source Title|X",
        'A Kiln|"We fire,; ""clay"".\nIt holds."|2021|"Sand, Ann; Clay, Bo"|Kilns|',
        *("|||||", "A Wheel|We turn.||||"),
    ]
    content = "".join(row.replace("|", delimiter) + "\r\n" for row in rows)
    (kiln, wheel), problems = told("\ufeff" + content)
    assert not problems
    assert (kiln.title, kiln.abstract) == ("A Kiln", 'We fire,; "clay". It holds.')
    assert [author.name for author in kiln.authors] == ["Ann Sand", "Bo Clay"]
    assert (str(kiln.published), kiln.venue) == ("2021", "Kilns")
    assert [each.sources[0].position for each in (kiln, wheel)] == [2, 5]


def test_a_csv_row_whose_quotation_never_ends_is_an_error(told) -> None:
    content = 'title,abstract\nA Kiln,"We fire\nclay."\nA Pot,"We hold.\nA Wheel,We turn.\n'
    (kiln,), (problem,) = told(content)
    assert kiln.title == "A Kiln"
    assert (problem.line, problem.skipped) == (4, True)
    assert "quotation mark is never closed" in problem.reason
    papers, (problem,) = told('title,"abstract\nA Kiln,We fire.\n', reader="csv")
    assert not papers
    assert problem.line == 1


def test_columns_can_be_named(told) -> None:
    content = "name,text\nA Kiln,We fire clay.\n"
    options = {"title": "name", "abstract": "text"}
    (kiln,), _ = told(content, reader="csv", columns=options)
    assert (kiln.title, kiln.abstract) == ("A Kiln", "We fire clay.")
    (kiln,), _ = told('{"name": "A Kiln", "text": "We fire."}\n', reader="json", columns=options)
    assert kiln.abstract == "We fire."
    _, (problem,) = told(content, reader="csv")
    assert "--columns" in problem.reason
    _, (problem,) = told(content, reader="csv", columns={"title": "nam"})
    assert "no column 'nam': there are name, text" in problem.reason


def test_entities_of_xml_are_not_expanded_nor_fetched(told, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("a secret")
    (kiln,), _ = told(
        f"""<!DOCTYPE ListRecords [<!ENTITY a "haha"><!ENTITY b "&a;&a;&a;">
<!ENTITY s SYSTEM "{secret.as_uri()}">]>
<ListRecords><arXiv><title>A Kiln &b;&s;&uuml;&AMP;</title></arXiv>
</ListRecords>"""
    )
    assert kiln.title == "A Kiln ü&"


def test_a_record_of_xml_that_is_too_long_costs_no_other(told) -> None:
    long = "x" * 100_000
    papers, problems = told(
        f"""<ListRecords><arXiv><title>{long}</title></arXiv>
<arXiv><title>A Kiln</title></arXiv></ListRecords>""",
        max_record_size=1 << 16,
    )
    assert [paper.title for paper in papers] == ["A Kiln"]
    assert "more than 64 KiB" in problems[0].reason


@pytest.mark.parametrize(
    ("declared", "encoding"), [("ISO-8859-1", "latin-1"), ("UTN-8", "utf-8"), ("hex", "utf-8")]
)
def test_xml_may_declare_its_encoding(told, declared: str, encoding: str) -> None:
    text = (OAI % OAI_ARXIV).replace("UTF-8", declared, 1).replace("A Kiln", "Été")
    (kiln,), problems = told(text.encode(encoding))
    assert kiln.title == "Été & a Wheel"
    assert not problems
