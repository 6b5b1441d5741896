"""The query parameters of an address, each with what is allowed, and those of a selection."""

from collections.abc import Collection
from typing import Any

from starlette.datastructures import QueryParams

from stemma.graph import FilterError, Selection
from stemma.graph.selection import filters
from stemma.graph.selection import written as as_text


class QueryParameters:
    """Query parameters; what a form left empty is not given.

    Every method raises ValueError where a value is not allowed, with the reason.
    """

    def __init__(self, parameters: QueryParams, allowed: Collection[str]) -> None:
        self._values: dict[str, list[str]] = {}
        for name, value in parameters.multi_items():
            if name not in allowed:
                known = ", ".join(allowed)
                raise ValueError(f"unknown parameter {name!r}; known parameters: {known}")
            if value.strip():
                self._values.setdefault(name, []).append(value.strip())

    def texts(self, name: str, most: int) -> tuple[str, ...]:
        """Return all values of a parameter, each once."""
        texts = tuple(dict.fromkeys(self._values.get(name, ())))
        if len(texts) > most:
            raise ValueError(f"{name!r} is given {len(texts)} times; at most {most} are allowed")
        return texts

    def text(self, name: str) -> str | None:
        """Return the value of a parameter that may be given once, None if it is not given."""
        return next(iter(self.texts(name, 1)), None)

    def number(self, name: str, default: int, most: int) -> int:
        """Return the value of a parameter that is a whole number from 1 to `most`."""
        text = self.text(name)
        if text is None:
            return default
        number = int(text) if text.isascii() and text.isdigit() and len(text) < 9 else 0
        if not 1 <= number <= most:
            raise ValueError(f"{name!r} must be between 1 and {most}, not {text!r}")
        return number


def read_parameters(
    parameters: QueryParams, names: Collection[str], others: Collection[str] = (), **defaults: Any
) -> tuple[Selection, QueryParameters]:
    """Return the selection that query parameters ask for, and all of these, for `others`.

    The parameters of the selection have the names of GraphQL; several values are separated by
    commas, or given one at a time; an empty value is not given. Raises ValueError for a parameter
    that is neither, and for a value that is not allowed.
    """
    known = {filters()[name].camel_case: filters()[name] for name in names}
    given, selection = QueryParameters(parameters, (*known, *others)), Selection.read(**defaults)
    for parameter, chosen in known.items():
        if values := given.texts(parameter, len(parameters.multi_items()) if chosen.many else 1):
            try:
                read = chosen.read(",".join(values))
            except FilterError as error:
                raise FilterError(f"{parameter!r}: {error}") from None
            selection = selection.changed(**{chosen.name: read})
    return selection, given


def written(selection: Selection, names: Collection[str], **defaults: Any) -> dict[str, str]:
    """Return the query parameters that ask for a selection, without those at their defaults."""
    plain = Selection(**defaults)
    return {
        filters()[name].camel_case: as_text(getattr(selection, name))
        for name in names
        if getattr(selection, name) != getattr(plain, name)
    }
