"""Nanopublications: valid by their own library, and true to the graph."""

import sys
from io import BytesIO

import pyoxigraph as ox
import pytest
import rdflib
from nanopub import Nanopub
from rdflib.namespace import PROV, RDF

from stemma.graph import StoreError
from stemma.graph.export import ExportFormat, Portion, export_portion
from stemma.graph.rdf.file import RdfFile
from stemma.graph.rdf.importing import papers
from stemma.graph.rdf.validation import Validation, Violation

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")
_STEMMA = rdflib.Namespace("https://w3id.org/stemma/ontology#")
_OA = rdflib.Namespace("http://www.w3.org/ns/oa#")


def each(data: bytes) -> list[rdflib.ConjunctiveGraph]:
    head, *parts = data.decode().split("\n\n")
    graphs = []
    for part in parts:
        graph = rdflib.ConjunctiveGraph()
        graph.parse(data=f"{head}\n{part}", format="trig")
        graphs.append(graph)
    return graphs


def test_each_is_valid_and_its_iri_is_its_hash(exported):
    graphs = each(exported(ExportFormat.NANOPUB))
    assert len(graphs) > 8
    for graph in graphs:
        published = Nanopub(rdf=graph)
        assert published.is_valid
        assert published.has_valid_trusty


def test_a_change_is_noticed(exported):
    changed = exported(ExportFormat.NANOPUB).replace(b"stemma:buildsOn <", b"stemma:uses <")
    found = [Nanopub(rdf=graph) for graph in each(changed)]
    broken = 0
    for published in found:
        try:
            assert published.has_valid_trusty
        except ValueError:
            broken += 1
    assert 0 < broken < len(found)


def test_they_assert_the_statements_of_papers_with_sentences(graph, exported):
    asserted, quoted = set(), set()
    for one in each(exported(ExportFormat.NANOPUB)):
        published = Nanopub(rdf=one)
        (triple,) = published.assertion
        asserted.add(triple)
        (name,) = one.objects(None, rdflib.URIRef("http://www.nanopub.org/nschema#hasAssertion"))
        assert list(one.objects(name, PROV.wasDerivedFrom)) == [triple[0]]
        assert len(list(one.objects(name, _STEMMA.confidence))) == 1
        quoted |= {str(text) for text in one.objects(None, _OA.exact)}
    with graph.snapshot() as reader:
        held = rdflib.Dataset(default_union=True)
        held.parse(data=reader.rdf.dump(format=ox.RdfFormat.N_QUADS), format="nquads")
    stated = {
        tuple(held.value(each_, part) for part in (RDF.subject, RDF.predicate, RDF.object))
        for each_ in held.subjects(RDF.type, RDF.Statement)
    }
    assert asserted == {triple for triple in stated if "/paper/" in triple[0]}
    assert quoted == {str(text) for text in held.objects(None, _OA.exact)}


def violations(data: bytes) -> list[Violation]:
    store = ox.Store()
    store.load(data, ox.RdfFormat.TRIG)
    return list(Validation(store).violations())


def test_validation_finds_what_was_changed(exported):
    data = exported(ExportFormat.NANOPUB)
    assert violations(data) == []
    changed = violations(data.replace(b"stemma:buildsOn <", b"stemma:uses <"))
    assert changed
    assert {each.reason for each in changed} == {
        "The hash in the IRI is not that of the content, which was changed."
    }
    assert all(each.node.startswith("https://w3id.org/stemma/np/RA") for each in changed)


def test_validation_finds_what_is_missing_or_was_added(exported):
    data = exported(ExportFormat.NANOPUB)
    first = data.split(b"\n\n")[1]
    without = data.replace(first, first[: first.rindex(b"<", 0, first.index(b"#pubinfo> {"))])
    (incomplete,) = violations(without)
    assert "an assertion, its provenance and its pubinfo" in incomplete.reason
    more = data + b"<x:a> <x:b> <x:c> .\n<x:g> { <x:a> <x:b> <x:c> }\n"
    assert [each.node for each in violations(more)] == ["x:g", "the default graph"]


def test_papers_are_not_imported_from_them(exported, tmp_path):
    file = tmp_path / "statements.trig"
    file.write_bytes(exported(ExportFormat.NANOPUB))
    with pytest.raises(StoreError, match="papers cannot be restored"):
        list(papers(RdfFile(file)))


def test_without_the_library_it_says_what_to_install(graph, monkeypatch):
    monkeypatch.setitem(sys.modules, "nanopub", None)
    with graph.snapshot() as reader, pytest.raises(StoreError, match=r"stemma\[nanopub\]"):
        export_portion(Portion(reader), ExportFormat.NANOPUB, BytesIO())
