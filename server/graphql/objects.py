"""How views are shown in GraphQL: fields with their arguments, objects, and pages of them."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import wraps
from inspect import cleandoc
from operator import attrgetter
from typing import Annotated, Any, Generic, TypeVar, cast, dataclass_transform, get_type_hints

import strawberry
from strawberry.annotation import StrawberryAnnotation
from strawberry.schema_directive import Location
from strawberry.types.field import StrawberryField
from strawberry.types.fields.resolver import StrawberryResolver

from stemma.graph import Page
from stemma.graph import Work as ModelWork
from stemma.graph.linking.people import Person
from stemma.graph.selection import LARGEST_LINEAGE, Filter, Selection
from stemma.schema import PartialDate
from stemma.schema.name import PAPER
from stemma.server.graphql.context import Context, StemmaInfo
from stemma.server.selecting import annotated, selecting
from stemma.server.views.page import PageInfo
from stemma.server.views.view import (
    View,
    documented_fields,
    facts_of,
    raw_values,
    unwrapped,
    value_type,
    view_values,
)
from stemma.server.views.work import NameView

Function = TypeVar("Function", bound=Callable[..., Any])

# Fields without arguments.


class OwnField(StrawberryField):
    """A field without arguments, whose resolver needs the object alone.

    To strawberry it is as basic as an attribute, and the schema calls `direct`: to make ready what
    the resolver does not use takes three times as long as most resolvers.
    """

    @property
    def is_basic_field(self) -> bool:
        """True: strawberry may call the resolver without an Info and without arguments."""
        return True

    @property
    def direct(self) -> Callable[[Any, object], Any]:
        """What returns the value of the field for an object."""
        assert self.base_resolver
        method = cast(Callable[[Any], Any], self.base_resolver.wrapped_func)
        return lambda source, _: method(source)


def own_field(
    description: str, graphql_type: Any = None, size: int | None = None
) -> Callable[[Callable[[Any], Any]], Any]:
    """Return a decorator that makes a method the field of its name.

    `graphql_type` is its type, if the method says none, `size` how many items a list is taken to
    have.
    """

    def make(method: Callable[[Any], Any]) -> OwnField:
        return OwnField(
            description=description,
            directives=() if size is None else (some(size),),
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

    assumed_size: int | None = strawberry.UNSET
    """The size, unless an argument gives it."""
    slicing_arguments: list[str] | None = strawberry.UNSET
    """The size is the largest value of these arguments."""
    sized_fields: list[str] | None = strawberry.UNSET
    """The size given by the arguments applies to these fields of the object. If the object is
    itself in a list, that list has `assumed_size`."""


LARGEST = {"lineage": LARGEST_LINEAGE}
"""How many items a page of a field may have, where it is not the page size of the server."""
DEFAULT_SIZE = 10
"""Items of a list without the directive."""
PAGE = ListSize(assumed_size=20, slicing_arguments=["first"], sized_fields=["edges", "nodes"])
"""Of fields that return a connection."""
FIRST = ListSize(slicing_arguments=["first"])
"""Of lists that are cut off."""


def some(size: int) -> ListSize:
    """Return the size that is assumed, for its price, of a list that has no argument `first`."""
    return ListSize(assumed_size=size)


# Fields with arguments.

USUAL_PAGE = 20
_PAGING = {
    "first": "How many: at most 100, unless configured otherwise.",
    "after": "Continue after this cursor.",
}
A_WORK = "A paper or an entity, in any spelling, or an id."


def described(**descriptions: str) -> Callable[[Function], Function]:
    """Return a decorator that describes the arguments of a resolver; `from_` is shown as `from`."""

    def describe(function: Function) -> Function:
        for name, description in descriptions.items():
            shown = "from" if name == "from_" else None
            function.__annotations__[name] = Annotated[
                function.__annotations__[name],
                strawberry.argument(description=description, name=shown),
            ]
        return function

    return describe


def count(info: StemmaInfo, first: int, largest: int | None = None, name: str = "`first`") -> int:
    """Return the number of items asked for. Raises ValueError where it is out of bounds."""
    most = info.context.settings.page_size if largest is None else largest
    if first == USUAL_PAGE:  # The default, on a server with smaller pages.
        return min(first, most)
    if first > most:
        raise ValueError(too_many(name, most, first))
    return first


def too_many(name: str, most: int, given: int) -> str:
    """Say that an argument asks for more items than a page may have."""
    return f"{name} must be at most {most}, not {given}"


def _annotation(filter: Filter) -> Any:
    type_ = annotated(filter, str if filter.type is PartialDate else filter.type)
    return Annotated[type_, strawberry.argument(description=filter.help)]


def selected_field(
    description: str,
    *names: str,
    help: Mapping[str, str] | None = None,
    graphql_type: Any = None,
    directives: Sequence[object] | None = None,
    **defaults: Any,
) -> Callable[[Callable[..., Any]], Any]:
    """Return a decorator that makes a field of a resolver, with an argument for each filter.

    The resolver has a parameter `selection` in their place: see `selecting`. It has no more items
    than a page may have.
    """
    if "first" in names:
        defaults.setdefault("first", USUAL_PAGE)
    if directives is None:
        directives = [PAGE] if "after" in names else [FIRST] if "first" in names else []

    def make(function: Callable[..., Any]) -> Any:
        most = LARGEST.get(function.__name__)

        @wraps(function)
        def bounded(*arguments: Any, info: StemmaInfo, selection: Selection, **others: Any) -> Any:
            if "first" in names and selection.first != (
                first := count(info, selection.first, most)
            ):
                selection = selection.changed(first=first)
            return function(*arguments, info=info, selection=selection, **others)

        resolver = selecting(_annotation, names, {**_PAGING, **(help or {})}, **defaults)(bounded)
        return strawberry.field(
            resolver, description=description, graphql_type=graphql_type, directives=directives
        )

    return make


_WORKS = "stemma.server.graphql.works"
LazyWork = Annotated["Work", strawberry.lazy(_WORKS)]  # type: ignore[name-defined]  # noqa: F821
LazyPaper = Annotated["Paper", strawberry.lazy(_WORKS)]  # type: ignore[name-defined]  # noqa: F821
LazyEntity = Annotated["Entity", strawberry.lazy(_WORKS)]  # type: ignore[name-defined]  # noqa: F821
_LAZY = {"Work": LazyWork, "Paper": LazyPaper, "Entity": LazyEntity}
"""The types of works, which refer to those made here."""
Type = TypeVar("Type", bound=type)
Value = TypeVar("Value")

# Objects.

Compute = Callable[[Context, list[Any]], Iterable[Any]]
"""Returns the values of a field for objects, in order; one that fails is an exception."""
graphql_types: dict[type, type[Any]] = {}
"""The GraphQL types of views, of works and of people."""


class Level(list[Any]):
    """The objects in one place of an answer, on all pages and in all lists that are there.

    The same fields are asked of all of them, so that what one needs is read for all at once: how
    often the store is read hangs on how deep a query goes, and not on how many works it meets.
    """

    def __init__(self, context: Context) -> None:
        super().__init__()
        self.context = context
        context.levels.append(self)
        self._works: dict[str, Any] = {}
        self._values: dict[Hashable, dict[int, Any]] = defaultdict(dict)

    def show(self, view: View[Any]) -> Any:
        """Return the GraphQL object of a view."""
        return graphql_types[type(view)](level=self, view=view)

    def views(self, views: Iterable[View[Any]]) -> list[Any]:
        """Return the GraphQL objects of views."""
        return list(map(self.show, views))

    def work(self, work: ModelWork | Person) -> Any:
        """Return the GraphQL object of a work or an author, always the same."""
        found = self._works.get(work.id)
        if found is None:
            found = self._works[work.id] = graphql_types[type(work)](level=self, model=work)
        return found

    def works(self, works: Iterable[ModelWork | Person]) -> list[Any]:
        """Return the GraphQL objects of works or authors."""
        return list(map(self.work, works))

    def value(self, of: Any, field: Hashable, compute: Compute) -> Any:
        """Return the value of a field of an object, computed for all others of its type as well."""
        values = self._values[field]
        if id(of) not in values:
            objects = [e for e in self if type(e) is type(of) and id(e) not in values]
            values.update(zip(map(id, objects), compute(self.context, objects), strict=True))
        return values[id(of)]

    def close(self) -> None:
        """Let go of all objects."""
        for each in (self, self._works, self._values):
            each.clear()


def attempted(compute: Callable[..., Value], *arguments: Any) -> Value | Exception:
    """Return a value, or why it cannot be computed: an answer has the error in its place."""
    try:
        return compute(*arguments)
    except (LookupError, ValueError) as error:
        return error


def level_field(
    description: str, compute: Compute, graphql_type: Any, size: int | None = None
) -> Any:
    """Make a field without arguments whose values are computed for all objects of a level."""
    resolver = own_field(description, graphql_type, size)
    return resolver(lambda self: self.level.value(self, compute, compute))


def selected_level_field(
    description: str,
    compute: Callable[[Context, list[Any], Selection], Iterable[Any]],
    graphql_type: Any,
    *names: str,
    help: Mapping[str, str] | None = None,
) -> Any:
    """Make a field with filters (see `selected_field`), computed for all objects of a level."""

    @selected_field(description, *names, help=help, graphql_type=graphql_type)
    def selected(self: Any, info: StemmaInfo, selection: Selection) -> Any:
        return self.level.value(
            self, (compute, selection), lambda context, of: compute(context, of, selection)
        )

    return selected


def model_field(name: str, description: str, graphql_type: Any) -> Any:
    """Make the field that has an attribute of the model of an object."""
    return own_field(description, graphql_type)(lambda self: getattr(self.model, name))


@strawberry.type
class Placed:
    """An object on a level."""

    level: strawberry.Private[Level]

    def __post_init__(self) -> None:
        self.level.append(self)


@strawberry.interface(description="Anything with an id.")
class Node(Placed):
    """Anything with an id."""

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
        return str(self.level.context.reader.base + self.model.id)

    return own_field("Its IRI, as in RDF and SPARQL.", graphql_type=str)(of)


@strawberry.type
class Shown(Placed):
    """A view that a query shows."""

    view: strawberry.Private[Any]


@dataclass_transform(kw_only_default=True, field_specifiers=(strawberry.field,))
def of_view(view: type[View[Any]]) -> Callable[[Type], Type]:
    """Return a decorator that makes a GraphQL type of a class: the documented fields of a view that
    the class does not define itself, and its own fields.

    Where a view has the name of a work, the type has the work: see `derived`.
    """

    def make(class_: Type) -> Type:
        own = {
            name
            for each in {*class_.__mro__} - {object, Node}
            for name in (*vars(each), *vars(each).get("__annotations__", ()))
        }
        for _, field in documented_fields(view):
            if field.name not in own and field.name != "type":  # GraphQL has ``__typename``.
                setattr(class_, field.name, view_field(view, field.name))
        description = cleandoc(view.__doc__ or "").partition("\n\n")[0].replace("\n", " ")
        made_type: Any = strawberry.type(class_, description=description)
        graphql_types[view] = made_type
        return made_type  # type: ignore[no-any-return]

    return make


def type_of(view: type[View[Any]]) -> Any:
    """Return the GraphQL type of a view, which has its name if no class was declared for it."""
    name = view.__name__.removesuffix("View")
    return graphql_types.get(view) or of_view(view)(type(name, (Shown,), {}))


def view_field(view: type[View[Any]], name: str) -> Any:
    """Make the field of a view."""
    facts, inner = facts_of(view, name), value_type(get_type_hints(view)[name])
    type_ = strawberry.ID if name == "id" else _type_of_field(view, name)
    description, size = facts["help"], facts.get("size")
    get, raw = view_values(view)[name], raw_values(view)[name]  # type: ignore[arg-type]
    if not (isinstance(inner, type) and issubclass(inner, View)):
        # A query has a field once: unlike in `View`, its value is not kept.
        return own_field(description, type_, size)(lambda self: get(self.view))

    def works(context: Context, objects: list[Shown]) -> list[Any]:
        papers = facts.get("of") == "Paper"
        return shown_works(context, [raw(shown.view) for shown in objects], papers)

    def views(context: Context, objects: list[Shown]) -> list[Any]:
        level = Level(context)
        return [_each(level.show, get(shown.view)) for shown in objects]

    compute = works if issubclass(inner, NameView) else views
    return level_field(description, compute, type_, size)


def _type_of_field(view: type[View[Any]], name: str) -> Any:
    return _graphql(get_type_hints(view)[name], facts_of(view, name).get("of", "Work"))


def _graphql(hint: Any, work: str) -> Any:
    """Return the GraphQL type of the annotation of a view's field."""
    is_tuple, inner = unwrapped(hint)
    if is_tuple is not None:
        made = _graphql(inner, work)
        return list[made] if is_tuple else made | None  # type: ignore[valid-type]
    if not (isinstance(hint, type) and issubclass(hint, View)):
        return hint
    return _LAZY[work] if issubclass(hint, NameView) else type_of(hint)


