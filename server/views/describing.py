"""Descriptions of views for programs, as JSON Schema."""

from enum import Enum
from inspect import cleandoc
from typing import Any, get_type_hints

from stemma.schema import PartialDate
from stemma.server.views.view import Time, View, documented_fields, unwrapped
from stemma.server.views.work import EntityView, PaperView, WorkView

_PLAIN = {str: "string", int: "integer", float: "number", bool: "boolean"}
_DATE = {
    "type": "string",
    "description": "In EDTF, as far as it is known: 2021, 2021-04, 2021-04-15, or XXXX-04-15.",
}


def json_schema(view: type[View[Any]], **more: Any) -> dict[str, Any]:
    """Return the JSON Schema of what `View.to_json` returns; `more` are further properties."""
    definitions: dict[str, Any] = {}
    root = _object(view, definitions)
    root["properties"] = {**more, **root["properties"]}
    root["required"] = list(root["properties"])
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": view.__name__.removesuffix("View"),
        **root,
        "$defs": dict(sorted(definitions.items())),
    }


def _object(view: type[View[Any]], definitions: dict[str, Any]) -> dict[str, Any]:
    hints = get_type_hints(view)
    properties = {
        name: {**_schema(hints[field.name], definitions), "description": field.metadata["help"]}
        for name, field in documented_fields(view)
    }
    return {
        "type": "object",
        "description": cleandoc(view.__doc__ or ""),
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _schema(hint: Any, definitions: dict[str, Any]) -> dict[str, Any]:  # noqa: PLR0911 - a case a line
    is_tuple, inner = unwrapped(hint)
    if is_tuple:
        return {"type": "array", "items": _schema(inner, definitions)}
    if is_tuple is not None:
        return {"anyOf": [_schema(inner, definitions), {"type": "null"}]}
    if hint is WorkView:
        return {"anyOf": [_schema(each, definitions) for each in (PaperView, EntityView)]}
    if hint is PartialDate:
        return dict(_DATE)
    if hint is Time:
        return {"type": "string", "format": "date-time"}
    if issubclass(hint, View):
        if hint.__name__ not in definitions:
            definitions[hint.__name__] = {}  # It may contain itself.
            definitions[hint.__name__] = _object(hint, definitions)
        return {"$ref": f"#/$defs/{hint.__name__}"}
    if issubclass(hint, Enum):
        return {"enum": [each.name for each in hint]}
    return {"type": _PLAIN[hint]}
