"""Exports: a graph, or one lineage of it, in formats that others read.

The same papers give the same bytes, in whatever order they came. Each family of formats lives in a
file of its own here.
"""

from collections.abc import Callable, Iterable
from enum import StrEnum
from pathlib import Path
from typing import IO

from stemma.graph.export import csv_text, graphml, rdf
from stemma.graph.export.destination import beside, new_folder, write_files
from stemma.graph.export.portion import Portion, works_of_lineage
from stemma.graph.store import StoreError

__all__ = ["ExportFormat", "Portion", "export_portion", "format_of", "works_of_lineage"]


class ExportFormat(StrEnum):
    """The formats that a graph can be exported in."""

    TURTLE = "turtle"
    NTRIPLES = "ntriples"
    NQUADS = "nquads"
    TRIG = "trig"
    JSONLD = "jsonld"
    GRAPHML = "graphml"
    CSV = "csv"
    NEO4J_CSV = "neo4j-csv"


_FILES: dict[ExportFormat, tuple[str, Callable[[Portion], Iterable[bytes]]]] = {
    ExportFormat.TURTLE: (".ttl", rdf.turtle),
    ExportFormat.NTRIPLES: (".nt", rdf.ntriples),
    ExportFormat.NQUADS: (".nq", rdf.nquads),
    ExportFormat.TRIG: (".trig", rdf.trig),
    ExportFormat.JSONLD: (".jsonld", rdf.jsonld),
    ExportFormat.GRAPHML: (".graphml", graphml.graphml),
}
"""The formats of one file, with its extension and what writes it."""


def format_of(path: Path) -> ExportFormat:
    """Return the format of a file by its extension, compressed or not.

    Raises ValueError if it is unknown.
    """
    formats = {suffix: format_ for format_, (suffix, _) in _FILES.items()}
    formats[".csv"] = ExportFormat.CSV
    suffix = Path(path.name.lower().removesuffix(".gz")).suffix
    if suffix in formats:
        return formats[suffix]
    known = ", ".join(formats)
    raise ValueError(f"the name {path.name!r} ends in none of {known}: give its --format")


def export_portion(
    portion: Portion, format: ExportFormat, to: Path | IO[bytes], replace: bool = False
) -> list[Path]:
    """Write a portion of a graph to a file, compressed if its name ends in ``.gz``, or to a stream.

    Returns what was written.

    A format of several files takes a folder, or (``csv``) a name that they have in common; what is
    written appears when it is complete.

    Raises StoreError where the store does not give that format or a stream cannot hold it,
    FileExistsError where there is such a file and it is not to `replace`, OSError where it cannot
    be written.
    """
    if format in _FILES:
        _, write = _FILES[format]
        if isinstance(to, Path):
            return write_files([(to, write(portion))], replace)
        to.writelines(write(portion))
        return []
    if not isinstance(to, Path):
        raise StoreError(f"{format.value} is a folder of files: name it with -o FOLDER.")
    if format is ExportFormat.CSV:
        place, tables = beside(to), csv_text.tables(portion)
        return write_files(((place(name), pieces) for name, pieces in tables), replace)
    if portion.works is not None or not portion.abstracts:
        raise StoreError("neo4j-csv holds a whole graph, with its abstracts.")
    from stemma.graph.export import neo4j_csv  # noqa: PLC0415 - loads what it needs alone

    with new_folder(to) as folder:
        neo4j_csv.write(portion.reader, folder, portion.progress)
    return [to]
