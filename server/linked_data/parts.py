"""Parts of a paper: the fragments of its statements, and where it names entities."""

from collections import defaultdict
from dataclasses import dataclass, field

from stemma.graph import Reader
from stemma.graph.linked_extraction import local_names, statement_name
from stemma.schema import Field, RelationType, Statement


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
        """Return the ends of the IRIs of a statement, of which each has one at least."""
        known = self.fragments.get((statement.relation, statement.entity))
        return sorted(known) if known else [fragment(statement)]


def fragment(statement: Statement) -> str:
    """Return how a statement is called where the graph has no IRI for it, or a fact's."""
    relation = statement.relation.value.lower().replace("_", "-")
    return f"{relation}-{statement.entity.partition('/')[2]}"


def parts_of(reader: Reader, paper: str) -> Parts:
    """Return the parts of a paper (an id)."""
    found = Parts()
    for linked in reader.linked_extractions([paper]):
        ids, entities = linked.ids, linked.extraction.entities
        local = local_names(each.name for each in entities)
        for each in linked.decided.relations:
            own = statement_name(each.type, local[each.entity])
            found.fragments[each.type, ids[each.entity]].append(own)
        for entity in entities:
            for mention in entity.mentions:
                found.names[mention.field][mention.start, mention.end] = ids[entity.name]
    return found