def shown_works(context: Context, named: Sequence[Any], papers: bool = False) -> list[Any]:
    """Return the GraphQL objects of works that are named by ids or views, alone or in lists.

    Lists are without those that are not there; where only `papers` may be, an entity is None.
    """
    ids = [_each(_id, value) for value in named]
    every: list[str] = []
    _each(every.append, ids)
    works = context.works([each for each in every if each.startswith(PAPER)] if papers else every)
    level = Level(context)

    def shown(id_: str) -> Any:
        return level.work(works[id_]) if id_ in works else None

    return [_each(shown, each) for each in ids]


def _each(make: Callable[[Any], Any], value: Any) -> Any:
    """Return what is made of a value, or of each in a list; None, and nothing, where that is."""
    if isinstance(value, (tuple, list)):
        return [made for each in value if (made := _each(make, each)) is not None]
    return None if value is None else make(value)


def _id(named: Any) -> str:
    return str(named if isinstance(named, str) else named.id)


Item = TypeVar("Item")


@strawberry.type(description="A result on a page.")
class Edge(Generic[Item]):
    """A result on a page."""

    cursor: str = strawberry.field(description="Pass it as `after`.")
    node: Item = strawberry.field(description="The result.")


def _edges(context: Context, connections: list["AnyConnection"]) -> list[list[Any]]:
    level = Level(context)
    return [
        [connection.edge(level, connection.cursor(one), one) for one in connection.nodes]
        for connection in connections
    ]


