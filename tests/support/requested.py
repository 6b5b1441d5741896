"""The fields of views as GraphQL requests them."""

from typing import Any, get_type_hints

from stemma.server.views.view import View, documented_fields, value_type
from stemma.server.views.work import EntityView, PaperView, WorkView


def requested_fields(view: type[View[Any]]) -> str:
    """Return the fields of a view as GraphQL requests them, to get what `View.to_json` returns."""
    return f"{{ {' '.join(_requested(view))} }}"


def _requested(view: type[View[Any]]) -> list[str]:
    hints = get_type_hints(view)
    parts = []
    for name, field in documented_fields(view):
        inner = value_type(hints[field.name])
        if name == "type":
            parts.append("type: __typename")
        elif inner is WorkView:
            # Both types of works are requested as far as they go.
            ends = {"Paper": PaperView, "Entity": EntityView}
            parts.append(f"{name} {{ {' '.join(_requested(WorkView))} {_fragments(ends)} }}")
        elif isinstance(inner, type) and issubclass(inner, View):
            parts.append(f"{name} {requested_fields(inner)}")
        else:
            parts.append(name)
    return parts


def _fragments(views: dict[str, type[WorkView]]) -> str:
    shared = set(_requested(WorkView))
    return " ".join(
        f"... on {type_} {{ {' '.join(each for each in _requested(view) if each not in shared)} }}"
        for type_, view in views.items()
    )
