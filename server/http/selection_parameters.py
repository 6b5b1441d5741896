"""Query parameters of an address as a selection."""

from collections.abc import Collection
from typing import Any

from starlette.datastructures import QueryParams

from stemma.graph import FilterError, Selection
from stemma.graph.selection import filters
from stemma.graph.selection import written as as_text
from stemma.server.http.query_parameters import QueryParameters


def read_selection(
    parameters: QueryParams,
    names: Collection[str],
    others: Collection[str] = (),
    **defaults: Any,
) -> Selection:
    """Return the selection that query parameters ask for, which have the names of GraphQL.

    Several values are separated by commas, or given one at a time; an empty value is not given.
    `others` are names that the caller reads itself. Raises FilterError for a parameter that is
    neither, and for a value that is not allowed.
    """
    known = {filters()[name].camel_case: filters()[name] for name in names}
    given = Selection.read(**defaults)
    for parameter in parameters:
        if parameter in others:
            continue
        if parameter not in known:
            listed = ", ".join((*known, *others))
            raise FilterError(f"unknown parameter {parameter!r}; known parameters: {listed}")
        chosen = known[parameter]
        values = [each.strip() for each in parameters.getlist(parameter) if each.strip()]
        if len(values) > 1 and not chosen.many:
            raise FilterError(f"{parameter!r} is given {len(values)} times; only one is allowed")
        if values:
            try:
                read = chosen.read(",".join(values))
            except FilterError as error:
                raise FilterError(f"{parameter!r}: {error}") from None
            given = given.changed(**{chosen.name: read})
    return given


def read_parameters(
    parameters: QueryParams,
    names: Collection[str],
    others: Collection[str],
    **defaults: Any,
) -> tuple[Selection, QueryParameters]:
    """Return the selection that query parameters ask for, and the other parameters.

    Arguments and errors: `read_selection`.
    """
    selection = read_selection(parameters, names, others, **defaults)
    rest = [each for each in parameters.multi_items() if each[0] in others]
    return selection, QueryParameters(QueryParams(rest), others)


def written(selection: Selection, names: Collection[str], **defaults: Any) -> dict[str, str]:
    """Return the query parameters that ask for a selection, without those at their defaults."""
    plain = Selection(**defaults)
    return {
        filters()[name].camel_case: as_text(getattr(selection, name))
        for name in names
        if getattr(selection, name) != getattr(plain, name)
    }
