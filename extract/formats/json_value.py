"""A value of JSON in a text."""

import json

import orjson


def value_of(text: str) -> tuple[object] | str:
    """Return the value that `text` holds, boxed, or what is wrong with it."""
    try:
        return (orjson.loads(text),)
    except (orjson.JSONDecodeError, ValueError):
        pass  # Python's own parser takes more, and says more of mistakes.
    try:
        return (json.loads(text),)
    except json.JSONDecodeError as error:
        return f"not JSON: {error.msg} (column {error.colno})"
    except (ValueError, RecursionError) as error:
        return f"not JSON: {error}"
