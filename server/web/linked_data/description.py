"""Descriptions: the RDF about one thing in the graph."""

from collections.abc import Iterator

import pyoxigraph as ox

from stemma.graph.rdf.graphs import DATASET
from stemma.graph.rdf.vocabulary import expanded
from stemma.graph.sqlite.rdf_projection import RdfCache
from stemma.schema.name import AUTHOR, ENTITY, PAPER

_SD = "http://www.w3.org/ns/sparql-service-description#"
_PART_OF = "http://purl.org/dc/terms/isPartOf"


def knows(dataset: RdfCache, local: str) -> bool:
    """Return whether there is anything to describe."""
    try:
        me = ox.NamedNode(dataset.base + local)
    except ValueError:
        return False
    quads = dataset.rdf.quads_for_pattern(me, None, None)
    return next(quads, None) is not None or dataset.rdf.contains_named_graph(me)


def describe(dataset: RdfCache, local: str) -> list[ox.Triple]:
    """Return what the graph says of the thing with the IRI that ends in `local`, each once.

    For a paper, that is all of its named graph, and how others cite it; of an author what
    papers they wrote; of an entity what is said of it, which works relate to it, and the facts of
    the catalogue.
    """
    rdf, me = dataset.rdf, ox.NamedNode(dataset.base + local)
    quads = [*rdf.quads_for_pattern(me, None, None)]
    if local.startswith(ENTITY):
        quads += _about_entity(dataset, me)
    elif local.startswith(AUTHOR):
        quads += rdf.quads_for_pattern(None, ox.NamedNode(expanded("schema:creator")), me)
    elif local.startswith(PAPER):
        quads += rdf.quads_for_pattern(None, None, me)
    triples = [quad.triple for quad in quads]
    if rdf.contains_named_graph(me):
        # Graphs of papers and of the data set are small; those of all entities need not be.
        if local.startswith(PAPER) or local == DATASET:
            triples += (quad.triple for quad in rdf.quads_for_pattern(None, None, None, me))
        else:
            named_graph, data_set = f"{_SD}NamedGraph", ox.NamedNode(dataset.base + DATASET)
            triples += (
                ox.Triple(me, ox.NamedNode(expanded("rdf:type")), ox.NamedNode(named_graph)),
                ox.Triple(me, ox.NamedNode(f"{_SD}name"), me),
                ox.Triple(me, ox.NamedNode(_PART_OF), data_set),
            )
    return list(dict.fromkeys(triples))


def _about_entity(dataset: RdfCache, me: ox.NamedNode) -> Iterator[ox.Quad]:
    yield from dataset.rdf.quads_for_pattern(None, None, me)
    for quad in dataset.rdf.quads_for_pattern(None, ox.NamedNode(expanded("rdf:subject")), me):
        yield from dataset.rdf.quads_for_pattern(quad.subject, None, None, quad.graph_name)
