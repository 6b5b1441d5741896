"""The formats that a graph is exported in, and their file extensions."""

from enum import StrEnum
from pathlib import Path


class ExportFormat(StrEnum):
    """The formats that a graph can be exported in."""

    TURTLE = "turtle"
    NTRIPLES = "ntriples"
    NQUADS = "nquads"
    TRIG = "trig"
    JSONLD = "jsonld"
    JSONLD_FLAT = "jsonld-flat"
    RDFXML = "rdfxml"
    GRAPHML = "graphml"
    GEXF = "gexf"
    CSV = "csv"
    NEO4J_CSV = "neo4j-csv"


RDF_FORMATS = frozenset(
    {
        ExportFormat.TURTLE,
        ExportFormat.NTRIPLES,
        ExportFormat.NQUADS,
        ExportFormat.TRIG,
        ExportFormat.JSONLD,
        ExportFormat.JSONLD_FLAT,
        ExportFormat.RDFXML,
    }
)
_SUFFIXES = {
    ".ttl": ExportFormat.TURTLE,
    ".nt": ExportFormat.NTRIPLES,
    ".nq": ExportFormat.NQUADS,
    ".nquads": ExportFormat.NQUADS,
    ".trig": ExportFormat.TRIG,
    ".jsonld": ExportFormat.JSONLD,
    ".rdf": ExportFormat.RDFXML,
    ".graphml": ExportFormat.GRAPHML,
    ".gexf": ExportFormat.GEXF,
    ".csv": ExportFormat.CSV,
}


def format_of(path: Path) -> ExportFormat:
    """Return the format of a file by its extension, compressed or not.

    Raises ValueError if it is unknown.
    """
    name = path.name.lower().removesuffix(".gz")
    for suffix, format_ in _SUFFIXES.items():
        if name.endswith(suffix):
            return format_
    known = ", ".join(_SUFFIXES)
    raise ValueError(f"the name {path.name!r} ends in none of {known}: give its --format")
