"""What a GraphQL request works with: one generation of the graph, and its batched reads."""

from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from typing import Any, TypeVar

from strawberry.types import Info

from stemma.graph import Reader, Work
from stemma.graph.linking.people import Person
from stemma.graph.searching import spellings
from stemma.schema import PartialDate, RelationType, Statement
from stemma.schema.namespace import DATA
from stemma.server.graphql.batch import Batch
from stemma.server.settings import DEFAULT_SETTINGS, Settings

MOST_NAMESAKES = 20
"""Of one work: thousands of papers may be titled "Editorial"."""
RelatedKey = tuple[str, tuple[RelationType, ...]]
"""A work, and the relations that are asked for; all of them if there are none."""
StatementsKey = tuple[str, tuple[RelationType, ...], int | None]
"""The same, and how many at most."""
_Asked = TypeVar("_Asked", bound=Hashable)


class Context:
    """Reads of one request.

    The store is read in the thread that answers the request: see `Workers`. `asked` names the
    fields that the query has anywhere, so that what they need can be read with what leads there.
    """

    def __init__(self, reader: Reader, settings: Settings = DEFAULT_SETTINGS) -> None:
        self.reader = reader
        self.settings = settings
        self.asked: frozenset[str] = frozenset()
        self.cost = 0
        """The price of the request so far: see `Price`. A batch has one budget."""
        self.alone: set[str] = set()
        """Ids of works that a query asks for by name, not in a list."""
        self.shown: dict[str, Any] = {}
        """The GraphQL objects of works, by id."""
        self.works: Batch[str, Work | None] = Batch(self._works)
        self.statements: Batch[StatementsKey, list[Statement]] = Batch(self._statements)
        self.named: Batch[RelatedKey, list[str]] = Batch(self._named)
        self.naming: Batch[RelatedKey, list[str]] = Batch(self._naming)
        self.narrower: Batch[str, list[str]] = Batch(_each_of(reader.narrower))
        self.namesakes: Batch[str, list[str]] = Batch(self._namesakes)
        self.published: Batch[str, PartialDate | None] = Batch(self._published)
        self.people: Batch[str, Person | None] = Batch(self._people)
        self.authors: Batch[str, list[str]] = Batch(_each_of(reader.authors))
        self.written_by: Batch[str, list[str]] = Batch(_each_of(reader.written_by))
        self.cites: Batch[str, list[str]] = Batch(_each_of(reader.cites))
        self.cited_by: Batch[str, list[str]] = Batch(_each_of(reader.cited_by))

    @property
    def base(self) -> str:
        """What the IRIs of the data begin with."""
        dataset = self.reader.dataset
        return dataset.base if dataset else DATA

    def learn(self, works: Iterable[Work]) -> None:
        """Keep works that were read."""
        self.works.learn({work.id: work for work in works})

    def fetch_ends(self, statements: Iterable[Statement]) -> None:
        """Read the works that statements are about, where the query asks for them."""
        subjects = bool(self.asked & {"subject", "paper"})
        entities = "entity" in self.asked
        if subjects or entities:
            listed, ids = list(statements), list[str]()
            if subjects:
                ids += [each.subject for each in listed]
            if entities:
                ids += [each.entity for each in listed]
            self.works.fetch(ids)

    def _works(self, ids: list[str]) -> Sequence[Work | None]:
        found = self.reader.works(ids)
        return [found.get(each) for each in ids]

    def _statements(self, keys: list[StatementsKey]) -> Sequence[list[Statement]]:
        asked = _grouped((work, (relations, first)) for work, relations, first in keys)
        found = {
            (relations, first): self.reader.statements(ids, relations, first)
            for (relations, first), ids in asked.items()
        }
        read = [found[relations, first].get(work, []) for work, relations, first in keys]
        self.fetch_ends(each for statements in read for each in statements)
        return read

    def _named(self, keys: list[RelatedKey]) -> Sequence[list[str]]:
        found = {
            relations: self.reader.entities_named(ids, relations)
            for relations, ids in _grouped(keys).items()
        }
        read = [found[relations].get(paper, []) for paper, relations in keys]
        self.works.fetch(id_ for entities in read for id_ in entities)
        return read

    def _naming(self, keys: list[RelatedKey]) -> Sequence[list[str]]:
        found = {
            relations: self.reader.papers_naming(ids, relations)
            for relations, ids in _grouped(keys).items()
        }
        return [found[relations].get(entity, []) for entity, relations in keys]

    def _namesakes(self, ids: list[str]) -> Sequence[list[str]]:
        works = self.works.fetch(ids)
        names = [spellings(work) if work else () for work in works]
        called = self.reader.all_called(list(dict.fromkeys(name for own in names for name in own)))
        others = [
            sorted({each for name in own for each in called[name]} - {id_})[:MOST_NAMESAKES]
            for id_, own in zip(ids, names, strict=True)
        ]
        self.works.fetch(each for ids in others for each in ids)
        return others

    def _published(self, ids: list[str]) -> Sequence[PartialDate | None]:
        found = self.reader.published(ids)
        return [found.get(each) for each in ids]

    def _people(self, ids: list[str]) -> Sequence[Person | None]:
        found = self.reader.people(ids)
        return [found.get(each) for each in ids]


def _each_of(
    read: Callable[[Collection[str]], dict[str, list[str]]],
) -> Callable[[list[str]], Sequence[list[str]]]:
    """Return what reads the lists of several ids at once."""

    def read_all(ids: list[str]) -> Sequence[list[str]]:
        found = read(ids)
        return [found.get(each, []) for each in ids]

    return read_all


def _grouped(keys: Iterable[tuple[str, _Asked]]) -> dict[_Asked, list[str]]:
    """Return the ids of which the same is asked."""
    ids: dict[_Asked, list[str]] = {}
    for work, asked in keys:
        ids.setdefault(asked, []).append(work)
    return ids


StemmaInfo = Info[Context, None]
