"""What a GraphQL request works with: one generation of the graph, and its batched reads."""

from asyncio import Future
from collections.abc import Awaitable, Callable, Hashable, Iterable, Mapping, Sequence
from functools import partial
from types import CoroutineType
from typing import Any, Generic, TypeVar, cast

from strawberry.dataloader import DataLoader
from strawberry.types import Info
from strawberry.utils.await_maybe import AwaitableOrValue, await_maybe

from stemma.graph import Reader, Work
from stemma.graph.linking.people import Person
from stemma.graph.store import spellings
from stemma.schema import PartialDate, RelationType, Statement
from stemma.server.settings import DEFAULT_SETTINGS, Settings

MOST_NAMESAKES = 20
"""Of one work: thousands of papers may be titled "Editorial"."""
RelatedKey = tuple[str, tuple[RelationType, ...]]
"""A work, and the relations that are asked for; all of them if there are none."""
StatementsKey = tuple[str, tuple[RelationType, ...], int | None]
"""The same, and how many at most."""
_Asked = TypeVar("_Asked", bound=Hashable)
Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")
Result = TypeVar("Result")


class Batch(Generic[Key, Value]):
    """Values by key. `read` returns those of several keys at once; each is read only once.

    What it has no value for has the value `otherwise`. One that does not wait reads at once.
    """

    def __init__(
        self, read: Callable[[list[Key]], Mapping[Key, Value]], otherwise: Any, waits: bool
    ) -> None:
        self._read, self._otherwise, self._waits = read, otherwise, waits
        self._known: dict[Key, Value] = {}
        self._loader: DataLoader[Key, Value] | None = None

    def get(self, key: Key) -> AwaitableOrValue[Value]:
        """Return a value: at once if it is known, else with those of all others who ask now."""
        if key in self._known or not self._waits:
            return self.fetch([key])[0]
        if self._loader is None:
            self._loader = DataLoader(self._load, cache=False)
        return self._loader.load(key)

    def get_all(self, keys: Iterable[Key]) -> AwaitableOrValue[list[Value]]:
        """Return several values: at once if all are known."""
        listed = list(keys)
        if not self._waits or all(key in self._known for key in listed):
            return self.fetch(listed)
        return self._waited_for(listed)

    def fetch(self, keys: Iterable[Key]) -> list[Value]:
        """Return several values now; those not known are read in one go."""
        listed = list(keys)
        missing = [key for key in dict.fromkeys(listed) if key not in self._known]
        if missing:
            found = self._read(missing)
            self._known.update((key, found.get(key, self._otherwise)) for key in missing)
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


class Context:
    """Reads of one request.

    The store is read in the thread that answers the request: see `Questions`. `asked` names the
    fields that the query has anywhere, so that what they need can be read with what leads there.
    Where little is read of a store in this process, to wait for others takes longer than to read.
    """

    def __init__(
        self, reader: Reader, settings: Settings = DEFAULT_SETTINGS, waits: bool = True
    ) -> None:
        batch = partial(Batch[Any, Any], waits=waits)
        self.reader = reader
        self.settings = settings
        self.asked: frozenset[str] = frozenset()
        self.cost = 0
        """The price of the request so far: see `Price`. A batch has one budget."""
        self.shown: dict[str, Any] = {}
        """The GraphQL objects of works, by id."""
        self.works: Batch[str, Work | None] = batch(reader.works, None)
        self.statements: Batch[StatementsKey, list[Statement]] = batch(self._statements, [])
        self.named: Batch[RelatedKey, list[str]] = batch(self._named, [])
        self.naming: Batch[RelatedKey, list[str]] = batch(self._naming, [])
        self.narrower: Batch[str, list[str]] = batch(reader.narrower, [])
        self.namesakes: Batch[str, list[str]] = batch(self._namesakes, [])
        self.published: Batch[str, PartialDate | None] = batch(reader.published, None)
        self.people: Batch[str, Person | None] = batch(reader.people, None)
        self.authors: Batch[str, list[str]] = batch(reader.authors, [])
        self.written_by: Batch[str, list[str]] = batch(reader.written_by, [])
        self.cites: Batch[str, list[str]] = batch(reader.cites, [])
        self.cited_by: Batch[str, list[str]] = batch(reader.cited_by, [])

    def learn(self, works: Iterable[Work]) -> None:
        """Keep works that were read."""
        self.works.learn({work.id: work for work in works})

    def fetch_ends(self, statements: Iterable[Statement]) -> None:
        """Read the works that statements are about, where the query asks for them."""
        asked = {"subject": {"subject", "paper"}, "entity": {"entity"}}
        ends = [end for end, fields in asked.items() if self.asked & fields]
        if ends:
            self.works.fetch(getattr(each, end) for each in statements for end in ends)

    def _statements(self, keys: list[StatementsKey]) -> dict[StatementsKey, list[Statement]]:
        asked = _grouped((work, (relations, first)) for work, relations, first in keys)
        read = {
            (work, relations, first): statements
            for (relations, first), ids in asked.items()
            for work, statements in self.reader.statements(ids, relations, first).items()
        }
        # No page is longer: what follows is read when it is asked for.
        most = self.settings.page_size
        self.fetch_ends(each for statements in read.values() for each in statements[:most])
        return read

    def _named(self, keys: list[RelatedKey]) -> dict[RelatedKey, list[str]]:
        read = _related(self.reader.entities_named, keys)
        self.works.fetch(id_ for entities in read.values() for id_ in entities)
        return read

    def _naming(self, keys: list[RelatedKey]) -> dict[RelatedKey, list[str]]:
        return _related(self.reader.papers_naming, keys)

    def _namesakes(self, ids: list[str]) -> dict[str, list[str]]:
        works = self.works.fetch(ids)
        names = [spellings(work) if work else () for work in works]
        called = self.reader.all_called(list(dict.fromkeys(name for own in names for name in own)))
        others = {
            id_: sorted({each for name in own for each in called[name]} - {id_})[:MOST_NAMESAKES]
            for id_, own in zip(ids, names, strict=True)
        }
        self.works.fetch(each for ids in others.values() for each in ids)
        return others


def _related(
    read: Callable[[list[str], Sequence[RelationType]], Mapping[str, list[str]]],
    keys: list[RelatedKey],
) -> dict[RelatedKey, list[str]]:
    """Read what works are related to, those of which the same relations are asked at once."""
    return {
        (work, relations): related
        for relations, ids in _grouped(keys).items()
        for work, related in read(ids, relations).items()
    }


def _grouped(keys: Iterable[tuple[str, _Asked]]) -> dict[_Asked, list[str]]:
    """Return the ids of which the same is asked."""
    ids: dict[_Asked, list[str]] = {}
    for work, asked in keys:
        ids.setdefault(asked, []).append(work)
    return ids


StemmaInfo = Info[Context, None]
