"""The GraphQL schema, code first; its SDL is kept in ``schema/schema.graphql``."""

# Before anything refers to them: an enumeration that is not registered by then gets another name.
from stemma.server.graphql import enums as enums
