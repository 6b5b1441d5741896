"""The query parameters of an address, each with what is allowed."""

from collections.abc import Collection

from starlette.datastructures import QueryParams


class QueryParameters:
    """Query parameters; what a form left empty is not given.

    Every method raises ValueError where a value is not allowed, with the reason.
    """

    def __init__(self, parameters: QueryParams, allowed: Collection[str]) -> None:
        self._values: dict[str, list[str]] = {}
        for name, value in parameters.multi_items():
            if name not in allowed:
                known = ", ".join(allowed)
                raise ValueError(f"unknown parameter {name!r}; known parameters: {known}")
            if value.strip():
                self._values.setdefault(name, []).append(value.strip())

    def texts(self, name: str, most: int) -> tuple[str, ...]:
        """Return all values of a parameter, each once."""
        found = tuple(dict.fromkeys(self._values.get(name, ())))
        if len(found) > most:
            raise ValueError(f"{name!r} is given {len(found)} times; at most {most} are allowed")
        return found

    def text(self, name: str) -> str | None:
        """Return the value of a parameter that may be given once, None if it is not given."""
        found = self.texts(name, 1)
        return found[0] if found else None

    def number(self, name: str, default: int, most: int) -> int:
        """Return the value of a parameter that is a whole number from 1 to `most`."""
        text = self.text(name)
        if text is None:
            return default
        found = int(text) if text.isascii() and text.isdigit() and len(text) < 9 else 0
        if not 1 <= found <= most:
            raise ValueError(f"{name!r} must be between 1 and {most}, not {text!r}")
        return found
