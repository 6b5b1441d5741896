"""Graphs that come back: what was exported is taken in as it was, other RDF if it is valid."""

import gzip
import random
import re
from pathlib import Path

import pyoxigraph as ox
import pytest

from latest import latest
from stemma.graph import StoreError
from stemma.graph.export import ExportFormat, export
from stemma.graph.linked_extraction import canonical
from stemma.graph.rdf.file import RdfFile
from stemma.graph.sqlite import SqliteStore
from stemma.schema import Problem, Rename
from stemma.server.build import load

_SUFFIXES = {
    ExportFormat.NQUADS: ".nq",
    ExportFormat.TRIG: ".trig",
    ExportFormat.TURTLE: ".ttl",
    ExportFormat.NTRIPLES: ".nt",
    ExportFormat.JSONLD: ".jsonld",
    ExportFormat.JSONLD_FLAT: ".flat.jsonld",
    ExportFormat.RDFXML: ".rdf",
}


def exported(store: SqliteStore, path: Path, format: ExportFormat = ExportFormat.NQUADS) -> Path:
    with store.snapshot() as reader:
        export(reader, format, path)
    return path


@pytest.fixture
def graph(everything, tmp_path) -> Path:
    """The graph of everything, as a file."""
    return exported(everything, tmp_path / "graph.nq")


@pytest.fixture
def empty(tmp_path, catalogue) -> SqliteStore:
    return SqliteStore(tmp_path / "empty.db", catalogue=catalogue)


@pytest.mark.parametrize("name", ["graph.nq", "graph.trig", "graph.nq.gz", "graph.trig.gz"])
def test_what_was_exported_comes_back_with_the_same_bytes(everything, graph, empty, tmp_path, name):
    written = ExportFormat.TRIG if "trig" in name else ExportFormat.NQUADS
    report = load(empty, [exported(everything, tmp_path / f"export-{name}", written)])
    assert len(report.changes.added) == 4
    assert report.problems == []
    again = exported(empty, tmp_path / "again.nq")
    assert again.read_bytes() == graph.read_bytes()


def test_questions_have_the_same_answers(everything, graph, empty):
    load(empty, [graph])
    for name in ("Quill", "Ink", "Nib", "NVIDIA A100", "bottles", "entity/bottles"):
        id_ = latest(everything).resolve(name)
        assert latest(empty).resolve(name) == id_
        assert latest(empty).works([id_]) == latest(everything).works([id_])
        assert latest(empty).statements([id_]) == latest(everything).statements([id_])
    before, after = everything.statistics(), empty.statistics()
    assert (after.papers, after.statements, after.lineage_edges, after.decisions) == (
        before.papers, before.statements, before.lineage_edges, before.decisions
    )  # fmt: skip


def test_what_was_found_in_papers_comes_back_whole(papers, graph, empty):
    """Mentions, evidence, comparisons, sources and fingerprints: linking could start again."""
    load(empty, [graph])
    with empty.writer() as writer:
        assert writer.stored(["paper/ink"])["paper/ink"].extractor == "hand"
        writer.put(papers, "hand")
        assert not writer.commit(), "what comes again is known"
    with empty.snapshot() as reader:
        for each in papers:
            assert reader.reading(each.paper.id).extraction == canonical(each)


def test_decisions_come_back_and_go_on_to_hold(everything, graph, empty, describe, tmp_path):
    load(empty, [graph])
    assert empty.decisions.read() == everything.decisions.read()
    assert not empty.lacks_decisions()
    later = describe("Later", "Of Ink and bottles.", "framework bottles: USES")
    for store in (everything, empty):
        with store.writer() as writer:
            writer.put([later], "hand")
            assert writer.commit().added == ["paper/later"]
    one, other = (
        exported(each, tmp_path / f"{n}.nq") for n, each in enumerate((everything, empty))
    )
    assert one.read_bytes() == other.read_bytes()
    assert latest(empty).resolve("bottles") == "entity/ink"


def test_decisions_that_a_store_has_are_kept_and_applied(graph, empty):
    empty.decisions.append(Rename("Quill", "Feather"))
    load(empty, [graph])
    assert empty.decisions.read() == (Rename("Quill", "Feather"),)
    assert latest(empty).works([latest(empty).resolve("Feather")])["entity/quill"].name == "Feather"
    assert latest(empty).resolve("bottles") == "entity/bottles", "nobody here merged it"


