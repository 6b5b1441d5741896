"""What has an id, as GraphQL's interface."""

from typing import Any

import strawberry

from stemma.server.graphql.context import Context
from stemma.server.graphql.own_field import own_field


@strawberry.interface(description="Anything with an id.")
class Node:
    """Anything with an id."""

    context: strawberry.Private[Context]

    @classmethod
    def resolve_type(cls, node: "Node", *_: object) -> str:
        """Return the name of a node's type, which is that of its class."""
        return type(node).__name__

    @own_field(description="Readable and typed: `entity/zero-infinity`, `paper/…`, `statement/…`.")
    def id(self) -> strawberry.ID:
        node: Any = self
        return strawberry.ID(node.view.id)


def iri() -> Any:
    """Make the field with the IRI of what linked data describes."""

    def of(self: Any) -> str:
        return str(self.context.reader.base + self.model.id)

    return own_field("Its IRI, as in RDF and SPARQL.", graphql_type=str)(of)
