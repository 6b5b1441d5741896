"""What a client is told besides a message where a name is none, or that of several works."""

from typing import Any

from stemma.graph import AmbiguousNameError, UnknownNameError


def explained(error: UnknownNameError | AmbiguousNameError) -> dict[str, Any]:
    """Return a code, and what may have been meant: nearest names, or candidates."""
    if isinstance(error, UnknownNameError):
        return {"code": "UNKNOWN_NAME", "nearest": list(error.nearest)}
    candidates = [{"id": work.id, "name": work.name} for work in error.candidates]
    return {"code": "AMBIGUOUS_NAME", "candidates": candidates}
