"""The GraphQL schema, code first; its SDL is kept in ``schema/schema.graphql``."""
