"""RDF on the command line: export, check, and SKOS added to the catalogue."""

import gzip
import json
from dataclasses import asdict
from pathlib import Path

import pytest

from command import answer, refused, stemma
from stemma.graph.rdf import validation
from stemma.graph.rdf.validation import Violation

SKOS = """\
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix my: <https://example.org/terms/> .
my:nibbling a skos:Concept ; skos:prefLabel "small bites"@en ; skos:altLabel "nibbling"@en .
my:broken a skos:Concept ; skos:altLabel "nothing"@en .
"""
PAPER = {
    "title": "Nibbler eats models",
    "abstract": "We present Nibbler, which is trained by nibbling. It uses PyTorch.",
}


@pytest.fixture
def folder(tmp_path) -> Path:
    """A folder with a paper and a vocabulary."""
    (tmp_path / "papers.jsonl").write_text(json.dumps(PAPER))
    (tmp_path / "terms.ttl").write_text(SKOS)
    return tmp_path


def test_the_name_of_the_file_decides_the_format_and_force_replaces_it(example_store, tmp_path):
    file = tmp_path / "graph.nt.gz"
    command = ("export", "-s", example_store, "-o", str(file))

    def exported(*options: str) -> list[str]:
        answer(*command, *options)
        return gzip.decompress(file.read_bytes()).decode().splitlines()

    lines = exported()
    assert lines == answer("export", "-s", example_store, "-f", "ntriples").splitlines()
    assert "graph.nt.gz already exists" in refused(*command)
    left_out = {*lines} - {*exported("--force", "--without-abstracts")}
    assert left_out and all("<https://schema.org/abstract>" in each for each in left_out)


def test_what_breaks_a_shape_is_reported_in_words_and_by_the_exit_status(
    example_store, monkeypatch
):
    broken = Violation("paper/quill", "stemma:field", '"body"', "Evidence is in one field.")
    monkeypatch.setattr(validation, "violations", lambda rdf, progress: iter([broken]))
    check = ("check", "--shapes", "-s", example_store)
    told = stemma(*check)
    assert told.returncode == 1
    assert told.stdout == 'paper/quill: stemma:field "body": Evidence is in one field.\n'
    data = json.loads(stemma(*check, "--format", "json").stdout)
    assert (data["valid"], data["problems"]) == (False, [asdict(broken)])


class TestCatalogue:
    def test_what_is_added_is_found_in_texts_and_kept_by_the_store(self, folder):
        built = stemma("build", "papers.jsonl", "--catalogue", "technique=terms.ttl", cwd=folder)
        assert built.returncode == 0, built.stderr
        assert "terms.ttl:4: " in built.stderr
        assert "it has no skos:prefLabel" in built.stderr
        shown = json.loads(answer("show", "nibbling", "-f", "json", cwd=folder))
        work = shown["work"]
        assert (work["id"], work["kind"]) == ("entity/small-bites", "TECHNIQUE")
        assert "Nothing new" in answer("build", "papers.jsonl", cwd=folder)
        answer("decide", "rename", "PyTorch", "Torch", cwd=folder)
        assert json.loads(answer("show", "nibbling", "-f", "json", cwd=folder)) == shown

    def test_a_changed_vocabulary_means_reading_again(self, folder):
        build = ("build", "papers.jsonl", "--catalogue")
        answer(*build, "technique=terms.ttl", cwd=folder)
        report = answer(*build, "none", "-f", "json", cwd=folder)
        assert json.loads(report)["papers_extracted"] == 1
        assert stemma("show", "small bites", cwd=folder).returncode == 1

    def test_no_kind_at_all_ends_the_command(self, folder):
        told = refused("build", "papers.jsonl", "--catalogue", "terms.ttl", cwd=folder)
        assert "No concept is usable" in told
        assert "--catalogue technique=terms.ttl" in told
        assert not (folder / "stemma.db").exists()


BASE = "https://example.org/graph/"


@pytest.mark.parametrize("catalogue", [(), ("--catalogue", "technique=terms.ttl")])
def test_extracting_and_loading_is_building_and_a_base_stays(folder, catalogue):
    for command in (
        ("extract", "papers.jsonl", "-o", "out.jsonl"),
        ("load", "out.jsonl", "-s", "loaded.db", "--base", BASE),
        ("build", "papers.jsonl", "-s", "built.db", "--base", BASE),
    ):
        answer(*command, *catalogue, cwd=folder)
    loaded, built = (
        answer("export", "-s", store, "--format", "nquads", "-o", "-", cwd=folder)
        for store in ("loaded.db", "built.db")
    )
    assert loaded == built
    assert f"<{BASE}paper/nibbler-eats-models>" in built
    other = stemma("build", "papers.jsonl", "-s", "built.db", "--base", BASE + "2/", cwd=folder)
    assert f"has the base {BASE}" in other.stderr
    assert stemma("build", "papers.jsonl", "--base", "graph", cwd=folder).returncode == 2
