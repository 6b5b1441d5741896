"""A copy of a graph in a folder, for as long as an export needs it.

RDF is written of a store in a folder. A graph in Neo4j is copied into one first: what was read in
each paper is linked again, by the same decisions, which gives the same graph.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from stemma.graph.export.portion import Progress
from stemma.graph.sqlite import SqliteStore
from stemma.graph.store import Reader, Store, StoreError
from stemma.schema.catalogue import fingerprint as shipped_fingerprint


@contextmanager
def copied(store: Store, progress: Progress) -> Iterator[Reader]:
    """Copy the graph of `store` into a folder that is removed at the end, and read it there.

    `progress` is called with the number of papers copied, and of all. Raises StoreError if the
    graph was linked with another catalogue than the shipped one, which is not available.
    """
    with (
        TemporaryDirectory(prefix="stemma-copy-") as folder,
        SqliteStore(Path(folder) / "stemma.db", store.base) as copy,
    ):
        _copy(store, copy, progress)
        with copy.snapshot() as reader:
            yield reader


def _copy(store: Store, copy: Store, progress: Progress) -> None:
    with store.snapshot() as reader, copy.writer() as writer:
        if reader.catalogue != shipped_fingerprint():
            raise StoreError(
                f"{store.url} was built with a catalogue of its own (--catalogue), so it cannot "
                "be exported as RDF: build its papers into a folder, with the same "
                "--catalogue, and export that store."
            )
        copy.decisions.path.write_bytes(store.decisions.text().data)
        total = reader.statistics().papers
        for done, extraction in enumerate(reader.extractions(), 1):
            writer.put([extraction], extraction.extractor)
            progress(done, total)
        writer.commit()
