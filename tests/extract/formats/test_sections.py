"""Sections: what readers keep of full texts, and what they leave out."""

from dataclasses import replace
from pathlib import Path

import pytest

from full_texts import FOLDER
from stemma.extract.formats import Options, body, find, read_document
from stemma.extract.formats.body import Body, kind_of, mark
from stemma.schema import Paper, Problem, Reference


def read(path: Path, **options: bool) -> list[Paper | Problem]:
    documents, _ = find([path])
    return [each for one in documents for each in read_document(one, Options(**options))]


SECTIONS = {
    "kelpie.tex": "introduction: Introduction; related-work: Related Work; method: Tidal"
    " Offloading; experiments: Evaluation; conclusion: Conclusion; other: Proofs",
    "lichen.xml": "introduction: 1. Introduction; related-work: 2. Related work; method: 3.1"
    " Colouring; experiments: 4. Results; conclusion: 5. Conclusions",
    "cairn.tei.xml": "introduction: Introduction; related-work: Related Work; method: Model;"
    " experiments: Experiments",
    "brindle.md": "introduction: 1 Introduction; related-work: 2 Related Work; method: 3.1"
    " Predicting demand; method: 3.2 Second tier; experiments: 4 Results; conclusion: 5 Conclusion",
}


@pytest.mark.parametrize("name", SECTIONS)
def test_sections_have_headings_and_kinds_and_the_rest_is_left_out(name):
    (paper,) = read(FOLDER / name)
    headings = [f"{section.kind.value}: {section.heading}" for section in paper.full_text.sections]
    assert headings == SECTIONS[name].split("; ")


def test_paragraphs_are_plain_text_and_citations_name_their_references():
    (paper,) = read(FOLDER / "kelpie.tex")
    first = paper.full_text.sections[0]
    assert "We build on ZeRO-Offload [1], whose placement" in first.text
    assert "\\" not in first.text and first.text.count("\n") == 1
    (cited, infinity) = first.citations
    assert first.text[cited.start : cited.end] == "1"
    assert cited.reference.title == "ZeRO-Offload: Democratizing Billion-Scale Model Training"
    assert infinity.reference.id == "arxiv:2104.07857"
    (jats,) = read(FOLDER / "lichen.xml")
    texts = "".join(section.text for section in jats.full_text.sections)
    assert "61 complete genomes" in texts and "x=1" not in texts and "</td>" not in texts


def test_without_full_texts_only_the_sections_are_missing():
    for file in SECTIONS:
        (whole,), (short,) = read(FOLDER / file), read(FOLDER / file, full_text=False)
        assert whole.full_text and not short.full_text
        assert replace(whole, full_text=None) == short


def test_a_huge_text_is_cut_and_that_is_reported(tmp_path, monkeypatch):
    monkeypatch.setattr(body, "MOST_CHARACTERS", 2000)
    path = tmp_path / "huge.md"
    text = (FOLDER / "brindle.md").read_text("utf-8")
    path.write_text(text.replace("# 2 Related Work", "# 2 Related Work\n\n" + "More words. " * 900))
    problem, paper = read(path)
    assert "of the full text, the first" in problem.reason and not problem.skipped
    assert paper.abstract.startswith("Companies serve")
    assert sum(len(section.text) for section in paper.full_text.sections) <= 2000


@pytest.mark.parametrize("room", [3, 4, 5, 6, 8])
def test_no_mark_of_a_citation_is_cut(monkeypatch, room):
    monkeypatch.setattr(body, "MOST_CHARACTERS", room)
    text = f"Pot{mark('sand2020', '[1]')} and more words."
    read_ = Body([(["Method"], text)], {"sand2020": Reference(None, "A Kiln")}).read()
    assert read_.sections[0].text in ("Pot", "Pot[1]", "Pot[1] ")


def test_sections_in_sections_without_end_are_bounded(tmp_path):
    path = tmp_path / "deep.xml"
    text = (FOLDER / "lichen.xml").read_text("utf-8")
    deep = "<sec><title>Deep</title><p>We build on it.</p>" * 2000 + "</sec>" * 2000
    path.write_text(text.replace("<body>", f"<body>{deep}"))
    (paper,) = (each for each in read(path) if isinstance(each, Paper))
    assert paper.abstract.startswith("Samples of symbionts")
    assert len(paper.full_text.sections) <= 500


@pytest.mark.parametrize(
    ("headings", "kind"),
    [
        *(("II. RELATED WORK", "related-work"), ("Introduction; 1.2 Background", "related-work")),
        *(("4 Experiments; 4.1 Our approach at scale", "experiments"), ("Tides", "other")),
    ],
)
def test_headings_tell_the_kind_of_a_section(headings, kind):
    assert kind_of([heading for heading in headings.split("; ") if heading]).value == kind


@pytest.mark.parametrize(
    ("headings", "kinds"),
    [
        ("Introduction; Related Work; Kelpie; Evaluation; Analysis; Conclusion",
         "introduction related-work method experiments other conclusion"),
        ("Introduction; Conclusions; Limitations; Broader Impact; A. Data; Tide",
         "introduction conclusion conclusion conclusion other other"),
        ("1. Introduction; 2. Future Work & Conclusion; 1.1. Data preparation",
         "introduction conclusion other"),
        ("Introduction; High-Level Summary; Authors", "introduction method"),
        ("Introduction; Kelpie; Appendix; Tide", "introduction method other other"),
    ],
)  # fmt: skip
def test_what_no_heading_tells_is_told_by_the_order_of_sections(headings, kinds):
    body = Body([([heading], "We build on it.") for heading in headings.split("; ")])
    assert [section.kind.value for section in body.read().sections] == kinds.split()


def test_marks_in_a_text_itself_do_no_harm():
    known = {"a": Reference(None, "A Kiln")}
    marked = f"One \ue000 two {mark('a', '[1]')} \ue002 three {mark('b', '[2]')}."
    (section,) = Body([(["Method"], marked)], known).read().sections
    assert section.text == "One  two [1]  three [2]."
    (citation,) = section.citations
    assert section.text[citation.start : citation.end] == "[1]"
