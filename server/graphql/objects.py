"""How views are shown in GraphQL: fields with their arguments, objects, and pages of them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, cached_property
from inspect import cleandoc
from operator import attrgetter
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Generic,
    TypeVar,
    Union,
    cast,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
)

import strawberry
from strawberry.annotation import StrawberryAnnotation
from strawberry.schema_directive import Location
from strawberry.types.field import StrawberryField
from strawberry.types.fields.resolver import StrawberryResolver
from strawberry.utils.await_maybe import AwaitableOrValue

from stemma.graph import Page
from stemma.graph import Work as ModelWork
from stemma.graph.selection import LARGEST_LINEAGE, Filter, Selection, StatementPage
from stemma.schema import PartialDate
from stemma.server.graphql.context import Context, StemmaInfo, then
from stemma.server.selecting import selecting
from stemma.server.views.page import PageInfo as PageInfoView
from stemma.server.views.page import page_info
from stemma.server.views.view import View, derived_values, documented_fields, value_type
from stemma.server.views.work import NameView

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


_WORKS = "stemma.server.graphql.works"
LazyWork = Annotated["Work", strawberry.lazy(_WORKS)]  # type: ignore[name-defined]  # noqa: F821
LazyPaper = Annotated["Paper", strawberry.lazy(_WORKS)]  # type: ignore[name-defined]  # noqa: F821
LazyEntity = Annotated["Entity", strawberry.lazy(_WORKS)]  # type: ignore[name-defined]  # noqa: F821
_LAZY = {"Work": LazyWork, "Paper": LazyPaper, "Entity": LazyEntity}
"""The types of works, which refer to those made here."""
Type = TypeVar("Type", bound=type)


@strawberry.interface(description="Anything with an id.")
class Node:
    """Anything with an id."""

    context: strawberry.Private[Context]

    @classmethod
    def resolve_type(cls, node: "Node", *_: object) -> str:
        """Return the name of a node's type, which is that of its class."""
        return type(node).__name__

    @own_field(description="Readable and typed: `entity/zero-infinity`, `paper/…`, `statement/…`.")
    def id(self) -> strawberry.ID:
        node: Any = self
        return strawberry.ID(node.view.id)


def iri() -> Any:
    """Make the field with the IRI of what linked data describes."""

    def of(self: Any) -> str:
        return str(self.context.reader.base + self.model.id)

    return own_field("Its IRI, as in RDF and SPARQL.", graphql_type=str)(of)


@strawberry.type
class Shown:
    """A view that a query shows, with what reads more of the graph."""

    context: strawberry.Private[Context]
    view: strawberry.Private[Any]


_types: dict[type[View], type[Shown]] = {}


@dataclass_transform(kw_only_default=True, field_specifiers=(strawberry.field,))
def of_view(
    view: type[View],
    works: Mapping[str, str] | None = None,
    sizes: Mapping[str, int] | None = None,
) -> Callable[[Type], Type]:
    """Return a decorator that makes a GraphQL type of a class: the documented fields of a view that
    the class does not define itself, and its own fields.

    Where a view has the name of a work, the type has the work: of the type that `works` has for
    the field, else of the interface `Work`. `sizes` are the numbers of items that are assumed in
    lists, to reckon the cost of a query.
    """

    def make(class_: Type) -> Type:
        hints = get_type_hints(view)
        own = {
            name
            for each in class_.__mro__[:-1]
            for name in (*vars(each), *vars(each).get("__annotations__", ()))
        }
        for _, field in documented_fields(view):
            if field.name not in own and field.name != "type":  # GraphQL has ``__typename``.
                hint = hints[field.name]
                size = (sizes or {}).get(field.name)
                made = OwnField(
                    description=field.metadata["help"],
                    directives=() if size is None else (some(size),),
                    type_annotation=StrawberryAnnotation.from_annotation(
                        strawberry.ID
                        if field.name == "id"
                        else _graphql(hint, (works or {}).get(field.name, "Work"))
                    ),
                )
                setattr(
                    class_, field.name, made(StrawberryResolver(_resolver(view, field.name, hint)))
                )
        description = cleandoc(view.__doc__ or "").partition("\n\n")[0].replace("\n", " ")
        made_type: Any = strawberry.type(class_, description=description)
        _types[view] = made_type
        return made_type  # type: ignore[no-any-return]

    return make


