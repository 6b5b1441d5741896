"""The catalogue: well-known entities with their other names, broader entities and lineage.

It is SKOS in the Turtle files next to this one, which any SKOS tool reads and edits; other SKOS may
be added to it.
"""

from stemma.schema.catalogue.addition import Addition, extended
from stemma.schema.catalogue.catalogue import Catalogue, CatalogueError, Fact, Origin, fingerprint

__all__ = ["Addition", "Catalogue", "CatalogueError", "Fact", "Origin", "extended", "fingerprint"]
