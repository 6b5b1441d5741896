"""Parts of a paper: the fragments of its statements, and where it names entities."""

from collections import defaultdict
from dataclasses import dataclass, field

import pyoxigraph as ox

from stemma.graph import Reader
from stemma.graph.oxigraph import vocabulary as v
from stemma.graph.oxigraph.paper_graph import place, value
from stemma.schema import Field, RelationType, Statement

_RELATIONS = {term: relation for relation, term in v.RELATIONS.items()}


@dataclass(slots=True)
class Parts:
    """`fragments` by relation and entity (id); `names` by field and place, with the entity."""

    fragments: dict[tuple[RelationType, str], list[str]] = field(
        default_factory=lambda: defaultdict(list)
    )
    names: dict[Field, dict[tuple[int, int], str]] = field(
        default_factory=lambda: defaultdict(dict)
    )

    def fragments_of(self, statement: Statement) -> list[str]:
        """Return the ends of the IRIs of a statement, of which each has one at the least."""
        known = self.fragments.get((statement.relation, statement.entity))
        return sorted(known) if known else [fragment(statement)]


def fragment(statement: Statement) -> str:
    """Return how a statement is called where the graph has no IRI for it, or a fact's."""
    relation = statement.relation.value.lower().replace("_", "-")
    return f"{relation}-{statement.entity.partition('/')[2]}"


def parts_of(reader: Reader, paper: str) -> Parts:
    """Return the parts of a paper (an id); of stores without RDF none are known."""
    found = Parts()
    dataset = reader.dataset
    if dataset is None:
        return found
    graph = ox.NamedNode(dataset.base + paper)
    own: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for term in (v.PREDICATE, v.OBJECT, v.DENOTES, v.MENTION):
        for quad in dataset.rdf.quads_for_pattern(None, ox.NamedNode(term), None, graph):
            own[value(quad.subject)][term].append(value(quad.object))
    for subject, properties in own.items():
        if v.OBJECT in properties:
            relation = _RELATIONS[properties[v.PREDICATE][0]]
            entity = properties[v.OBJECT][0].removeprefix(dataset.base)
            found.fragments[relation, entity].append(subject.partition("#")[2])
        for mention in properties.get(v.MENTION, ()):
            where, start, end = place(mention)
            found.names[where][start, end] = properties[v.DENOTES][0].removeprefix(dataset.base)
    return found