def show_view(context: Context, view: View) -> Any:
    """Return the GraphQL object of a view."""
    return _types[type(view)](context=context, view=view)


def _graphql(hint: Any, work: str) -> Any:
    """Return the GraphQL type of the annotation of a view's field."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is tuple:
        return list[_graphql(arguments[0], work)]  # type: ignore[misc]
    if origin in (Union, UnionType):
        (inner,) = (each for each in arguments if each is not NoneType)
        return _graphql(inner, work) | None
    if isinstance(hint, type) and issubclass(hint, NameView):
        return _LAZY[work]
    return _type_of(hint) if isinstance(hint, type) and issubclass(hint, View) else hint


def _type_of(view: type[View]) -> type[Shown]:
    """Return the type of a view: if no class was declared for it, one with its name."""
    name = view.__name__.removesuffix("View")
    return _types.get(view) or of_view(view)(type(name, (Shown,), {}))


def _resolver(view: type[View], name: str, hint: Any) -> Callable[[Shown], Any]:
    """Return the function that resolves a field of a view."""
    # A query has a field once: unlike in `View`, its value is not kept.
    get = derived_values(view).get(name) or attrgetter(name)  # type: ignore[arg-type]
    inner = value_type(hint)
    if not (isinstance(inner, type) and issubclass(inner, View)):
        return lambda self: get(self.view)
    show = _shown if issubclass(inner, NameView) else _shown_views
    return lambda self: show(self.context, get(self.view))


def _shown_views(context: Context, value: Any) -> Any:
    if isinstance(value, tuple):
        return [_shown_views(context, each) for each in value]
    return None if value is None else show_view(context, value)


def _shown(context: Context, value: Any) -> AwaitableOrValue[Any]:
    """Return the GraphQL objects of works that a view names."""
    if value is None:
        return None
    if not isinstance(value, tuple):
        return shown_work(context, value.id)
    if value and isinstance(value[0], tuple):
        return [_shown(context, each) for each in value]
    return then(
        context.works.get_all([each.id for each in value]),
        lambda works: [show_work(context, each) for each in works if each],
    )


def shown_work(context: Context, id_: str) -> AwaitableOrValue[Any]:
    """Return the GraphQL object of the work with an id: at once where it is known."""
    return context.shown.get(id_) or then(
        context.works.get(id_), lambda work: show_work(context, work)
    )


def show_work(context: Context, work: ModelWork | None) -> Any:
    """Return the GraphQL object of a work."""
    return _shower()(context, work)


@cache
def _shower() -> Callable[[Context, ModelWork | None], Any]:
    from stemma.server.graphql.works import show  # noqa: PLC0415 - works have views, too

    return show


Item = TypeVar("Item")


@of_view(PageInfoView)
class PageInfo(Shown):
    """The position of a page."""


@strawberry.type(description="An item on a page.")
class Edge(Generic[Item]):
    """An item on a page."""

    cursor: str = strawberry.field(description="Pass it as `after`.")
    node: Item = strawberry.field(description="The item.")


@strawberry.type
class AnyConnection:
    """The fields of every page of a list, whatever the types of its nodes and edges.

    Edges and cursors are made only for queries that have them.
    """

    nodes: strawberry.Private[Sequence[Any]]
    edge: strawberry.Private[Callable[[Any], Any]]
    """Makes the edge of a node."""
    page: strawberry.Private[Page | StatementPage]
    count: strawberry.Private[Callable[[], AwaitableOrValue[int]] | None] = None
    """Counts the items on all pages, where `page` does not know their number."""

    def all_edges(self) -> list[Any]:
        return [self.edge(node) for node in self.nodes]

    @own_field("The number on all pages.", graphql_type=int)
    def total_count(self) -> AwaitableOrValue[int]:
        return self.count() if self.count else self.page.total

    @own_field("The position of the page.")
    def page_info(self) -> PageInfo:
        ends = [self.nodes[0], self.nodes[-1]] if self.nodes else []
        view = page_info([self.edge(node).cursor for node in ends], self.page)
        return PageInfo(context=None, view=view)  # type: ignore[arg-type]  # It reads nothing.


@strawberry.type(description="A page.")
class Connection(AnyConnection, Generic[Item]):
    """A page of items of one type."""

    nodes: list[Item] = strawberry.field(description="The items, in order.")

    @own_field("The items, each with its cursor.")
    def edges(self) -> list[Edge[Item]]:
        return self.all_edges()
