"""Stores that are filled with extractions, in one commit."""

from stemma.graph import Store
from stemma.schema import Extraction


def put(store: Store, *extractions: Extraction) -> None:
    """Write papers as one who reads by hand finds them."""
    with store.writer() as writer:
        writer.put(extractions, "hand")
        writer.commit()
