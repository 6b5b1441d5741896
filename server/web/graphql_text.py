"""Queries in GraphQL, with which the playground opens from a page: `queries.graphql` has them."""

import re
from collections.abc import Collection
from functools import partial
from typing import Any

from stemma.graph import Selection, Work
from stemma.graph.selection import filters
from stemma.server.web import pages

LARGEST_PAGE = 100
"""How many works or statements a query asks for, where the server allows as many."""
query = partial(pages.macro, "queries.graphql")
"""Makes the query of a name, with its arguments."""


def selected(selection: Selection, names: Collection[str]) -> dict[str, Any]:
    """Return the arguments for some filters of a selection, without those at their defaults."""
    given = selection.given(names)
    return {filters()[name].camel_case: value for name, value in given.items()}


def query_of(work: Work, page_size: int = LARGEST_PAGE) -> str:
    """Return the query for the page of a work, which has the name of the work."""
    words = re.findall(r"[0-9A-Za-z]+", work.name)[:6]
    name = "".join(word[0].upper() + word[1:] for word in words)
    if not name or name[0].isdigit():
        name = f"About{name}"
    return query(work.id.partition("/")[0], name, work.id, page_size)
