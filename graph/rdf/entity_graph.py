"""Entity graphs: the catalogue's concepts, and what papers add to them.

`catalogue` holds the concepts that papers mention, with what is broader than they and the facts
between them, as the catalogue has them. `entities` has what all papers together say: what they
coined, and other names of the concepts.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace

from stemma.graph.rdf import vocabulary as v
from stemma.graph.rdf.nquads import date, english, iri, text, typed
from stemma.schema import CATALOGUE_ORIGIN, Entity, Fact, PartialDate
from stemma.schema.namespace import CATALOGUE_SCHEME

CATALOGUE, ENTITIES = "catalogue", "entities"
"""The ends of the graphs' IRIs."""


def catalogued_aliases(entity: Entity, concept: Entity) -> tuple[str, ...] | None:
    """Return the aliases of a concept; None where people decided otherwise than the catalogue."""
    as_catalogued = replace(entity, aliases=concept.aliases) == concept
    return concept.aliases if as_catalogued and {*concept.aliases} <= {*entity.aliases} else None


def entity_lines(
    entity: Entity, catalogued: Collection[str] | None, published: PartialDate | None, base: str
) -> list[str]:
    """Write what papers say about an entity, for the graph `entities`.

    `catalogued` are the aliases that it has in the catalogue: then only others are written. None
    where the catalogue does not have it, or not like this. `published` is when it first appeared.
    """
    me, graph = iri(base + entity.id), iri(base + ENTITIES)
    if catalogued is None:
        lines = _described(entity, base, ENTITIES)
        lines.append(f"{me} <{v.IN_SCHEME}> {graph} {graph} .\n")
    else:
        observed = (alias for alias in entity.aliases if alias not in catalogued)
        lines = [f"{me} <{v.OTHER_LABEL}> {text(alias)} {graph} .\n" for alias in observed]
    if published:
        lines.append(f"{me} <{v.PUBLISHED}> {date(published)} {graph} .\n")
    return lines


def concept_lines(entity: Entity, catalogued: Sequence[str] | None, base: str) -> list[str]:
    """Write a concept as the catalogue has it, for the graph `catalogue`.

    Without the aliases `catalogued` it only says that the entity is in the catalogue: people
    decided otherwise.
    """
    me, graph = iri(base + entity.id), iri(base + CATALOGUE)
    concept = None if catalogued is None else replace(entity, aliases=tuple(catalogued))
    return [
        *(_described(concept, base, CATALOGUE) if concept else ()),
        f"{me} <{v.IN_SCHEME}> <{CATALOGUE_SCHEME}> {graph} .\n",
    ]


def schemes(base: str) -> tuple[str, str]:
    """Return the concept schemes (IRIs) of the graphs `catalogue` and `entities`."""
    return CATALOGUE_SCHEME, base + ENTITIES


def scheme_lines(graph: str, base: str) -> list[str]:
    """Describe the concept scheme of the graph `catalogue` or `entities`."""
    number = (CATALOGUE, ENTITIES).index(graph)
    title = ("Stemma catalogue", "Entities that papers add")[number]
    me, named = iri(schemes(base)[number]), iri(base + graph)
    return [
        f"{me} <{v.TYPE}> {iri(v.SCHEME)} {named} .\n",
        f"{me} <{v.READABLE}> {english(title)} {named} .\n",
    ]


def _described(entity: Entity, base: str, graph: str) -> list[str]:
    properties = [
        (v.TYPE, iri(v.SKOS_CONCEPT)),
        (v.TYPE, iri(v.KINDS[entity.kind])),
        (v.LABEL, text(entity.name)),
        (v.READABLE, english(entity.name)),
        (v.GENERAL, typed(str(entity.general).lower(), "boolean")),
        *((v.OTHER_LABEL, text(alias)) for alias in entity.aliases),
        *((v.BROADER, iri(base + broader)) for broader in entity.broader),
    ]
    me, named = iri(base + entity.id), iri(base + graph)
    return [f"{me} <{term}> {value} {named} .\n" for term, value in properties]


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
