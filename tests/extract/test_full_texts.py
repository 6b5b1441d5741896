"""Full texts: sections are read as abstracts are, and take nothing from what abstracts say."""

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from time import process_time

import pytest

import pipelines
from full_texts import gold, lineage, papers
from stemma.extract import Extractor, recognition
from stemma.extract.recognition import document_of
from stemma.extract.sections.trust import Trust
from stemma.extract.sections.window import Window, named_by, windows
from stemma.schema import Evidence, Extraction, Problem, RelationType
from stemma.schema.paper import Citation, Field, FullText, Paper, Reference, Section

PAPERS = cache(papers)


def extractions(of: list[Paper]) -> list[Extraction]:
    results = pipelines.extractor().extract(of)
    return [each for each in results if isinstance(each, Extraction)]


@pytest.fixture(scope="module")
def whole() -> list[Extraction]:
    return extractions(PAPERS())


@pytest.fixture(scope="module")
def abstracts() -> list[Extraction]:
    return extractions([replace(paper, full_text=None) for paper in PAPERS()])


def test_sections_give_most_of_the_lineage_that_abstracts_leave_out(whole, abstracts):
    right = gold()
    assert len(lineage(abstracts) & right) <= 2
    edges = lineage(whole)
    assert len(edges & right) > len(right) / 2
    assert len(edges - right) <= len(edges & right) / 2


def test_a_full_text_says_all_that_its_abstract_says(whole, abstracts):
    for more, less in zip(whole, abstracts, strict=True):
        said = {(each.type, each.entity): each for each in more.relations}
        for each in less.relations:
            relation = said.get((each.type, each.entity))
            if each.type is RelationType.MENTIONS and not relation:
                assert any(one.entity == each.entity for one in more.relations)
                continue
            assert relation is not None and relation.confidence == each.confidence
            assert relation.evidence[: len(each.evidence)] == each.evidence
        assert {each.name for each in less.entities} <= {each.name for each in more.entities}


def test_what_is_kept_of_a_full_text_is_what_is_quoted(whole):
    for each in whole:
        text = each.paper.full_text
        assert text is not None and text.characters > sum(len(one.text) for one in text.sections)
        quoted = [one for relation in each.relations for one in relation.evidence]
        assert {one.kind for one in text.sections} == {one.field for one in quoted if one.section}
        words = ("kindness", "grant", "thank")
        assert not any(word in one.text for one in quoted for word in words)


def test_an_in_text_citation_stands_for_the_work_that_it_cites(whole):
    by_title = {each.paper.title: each for each in whole}
    tarn = next(each for title, each in by_title.items() if title.startswith("Learning to Route"))
    (babel,) = (each for each in tarn.relations if each.entity == "The Babel Routing Protocol")
    assert babel.type is RelationType.BUILDS_ON
    assert "We build on [1]" in babel.evidence[0].text
    text = tarn.paper.full_text
    cited = [one.reference.title for section in text.sections for one in section.citations]
    assert "The Babel Routing Protocol" in cited


def test_a_title_may_begin_with_the_name_of_a_system():
    titles = {"FlashAttention: Fast and Exact": "FlashAttention", "The Tide-9 Dataset": "Tide-9"}
    titles |= dict.fromkeys((None, "Attention Is All You Need", "Survey: What Is Known"))
    assert {title: named_by(Reference(None, title)) for title in titles} == titles


def window_of(text: str, places: Iterable[tuple[int, int]], name: str) -> Window:
    """Return the only window of a text, in which places cite a work of a name."""
    reference = Reference(None, f"{name}: sorting")
    citations = tuple(Citation(start, end, reference) for start, end in places)
    full = FullText.of((Section(Field.METHOD, "", text, citations),))
    (window,) = windows(full, {reference: name})
    return window


