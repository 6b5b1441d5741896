"""What the shapes require of a graph: a valid one conforms, and each violation is reported."""

from collections.abc import Callable, Iterator
from hashlib import sha256
from itertools import groupby, zip_longest
from operator import itemgetter

import pyoxigraph as ox
import pytest
import rdflib
from pyshacl import validate
from rdflib.namespace import SH

from stemma.graph.rdf import validation
from stemma.graph.rdf import vocabulary as v
from stemma.graph.rdf.validation import violations
from stemma.graph.sqlite import SqliteStore
from stemma.schema import SECTIONS, Bound, Direction, EntityKind, Field, Reject, RelationType
from stemma.schema.namespace import SHAPES_FILE, XSD

BASE = "https://w3id.org/stemma/id/"
QUILL = f"{BASE}paper/quill-a-store"
USES, BUILDS = f"{QUILL}#uses-adam", f"{QUILL}#builds-on-ink"
QUOTE = f"{QUILL}#abstract-0-24"
Break = Callable[[ox.Store], object]
Row = tuple[str, str, Break, str]


@pytest.fixture
def rdf(everything: SqliteStore) -> ox.Store:
    """The graph of a store, to be changed at will."""
    copy = ox.Store()
    with everything.snapshot() as reader:
        copy.extend(reader.dataset.rdf)
    return copy


def node(value: str) -> ox.NamedNode:
    prefix, _, name = value.partition(":")
    return ox.NamedNode(v.PREFIXES[prefix] + name if prefix in v.PREFIXES else value)


def without(subject: str, predicate: str) -> Break:
    """Take out all that is said of a subject by a predicate."""

    def _break(rdf: ox.Store) -> None:
        quads = list(rdf.quads_for_pattern(node(subject), node(predicate), None, None))
        assert quads, f"{subject} has no {predicate}"
        for quad in quads:
            rdf.remove(quad)

    return _break


def also(subject: str, predicate: str, value: ox.NamedNode | ox.Literal) -> Break:
    """Say one thing more."""
    return lambda rdf: rdf.add(ox.Quad(node(subject), node(predicate), value))


def instead(subject: str, predicate: str, value: ox.NamedNode | ox.Literal) -> Break:
    """Say another thing."""
    steps = without(subject, predicate), also(subject, predicate, value)
    return lambda rdf: [step(rdf) for step in steps]


def text(value: str, datatype: str = "string") -> ox.Literal:
    return ox.Literal(value, datatype=ox.NamedNode(XSD + datatype))


COMPARISON = f"{QUILL}#compares-with-ink-comparison"
DIFFERENCE = f"{BASE}paper/nib-and-zero-infinity#builds-on-zero-infinity-comparison"
PERSON = f"{BASE}author/ada-quill--0000-0002-1825-0097"
SOURCE, SECTION = f"{QUILL}#source-2", f"{QUILL}#section-1"
NIB, EXTENDS = f"{BASE}entity/nib", f"{BASE}paper/nib-and-zero-infinity#builds-on-zero-infinity"
ENTITY, ADAM = f"{BASE}entity/quill", f"{BASE}entity/adam"
REJECTED = f"{QUILL}#mentions-nib"
REJECT = Reject("paper/quill-a-store", RelationType.MENTIONS, "Nib")
DECISION = f"{BASE}decision/{sha256(str(REJECT).encode()).hexdigest()[:16]}"
RUN, DATASET = f"{BASE}run/hand", f"{BASE}dataset"
BROKEN: list[Row] = [
    ("Paper", QUILL, without(QUILL, "schema:name"), "one title"),
    ("Paper", QUILL, instead(QUILL, "schema:datePublished", text("2021-04-05")), "one date"),
    ("Paper", QUILL, also(QUILL, "schema:author", node(ADAM)), "a schema:Person"),
    ("Paper", QUILL, also(QUILL, "stemma:introduces", node(f"{BASE}entity/x")), "of the graph"),
    ("Paper", QUILL, instead(QUILL, "stemma:mainContribution", node(ADAM)), "that the paper"),
    ("Paper", QUILL, also(QUILL, "stemma:runsOn", node(ADAM)), "also an rdf:Statement"),
    ("Author", ADAM, also(QUILL, "schema:author", node(ADAM)), "ends in their place"),
    ("Person", ADAM, also(QUILL, "schema:creator", node(ADAM)), "base with author/"),
    ("Person", PERSON, also(ADAM, "schema:creator", node(PERSON)), "What a person wrote"),
    ("Section", SECTION, instead(SECTION, "stemma:citation", text("A Nib")), "two offsets and"),
    ("FileEntry", SOURCE, instead(SOURCE, "stemma:file", text("/home/me/a.txt")), "not absolute"),
    ("FileEntry", SOURCE, instead(SOURCE, "stemma:sha256", text("abc")), "64 hexadecimal"),
    ("Entity", ENTITY, also(ENTITY, "skos:broader", node(f"{BASE}entity/x")), "broader entity is"),
    ("Entity", ENTITY, also(ENTITY, "skos:broader", node(ENTITY)), "have no cycles"),
    ("Lineage", ENTITY, also(ENTITY, "stemma:derivesFrom", node(ENTITY)), "derives from itself"),
    ("Lineage", ENTITY, also(ENTITY, "stemma:derivesFrom", node(QUILL)), "derives from is an"),
    ("Lineage", NIB, without(EXTENDS, "stemma:child"), "supported by a statement"),
    ("Lineage", ENTITY, also(ENTITY, "stemma:derivesFrom", node(ADAM)), "supported by a statement"),
    ("Naming", f"{QUILL}#adam", without(f"{QUILL}#adam", "stemma:denotes"), "denotes one"),
    ("Claim", USES, instead(USES, "stemma:confidence", text("1.5", "double")), "from 0 to 1"),
    ("Claim", USES, without(USES, "stemma:evidence"), "has evidence"),
    ("Statement", USES, without(QUILL, "stemma:uses"), "plain triple"),
    ("Statement", BUILDS, instead(BUILDS, "stemma:child", node(ADAM)), "supports a lineage edge"),
    ("RejectedStatement", REJECTED, also(REJECTED, "rdf:type", node("rdf:Statement")), "not both"),
    ("Evidence", QUOTE, instead(QUOTE, "oa:exact", text("Quill eats paper.")), "at these offsets"),
    ("Evidence", QUOTE, instead(QUOTE, "oa:start", text("24", "integer")), "less than its end"),
    ("Evidence", QUOTE, without(QUOTE, "stemma:field"), "or (in the plain graph) none"),
    ("Comparison", COMPARISON, also(COMPARISON, "stemma:factor", text("0", "double")), "above 0"),
    ("Comparison", COMPARISON, also(COMPARISON, "stemma:low", text("1", "double")), "both a low"),
    ("Comparison", DIFFERENCE, also(DIFFERENCE, "stemma:factor", text("1", "double")), "not two"),
    ("Comparison", DIFFERENCE, without(DIFFERENCE, "stemma:difference"), "at least one property"),
    ("Citation", QUILL, also(QUILL, "cito:cites", node(ADAM)), "cited resource"),
    ("Citation", ADAM, also(ADAM, "cito:cites", node(QUILL)), "citing resource"),
    ("Run", RUN, without(RUN, "stemma:fingerprint"), "one fingerprint"),
    ("Decision", DECISION, without(DECISION, "stemma:number"), "one number"),
    ("Dataset", DATASET, instead(DATASET, "void:uriSpace", text("here")), "ends in / or #"),
]  # fmt: skip