def edges_field(description: str, graphql_type: Any) -> Any:
    """Make the field of the edges of a page, which are made only for queries that have them."""
    return level_field(description, _edges, graphql_type)


@strawberry.type
class AnyConnection(Placed):
    """The fields of every page of a list, whatever the types of its nodes and edges."""

    nodes: strawberry.Private[Sequence[Any]]
    page: strawberry.Private[Page[Any]]
    cursor: strawberry.Private[Callable[[Any], str]] = attrgetter("model.id")
    """Returns the cursor of a node."""
    count: strawberry.Private[Callable[[], int] | None] = None
    """Counts the items on all pages, where `page` does not know their number."""

    def edge(self, level: Level, cursor: str, node: Any) -> Any:
        """Make the edge with a cursor and a node, on a level."""
        return Edge(cursor=cursor, node=node)

    @own_field("The number of results on all pages.")
    def total_count(self) -> int:
        return self.count() if self.count else self.page.total

    @own_field("The position of the page among all results.", type_of(PageInfo))
    def page_info(self) -> Any:
        cursors = [self.cursor(node) for node in (*self.nodes[:1], *self.nodes[-1:])]
        return Level(self.level.context).show(PageInfo(model=self.page, cursors=cursors))


@strawberry.type(description="A page of results.")
class Connection(AnyConnection, Generic[Item]):
    """A page of results of one type."""

    nodes: list[Item] = strawberry.field(description="The results, in order.")
    edges = edges_field("The results, each with its cursor.", list[Edge[Item]])
