"""LaTeX source as authors and their tools write it."""

from pathlib import Path

import pytest

from stemma.extract.formats import read
from stemma.extract.formats.latex import from_latex, with_accents
from stemma.schema import Paper, Reference

PLAIN = r"\begin{document}\title{A Kiln}\begin{abstract}We fire.\end{abstract}"


def paper_of(folder: Path, source: str, **others: str) -> Paper:
    for name, text in {"main.tex": f"\\documentclass{{article}}\n{source}", **others}.items():
        path = folder / name.replace("__", "/")
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    *_, paper = read(folder / "main.tex", "main.tex")
    assert isinstance(paper, Paper), paper
    return paper


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (r"\texttt{kiln-fire} on \textsf{Oven}, \mbox{the best}", "kiln-fire on Oven, the best"),
        (r"at \url{https://kiln.org/a_b} and \href{https://kiln.org}{our page}",
         "at https://kiln.org/a_b and our page"),
        (r"\textcolor{red}{Hot} \resizebox{2cm}{!}{clay} \raisebox{1pt}{pot}", "Hot clay pot"),
        (r"in \LaTeX{} \newline of \MakeUppercase{clay}", "in LaTeX  of clay"),
        (r"\texorpdfstring{$\alpha$}{alpha} see \cref{x}", "alpha see "),
        (r"a \emph{kiln}---``\emph{hot} clay'' -- at \c c and \alpha beta",
         "a kiln—“hot clay” – at ç and αbeta"),
        (r"for $n^2 \in \mathbb{N}$~pots \begin{quote}Clay \& sand\end{quote}",
         "for $n^2 \\in \\mathbb{N}$ pots Clay & sand"),
        (r"cut off \href{https://kiln.org}", "cut off https://kiln.org"),
    ],
)  # fmt: skip
def test_text_in_macros_is_kept(source: str, expected: str) -> None:
    assert from_latex(source) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"Poincar\'e, Schr\"odinger, Erd\H{o}s, \v{C}ech", "Poincaré, Schrödinger, Erdős, Čech"),
        (r"{\'E}tale, Fran\c{c}ois, Bj{\o}rn, na{\"\i}ve", "Étale, François, Bjørn, naïve"),
        (r"it\'s \"a kiln\" of $\v{x}$ in C:\new", r"it\'s \"a kiln\" of $\v{x}$ in C:\new"),
    ],
)  # fmt: skip
def test_accents_in_plain_texts(text: str, expected: str) -> None:
    assert with_accents(text) == expected


@pytest.mark.parametrize(
    ("defined", "used", "expected"),
    [
        (r"\newcommand{\sys}[0]{Kiln}", r"\sys{} fires", "Kiln fires"),
        (r"\newcommand{\todo}[1]{}", r"It \todo{check {this}}fires", "It fires"),
        (r"\newcommand{\rev}[2][blue]{\textcolor{#1}{#2}}", r"\rev{It} \rev[red]{fires}",
         "It fires"),
        (r"\def\times#1{#1 times}", r"\times{2} and \times 3", "2 times and 3 times"),
        (r"\NewDocumentCommand{\sys}{m m}{#2 of #1}", r"\sys{clay}{Kiln}", "Kiln of clay"),
        (r"\newcommand{\a}{\a\a}", r"It \a fires", "It fires"),
        (r"\newcommand{\sys}[1]{A\@ifstar{#1}}", r"It \sys{fires}", "It fires"),
    ],
)  # fmt: skip
def test_macros_are_expanded(tmp_path: Path, defined: str, used: str, expected: str) -> None:
    source = rf"{defined}\title{{A}}\begin{{document}}\begin{{abstract}}{used}\end{{abstract}}"
    assert paper_of(tmp_path, source).abstract == expected


