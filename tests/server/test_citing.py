"""The papers behind an answer, as BibTeX."""

import json
import re
from dataclasses import replace

import pytest
from bibtexparser.entrypoint import parse_string

from asked import by_graphql
from command import answer, stemma
from stemma.extract.formats import read
from stemma.schema import Paper, Source
from stemma.schema.paper import Author
from stemma.server.views.bibtex import bibtex

PAPER = Paper(
    "paper/a-kiln-of-tokens",
    "A Kiln of Tokens",
    authors=(
        Author("Ada Müller"),
        Author("Piet van der Berg"),
        Author("Lovelace and Sons Group"),
        Author("BigCode"),
        Author("OpenAI Team"),
    ),
    venue="Journal of Ovens",
    doi="10.1000/kiln",
    arxiv_id="2101.00001v2",
    sources=(Source("a.json", "0" * 64, 1, "2021-03-04"),),
)


@pytest.mark.parametrize(
    "asked",
    [
        ["lineage", "ZeRO-Infinity"],
        ["path", "Fuyou", "ZeRO"],
        ["compare", "Fuyou", "ZeRO-Infinity"],
        ["search", "attention"],
        ["show", "FlashAttention"],
        ["ask", "what builds on ZeRO-Infinity?"],
    ],
    ids=lambda asked: asked[0],
)
def test_each_answer_cites_the_papers_that_it_comes_from(asked, example_store, graph):
    printed = {each: answer(*asked, "-s", example_store, "--format", each)
               for each in ("bibtex", "json")}  # fmt: skip
    cited = parse_string(printed["bibtex"]).entries
    text = json.dumps(json.loads(printed["json"]))
    stating = re.findall(r'"subject": \{"id": "(paper/[^"]+)"', text)
    answering = re.findall(r'"id": "(paper/[^"]+)", "name": "[^"]*", "type": "Paper"', text)
    behind = {graph.paper(each).title for each in (*stating, *answering)}
    assert {each["title"].strip("{}") for each in cited} >= behind > set()


@pytest.mark.parametrize("venue", ["Journal of Ovens", "Advances in Ovens 7", "SC '21"])
def test_a_citation_has_all_that_is_known_and_is_read_again(tmp_path, venue):
    file, paper = tmp_path / "papers.bib", replace(PAPER, venue=venue)
    file.write_text(text := bibtex([paper, paper]))
    assert text.startswith("@article{" if venue == PAPER.venue else "@inproceedings{")
    assert "BigCode and {OpenAI Team}" in text
    [again] = [each for each in read(file, file.name) if isinstance(each, Paper)]
    for field in ("title", "authors", "venue", "doi", "arxiv_id"):
        assert getattr(again, field) == getattr(paper, field)
    assert str(again.published) == "2021-03"


def test_python_and_graphql_cite_as_the_command_line_does(graph, example_store, client):
    printed = answer("lineage", "ZeRO-Infinity", "-s", example_store, "-f", "bibtex")
    found = graph.lineage("ZeRO-Infinity")
    assert found.to_bibtex() == printed
    query = """{ lineage(of: "ZeRO-Infinity") { edges { statements { paper { citation } } } } }"""
    for edge in by_graphql(client, query)["lineage"]["edges"]:
        for statement in edge["statements"]:
            if paper := statement["paper"]:
                assert paper["citation"].strip() in printed


def test_an_answer_without_papers_says_so(example_store, tmp_path):
    remark = "There are no papers in this answer to cite."
    asked = ("lineage", "NVIDIA A100", "-s", example_store)
    for options in (("--format", "bibtex"), ("-o", str(tmp_path / "a100.bib"))):
        done = stemma(*asked, *options)
        assert done.returncode == 0
        assert remark in done.stderr
