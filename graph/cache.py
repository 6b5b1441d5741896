"""Caches of what was read of one state of a graph."""

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any, TypeVar

_Key = TypeVar("_Key", bound=Hashable)
_Value = TypeVar("_Value")
_UNKNOWN: Any = object()


class Cache(dict[_Key, _Value]):
    """Remembers at most `most` things: where there is no room for one more, it forgets all."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most

    def __setitem__(self, key: _Key, value: _Value) -> None:
        if len(self) >= self._most:
            self.clear()
        super().__setitem__(key, value)

    def get_many(
        self, keys: Iterable[_Key], read: Callable[[list[_Key]], Mapping[_Key, _Value]]
    ) -> dict[_Key, _Value]:
        """Return the values of `keys`, in their order: `read` those that are not known, at once.

        What it has no value for is left out.
        """
        # Another thread may forget all at any time: each known value is looked up once.
        known = {key: self.get(key, _UNKNOWN) for key in keys}
        missing = [key for key, value in known.items() if value is _UNKNOWN]
        for key, value in read(missing).items() if missing else ():
            self[key] = known[key] = value
        return {key: value for key, value in known.items() if value is not _UNKNOWN}
