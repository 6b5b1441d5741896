"""Query parameters of an address as a selection."""

from collections.abc import Collection
from typing import Any

from starlette.datastructures import QueryParams

from stemma.graph import FilterError, Selection
from stemma.graph.selection import filters
from stemma.graph.selection import written as as_text
from stemma.server.http.query_parameters import QueryParameters


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
