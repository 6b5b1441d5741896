"""Parts of queries in GraphQL, with which the playground opens from a page."""

import json
from collections.abc import Mapping

LARGEST_PAGE = 100


def string(text: str) -> str:
    """Return a string as GraphQL has it."""
    return json.dumps(text, ensure_ascii=False)


def arguments(given: Mapping[str, str | None]) -> str:
    """Return the arguments of a field; those that are None are left out."""
    return ", ".join(f"{name}: {value}" for name, value in given.items() if value is not None)
