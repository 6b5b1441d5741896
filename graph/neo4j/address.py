"""Addresses of Neo4j databases: where the server is, which database, and who asks."""

import os
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from stemma.graph.store import StoreError

SCHEMES = frozenset({"neo4j", "neo4j+s", "neo4j+ssc", "bolt", "bolt+s", "bolt+ssc"})
_EXAMPLE = "neo4j://user:password@localhost:7687"


@dataclass(frozen=True, slots=True)
class Address:
    """A database of a server. Without a `database` it is the user's home database."""

    server: str
    user: str | None
    password: str | None
    database: str | None

    @classmethod
    def parse(cls, url: str, database: str | None = None) -> "Address":
        """Read a URL; what it leaves out comes from the environment.

        That is ``NEO4J_USERNAME``, ``NEO4J_PASSWORD`` and ``NEO4J_DATABASE``; the database may
        also stand at the URL's end. Raises StoreError where it is no such URL.
        """
        parts = urlsplit(url)
        try:
            port = parts.port
        except ValueError:
            raise StoreError(f"The port is not a number; write {_EXAMPLE}.") from None
        if parts.scheme not in SCHEMES or not parts.hostname:
            raise StoreError(f"This is not the address of a Neo4j server; write {_EXAMPLE}.")
        if parts.fragment or parts.path.count("/") > 1:
            raise StoreError(
                "What follows the port is not the name of a database: write "
                f"# and / in passwords as %23 and %2F, as in {_EXAMPLE}."
            )
        host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
        server = f"{parts.scheme}://{host}" + (f":{port}" if port else "")
        if parts.query:  # The context of routing, which a cluster may be set up to look at.
            server += f"?{parts.query}"
        return cls(
            server,
            unquote(parts.username or "") or os.environ.get("NEO4J_USERNAME") or None,
            unquote(parts.password or "") or os.environ.get("NEO4J_PASSWORD") or None,
            database or unquote(parts.path.strip("/")) or os.environ.get("NEO4J_DATABASE") or None,
        )

    def __str__(self) -> str:
        """Say where it is, without the password."""
        return f"{self.server}/{self.database}" if self.database else self.server
