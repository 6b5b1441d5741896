"""What a GraphQL request works with: one generation of the graph, and what was read of it."""

from collections.abc import Callable, Hashable, Iterable, Mapping
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeVar

from strawberry.types import Info

from stemma.graph import Reader, Work
from stemma.server.settings import DEFAULT_SETTINGS, Settings

if TYPE_CHECKING:
    from stemma.server.graphql.objects import Level

Value = TypeVar("Value")


def too_late(settings: Settings) -> str:
    """Say that a query took too long, and what to do."""
    return (
        f"This query took more than {settings.seconds:g} s. "
        "Request less depth, fewer works, or fewer fields."
    )


class Context:
    """The reads of one request, in the thread that answers it: nothing is read twice."""

    def __init__(self, reader: Reader, settings: Settings = DEFAULT_SETTINGS) -> None:
        self.reader = reader
        self.settings = settings
        self.levels: list[Level] = []
        self._deadline = monotonic() + settings.seconds
        self._known: dict[tuple[Hashable, ...], dict[str, Any]] = {}

    def read(
        self, what: Callable[..., Mapping[str, Value]], ids: Iterable[str], *arguments: Hashable
    ) -> dict[str, Value]:
        """Return what a method of a reader (`Reader.narrower`) has for ids, with more arguments.

        Raises TimeoutError after the time that a request may take.
        """
        known = self._known.setdefault((what.__name__, *arguments), {})
        asked = dict.fromkeys(ids)
        if missing := [each for each in asked if each not in known]:
            if monotonic() > self._deadline:
                raise TimeoutError(too_late(self.settings))
            found = getattr(self.reader, what.__name__)(missing, *arguments)
            known.update((each, found.get(each)) for each in missing)
        return {each: value for each in asked if (value := known[each]) is not None}

    def works(self, ids: Iterable[str]) -> dict[str, Work]:
        """Return works by id."""
        return self.read(Reader.works, ids)

    def learn(self, what: Callable[..., Mapping[str, Value]], values: Mapping[str, Any]) -> None:
        """Keep what was read elsewhere, as `read` would have read it."""
        self._known.setdefault((what.__name__,), {}).update(values)

    def close(self) -> None:
        """Free what was shown: an object and its level refer to each other, and else would stay
        until garbage is collected, at a tenth of the time of an answer.
        """
        while self.levels:
            self.levels.pop().close()


StemmaInfo = Info[Context, None]
