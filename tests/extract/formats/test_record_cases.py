r"""Records as reference managers and services export them, with the right value of each field.

The table has made-up records in the dialects of JabRef, Mendeley, Zotero, Better BibTeX,
Papers, Scopus, the Web of Science, PubMed, Google Scholar, DBLP and Crossref.
"""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from stemma.schema import Paper


def facts(paper: Paper) -> dict[str, Any]:
    return {
        "title": paper.title,
        "abstract": paper.abstract,
        "authors": [author.name for author in paper.authors],
        "date": str(paper.published or ""),
        "venue": paper.venue,
        "doi": paper.doi,
        "arxiv": paper.arxiv_id,
    }


WHOLE = {
    "bib": "@article{k,\n  title = {A Kiln},\n  %s\n}\n",
    "ris": "TY  - JOUR\nTI  - A Kiln\n%s\nER  - \n",
    "isi": "FN Clarivate Analytics Web of Science\nVR 1.0\nPT J\nTI A Kiln\n%s\nER\n\nEF\n",
    "nbib": "PMID- 77\nTI  - A Kiln.\n%s\n",
    "csv": "%s\n",
}
"""Files of one record, by their endings, around what a variant has in it."""
VARIANTS = r"""
bib: date = {2004-06?} | date 2004-06
bib: date = {2018-21} | date 2018
bib: date = {/1998-03} | date 1998-03
bib: year = {c1998} | date 1998
bib: year = {in press} | date
bib: year = 1998, month = 3 | date 1998-03
bib: year = 1998, month = "15~" # mar | date 1998-03-15
bib: year = {1998}, month = {Mar.}, day = {15} | date 1998-03-15
bib: year = {{\noopsort{1973c}}1981} | date 1981
bib: url = {https://dx.doi.org/10.1000/K%2D1} | doi 10.1000/k-1
bib: url = {https://dl.acm.org/doi/pdf/10.1145/1.2?download=true} | doi 10.1145/1.2
bib: note = {doi: 10.1000/k.1.} | doi 10.1000/k.1
bib: booktitle = {Proc. of Pots}, series = {{POT} '21} | venue Proc. of Pots (POT '21)
bib: booktitle = {Pots}, series = {Lecture Notes on Clay} | venue Pots
bib: note = {Erratum: 10.1000/k.1} | doi -
bib: doi = {10.48550/arXiv.2106.00001} | doi 10.48550/arxiv.2106.00001 | arxiv 2106.00001
bib: howpublished = {\url{http://arxiv.org/pdf/cs/9901001.pdf}} | arxiv cs/9901001
bib: eprint = {2106.00001}, eprinttype = {arXiv}, eprintclass = {cs.CL} | arxiv 2106.00001
bib: eprint = {https://arxiv.org/pdf/2106.00001} | arxiv 2106.00001
bib: eprint = {hal-01234567}, archiveprefix = {HAL} | arxiv -
bib: volume = {cs.CL/0101001}, journal = {CoRR} | arxiv cs.CL/0101001
bib: abstract = {n {\textgreater} 5, \textless{} 3 {\&} 50\% {\textasciitilde}1}
  | abstract n > 5, < 3 & 50% ~1
bib: abstract = {{\textless}p{\textgreater}We fire.{\textless}/p{\textgreater}} | abstract We fire.
bib: abstract = {Abstract. We fire clay.} | abstract We fire clay.
bib: abstract = {No abstract available} | abstract
ris: AU  - Clay, Bo (Clay University)⏎AU  - Collaboration, Kiln
  | authors Bo Clay; Kiln Collaboration
ris: Y1  - 2015/october | date 2015-10
ris: AB  - N/A | abstract
ris: PY  - 1998///Spring | date 1998
ris: Y1  - 1998/03// | date 1998-03
ris: PY  - 1998⏎DA  - 1998/03/15/ | date 1998-03-15
ris: PY  - 1998⏎DA  - Mar 15 | date 1998-03-15
ris: PY  - 1998⏎Y2  - 2020/01/01/ | date 1998
ris: DO  - https://doi.org/10.1000/K.1 | doi 10.1000/k.1
ris: UR  - https://doi.org/10.1000/k.1 | doi 10.1000/k.1
ris: N1  - arXiv: 2106.00001 | arxiv 2106.00001
ris: M3  - doi: 10.1000/k.1 | doi 10.1000/k.1
ris: L1  - http://arxiv.org/pdf/2106.00001v2.pdf | arxiv 2106.00001v2
ris: JO  - CoRR⏎VL  - abs/2106.00001 | arxiv 2106.00001 | venue CoRR
ris: T2  - Kilns⏎JF  - Journal⏎C3  - KILN | venue Kilns (KILN)
ris: AB  - We fire.⏎AD - Alzheimer and⏎UK - based pots.
  | abstract We fire. AD - Alzheimer and UK - based pots.
ris: N2  - Abstract⏎We fire. | abstract We fire.
ris: Y1  - 9-19 Nov. 2020 | date 2020-11-09
ris: DA  - n/a⏎PY  - 1998 | date 1998
isi: AU Sand, A⏎   Clay, B⏎AF Sand, Ann⏎   Clay, Bo | authors Ann Sand; Bo Clay
isi: AU Sand, A⏎CA Kiln Grp; Pot Consortium | authors A Sand; Kiln Grp; Pot Consortium
isi: PD JAN-FEB⏎PY 1998 | date 1998-01
isi: AB We fire.⏎   IT systems hold.⏎SO KILNS | abstract We fire. IT systems hold. | venue KILNS
nbib: FAU - Sand, Ann 3rd⏎AU  - Sand A 3rd | authors Ann Sand 3rd
nbib: CN  - Pots and Kilns Group | authors Pots and Kilns Group
nbib: DP  - 1998 Dec-1999 Jan | date 1998-12
nbib: DP  - 1998⏎DEP - 19980315 | date 1998-03-15
nbib: LID - S1 [pii]⏎LID - 10.1000/k.1 [doi] | doi 10.1000/k.1
csv: Authors,Title,Year,Source title,Link
  "Sand A., Clay B.",A Kiln,1998,Kilns,https://doi.org/10.1000/k
  | authors A. Sand; B. Clay | doi 10.1000/k
csv: Authors,Author full names,Title,Year
  "Sand A.M.","Sand Clay, Ann Maria (57201234567)",A Kiln,1998
  | authors Ann Maria Sand Clay
csv: Authors,Title,Abstract⏎[No author name available],A Kiln,[No abstract available]
  | authors | abstract
# IEEE Xplore
csv: "Document Title","Publication Title","Publication Year"⏎"A Kiln","Kilns","2021"
  | venue Kilns | date 2021
# Springer
csv: Item Title,Publication Title,Item DOI⏎A Kiln,Kilns,10.1000/k | venue Kilns | doi 10.1000/k
csv: Title,Authors,Extra,Url⏎A Kiln,"Sand, Ann",arXiv:2106.00001 [cs],x
  | authors Ann Sand | arxiv 2106.00001
csv: Item Type,Title,Author,Date⏎preprint,A Kiln,"Sand Clay, Ann Maria",03/1998
  | authors Ann Maria Sand Clay | date 1998-03
csv: title,authors,date⏎A Kiln,"Ann Sand, Bo Clay",15.03.1998
  | authors Ann Sand; Bo Clay | date 1998-03-15
csv: authors,title⏎"['Ann Sand', ""Bo O'Clay""]",A Kiln | authors Ann Sand; Bo O'Clay
csv: authors,title⏎['Ann Sand' 'Bo Clay'],A Kiln | authors Ann Sand; Bo Clay
csv: title,authors,date⏎A Kiln,nan,03/15/1998 | authors | date 1998-03-15
csv: title	authors	abstract⏎A Kiln	Sand, Ann	nan | authors Ann Sand | abstract
csv: titles,summaries,terms⏎A Kiln,We fire.,['cs.LG'] | abstract We fire.
"""
"""A format, what a record has in it, and what is read; lines that are set in, or ⏎, go on."""
OTHERS = r"""
bib: @xdata{d, date={2017}, xdata={e}}⏎@xdata{e, journaltitle={Kilns}}
  @article{a, title={A Kiln}, xdata={d}} | date 2017 | venue Kilns
bib: @incollection{a, title={A Kiln}, crossref={V}}⏎@BOOK{v, title={Pots}, year=2016}
  | date 2016 | venue Pots
bib: @incollection{a, title={A Kiln}, crossref={v}, year=2015}
  @collection{v, crossref={a}, booktitle={Pots}, date=2016} | date 2015 | venue Pots
bib: @ARTICLE (k, title = {A Kiln}, note = {(a)}, year = 2001) | date 2001
bib: @article{k,⏎title = {A Kiln}⏎year = {2001}⏎} | date 2001
bib: @string(j = {Kilns})⏎@article{k, title={A Kiln}, journal=J} | venue Kilns
ris: ty  - JOUR⏎ti  - A Kiln⏎au  - Sand, Ann⏎py  - 1998⏎er  - | authors Ann Sand | date 1998
ris: Provider: X⏎⏎TY  - JOUR⏎⏎TI  - A Kiln⏎⏎AU  - Sand, Ann | authors Ann Sand
ris: TY  -  JOUR⏎T1  - A Kiln⏎JO  - Kilns⏎ER  - | venue Kilns
ris: TY  - CHAP⏎TI  - A Kiln⏎BT  - Pots⏎ER  - | venue Pots
ris: TY  - BOOK⏎PY  - 2010⏎BT  - A Kiln⏎ER  - | date 2010
ris: TY  - JOUR⏎TI  - A Kiln⏎AB  - We fire.⏎⏎It holds.⏎KW  - clay⏎ER  -
  | abstract We fire.⏎It holds.
isi: FN Medline Export Format⏎VR 1.0⏎PT Journal Article⏎TI A Kiln⏎AU Sand, A; Clay, B
  | authors A Sand; B Clay
txt: PT	AU	TI	SO	PD	PY⏎J	Sand, A; Clay, B	A Kiln	POTS &amp; KILNS	MAR 15	1998
  | date 1998-03-15 | venue POTS & KILNS
txt: PT	AU	TI	AB⏎J	Sand, A	A Kiln	"We fire" clay.⏎J	Clay, B	"Hot	We cool.
  | abstract "We fire" clay.
json: [{"type": "article-journal", "title": "A Kiln", "author": [{"literal": "[Anonymous]"},
  {"family": "Sand", "given": "Ann", "non-dropping-particle": "van"}],
  "URL": "https://doi.org/10.1000/k", "note": "arXiv:2106.00001 [cs]"}]
  | authors Ann van Sand | doi 10.1000/k | arxiv 2106.00001
jsonl: {"title": "A Kiln", "authors": "Sand, Ann and Clay, Bo", "abstract": "null", "year": 1eNN}
  | authors Ann Sand; Bo Clay | abstract | date
json: [{"title": "A Kiln", "authors": ["Sand, Ann", "et al."], "year": 1eNN},⏎{}]
  | authors Ann Sand | date
"""
"""Whole files in the same form; 1eNN is a number of ten thousand digits."""


def variants(table: str, whole: dict[str, str]) -> Iterator[Any]:
    rows = re.sub(r"^#.*\n", "", table, flags=re.MULTILINE).strip()
    for row in rows.replace("\n  |", " |").replace("\n  ", "⏎").splitlines():
        record, *said = row.split(" | ")
        ending, _, content = record.partition(": ")
        right: dict[str, Any] = {}
        for each in said:
            field, _, value = each.replace("⏎", "\n").partition(" ")
            right[field] = None if value == "-" else value
            if field == "authors":
                right[field] = value.split("; ") if value else []
        text = content.strip().replace("⏎", "\n").replace("1eNN", "1" + "0" * 9999)
        yield pytest.param(whole.get(ending, "%s\n") % text, f"x.{ending}", right, id=record)


@pytest.mark.parametrize(
    ("content", "name", "right"), [*variants(VARIANTS, WHOLE), *variants(OTHERS, {})]
)
def test_variants_of_exports(content: str, name: str, right: dict[str, Any], told) -> None:
    paper = next(each for each in told(content, name)[0] if each.title == "A Kiln")
    assert {key: facts(paper)[key] for key in right} == right
