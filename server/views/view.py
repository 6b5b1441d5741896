"""The base of all views: documented fields, JSON, rows of a table."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import Field, dataclass, field, fields
from enum import Enum
from functools import cache
from operator import attrgetter
from types import NoneType
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Generic,
    NewType,
    TypeVar,
    get_args,
    get_origin,
    get_type_hints,
)

from stemma.distribution import install
from stemma.graph import Work
from stemma.graph.selection import EVERYTHING, Selection, camel_case

if TYPE_CHECKING:
    import pandas

Time = NewType("Time", str)
"""A date with a time, as ISO 8601 writes it."""
_HELP, _PATH = "help", "path"
Model = TypeVar("Model")
_PLAIN = frozenset((str, int, float, bool, type(None)))


def documented(help: str, **facts: Any) -> Any:
    """Return a field of a view with its description, which GraphQL and documentation show.

    In GraphQL the field has works where it names them: `of` the type with this name, else of the
    interface `Work`. `size` is the number of items that are assumed in a list, to reckon the cost
    of a query.
    """
    return field(metadata={_HELP: help, **facts})


def derived(help: str, path: str | Callable[[Any], Any] | None = None, **facts: Any) -> Any:
    """Return a documented field that is computed when it is first asked for.

    Its value is that of the method of its name with an underscore before, or else that of the same
    field of the view's `model`, or of what is at a `path` in the model (names with dots between
    them, or what gets it). Of what the model has there views are made, where the field has views.
    `facts` are as in `documented`.
    """
    return field(init=False, metadata={_HELP: help, _PATH: path, **facts})


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class View(Generic[Model]):
    """An answer, or a part of one. A field without a description is not part of the data."""

    model: Model = field(default=None, compare=False)  # type: ignore[assignment]
    """What the `derived` fields are derived from."""
    named: Mapping[str, Work] = field(default_factory=dict, compare=False)
    """The works that are named, by id."""
    selection: Selection = field(default=EVERYTHING, compare=False)
    """That by which the edges in it were selected."""
    cites: ClassVar[bool] = False
    """Whether this is a whole answer: the papers among those works are behind it."""
    rows_of: ClassVar[tuple[str, "type[View[Any]]"] | None] = None
    """The field whose items are the rows of the view as a table, and their class."""
    table: ClassVar[Mapping[str, str | Callable[[Any], Any]]] = {}
    """The columns of its row, with paths to the values or what computes them; else its data."""

    if not TYPE_CHECKING:  # As a checker reads it, a view would have attributes of any name.

        def __getattr__(self, name: str) -> Any:
            """Compute a field that is `derived`, once."""
            compute = view_values(type(self)).get(name)
            if compute is None:
                reason = f"{type(self).__name__!r} object has no attribute {name!r}"
                raise AttributeError(reason, name=name, obj=self)
            value = compute(self)
            object.__setattr__(self, name, value)
            return value

    @classmethod
    def part(cls, model: Any, whole: "View[Any]") -> Any:
        """Return the view of what a model has, as a part of a larger view."""
        return cls(model=model, named=whole.named, selection=whole.selection)

    def to_json(self) -> dict[str, Any]:
        """Return the JSON of this view, with the names and the values that GraphQL has.

        Enumerations are written by name (``BUILDS_ON``, ``FRAMEWORK``), dates in EDTF; what is not
        known is null.
        """
        return {
            name: value  # Most values are plain: to call a function for each takes twice as long.
            if (value := get(self)).__class__ in _PLAIN
            else _json(value)
            for name, get in _in_json(type(self))  # type: ignore[arg-type]  # A class has a hash.
        }

    def to_rows(self) -> list[dict[str, Any]]:
        """Return the view as rows of a table with the columns of `columns`: here, as one row.

        What is nested is a name in a cell; several values are separated by semicolons. A view with
        `rows_of` has the rows of what is in that field.
        """
        if self.rows_of:
            return [row for each in getattr(self, self.rows_of[0]) for row in each.to_rows()]
        columns = self.table or view_values(type(self))  # type: ignore[arg-type]
        return [
            {
                name: _cell(get(self) if callable(get) else _at(self, get))
                for name, get in columns.items()
            }
        ]

    def to_pandas(self) -> "pandas.DataFrame":
        """Return the rows as a data frame. Raises ImportError where pandas is not installed."""
        try:
            import pandas  # noqa: PLC0415 - an extra
        except ImportError:
            raise ImportError(
                f"to_pandas() needs pandas, which is not installed: {install('pandas')}"
            ) from None
        return pandas.DataFrame(self.to_rows(), columns=list(self.headings()))

    def to_bibtex(self) -> str:
        """Return the papers behind the answer as BibTeX."""
        from stemma.server.views.bibtex import bibtex  # noqa: PLC0415 - slow to load

        return bibtex(self.named.values() if self.cites else ())

    def __repr__(self) -> str:
        return f"<{self}>"

    def __str__(self) -> str:
        return f"{type(self).__name__.removesuffix('View')} {self.to_json()}"

    def _repr_html_(self) -> str:
        from stemma.server.web.notebook import html_of  # noqa: PLC0415 - for notebooks

        return html_of(self)

    @classmethod
    def columns(cls) -> tuple[str, ...]:
        """Return the names of the columns of `to_rows`, which are those of Python attributes."""
        if cls.rows_of:
            return cls.rows_of[1].columns()
        return tuple(cls.table or view_values(cls))  # type: ignore[arg-type]

    def headings(self) -> tuple[str, ...]:
        """Return the names of the columns of this table, where those of a class may differ."""
        return self.columns()


def documented_fields(view: type[View[Any]]) -> Iterator[tuple[str, Field[Any]]]:
    """Yield the fields of a view that are data, by the names that GraphQL and JSON have."""
    return ((camel_case(each.name), each) for each in _data(view))


def unwrapped(hint: Any) -> tuple[bool | None, Any]:
    """Return what an annotation of a view's field holds, and whether it is that of a tuple.

    If not, it may be None. What holds nothing else is returned as it is, with None.
    """
    inner = [arg for arg in get_args(hint) if arg not in (NoneType, ...)]
    return (get_origin(hint) is tuple, inner[0]) if inner else (None, hint)


def value_type(hint: Any) -> Any:
    """Return the type of the values of a field with this annotation: in tuples, if not None."""
    inner = unwrapped(hint)[1]
    return inner if inner is hint else value_type(inner)


def facts_of(view: type[View[Any]], name: str) -> Mapping[str, Any]:
    """Return what is said of a field of a view: `help`, and what `derived` was given."""
    return next(each.metadata for each in fields(view) if each.name == name)


@cache
def raw_values(view: type[View[Any]]) -> Mapping[str, Callable[[Any], Any]]:
    """Return what gets the data of a view before there are views of what a model has."""
    return {
        each.name: attrgetter(each.name)
        if each.init
        else getattr(view, f"_{each.name}", None) or _in_model(each)
        for each in _data(view)
    }


def _in_model(field: Field[Any]) -> Callable[[Any], Any]:
    path = field.metadata[_PATH] or field.name
    return (lambda view: path(view.model)) if callable(path) else attrgetter(f"model.{path}")


@cache
def view_values(view: type[View[Any]]) -> Mapping[str, Callable[[Any], Any]]:
    """Return what gets the data of a view, by field; of one that is derived, what computes it."""
    hints, raw = get_type_hints(view), raw_values(view)  # type: ignore[arg-type]
    return {
        each.name: raw[each.name]
        if each.init or hasattr(view, f"_{each.name}")
        else _made(raw[each.name], hints[each.name])
        for each in _data(view)
    }


def _made(raw: Callable[[Any], Any], hint: Any) -> Callable[[Any], Any]:
    """Return what computes a field with an annotation of what its model has."""
    make = _maker(hint)
    return (lambda view: make(raw(view), view)) if make else raw


def _maker(hint: Any) -> Callable[[Any, View[Any]], Any] | None:
    """Return what makes views of a value, as an annotation has them; None if it has none."""
    is_tuple, inner = unwrapped(hint)
    if is_tuple is None:
        return hint.part if isinstance(hint, type) and issubclass(hint, View) else None
    make = _maker(inner)
    if make is None:
        return None
    if is_tuple:
        return lambda value, whole: tuple(make(each, whole) for each in value)
    return lambda value, whole: None if value is None else make(value, whole)


@cache
def _in_json(view: type[View[Any]]) -> tuple[tuple[str, Callable[[Any], Any]], ...]:
    """Return the names of the data of a view in JSON, with what gets the values."""
    values = view_values(view)  # type: ignore[arg-type]
    return tuple((camel_case(name), get) for name, get in values.items())


def _json(value: Any) -> Any:
    if value.__class__ in _PLAIN:
        return value
    if isinstance(value, View):
        return value.to_json()
    if isinstance(value, tuple):
        return [_json(each) for each in value]
    return value._name_ if isinstance(value, Enum) else str(value)


def _data(view: type[View[Any]]) -> Iterator[Field[Any]]:
    return (each for each in fields(view) if _HELP in each.metadata)


def _cell(value: Any) -> Any:
    if isinstance(value, View):
        return getattr(value, "name", None) or str(value)
    if isinstance(value, tuple):
        return "; ".join(str(_cell(each)) for each in value) or None
    return _json(value)


def _at(value: Any, path: str) -> Any:
    """Return what is at a path in a view; None where there is nothing on the way."""
    for name in path.split("."):
        value = getattr(value, name, None)
    return value
