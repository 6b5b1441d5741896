"""Batches: what the fields of a query ask for at the same time is read at once."""

from asyncio import Future
from collections.abc import Awaitable, Callable, Hashable, Iterable, Sequence
from types import CoroutineType
from typing import Generic, TypeVar, cast

from strawberry.dataloader import DataLoader
from strawberry.utils.await_maybe import AwaitableOrValue, await_maybe

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")
Result = TypeVar("Result")


class Batch(Generic[Key, Value]):
    """Values by key. `read` returns those of several keys at once; each is read only once."""

    def __init__(self, read: Callable[[list[Key]], Sequence[Value]]) -> None:
        self._read = read
        self._known: dict[Key, Value] = {}
        self._loader: DataLoader[Key, Value] | None = None

    def get(self, key: Key, alone: bool = False) -> AwaitableOrValue[Value]:
        """Return a value: at once if it is known, else with those of all others who ask now.

        If `alone`, there are no others to ask for the same, and it does not wait.
        """
        if key in self._known:
            return self._known[key]
        if alone:
            return self.fetch([key])[0]
        if self._loader is None:
            self._loader = DataLoader(self._load, cache=False)
        return self._loader.load(key)

    def get_all(self, keys: Iterable[Key], alone: bool = False) -> AwaitableOrValue[list[Value]]:
        """Return several values: at once if all are known."""
        listed = list(keys)
        if alone or all(key in self._known for key in listed):
            return self.fetch(listed)
        return self._waited_for(listed)

    def fetch(self, keys: Iterable[Key]) -> list[Value]:
        """Return several values now; those not known are read in one go."""
        listed = list(keys)
        missing = [key for key in dict.fromkeys(listed) if key not in self._known]
        if missing:
            self._known.update(zip(missing, self._read(missing), strict=True))
        return [self._known[key] for key in listed]

    def learn(self, values: dict[Key, Value]) -> None:
        """Keep values that were read elsewhere."""
        self._known.update(values)

    async def _load(self, keys: list[Key]) -> list[Value]:
        return self.fetch(keys)

    async def _waited_for(self, keys: list[Key]) -> list[Value]:
        for waiting in [self.get(key) for key in keys if key not in self._known]:
            await cast(Awaitable[Value], waiting)
        return self.fetch(keys)


def then(
    value: AwaitableOrValue[Value], go_on: Callable[[Value], AwaitableOrValue[Result]]
) -> AwaitableOrValue[Result]:
    """Continue with a value: at once if it is there, otherwise as soon as it is."""
    # Not any Awaitable: to find out about those takes longer than most of what goes on.
    if isinstance(value, (Future, CoroutineType)):
        return _later(value, go_on)
    return go_on(cast(Value, value))


async def _later(
    value: Awaitable[Value], go_on: Callable[[Value], AwaitableOrValue[Result]]
) -> Result:
    return await await_maybe(go_on(await value))
