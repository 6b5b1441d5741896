"""Entity graphs: the catalogue's concepts, and what papers add to them.

`catalogue` holds the concepts that papers mention, with what is broader than they and the facts
between them, as the catalogue has them. `entities` has what all papers together say: what they
coined, and other names of the concepts.
"""

from stemma.graph.oxigraph import vocabulary as v
from stemma.graph.oxigraph.nquads import iri, text, typed
from stemma.schema import CATALOGUE_ORIGIN, Entity, Fact

CATALOGUE, ENTITIES = "catalogue", "entities"
"""The ends of the graphs' IRIs."""


def entity_lines(entity: Entity, concept: Entity | None, base: str) -> list[str]:
    """Write what papers say about an entity; `concept` is its concept in the catalogue, if any.

    Decisions that differ from the catalogue are written in full. The lines belong to
    `entities`.
    """
    if concept is None or not _is_as_catalogued(entity, concept):
        return _described(entity, base, ENTITIES)
    observed = (alias for alias in entity.aliases if alias not in concept.aliases)
    me, graph = iri(base + entity.id), iri(base + ENTITIES)
    return [f"{me} <{v.OTHER_LABEL}> {text(alias)} {graph} .\n" for alias in observed]


def concept_lines(entity: Entity, concept: Entity, base: str) -> list[str]:
    """Write a concept as the catalogue has it, for the graph `catalogue`.

    If people decided otherwise, it only says that `entity` is in the catalogue.
    """
    me, graph = iri(base + concept.id), iri(base + CATALOGUE)
    described = _is_as_catalogued(entity, concept)
    return [
        *(_described(concept, base, CATALOGUE) if described else ()),
        f"{me} <{v.IN_SCHEME}> <{v.CATALOGUE_SCHEME}> {graph} .\n",
    ]


def _is_as_catalogued(entity: Entity, concept: Entity) -> bool:
    return (entity.name, entity.kind, entity.broader, entity.general) == (
        concept.name,
        concept.kind,
        concept.broader,
        concept.general,
    ) and set(concept.aliases) <= set(entity.aliases)


def _described(entity: Entity, base: str, graph: str) -> list[str]:
    properties = [
        (v.TYPE, iri(v.SKOS_CONCEPT)),
        (v.TYPE, iri(v.KINDS[entity.kind])),
        (v.LABEL, text(entity.name)),
        (v.GENERAL, typed(str(entity.general).lower(), "boolean")),
        *((v.OTHER_LABEL, text(alias)) for alias in entity.aliases),
        *((v.BROADER, iri(base + each)) for each in entity.broader),
    ]
    me, graph = iri(base + entity.id), iri(base + graph)
    return [f"{me} <{term}> {value} {graph} .\n" for term, value in properties]


def fact_id(fact: Fact) -> str:
    """Return the end of the IRI of the statement of a fact."""
    local = f"{fact.relation.value.lower().replace('_', '-')}-{fact.entity.partition('/')[2]}"
    return f"{fact.subject}#{local}"


def fact_lines(fact: Fact, base: str) -> list[str]:
    """Write a fact for the graph `catalogue`: a triple, a statement, and an edge of lineage."""
    graph, subject, entity = f"<{base}{CATALOGUE}>", f"<{base}{fact.subject}>", base + fact.entity
    me, term = f"<{base}{fact_id(fact)}>", v.RELATIONS[fact.relation]
    properties = [
        (subject, term, iri(entity)),
        (subject, v.DERIVES_FROM, iri(entity)),
        (me, v.TYPE, iri(v.STATEMENT)),
        (me, v.SUBJECT, subject),
        (me, v.PREDICATE, iri(term)),
        (me, v.OBJECT, iri(entity)),
        (me, v.CHILD, subject),
        (me, v.CONFIDENCE, typed(1.0, "double")),
        (me, v.ORIGIN, text(CATALOGUE_ORIGIN)),
    ]
    return [f"{each} <{term}> {value} {graph} .\n" for each, term, value in properties]
