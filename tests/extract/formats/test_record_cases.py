r"""Records as reference managers and services export them, with the right value of each field.

The table has made-up records in the dialects of JabRef, Mendeley, Zotero, Better BibTeX,
Papers, Scopus, the Web of Science, PubMed, Google Scholar, DBLP and Crossref.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from read_text import Read
from stemma.extract.formats import read
from stemma.schema import Paper


def papers_in(path: Path) -> list[Paper]:
    return [each for each in read(path, path.name) if isinstance(each, Paper)]


def facts(paper: Paper) -> dict[str, Any]:
    return {
        "title": paper.title,
        "abstract": paper.abstract,
        "authors": [each.name for each in paper.authors],
        "date": str(paper.published or ""),
        "venue": paper.venue,
        "doi": paper.doi,
        "arxiv": paper.arxiv_id,
    }


ABC = ["Ann Alpha", "Bob Beta", "Cy Gamma"]
NO_ABSTRACTS: list[dict[str, Any]] = [{"abstract": ""}] * 7
CASES: dict[str, list[dict[str, Any]]] = {
    "bib_author_separators.bib": [
        {"authors": ABC},
        {"authors": ["Ann Alpha"]},
        {"authors": ["Ann Alpha"]},
        {"title": "No comma before the author", "authors": ["Bob Roe"], "date": "2014"},
    ],
    "bib_crossref.bib": [
        {"date": "2016", "venue": "Proc. Kiln Conf."},
        {"date": "2017-08", "venue": "Kiln Symposium"},
    ],
    "bib_doi_in_url.bib": [
        {"doi": "10.1000/kiln.1"},
        {"doi": "10.1000/kiln.1"},
        {"arxiv": "2106.00001"},
        {"arxiv": "2106.00002"},
    ],
    "bib_edtf.bib": [{"date": "2004-06"}, {"date": "1998"}, {"date": "2018"}],
    "bib_less_greater.bib": [
        {"abstract": "The effect was significant (p < 0.05) for n > 30. K. kilnii was not."}
    ],
    "bib_noop_year.bib": [{"date": "2001"}],
    "bib_paren_string.bib": [{"venue": "Journal of Kilns"}],
    "crossref_subtitle.json": [{"title": "Kilns & fire: A survey of ten years"}],
    "csv_single_author.csv": [{"authors": ["Ann Alpha"]}, {"authors": ["Ann Alpha", "Bob Beta"]}],
    "isi_authors_semicolon.isi": [{"authors": ["Ann Alpha", "Bob C Beta", "Cy Gamma"]}],
    "nbib_names.nbib": [{"authors": ["Cy Braun Jr", "The Big Kiln Study Group"]}],
    "ris_authors_semicolon.ris": [{"authors": ABC}, {"authors": []}],
    "ris_bt.ris": [{"venue": "Proceedings of the Kiln Conference"}, {"title": "The book of kilns"}],
    "ris_dates.ris": [{"date": "2015-10"}, {"date": "2019-01-15"}, {"date": "2019-01-15"}],
    "ris_placeholder_abstract.ris": NO_ABSTRACTS,
}


@pytest.mark.parametrize("name", CASES)
def test_cases_give_their_values(name: str, shared: Path) -> None:
    path = shared / "cases" / name
    if not path.exists():
        pytest.skip(f"there is no {path}")
    found = list(map(facts, papers_in(path)))
    assert [
        {key: one[key] for key in right} for one, right in zip(found, CASES[name], strict=True)
    ] == CASES[name]


WHOLE = {
    "bib": "@article{k,\n  title = {A Kiln},\n  %s\n}\n",
    "ris": "TY  - JOUR\nTI  - A Kiln\n%s\nER  - \n",
    "isi": "FN Clarivate Analytics Web of Science\nVR 1.0\nPT J\nTI A Kiln\n%s\nER\n\nEF\n",
    "nbib": "PMID- 77\nTI  - A Kiln.\n%s\n",
    "csv": "%s\n",
}
"""Files of one record, by their endings, around what a variant has in it."""
VARIANTS = r"""
bib: author = {Sand, Ann and⏎  Clay, Bo} | authors Ann Sand; Bo Clay
bib: author = {{Sand}, Ann and {van der Clay}, Bo} | authors Ann Sand; Bo van der Clay
bib: Author = {Sand, A. and Clay, B.}, Note = {cited By 5} | authors A. Sand; B. Clay
bib: date = {2004-06-15/2004-07} | date 2004-06-15
bib: date = {2004-06-XX} | date 2004-06
bib: date = {1998/..} | date 1998
bib: date = {/1998-03} | date 1998-03
bib: date = {2004-06%} | date 2004-06
bib: year = {c1998} | date 1998
bib: year = {1998a}, month = {} | date 1998
bib: year = {in press} | date
bib: year = 1998, month = 3 | date 1998-03
bib: year = 1998, month = {March} | date 1998-03
bib: year = 1998, month = "15~" # mar | date 1998-03-15
bib: year = 1998, month = mar # "~15--18" | date 1998-03-15
bib: year = {1998}, month = {Mar.}, day = {15} | date 1998-03-15
bib: year = {1998}, month = {06}, day = {5} | date 1998-06-05
bib: year = {1998}, month = {Jan/Feb} | date 1998-01
bib: year = {{\noopsort{1973c}}1981} | date 1981
bib: url = {https://dx.doi.org/10.1000/K%2D1} | doi 10.1000/k-1
bib: url = {https://dl.acm.org/doi/pdf/10.1145/1.2?download=true} | doi 10.1145/1.2
bib: url = {https://www.tandfonline.com/doi/10.1080/1.2/full} | doi 10.1080/1.2
bib: note = {doi: 10.1000/k.1.} | doi 10.1000/k.1
bib: note = {Erratum: 10.1000/k.1} | doi -
bib: doi = {https://doi.org/10.1000/k\_1} | doi 10.1000/k_1
bib: doi = {10.48550/arXiv.2106.00001} | doi 10.48550/arxiv.2106.00001 | arxiv 2106.00001
bib: journal = {arXiv preprint arXiv:2106.00001} | arxiv 2106.00001
bib: journal = {arXiv:2106.00001 [cs]} | arxiv 2106.00001
bib: number = {{arXiv:2106.00001}}, publisher = {{arXiv}} | arxiv 2106.00001
bib: note = {arXiv:2106.00001v3 [cs]} | arxiv 2106.00001v3
bib: howpublished = {\url{http://arxiv.org/pdf/cs/9901001.pdf}} | arxiv cs/9901001
bib: eprint = {2106.00001}, eprinttype = {arXiv}, eprintclass = {cs.CL} | arxiv 2106.00001
bib: eprint = {https://arxiv.org/pdf/2106.00001} | arxiv 2106.00001
bib: eprint = {hal-01234567}, archiveprefix = {HAL} | arxiv -
bib: eid = {arXiv:2106.00001} | arxiv 2106.00001
bib: volume = {cs.CL/0101001}, journal = {CoRR} | arxiv cs.CL/0101001
bib: volume = {abs/1706.03762}, journal = {CoRR} | arxiv 1706.03762
bib: abstract = {n {\textgreater} 5, \textless{} 3 {\&} 50\% {\textasciitilde}1}
  | abstract n > 5, < 3 & 50% ~1
bib: abstract = {{\textless}p{\textgreater}We fire.{\textless}/p{\textgreater}} | abstract We fire.
bib: abstract = {Abstract. We fire clay.} | abstract We fire clay.
bib: abstract = {No abstract available} | abstract
bib: abstract = {n.a.} | abstract
bib: abstract = {Missing abstract} | abstract
bib: abstract = {Item does not contain fulltext} | abstract
ris: AU  - Clay, Bo (Clay University)⏎AU  - Collaboration, Kiln
  | authors Bo Clay; Kiln Collaboration
ris: A1  - Sand, Ann | authors Ann Sand
ris: PY  - 1998/Mar/15 | date 1998-03-15
ris: PY  - 1998///Spring | date 1998
ris: Y1  - 1998/03// | date 1998-03
ris: PY  - 1998⏎DA  - 1998/03/15/ | date 1998-03-15
ris: PY  - 1998⏎DA  - Mar 15 | date 1998-03-15
ris: PY  - 1998⏎Y1  - 15 March 1998 | date 1998-03-15
ris: PY  - 1998⏎Y2  - 2020/01/01/ | date 1998
ris: DO  - https://doi.org/10.1000/K.1 | doi 10.1000/k.1
ris: UR  - https://doi.org/10.1000/k.1 | doi 10.1000/k.1
ris: M3  - doi: 10.1000/k.1 | doi 10.1000/k.1
ris: N1  - arXiv: 2106.00001 | arxiv 2106.00001
ris: AN  - arXiv:2106.00001 [cs] | arxiv 2106.00001
ris: L1  - http://arxiv.org/pdf/2106.00001v2.pdf | arxiv 2106.00001v2
ris: JO  - CoRR⏎VL  - abs/2106.00001 | arxiv 2106.00001 | venue CoRR
ris: T2  - Kilns⏎JF  - Journal | venue Kilns
ris: AB  - We fire.⏎AD - Alzheimer and⏎UK - based pots.
  | abstract We fire. AD - Alzheimer and UK - based pots.
ris: N2  - Abstract⏎We fire. | abstract We fire.
ris: Y1  - 9-19 Nov. 2020 | date 2020-11-09
ris: DA  - n/a⏎PY  - 1998 | date 1998
ris: DA  - SEP 3⏎PY  - 1998 | date 1998-09-03
isi: AU Sand, A⏎   Clay, B⏎AF Sand, Ann⏎   Clay, Bo | authors Ann Sand; Bo Clay
isi: AU Sand, A⏎CA Kiln Grp; Pot Consortium | authors A Sand; Kiln Grp; Pot Consortium
isi: PD MAR 15⏎PY 1998 | date 1998-03-15
isi: PD JAN-FEB⏎PY 1998 | date 1998-01
isi: PD SPR⏎PY 1998 | date 1998
isi: AB We fire.⏎   IT systems hold.⏎SO KILNS | abstract We fire. IT systems hold. | venue KILNS
isi: AR arXiv:2106.00001 | arxiv 2106.00001
isi: DI 10.1000/k.1 | doi 10.1000/k.1
nbib: FAU - Sand, Ann 3rd⏎AU  - Sand A 3rd | authors Ann Sand 3rd
nbib: CN  - Pots and Kilns Group | authors Pots and Kilns Group
nbib: DP  - 1998 Mar 15 | date 1998-03-15
nbib: DP  - 1998 Mar-Apr | date 1998-03
nbib: DP  - 1998 Winter | date 1998
nbib: DP  - 1998 Dec-1999 Jan | date 1998-12
nbib: DP  - 1998 Jan 15-21 | date 1998-01-15
nbib: DP  - 1998⏎DEP - 19980315 | date 1998-03-15
nbib: LID - S1 [pii]⏎LID - 10.1000/k.1 [doi] | doi 10.1000/k.1
nbib: AID - 10.1000/k.1 [doi]⏎AB  - We fire⏎      clay. | doi 10.1000/k.1 | abstract We fire clay.
csv: Authors,Title,Year,Source title,Link
  "Sand A., Clay B.",A Kiln,1998,Kilns,https://doi.org/10.1000/k
  | authors A. Sand; B. Clay | doi 10.1000/k
csv: Authors,Author full names,Title,Year
  "Sand A.M.","Sand Clay, Ann Maria (57201234567)",A Kiln,1998
  | authors Ann Maria Sand Clay
csv: Authors,Title,Abstract⏎[No author name available],A Kiln,[No abstract available]
  | authors | abstract
# IEEE Xplore
csv: "Document Title",Authors,"Publication Title","Publication Year","DOI"
  "A Kiln","Ann Sand; Bo Clay","Kilns","2021","10.1000/k"
  | authors Ann Sand; Bo Clay | venue Kilns | date 2021 | doi 10.1000/k
# Springer
csv: Item Title,Publication Title,Item DOI,Authors,Publication Year
  A Kiln,Kilns,10.1000/k,Ann Sand; Bo Clay,2021
  | authors Ann Sand; Bo Clay | venue Kilns | date 2021 | doi 10.1000/k
csv: Title,Authors,Extra,Url⏎A Kiln,"Sand, Ann",arXiv:2106.00001 [cs],x
  | authors Ann Sand | arxiv 2106.00001
csv: Item Type,Title,Author,Date⏎preprint,A Kiln,"Sand Clay, Ann Maria",03/1998
  | authors Ann Maria Sand Clay | date 1998-03
csv: title,authors,date⏎A Kiln,"Ann Sand, Bo Clay",15.03.1998
  | authors Ann Sand; Bo Clay | date 1998-03-15
csv: PMID,Title,Authors⏎1,A Kiln,"Sand A, van Clay B." | authors A Sand; B van Clay
csv: title,authors,date⏎A Kiln,nan,03/15/1998 | authors | date 1998-03-15
csv: title,authors,date⏎A Kiln,None,03/04/1998 | authors | date 1998
csv: title	authors	abstract⏎A Kiln	Sand, Ann	nan | authors Ann Sand | abstract
csv: titles,summaries,terms⏎A Kiln,We fire.,['cs.LG'] | abstract We fire.
"""
"""A format, what a record has in it, and what is read; lines that are set in, or ⏎, go on."""
OTHERS = [
    (
        "@xdata{d, date = {2017}, xdata = {e}}\n@xdata{e, journaltitle = {Kilns}}\n"
        "@article{a, title = {A Kiln}, xdata = {d}}\n",
        *("x.bib", {"date": "2017", "venue": "Kilns"}),
    ),
    (
        "@incollection{a, title={A Kiln}, crossref={V}}\n@BOOK{v, title={Pots}, year=2016}\n",
        *("x.bib", {"date": "2016", "venue": "Pots"}),
    ),
    (
        "@incollection{a, title={A Kiln}, crossref={v}, year=2015}\n@collection{v, crossref={a},"
        " booktitle={Pots}, date=2016}\n",
        *("x.bib", {"date": "2015", "venue": "Pots"}),
    ),
    ("@ARTICLE (k, title = {A Kiln}, note = {(a)}, year = 2001)\n", "x.bib", {"date": "2001"}),
    ("@article{k, title = {A Kiln}, title = {Twice}, year = 2001,}", "x.bib", {"title": "A Kiln"}),
    ("@article{k,\ntitle = {A Kiln}\nyear = {2001}\n}", "x.bib", {"date": "2001"}),
    ("@string(j = {Kilns})\n@article{k, title={A Kiln}, journal=J}", "x.bib", {"venue": "Kilns"}),
    ("\ufeff@article{, title={A Kiln}, year={2001}}", "x.bib", {"date": "2001"}),
    (
        "ty  - JOUR\nti  - A Kiln\nau  - Sand, Ann\npy  - 1998\ner  - \n",
        "x.ris",
        {"authors": ["Ann Sand"], "date": "1998"},
    ),
    ("TY - JOUR\nTI - A Kiln\nAU - Sand, Ann\nER -\n", "x.ris", {"authors": ["Ann Sand"]}),
    (
        "Provider: X\n\nTY  - JOUR\n\nTI  - A Kiln\n\nAU  - Sand, Ann\n",
        "x.ris",
        {"authors": ["Ann Sand"]},
    ),
    ("TY  -  JOUR\r\nT1  - A Kiln\r\nJO  - Kilns\r\nER  -\r\n", "x.ris", {"venue": "Kilns"}),
    ("TY  - CHAP\nTI  - A Kiln\nBT  - Pots\nER  - \n", "x.ris", {"venue": "Pots"}),
    (
        "FN Medline Export Format\nVR 1.0\nPT Journal Article\nTI A Kiln\nAU Sand, A; Clay, B\n",
        *("x.isi", {"authors": ["A Sand", "B Clay"]}),
    ),
    (
        "PT\tAU\tTI\tSO\tPD\tPY\nJ\tSand, A; Clay, B\tA Kiln\tPOTS &amp; KILNS\tMAR 15\t1998\n",
        *("x.txt", {"date": "1998-03-15", "venue": "POTS & KILNS"}),
    ),
    (
        '[{"type": "article-journal", "title": "A Kiln", "author": [{"literal": "[Anonymous]"}, '
        '{"family": "Sand", "given": "Ann", "non-dropping-particle": "van"}], '
        '"URL": "https://doi.org/10.1000/k", "note": "arXiv:2106.00001 [cs]"}]',
        "x.json",
        {"authors": ["Ann van Sand"], "doi": "10.1000/k", "arxiv": "2106.00001"},
    ),
    (
        '{"title": "A Kiln", "authors": "Sand, Ann and Clay, Bo", "abstract": "null", "year": 1'
        + "0" * 9999
        + "}",
        "x.jsonl",
        {"authors": ["Ann Sand", "Bo Clay"], "abstract": "", "date": ""},
    ),
    (
        '[{"title": "A Kiln", "authors": ["Sand, Ann", "et al."], "year": 1'
        + "0" * 9999
        + "},\n{}]",
        "x.json",
        {"authors": ["Ann Sand"], "date": ""},
    ),
    (
        WHOLE["ris"] % "AB  - We fire.\n\nIt holds.\nKW  - clay",
        *("x.ris", {"abstract": "We fire.\nIt holds."}),
    ),
]


def variants() -> Iterator[Any]:
    rows = re.sub(r"^#.*\n", "", VARIANTS, flags=re.MULTILINE).strip()
    for row in rows.replace("\n  |", " |").replace("\n  ", "⏎").splitlines():
        record, *said = row.split(" | ")
        ending, _, content = record.partition(": ")
        right: dict[str, Any] = {}
        for each in said:
            field, _, value = each.partition(" ")
            right[field] = None if value == "-" else value
            if field == "authors":
                right[field] = value.split("; ") if value else []
        whole = WHOLE[ending] % content.strip().replace("⏎", "\n")
        yield pytest.param(whole, f"x.{ending}", right, id=record)


@pytest.mark.parametrize(("content", "name", "right"), [*variants(), *OTHERS])
def test_variants_of_exports(content: str, name: str, right: dict[str, Any], told: Read) -> None:
    paper = next(each for each in told(content, name)[0] if each.title == "A Kiln")
    assert {key: facts(paper)[key] for key in right} == right