@pytest.mark.parametrize(
    ("text", "marks", "read"),
    [
        (
            "We extend Fjord.1 It is built on Tide,1 and more.",
            *(["1"], "We extend Fjord. It is built on Tide, and more."),
        ),
        ("We use Tide (Moor et al., 2020) here.", ["(Moor et al.,", "2020)"], "We use Tide here."),
        ("As Moor and McNeil [1] say, it ebbs.", ["[1]"], "As Tide say, it ebbs."),
        ("We use CUDA and Tide [1] here.", ["[1]"], "We use CUDA and Tide here."),
    ],
    ids=["in superscript", "with brackets of its own", "with authors", "with two systems"],
)
def test_a_mark_goes_with_what_belongs_to_it(text, marks, read):
    places = [each.span() for mark in marks for each in re.finditer(re.escape(mark), text)]
    assert window_of(text, places, "Tide").text == read


def test_a_mark_beside_a_name_is_left_out_and_one_in_its_place_is_read():
    text = "We extend [1]. Our Tide [1] is built on Fjord [1], as in Lee et al. [1]."
    places = [i for i in range(len(text)) if text.startswith("[1]", i)]
    window = window_of(text, [(i + 1, i + 2) for i in places], "Mora")
    assert window.text == "We extend Mora. Our Tide is built on Fjord, as in Mora."
    start = window.text.index("Fjord")
    first, last = window.place(start, start + 5)
    assert text[first:last] == "Fjord" and window.is_copied(start, start + 5)
    first, last = window.place(0, len("We extend Mora."))
    assert text[first:last] == "We extend [1]."


def test_very_many_citations_are_read_in_seconds():
    text = "We build on [1]. " * 3000
    reference = Reference(None, "Mora: a store")
    citations = tuple(Citation(17 * i + 13, 17 * i + 14, reference) for i in range(3000))
    full = FullText.of((Section(Field.METHOD, "", text, citations),))
    began = process_time()
    passages = list(windows(full, {reference: "Mora"}))
    assert process_time() - began < 2
    assert "".join(each.text for each in passages).count("Mora") == 3000


def test_a_table_says_which_relations_sections_state(tmp_path):
    table = tmp_path / "sections.toml"
    text = "We are 2x faster than DeepSpeed."
    paper = Paper("paper/x", "Kelpie: Fine-Tuning", "We present Kelpie, a framework.")
    full = FullText.of((Section(Field.CONCLUSION, "", text),))
    for weight, expected in ((2.0, {"conclusion"}), (-2.0, set())):
        table.write_text(f'[COMPARES_WITH]\nleast = 0.5\n"ours conclusion" = {weight}\n')
        own = Extractor(trust=Trust.read(table))
        assert own.fingerprint != Extractor().fingerprint
        (extraction,) = own.extract([replace(paper, full_text=full)])
        evidence: list[Evidence] = [e for r in extraction.relations for e in r.evidence]
        assert {sentence.section for sentence in evidence if sentence.section} == expected


def test_a_passage_that_cannot_be_read_is_reported_and_the_rest_is_read(monkeypatch, whole):
    chosen, before = PAPERS()[0], whole[0]
    section = max(chosen.full_text.sections, key=lambda each: len(each.text))
    bad = section.text.split(".")[0]

    def failing(pipeline, title, text):
        if bad in text:
            raise ValueError("no")
        return document_of(pipeline, title, text)

    problems = list[Problem]()
    monkeypatch.setattr(recognition, "document_of", failing)
    (extraction,) = pipelines.extractor().extract([chosen], on_problem=problems.append)
    assert isinstance(extraction, Extraction)
    few, all_ = (sum(len(r.evidence) for r in each.relations) for each in (extraction, before))
    assert 0 < few < all_
    assert problems
    (source, *_) = chosen.sources
    for each in problems:
        assert re.fullmatch(r"a passage of the [a-z ]+ was not read: ValueError: no", each.reason)
        assert (each.file, each.line, each.skipped) == (source.file, source.position, False)