def rounds() -> Iterator[list[Row]]:
    """Deal out the rows: one of each shape a round, since one validation can report them all."""
    shapes = [list(rows) for _, rows in groupby(BROKEN, key=itemgetter(0))]
    for rows in zip_longest(*shapes):
        yield [row for row in rows if row]


def test_what_stemma_writes_is_valid(everything, monkeypatch):
    monkeypatch.setattr(validation, "_TRIPLES_AT_ONCE", 100)
    plain, told = ox.Store(), []
    with everything.snapshot() as reader:
        assert list(violations(reader.dataset.rdf, lambda *each: told.append(each))) == []
        for _, lines in reader.dataset.graphs():
            plain.load(b"".join(lines), ox.RdfFormat.N_TRIPLES)
    assert len(told) > 1, "it is checked in batches"
    assert told[-1][0] == told[-1][1]
    assert list(violations(plain)) == []


def test_pyshacl_by_itself_finds_what_we_find(rdf):
    without(QUILL, "stemma:uses")(rdf)
    data = rdflib.Graph()
    for quad in rdf:
        data.parse(data=f"{quad.triple} .", format="nt")
    _, report, _ = validate(data, shacl_graph=rdflib.Graph().parse(SHAPES_FILE))
    told = {str(each) for each in report.objects(None, SH.resultMessage)}
    assert told == {violation.reason for violation in violations(rdf)} != set()


def test_what_breaks_a_shape_is_reported_with_its_place(rdf):
    whole = list(rdf)
    for rows in rounds():
        rdf.clear()
        rdf.extend(whole)
        for _, _, broken, _ in rows:
            broken(rdf)
        found = list(violations(rdf))
        for shape, where, _, reason in rows:
            told = {each.node for each in found if reason in each.reason}
            assert where in told, f"{shape}: {reason}"


def test_each_shape_is_broken_by_some_test():
    shapes = rdflib.Graph().parse(SHAPES_FILE)
    named = {str(each).rpartition("#")[2] for each in shapes.subjects(SH.property, None)
             if isinstance(each, rdflib.URIRef)}  # fmt: skip
    assert named == {shape for shape, *_ in BROKEN}


def test_shapes_list_what_the_model_knows():
    shapes = rdflib.Graph().parse(SHAPES_FILE)
    lists = {
        tuple(sorted(str(each).rpartition("#")[2] for each in shapes.items(head)))
        for head in shapes.objects(None, SH["in"])
    }
    assert lists == {
        tuple(sorted(bound.value for bound in Bound)),
        tuple(sorted(direction.value for direction in Direction)),
        tuple(sorted(kind.value.capitalize() for kind in EntityKind)),
        tuple(sorted(v.RELATIONS[relation].partition(":")[2] for relation in RelationType)),
        tuple(sorted(Field)),
        tuple(sorted(SECTIONS)),
    }