def test_lines_in_any_order_are_the_same_graph(graph, empty, tmp_path):
    lines = graph.read_bytes().splitlines(keepends=True)
    random.Random(5).shuffle(lines)
    shuffled = tmp_path / "shuffled.nq"
    shuffled.write_bytes(b"".join(lines))
    load(empty, [shuffled])
    assert exported(empty, tmp_path / "again.nq").read_bytes() == graph.read_bytes()


def test_a_new_store_has_the_base_of_the_graph(papers, catalogue, empty, tmp_path):
    elsewhere = SqliteStore(tmp_path / "a.db", "https://example.org/kg/", catalogue)
    with elsewhere.writer() as writer:
        writer.put(papers, "hand")
        writer.commit()
    file = exported(elsewhere, tmp_path / "elsewhere.nq")
    load(empty, [file])
    assert empty.base == "https://example.org/kg/"
    assert exported(empty, tmp_path / "again.nq").read_bytes() == file.read_bytes()


def test_a_store_that_was_made_with_another_base_keeps_it(graph, catalogue, tmp_path):
    asked = SqliteStore(tmp_path / "a.db", "https://example.org/kg/", catalogue)
    load(asked, [graph])
    assert asked.base == "https://example.org/kg/"
    assert asked.statistics().papers == 4


def test_into_a_store_with_papers_they_are_linked_with_these(graph, store, describe, tmp_path):
    other = SqliteStore(tmp_path / "other.db", catalogue=store._catalogue)
    with other.writer() as writer:
        writer.put([describe("Pen", "A pen on Quill.", "framework Quill: BUILDS_ON")], "hand")
        writer.commit()
    report = load(other, [graph])
    assert other.statistics().papers == 5
    assert {
        each.subject for each in latest(other).statements(["entity/quill"])["entity/quill"]
    } == {
        "paper/pen",
        "paper/quill-a-store",
    }
    assert ["not imported" in str(p) for p in report.problems] == [True]


@pytest.mark.parametrize("format", _SUFFIXES)
def test_papers_are_read_from_every_format(papers, catalogue, tmp_path, format):
    source = SqliteStore(tmp_path / "source.db", catalogue=catalogue)
    with source.writer() as writer:
        writer.put(papers, "hand")
        writer.commit()
    file = exported(source, tmp_path / f"graph{_SUFFIXES[format]}", format)
    other = SqliteStore(tmp_path / "other.db", catalogue=catalogue)
    assert load(other, [file]).problems == []
    one, same = exported(source, tmp_path / "1.nq"), exported(other, tmp_path / "2.nq")
    assert one.read_bytes() == same.read_bytes()