@pytest.mark.parametrize(
    "source",
    [
        r"\iffalse\begin{abstract}Old.\end{abstract}\fi\begin{abstract}New.\end{abstract}",
        r"\begin{comment}\begin{abstract}Old.\end{abstract}\end{comment}\begin{abstract}New.\end{abstract}",
        r"\newif\iffinal\finaltrue\begin{abstract}\iffinal New\else Old\fi.\end{abstract}",
        r"\newif\ifdraft\begin{abstract}\ifdraft Old\else New\fi.\end{abstract}",
        r"\begin{abstract}\ifthenelse{}{}{}New.\end{abstract}\iffalse Old\fi",
        r"\Abstract{New.}",
        r"\begin{abstract}New.\end{abstract}\iffalse no end",
        r"\section*{Abstract} New. \section{Introduction} Old.",
        r"\noindent\textbf{Abstract.} New. \keywords{old}",
        r"\begin{center}{\bf Abstract}\end{center} New. \section{Introduction} Old.",
        r"\begin{abstract}\iftrue\ifx\a\b\fi New\else Old\ifx\a\b a\else b\fi\fi.\end{abstract}",
    ],
)
def test_an_abstract_is_found_however_it_is_written(tmp_path: Path, source: str) -> None:
    paper = paper_of(tmp_path, rf"\title{{A Kiln\tnoteref{{t1}}}}\begin{{document}}{source}")
    assert (paper.title, paper.abstract.strip(". ")) == ("A Kiln", "New")


@pytest.mark.parametrize(
    "title",
    [
        r"\icmltitle{Firing \\ Clay}",
        r"\aistatstitle{Firing Clay\thanks{Paid by the guild.}}",
        r"\newcommand{\clay}{Clay}\title[Clay]{Firing \clay}",
        r"\newcommand{\set}[1]{\title{#1}}\title{Firing Clay}",
    ],
)
def test_a_title_is_found_in_any_command(tmp_path: Path, title: str) -> None:
    assert paper_of(tmp_path, title + PLAIN.replace(r"\title{A Kiln}", "")).title == "Firing Clay"


@pytest.mark.parametrize(
    ("source", "names"),
    [
        (r"\author{Ann Sand\thanks{Equal {1}.} \\ Clay Co \And Bo Pot\footnotemark[1] \\ Clay Co}",
         "Ann Sand; Bo Pot"),
        (r"\author{Ann Sand$^{1}$, Bo Pot$^1$\\ {\bf Cy Mill$^{2}$}\\ $^1$ Clay Labs, $^2$ Kiln}",
         "Ann Sand; Bo Pot; Cy Mill"),
        (r"\author{Ann Sand, Bo Pot \\ Cy Mill, Di Oven \\ Paris, France}",
         "Ann Sand; Bo Pot; Cy Mill; Di Oven"),
        (r"\author{Ann Sand$^\dag$\Thanks{ equal} \quad Bo Pot$^\dag$ \\ $^\dag$Institute}",
         "Ann Sand; Bo Pot"),
        (r"\author{\name Ann Sand \email a@x.org \\ \addr Kiln \AND \name Bo Pot \email b@x.org}",
         "Ann Sand; Bo Pot"),
        (r"\author{\IEEEauthorblockN{Ann Sand\IEEEauthorrefmark{1}, Bo Pot} \IEEEauthorblockA{"
         r"Clay University\\Town} \IEEEauthorblockN{Cy Mill} \IEEEauthorblockA{Clay Inc}}",
         "Ann Sand; Bo Pot; Cy Mill"),
        (r"\author{Ann Sand\inst{1}\orcidID{0000-0001-2345-6789} \and Bo Pot\inst{2}}",
         "Ann Sand; Bo Pot"),
        (r"\aistatsauthor{ {Jos\'e Sand} \And {Bo Pot} }", "José Sand; Bo Pot"),
        (r"\author*[1]{\fnm{Ann} \sur{Sand}}\author{Ann Sand}\authorrunning{A. Sand}",
         "Ann Sand"),
        (r"\newcommand{\all}{Ann Sand \and Bo Pot}\def\And{x}\author{\all}",
         "Ann Sand; Bo Pot"),
        (r"\author{Ann~Sand,~\IEEEmembership{Senior Member,~IEEE,} and Bo~Pot\HasMoved, "
         r"Fellow, KSE}",
         "Ann Sand; Bo Pot"),
        (r"\author{Ann Sand, Clay University}As \citeauthor{pot} says, ", "Ann Sand"),
        (r"\author{Anonymous Authors}", ""),
    ],
)  # fmt: skip
def test_authors_are_found(tmp_path: Path, source: str, names: str) -> None:
    assert "; ".join(author.name for author in paper_of(tmp_path, source + PLAIN).authors) == names


