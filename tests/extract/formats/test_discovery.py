"""LaTeX source with what lies beside a paper, as a folder and as an archive."""

from pathlib import Path

import pytest

from archives import tarred
from pdf_page import Page, pdf
from stemma.extract.formats import find, read_document
from stemma.schema import Paper, Problem, Reference


def main(title: str, text: str = "We fire clay.", before: str = "article") -> str:
    return (
        f"\\documentclass{{{before}}}\n\\title{{{title}}}\n\\begin{{document}}\n"
        f"\\begin{{abstract}}{text}\\end{{abstract}}\\section{{Clay}} Old.\\end{{document}}"
    )


PAPER = (
    "\\documentclass{article}\\input{front}\\begin{document}\\input{body}\\input{../outside}"
    "\\section{Heat} We build on \\citep[see][]{oven}.\\bibliography{refs}\\end{document}"
)
BESIDE: dict[str, str | bytes] = {
    "front.tex": "\\newcommand\\sys{Kiln}\\title{\\sys: Firing Clay}\\author{Ann Sand}",
    "body.tex": "\\begin{abstract}We fire clay, and it is fast.\\end{abstract}",
    "a_supplement.tex": main("Supplementary Material for Kiln: Firing Clay"),
    "proofs.tex": "\\documentclass{article}\\title{Proofs}\\begin{document}\\end{document}",
    "slides.tex": main("Firing Clay", before="beamer"),
    "old/first.tex": main("Kiln: Firing Clay", "Old."),
    "kiln2021.tex": main("Formatting Instructions for KILN 2021 Conference Submissions"),
    "figures/heat.pdf": pdf([Page()] * 1),
    "main.pdf": pdf([Page()] * 9),
    "refs.bib": "@article{oven, title={An Oven}, abstract={We bake.}}\n@article{b, title={A Mill}}",
    "history.txt": "2021 first version",
}


def folder(path: Path, files: dict[str, str | bytes]) -> Path:
    for name, content in files.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def titles(path: Path) -> list[str]:
    documents, problems = find([path])
    readings = [*problems, *(each for document in documents for each in read_document(document))]
    assert all(isinstance(each, Paper) for each in readings), readings
    return [each.title for each in readings if isinstance(each, Paper)]


def test_the_main_file_of_a_folder_is_the_paper(tmp_path: Path) -> None:
    skipped: list[str] = []
    (tmp_path / "outside.tex").write_text("Read from outside of the folder.")
    source = folder(tmp_path / "arXiv-2104.07857v2", {"main.tex": PAPER, **BESIDE})
    (document,), problems = find([source], skipped=skipped)
    assert not problems
    (paper,) = read_document(document)
    assert isinstance(paper, Paper) and paper.full_text
    assert (paper.title, paper.arxiv_id) == ("Kiln: Firing Clay", "2104.07857v2")
    assert paper.abstract == "We fire clay, and it is fast."
    assert [section.text for section in paper.full_text.sections] == ["We build on [1]."]
    assert paper.references == (Reference(None, "An Oven"),)
    assert sorted(skipped) == [
        *("a_supplement.tex", "figures/heat.pdf", "kiln2021.tex", "main.pdf", "old/first.tex"),
        *("proofs.tex", "refs.bib"),
    ]
    assert titles(source / "refs.bib") == ["An Oven", "A Mill"], "which is named itself"


NOTE = "---\ntitle: A Wheel\nauthor: Ann Sand\nbibliography: [../refs.bib]\n---\nWe turn [@oven].\n"


def test_the_bibliography_of_a_paper_in_markdown_is_no_library(tmp_path: Path) -> None:
    files = {
        "notes/wheel.md": NOTE,
        "refs.bib": BESIDE["refs.bib"],
        "mine.bib": "@book{c, title={C}}",
    }
    skipped: list[str] = []
    documents, _ = find([folder(tmp_path / "all", files)], skipped=skipped)
    assert [document.name for document in documents] == ["mine.bib", "notes/wheel.md"]
    assert skipped == ["refs.bib"]
    assert titles(tarred(files.items(), tmp_path / "a.tar.gz", "w:gz")) == ["C", "A Wheel"]
    assert titles(tmp_path / "all/refs.bib") == ["An Oven", "A Mill"], "which is named itself"


@pytest.mark.parametrize("order", [1, -1])
def test_the_main_file_of_an_archive_is_the_paper(tmp_path: Path, order: int) -> None:
    files = [*{"main.tex": PAPER, **BESIDE, "broken.pdf": b"%PDF-1.4"}.items()][::order]
    assert titles(tarred(files, tmp_path / "source.tar.gz", "w:gz")) == ["Kiln: Firing Clay"]


def test_papers_of_different_titles_are_papers(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {"a.tex": main("A Kiln"), "b/b.tex": main("A Wheel")}
    assert titles(folder(tmp_path / "papers", files)) == ["A Kiln", "A Wheel"]
    assert titles(tarred(files.items(), tmp_path / "a.tar.gz", "w:gz")) == ["A Kiln", "A Wheel"]


def test_a_main_file_in_an_archive_inputs_files_beside_its_folder(tmp_path: Path) -> None:
    source = main("A Kiln").replace("We fire clay.", "\\input{../all/text}\\input{../../x}")
    files = [("paper/main.tex", source), ("all/text.tex", "We fire."), ("../x.tex", "No.")]
    (document,), _ = find([tarred(files, tmp_path / "kiln.tar.gz", "w:gz")])
    (paper,) = read_document(document)
    assert isinstance(paper, Paper) and paper.abstract == "We fire."


def test_a_collection_of_pdfs_beside_latex_is_read(tmp_path: Path) -> None:
    many: dict[str, str | bytes] = {f"{number}.pdf": pdf([Page()] * 3) for number in "0123a"}
    collection = folder(tmp_path / "all", {"a.tex": main("A Kiln"), **many})
    documents, _ = find([collection])
    assert [each.name for each in documents] == ["0.pdf", "1.pdf", "2.pdf", "3.pdf", "a.tex"]


def test_pdfs_of_an_archive_without_latex_are_read(tmp_path: Path) -> None:
    (document,), _ = find([tarred([("a.pdf", pdf([Page()] * 3))], tmp_path / "a.tar.gz", "w:gz")])
    (problem,) = read_document(document)
    assert "a.pdf" in str(problem)


def test_what_is_wrong_with_a_main_file_is_told_once(tmp_path: Path) -> None:
    for name in ("kiln", "pot"):
        (tmp_path / f"{name}.tex").write_bytes(main(f"The {name}", "Café.").encode("latin-1"))
    documents, _ = find([tmp_path])
    readings = [each for document in documents for each in read_document(document)]
    problems = [each for each in readings if isinstance(each, Problem)]
    assert len(readings) == 4
    assert [problem.file for problem in problems] == ["kiln.tex", "pot.tex"]
