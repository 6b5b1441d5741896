"""How fields are made: those that an object answers alone, sizes of lists, and arguments."""

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Annotated, Any, cast

import strawberry
from strawberry.annotation import StrawberryAnnotation
from strawberry.schema_directive import Location
from strawberry.types.field import StrawberryField
from strawberry.types.fields.resolver import StrawberryResolver

from stemma.graph.selection import LARGEST_LINEAGE, Filter, Selection
from stemma.schema import PartialDate
from stemma.server.graphql.context import StemmaInfo
from stemma.server.selecting import selecting

# Fields without arguments.


class OwnField(StrawberryField):
    """A field without arguments, whose resolver needs the object alone.

    To strawberry it is as basic as an attribute, and its schema calls `resolve` without detours:
    to make ready what the resolver does not use takes three times as long as most resolvers.
    """

    @property
    def is_basic_field(self) -> bool:
        """True: strawberry may call the resolver without an Info and without arguments."""
        return True

    def resolve(self, source: Any, info: object) -> Any:
        """Return the value of the field for the object `source`."""
        return self._method(source)

    @cached_property
    def _method(self) -> Callable[[Any], Any]:
        assert self.base_resolver
        return cast(Callable[[Any], Any], self.base_resolver.wrapped_func)


def own_field(
    description: str, directives: tuple[object, ...] = (), graphql_type: Any = None
) -> Callable[[Callable[[Any], Any]], Any]:
    """Make a method the field of its name; `graphql_type` is its type, if the method says none."""

    def make(method: Callable[[Any], Any]) -> OwnField:
        return OwnField(
            description=description,
            directives=directives,
            type_annotation=StrawberryAnnotation.from_annotation(graphql_type),
        )(StrawberryResolver(method))

    return make


# Sizes of lists, by which queries are priced.


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


# Arguments.

USUAL_PAGE = 20
_FIRST = "How many: at most 100, unless configured otherwise."
_AFTER = "Continue after this cursor."
NameArgument = Annotated[
    str,
    strawberry.argument(description="A paper or an entity, in any spelling, or an id."),
]
FirstArgument = Annotated[int, strawberry.argument(description=_FIRST)]
AfterArgument = Annotated[str | None, strawberry.argument(description=_AFTER)]


def count(info: StemmaInfo, first: int, largest: int | None = None, name: str = "`first`") -> int:
    """Return the number of items asked for. Raises ValueError where it is out of bounds."""
    most = info.context.settings.page_size if largest is None else largest
    if first == USUAL_PAGE:  # The default, on a server with smaller pages.
        return min(first, most)
    if not 0 <= first <= most:
        bound = f"at most {most}" if first > most else "at least 0"
        raise ValueError(f"{name} must be {bound}, not {first}")
    return first


def bounded(info: StemmaInfo, selection: Selection) -> Selection:
    """Return a selection whose page has no more items than it may. Raises ValueError as `count`."""
    return selection.changed(first=count(info, selection.first))


def _annotation(filter: Filter) -> Any:
    type_: Any = str if filter.type is PartialDate else filter.type
    if filter.many:
        type_ = list[type_] | None
    elif filter.default is None:
        type_ = type_ | None
    return Annotated[type_, strawberry.argument(description=filter.help)]


def with_selection(
    names: Iterable[str], help: Mapping[str, str] | None = None, **defaults: Any
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return a decorator that gives a resolver an argument for each filter: see `selecting`."""
    described = {"first": _FIRST, "after": _AFTER, **(help or {})}
    return selecting(_annotation, names, described, **defaults)