class TestRefused:
    def test_a_graph_whose_lineage_names_no_statements(self, graph, empty):
        lines = graph.read_bytes().splitlines(keepends=True)
        graph.write_bytes(b"".join(each for each in lines if b"ontology#child>" not in each))
        with pytest.raises(StoreError, match="older version"):
            load(empty, [graph])

    def test_a_graph_that_was_cut_off(self, graph, empty, tmp_path):
        lines = graph.read_bytes().splitlines(keepends=True)
        cut = tmp_path / "cut.nq"
        cut.write_bytes(b"".join(lines[: len(lines) * 2 // 3]))
        with pytest.raises(StoreError, match=r"incomplete|damaged"):
            load(empty, [cut])
        with pytest.raises(StoreError, match="There is no graph"):
            empty.statistics()
        assert not empty.decisions.path.exists()

    def test_a_graph_without_abstracts(self, graph, empty, tmp_path):
        bare = tmp_path / "bare.nq"
        lines = graph.read_bytes().splitlines(keepends=True)
        bare.write_bytes(b"".join(each for each in lines if b"schema.org/abstract>" not in each))
        with pytest.raises(StoreError, match="without abstracts"):
            load(empty, [bare])

    def test_no_rdf_with_the_line(self, empty, tmp_path):
        wrong = tmp_path / "wrong.nq"
        wrong.write_text("<https://example.org/a> <https://example.org/b> 5x .\n")
        with pytest.raises(StoreError, match=r"wrong\.nq:1: "):
            load(empty, [wrong])

    def test_what_was_refused_leaves_the_store_fit_to_load(self, graph, empty, tmp_path):
        damaged = tmp_path / "damaged.nq"
        damaged.write_text(graph.read_text().replace("2021-04-15", "soon"))
        for _ in range(2):
            with pytest.raises(StoreError, match="damaged") as refused:
                load(empty, [damaged])
            del refused
        assert load(empty, [graph]).records == empty.statistics().papers

    def test_a_paper_in_a_graph_of_another_name(self, graph, empty, tmp_path):
        lines = graph.read_text().splitlines(keepends=True)
        moved = (re.sub(r"paper/quill(\S+> \.)$", r"paper/quail\1", each) for each in lines)
        damaged = tmp_path / "damaged.nq"
        damaged.write_text("".join(moved))
        with pytest.raises(StoreError, match=r"damaged.*paper/quill"):
            load(empty, [damaged])

    def test_an_entity_that_is_gone(self, graph, empty, tmp_path):
        damaged = tmp_path / "damaged.nq"
        lines = graph.read_text().splitlines(keepends=True)
        damaged.write_text("".join(each for each in lines if "#prefLabel>" not in each))
        with pytest.raises(StoreError, match="damaged"):
            load(empty, [damaged])

    def test_a_statement_that_is_too_large(self, graph, empty, tmp_path):
        large = tmp_path / "large.nq"
        large.write_text(graph.read_text().replace("Ink flows.", "Ink flows." * 2_000_000))
        with pytest.raises(StoreError, match="larger than 16 MiB"):
            load(empty, [large])

    def test_a_damaged_archive(self, graph, empty, tmp_path):
        damaged = tmp_path / "damaged.nq.gz"
        damaged.write_bytes(gzip.compress(graph.read_bytes())[:-500])
        with pytest.raises(StoreError, match=r"damaged\.nq\.gz cannot be read"):
            load(empty, [damaged])

    def test_a_graph_of_others_that_is_not_valid(self, empty, tmp_path):
        foreign = tmp_path / "foreign.ttl"
        foreign.write_text(
            "@prefix schema: <https://schema.org/> .\n"
            "<https://example.org/paper/one> a schema:ScholarlyArticle ; schema:name 'One' .\n"
        )
        with pytest.raises(StoreError) as refused:
            load(empty, [foreign])
        assert "A paper has a source" in str(refused.value)
        assert "`stemma check --shapes" in str(refused.value)

    def test_a_file_whose_name_is_not_one_of_rdf(self, tmp_path):
        with (
            pytest.raises(StoreError, match=r"has one of the extensions .*\.nq"),
            RdfFile(tmp_path / "graph.doc").opened(),
        ):
            pass


def test_a_valid_graph_of_others_is_linked(papers, catalogue, empty, tmp_path):
    """With IRIs of their own, and no description of a data set."""
    source = SqliteStore(tmp_path / "source.db", "https://example.org/kg/", catalogue)
    with source.writer() as writer:
        writer.put(papers, "hand")
        writer.commit()
    file = exported(source, tmp_path / "graph.nt", ExportFormat.NTRIPLES)
    foreign = tmp_path / "foreign.nt"
    foreign.write_bytes(
        b"".join(
            each
            for each in file.read_bytes().splitlines(keepends=True)
            if not each.startswith(b"<https://example.org/kg/dataset")
        ).replace(b"kg/paper/", b"articles/")
    )
    report = load(empty, [foreign])
    assert sorted(report.changes.added) == [
        "paper/blot",
        "paper/ink",
        "paper/nib-and-zero-infinity",
        "paper/quill-a-store",
    ]
    assert (
        latest(empty)
        .works([latest(empty).resolve("Quill: a store")])["paper/quill-a-store"]
        .author_count
        == 3
    )


def test_a_damaged_paper_is_reported_and_the_others_are_read(graph, store, empty, tmp_path):
    rdf = ox.Store()
    rdf.bulk_load(graph.read_bytes(), format=ox.RdfFormat.N_QUADS)
    broken = ox.NamedNode("https://w3id.org/stemma/id/paper/ink#ink")
    for quad in list(rdf.quads_for_pattern(broken, None, None, None)):
        rdf.remove(quad)
    file = tmp_path / "broken.ttl"
    triples = {quad.triple for quad in rdf}
    file.write_bytes(ox.serialize(sorted(triples, key=str), format=ox.RdfFormat.TURTLE))
    report = load(empty, [file])
    assert empty.statistics().papers == 3
    told = [each for each in report.problems if isinstance(each, Problem)]
    assert any("paper/ink> cannot be read" in str(each) for each in told)
