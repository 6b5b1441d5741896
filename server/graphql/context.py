"""What a GraphQL request works with: one generation of the graph, and its batched reads."""

import asyncio
from collections.abc import Sequence

from strawberry.dataloader import DataLoader
from strawberry.types import Info

from stemma.graph import Reader, Work
from stemma.schema import RelationType, Statement

StatementsKey = tuple[str, tuple[RelationType, ...]]


class Context:
    """Reads of one request. Each loader gathers the ids that a query's fields ask for at once."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.works: DataLoader[str, Work | None] = DataLoader(self._load_works)
        self.statements: DataLoader[StatementsKey, list[Statement]] = DataLoader(
            self._load_statements
        )
        self.narrower: DataLoader[str, list[str]] = DataLoader(self._load_narrower)

    async def _load_works(self, ids: list[str]) -> Sequence[Work | None]:
        found = await asyncio.to_thread(self.reader.works, ids)
        return [found.get(each) for each in ids]

    async def _load_statements(self, keys: list[StatementsKey]) -> Sequence[list[Statement]]:
        ids_by_relations: dict[tuple[RelationType, ...], list[str]] = {}
        for work, relations in keys:
            ids_by_relations.setdefault(relations, []).append(work)
        found = {
            relations: await asyncio.to_thread(self.reader.statements, ids, relations)
            for relations, ids in ids_by_relations.items()
        }
        return [found[relations].get(work, []) for work, relations in keys]

    async def _load_narrower(self, ids: list[str]) -> Sequence[list[str]]:
        found = await asyncio.to_thread(self.reader.narrower, ids)
        return [found.get(each, []) for each in ids]


StemmaInfo = Info[Context, None]
