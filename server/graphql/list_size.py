"""How long lists get: a directive of the schema, by which queries are priced."""

import strawberry
from strawberry.schema_directive import Location

from stemma.graph.selection import LARGEST_LINEAGE


@strawberry.schema_directive(
    locations=[Location.FIELD_DEFINITION],
    description="The assumed size of a list, from which the cost of a query is computed before "
    "execution. The default is 10.",
)
class ListSize:
    """How many items a list is taken to have."""

    assumed_size: int | None = strawberry.field(
        name="assumedSize",
        default=strawberry.UNSET,
        description="The size, unless an argument gives it.",
    )
    slicing_arguments: list[str] | None = strawberry.field(
        name="slicingArguments",
        default=strawberry.UNSET,
        description="The size is the largest value of these arguments.",
    )
    sized_fields: list[str] | None = strawberry.field(
        name="sizedFields",
        default=strawberry.UNSET,
        description="The size given by the arguments applies to these fields of the object. If the "
        "object is itself in a list, that list has `assumedSize`.",
    )


LARGEST = {"lineage": LARGEST_LINEAGE}
"""How many items a page of a field may have, where it is not the page size of the server."""
DEFAULT_SIZE = 10
"""Items of a list without the directive."""
PAGE = ListSize(assumed_size=20, slicing_arguments=["first"], sized_fields=["edges", "nodes"])
"""Of fields that return a connection."""
FIRST = ListSize(slicing_arguments=["first"])
"""Of lists that are cut off."""


def some(size: int) -> ListSize:
    """Return the size of a list without an argument for its length."""
    return ListSize(assumed_size=size)
