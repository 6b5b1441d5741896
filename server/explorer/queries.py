"""What a view shows, as queries in GraphQL, SPARQL, Cypher and Python."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from stemma.graph import LineageDirection, Reader
from stemma.graph.rdf import vocabulary as v
from stemma.schema import RelationType
from stemma.schema.namespace import ONTOLOGY
from stemma.server.pages import path

PREFIXES = "".join(
    f"PREFIX {name}: <{v.PREFIXES[name]}>\n" for name in ("stemma", "skos", "schema", "rdf", "oa")
)
LARGEST_PAGE = 100
"""Of GraphQL."""


@dataclass(frozen=True, slots=True)
class Queries:
    """Queries that yield what a view shows; those that cannot are None."""

    graphql: str
    sparql: str | None
    cypher: str | None
    python: str

    def languages(self) -> list[tuple[str, str]]:
        """Return them by the names of their languages."""
        named = (
            ("GraphQL", self.graphql),
            ("SPARQL", self.sparql),
            ("Cypher", self.cypher),
            ("Python", self.python),
        )
        return [(language, query) for language, query in named if query]


@dataclass(frozen=True, slots=True)
class Dialect:
    """In what the databases differ that understand Cypher."""

    first_index: int
    is_neo4j: bool


def dialect(reader: Reader) -> Dialect:
    """Return the dialect of Cypher in which this store answers."""
    is_neo4j = reader.dataset is None
    return Dialect(0 if is_neo4j else 1, is_neo4j)


def string(text: str) -> str:
    """Return a string as GraphQL, Cypher and Python have it."""
    return json.dumps(text, ensure_ascii=False)


def strings(texts: Iterable[str]) -> str:
    """Return a list of strings as GraphQL, Cypher and Python have it."""
    return f"[{', '.join(map(string, texts))}]"


def iri(id_: str) -> str:
    """Return the IRI of a work, relative to the base of the store."""
    return f"<{path(id_)}>"


def term(relation: RelationType) -> str:
    """Return a relation as SPARQL has it."""
    return f"stemma:{v.RELATIONS[relation].removeprefix(ONTOLOGY)}"


def arguments(given: Mapping[str, str | None]) -> str:
    """Return the arguments of a field of GraphQL; those that are None are left out."""
    return ", ".join(f"{name}: {value}" for name, value in given.items() if value is not None)


def call(method: str, *positional: str, **named: str | None) -> str:
    """Return a program in Python that calls a method of the graph."""
    listed = [*positional, *(f"{name}={value}" for name, value in named.items() if value)]
    inner = ", ".join(listed)
    return (
        "from stemma import Stemma\n\n"
        'graph = Stemma("stemma.db")\n'
        f"found = graph.{method}({inner})\n"
    )


def arrow(direction: LineageDirection) -> tuple[str, str]:
    """Return both sides of a relationship in Cypher, seen from the root."""
    return ("<-", "-") if direction is LineageDirection.DESCENDANTS else ("-", "->")
