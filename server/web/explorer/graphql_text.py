"""Parts of queries in GraphQL, with which the playground opens from a page."""

import json
from collections.abc import Collection, Mapping
from enum import Enum

from stemma.graph import Selection
from stemma.graph.selection import filters
from stemma.schema import PartialDate

LARGEST_PAGE = 100


def string(text: str) -> str:
    """Return a string as GraphQL has it."""
    return json.dumps(text, ensure_ascii=False)


def arguments(given: Mapping[str, str | None]) -> str:
    """Return the arguments of a field; those that are None are left out."""
    return ", ".join(f"{name}: {value}" for name, value in given.items() if value is not None)


def selected(selection: Selection, names: Collection[str]) -> dict[str, str | None]:
    """Return the arguments for some filters of a selection, without those at their defaults."""
    return {
        filters()[name].camel_case: _literal(value)
        for name, value in selection.given(names).items()
    }


def _literal(value: object) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(map(_literal, value))}]"
    if isinstance(value, Enum):
        return value.name
    if isinstance(value, PartialDate):
        return string(str(value))
    return json.dumps(value, ensure_ascii=False)
