"""One lineage of a graph, in every format: its works, what is said among them, nothing besides."""

import pyoxigraph as ox
import pytest

from stemma.graph import LineageDirection
from stemma.graph.export import ExportFormat, works_of_lineage
from stemma.schema.namespace import RDF

_BASE = "https://w3id.org/stemma/id/"
OF_TABLES = {ExportFormat.CSV, ExportFormat.NEO4J_CSV}


@pytest.fixture
def works_of(graph):
    def _works_of(of: str, direction=LineageDirection.DESCENDANTS, depth=3) -> frozenset[str]:
        with graph.snapshot() as reader:
            return works_of_lineage(reader, of, direction, depth)

    return _works_of


@pytest.fixture
def quads(works_of, exported):
    """The RDF of what builds on Quill."""
    return set(ox.parse(exported(ExportFormat.NQUADS, works_of("quill")), ox.RdfFormat.N_QUADS))


def test_its_works_are_those_of_the_lineage_and_the_papers_that_tell_of_it(works_of):
    papers = {"paper/quill-a-store-more", "paper/reed", "paper/reeds-again"}
    assert works_of("Quill") == {"entity/quill", "entity/reed"} | papers
    assert works_of("Quill", LineageDirection.ANCESTORS) == {
        "entity/quill",
        "entity/zero",
        "entity/adam",
        "paper/quill-a-store-more",
    }
    assert "entity/reed" not in works_of("ZeRO", depth=1)
    assert "entity/reed" in works_of("ZeRO", depth=2)


def test_it_says_how_its_works_relate_with_the_sentences(quads):
    said = {
        (quad.subject.value.removeprefix(f"{_BASE}paper/"), quad.object.value.removeprefix(_BASE))
        for quad in quads
        if quad.predicate.value == f"{RDF}object"
    }
    assert said == {
        *((f"{each}#builds-on-quill", "entity/quill") for each in ("reed", "reeds-again")),
        ("quill-a-store-more#introduces-quill", "entity/quill"),
        *(("reed#introduces-reed", "entity/reed"), ("reeds-again#uses-reed", "entity/reed")),
    }
    texts = {quad.object.value for quad in quads if quad.predicate.value.endswith("oa#exact")}
    assert "Reed extends Quill; Quill, again." in texts


def test_it_is_a_part_of_the_graph_and_nothing_leads_out_of_it(graph, quads):
    with graph.snapshot() as reader:
        assert quads < set(reader.dataset.rdf)
    subjects = {quad.subject for quad in quads}
    within = {
        quad.object
        for quad in quads
        if isinstance(quad.object, ox.NamedNode) and quad.object.value.startswith(_BASE)
    }
    assert within <= subjects
    whole = {quad for quad in quads if quad.subject.value == f"{_BASE}dataset"}
    assert not whole, "that is described where all of it is"


@pytest.mark.parametrize("format", [each for each in ExportFormat if each not in OF_TABLES])
def test_other_formats_hold_no_other_works(works_of, exported, format):
    text = exported(format, works_of("Quill")).decode()
    assert "entity/reed" in text
    assert "ten" in text
    assert "entity/adam" not in text
    assert "entity/zero" not in text
    assert "paper/nib" not in text
