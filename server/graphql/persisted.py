"""Persisted queries: a client sends the hash of a query that the server has seen, not its text.

The protocol is Apollo's: https://www.apollographql.com/docs/apollo-server/performance/apq
"""

from collections import OrderedDict
from hashlib import sha256
from typing import Any

from graphql import GraphQLError
from strawberry.http import GraphQLRequestData

_MOST = 1000
"""Queries that are kept: those that were used last."""
_VERSION = 1


class PersistedQueries:
    """The queries that clients have sent with their hashes."""

    def __init__(self) -> None:
        self._queries: OrderedDict[str, str] = OrderedDict()

    def resolve(self, data: GraphQLRequestData) -> None:
        """Add the query to a request that has the hash of a known one.

        Raises ValueError where the hash is not that of the query.
        """
        hash_ = _hash(data)
        if hash_ is None:
            return
        if data.query is None:
            data.query = self._queries.get(hash_)
        elif sha256(data.query.encode("utf-8", "surrogatepass")).hexdigest() != hash_:
            raise ValueError("`sha256Hash` is not the SHA-256 of the query.")
        else:
            self._queries[hash_] = data.query
        if data.query is not None:
            self._queries.move_to_end(hash_)
            while len(self._queries) > _MOST:
                self._queries.popitem(last=False)


def not_found(data: GraphQLRequestData) -> GraphQLError | None:
    """Return the error by which a client knows that it has to send the query itself."""
    if data.query is not None or _hash(data) is None:
        return None
    code = "PERSISTED_QUERY_NOT_FOUND"
    return GraphQLError("PersistedQueryNotFound", extensions={"code": code})


def _hash(data: GraphQLRequestData) -> str | None:
    given: Any = (data.extensions or {}).get("persistedQuery")
    if not isinstance(given, dict) or given.get("version") != _VERSION:
        return None
    hash_ = given.get("sha256Hash")
    return hash_ if isinstance(hash_, str) else None
