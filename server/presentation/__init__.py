"""How answers look outside GraphQL: as text in a terminal, as data, and as diagrams."""
