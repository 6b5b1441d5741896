"""Digests: of the papers in a database, what was read in them."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from stemma.graph.neo4j.connection import Connection

Digest = tuple[bytes, str]
"""The digest of what was read in a paper, and the extractor."""
MOST_SINGLY = 100
"""What is asked for one by one; then it is faster to read all."""
_FIELDS = "RETURN n.paper AS id, n.digest AS digest, n.extractor AS extractor"
_ALL = f"MATCH (n:_StemmaReading) {_FIELDS}"
_SOME = f"UNWIND $ids AS id MATCH (n:_StemmaReading {{paper: id}}) {_FIELDS}"
_COUNT = "MATCH (n:_StemmaReading) RETURN count(n) AS count"


class Digests(Mapping[str, Digest]):
    """The digests by the ids of papers, which are read as they are asked for."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._found: dict[str, Digest | None] = {}
        self._holds_all = False
        self._asked = 0

    def expect(self, ids: Collection[str]) -> None:
        """Read at once what will be asked for."""
        lacking = [] if self._holds_all else [id_ for id_ in ids if id_ not in self._found]
        if lacking:
            self._found |= dict.fromkeys(lacking)
            self._found |= self._read(_SOME, ids=lacking)

    def _read(self, cypher: str, **parameters: Any) -> dict[str, Digest]:
        rows = self._connection.read(cypher, **parameters)
        return {row["id"]: (bytes.fromhex(row["digest"]), row["extractor"]) for row in rows}

    def __getitem__(self, id_: str) -> Digest:
        if id_ not in self._found and not self._holds_all:
            self._asked += 1
            if self._asked > MOST_SINGLY or (self._asked == 1 and len(self) <= MOST_SINGLY):
                self._found = {**self._read(_ALL), **self._found}
                self._holds_all = True
            self.expect([id_])
        if (found := self._found.get(id_)) is None:
            raise KeyError(id_)
        return found

    def __iter__(self) -> Iterator[str]:
        return (row["id"] for row in self._connection.read(_ALL))

    def __len__(self) -> int:
        (row,) = self._connection.read(_COUNT)
        count: int = row["count"]
        return count

    def change(self, removed: Collection[str], written: Mapping[str, Digest]) -> None:
        """Note which papers a commit took out, and what it wrote of others."""
        self._found |= {**dict.fromkeys(removed), **written}
