"""The store for teams: a graph in Neo4j, modelled as people who write Cypher would."""

from stemma.graph.neo4j.connection import Address
from stemma.graph.neo4j.store import Neo4jStore

__all__ = ["Address", "Neo4jStore"]