def test_the_day_on_which_a_source_is_typeset_is_no_date(tmp_path: Path) -> None:
    assert paper_of(tmp_path, rf"\date{{\today}}{PLAIN}").sources[0].published is None


def test_a_text_before_the_first_heading_is_the_introduction(tmp_path: Path) -> None:
    first = "Clay is old. " * 50
    unclosed = r"\def\beq{\begin{equation}}"
    source = rf"{unclosed}{PLAIN} {first}\paragraph{{Kilns.}} Hot.\section{{Heat}} 9."
    paper = paper_of(tmp_path, source)
    assert paper.full_text
    headings = [f"{section.heading} ({section.kind.value})" for section in paper.full_text.sections]
    assert headings == ["Introduction (introduction)", "Kilns. (introduction)", "Heat (method)"]


def test_files_that_are_read_with_the_main_one(tmp_path: Path) -> None:
    inputs = r"\input one \import{parts/}{two}\subimport*{parts/}{three.tex}\end{document}"
    others = {
        "one.tex": r"\section{Introduction} One.",
        "parts__two.tex": r"\section{Kilns} Two.",
        "parts__three.tex": r"\section{Conclusion} Three.",
    }
    paper = paper_of(tmp_path, f"{PLAIN}{inputs}", **others)
    assert paper.full_text
    assert [section.text for section in paper.full_text.sections] == ["One.", "Two.", "Three."]


BIBITEMS = {
    "REVTeX": r"""\bibitem [{\citenamefont {Sand}\ \emph {et~al.}(2020)\citenamefont {Sand},
  \citenamefont {Pot}}]{oven}%
  \BibitemOpen
  \bibfield  {author} {\bibinfo {author} {\bibfnamefont {A.}~\bibnamefont {Sand}},\ }\bibfield
  {title} {\bibinfo {title} {Oven: Baking clay with little heat},\ }\href
  {https://doi.org/10.1000/x} {\bibfield
  {journal} {\bibinfo  {journal} {Kilns}\ }}\BibitemShut {NoStop}%
""",
    "ACM": r"""\bibitem[Sand et~al\mbox{.}(2020)]%
        {oven}
\bibfield{author}{\bibinfo{person}{Ann Sand}.} \bibinfo{year}{2020}\natexlab{}.
\newblock \showarticletitle{{Oven}: Baking clay with little heat}.
In \bibinfo{booktitle}{\emph{Kilns}}.
\newblock \showDOI{10.1000/x}
""",
    "IEEE": r"""\bibitem{oven}
A.~Sand \emph{et~al.}, \emph{{Oven}: Baking clay with little heat}.\hskip 1em plus
  0.5em minus 0.4em\relax in \emph{Kilns}, 2020,
doi: 10.1000/x.
""",
    "Elsevier": r"""\bibitem{oven}
A.~Sand, B.~Pot, \href{https://doi.org/10.1000/x}{Oven: Baking clay with little heat},
in: Kilns, 2020.
\newblock \href {http://dx.doi.org/10.1000/x} {\path{doi:10.1000/x}}.
""",
    "natbib": r"""\bibitem[{Sand and Pot(2020)}]{oven}
Sand, A. and Pot, B.
\newblock {O}ven: Baking clay with little heat.
\newblock \emph{Kilns}, 2020.
\newblock \doi{10.1000/x}.
""",
    "biblatex": r"""\refsection{0}
    \entry{oven}{article}{}
      \field{title}{{Oven}: Baking clay with little heat}
      \verb{doi}
      \verb 10.1000/x
      \endverb
    \endentry
""",
}


@pytest.mark.parametrize("style", BIBITEMS)
def test_a_list_of_references_is_read_in_any_style(tmp_path: Path, style: str) -> None:
    listed = BIBITEMS[style]
    if style != "biblatex":
        listed = f"\\begin{{thebibliography}}{{1}}\n{listed}\n\\end{{thebibliography}}"
    source = rf"{PLAIN}\section{{Introduction}} We build on \cite{{oven}}.\bibliography{{none}}"
    paper = paper_of(tmp_path, source, **{"main.bbl": listed})
    (reference,) = paper.references
    assert reference == Reference("doi:10.1000/x", "Oven: Baking clay with little heat")
    assert paper.full_text
    (section,) = paper.full_text.sections
    assert [citation.reference for citation in section.citations] == [reference]
