"""Stores that are filled with extractions, in one commit."""

from pathlib import Path

from stemma.graph import Store, open_store
from stemma.schema import Decision, DecisionFile, Extraction


def put(store: Store, *extractions: Extraction) -> None:
    """Write papers as one who reads by hand finds them."""
    with store.writer() as writer:
        writer.put(extractions, "hand")
        writer.commit()


def stored(folder: Path, *extractions: Extraction, base: str | None = None) -> str:
    """Return the path of a store in a folder, in which these papers are put."""
    path = str(folder / "stemma.db")
    with open_store(path, base) as store:
        put(store, *extractions)
    return path


def drop(store: Store, *papers: str) -> None:
    """Take papers (ids) out."""
    with store.writer() as writer:
        writer.drop(papers)
        writer.commit()


def decide(store: Store, *decisions: Decision) -> None:
    """Decide something as people do."""
    with store.writer() as writer:
        for decision in decisions:
            writer.decide(decision)
        writer.commit()


def append(file: DecisionFile, decision: Decision) -> int:
    """Write a decision at the end of a file, as a person would, and return its number."""
    longer = file.text().appended(decision)
    file.path.write_bytes(longer.data)
    return len(longer.decisions)


def remove(file: DecisionFile, number: int) -> Decision:
    """Take a decision out of a file, as a person would, and return it."""
    text = file.text()
    file.path.write_bytes(text.without(number).data)
    return text.decisions[number - 1]
