"""Nanopublications: the hash in the IRI of each, and what is wrong with a graph of them.

See https://nanopub.net/guidelines/working_draft/ and https://trustyuri.net.
"""

from collections.abc import Iterator
from importlib.util import find_spec

import pyoxigraph as ox

from stemma.graph.rdf.vocabulary import TYPE
from stemma.graph.store import StoreError

NP = "http://www.nanopub.org/nschema#"
PARTS = ("hasAssertion", "hasProvenance", "hasPublicationInfo")
"""From a nanopublication to its graphs; a fourth one, its head, has these links."""


def expect_library() -> None:
    """Raise StoreError where the library is not installed."""
    try:
        found = find_spec("nanopub")
    except ValueError:  # what find_spec raises for a module that was made unavailable
        found = None
    if found is None:
        raise StoreError("nanopublications need a library: pip install 'stemma[nanopub]'")


def content_hash(quads: str, namespace: str) -> str:
    """Return the hash of a nanopublication in N-Quads, whose own IRIs begin with `namespace`."""
    from nanopub.trustyuri.rdf.RdfHasher import make_hash  # noqa: PLC0415 - it is optional
    from rdflib import Dataset  # noqa: PLC0415

    graph = Dataset()
    graph.parse(data=quads, format="nquads")
    listed = [(name, *triple) for *triple, name in graph.quads()]
    return str(make_hash(listed, baseuri=namespace, hashstr=" "))


def nanopublications(rdf: ox.Store) -> dict[str, set[ox.NamedNode]]:
    """Return the graphs of each nanopublication, by its IRI."""
    found = {}
    kind = ox.NamedNode(f"{NP}Nanopublication")
    for head in rdf.quads_for_pattern(None, ox.NamedNode(TYPE), kind):
        parts = [
            quad.object
            for part in PARTS
            for quad in rdf.quads_for_pattern(
                head.subject, ox.NamedNode(NP + part), None, head.graph_name
            )
        ]
        graphs = {each for each in (head.graph_name, *parts) if isinstance(each, ox.NamedNode)}
        if isinstance(head.subject, ox.NamedNode):
            found[head.subject.value] = graphs
    return dict(sorted(found.items()))


def problems(rdf: ox.Store, published: dict[str, set[ox.NamedNode]]) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with a graph of nanopublications: an IRI, and the reason.

    Raises StoreError where the library is not installed.
    """
    expect_library()
    for iri, graphs in published.items():
        quads = [quad for each in graphs for quad in rdf.quads_for_pattern(None, None, None, each)]
        if len({each.graph_name for each in quads}) != 1 + len(PARTS):
            yield iri, "A nanopublication has an assertion, its provenance and its pubinfo."
            continue
        text = (ox.serialize(quads, None, ox.RdfFormat.N_QUADS) or b"").decode()
        if content_hash(text, f"{iri}#") != iri.rpartition("/")[2]:
            yield iri, "The hash in the IRI is not that of the content, which was changed."
    others = {each.graph_name for each in rdf}.difference(*published.values())
    for graph in sorted(others, key=str):
        name = graph.value if isinstance(graph, ox.NamedNode) else "the default graph"
        yield name, "These triples belong to no nanopublication."
