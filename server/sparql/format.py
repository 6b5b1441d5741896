"""Formats of answers, by their media types."""

import pyoxigraph as ox

SOLUTIONS = {
    "application/sparql-results+json": ox.QueryResultsFormat.JSON,
    "application/sparql-results+xml": ox.QueryResultsFormat.XML,
    "text/csv": ox.QueryResultsFormat.CSV,
    "text/tab-separated-values": ox.QueryResultsFormat.TSV,
    "application/json": ox.QueryResultsFormat.JSON,
    "application/xml": ox.QueryResultsFormat.XML,
    "text/xml": ox.QueryResultsFormat.XML,
}
"""What SELECT and ASK are answered with, the best first."""

GRAPHS = {
    "text/turtle": ox.RdfFormat.TURTLE,
    "application/n-triples": ox.RdfFormat.N_TRIPLES,
    "application/ld+json": ox.RdfFormat.JSON_LD,
    "application/rdf+xml": ox.RdfFormat.RDF_XML,
    "application/json": ox.RdfFormat.JSON_LD,
    "application/xml": ox.RdfFormat.RDF_XML,
    "text/plain": ox.RdfFormat.N_TRIPLES,
}
"""What CONSTRUCT and DESCRIBE are answered with, the best first."""

SUFFIXES = {
    "ttl": "text/turtle",
    "nt": "application/n-triples",
    "jsonld": "application/ld+json",
    "rdf": "application/rdf+xml",
}
"""The media types of graphs by the ends of their addresses."""
