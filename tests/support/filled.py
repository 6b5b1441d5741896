"""Stores that are filled with extractions, in one commit."""

from stemma.graph import Store
from stemma.schema import Decision, Extraction


def put(store: Store, *extractions: Extraction) -> None:
    """Write papers as one who reads by hand finds them."""
    with store.writer() as writer:
        writer.put(extractions, "hand")
        writer.commit()


def drop(store: Store, *papers: str) -> None:
    """Take papers (ids) out."""
    with store.writer() as writer:
        writer.drop(papers)
        writer.commit()


def decide(store: Store, *decisions: Decision) -> None:
    """Decide something as people do."""
    with store.writer() as writer:
        for each in decisions:
            writer.decide(each)
        writer.commit()
