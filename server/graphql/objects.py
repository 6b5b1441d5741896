"""Objects of GraphQL: whatever has an id, and types with the fields and descriptions of a view."""

from collections.abc import Callable, Mapping
from functools import cache
from inspect import cleandoc
from operator import attrgetter
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    TypeVar,
    Union,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
)

import strawberry
from strawberry.annotation import StrawberryAnnotation
from strawberry.types.fields.resolver import StrawberryResolver
from strawberry.utils.await_maybe import AwaitableOrValue

from stemma.graph import Work as ModelWork
from stemma.server.graphql.context import Context, then
from stemma.server.graphql.fields import OwnField, own_field, some
from stemma.server.views.view import View, derived_values, documented_fields, value_type
from stemma.server.views.work import NameView

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
