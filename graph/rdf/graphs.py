"""The graphs about all papers: entities, people, citations, and the data set itself.

`catalogue` holds the concepts that papers mention, with what is broader than they and the facts
between them, as the catalogue has them. `entities` has what all papers together say: what they
coined, and other names of the concepts. `authors` says who the authors of papers are, where the
graph of a paper says how it names them. `bibliography` has whom papers cite by their lists of
references, `citations` whom by their statements: one that builds on, uses or compares with an
entity cites the papers that introduced it. `dataset` describes the data set, by VoID and DCAT, with
its runs and people's decisions: nothing that the papers and the decisions do not determine.

All is written as N-Quads, one line a statement, which Oxigraph reads faster than it is handed
objects.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from stemma.graph.linking.people import Person
from stemma.graph.rdf import vocabulary as v
from stemma.graph.store import Statistics
from stemma.schema import (
    CATALOGUE_ORIGIN,
    Catalogue,
    Decision,
    Entity,
    Fact,
    PartialDate,
    RelationType,
)
from stemma.schema.namespace import (
    CATALOGUE_SCHEME,
    CITO,
    DCTERMS,
    FABIO,
    OA,
    ONTOLOGY,
    PROV,
    SCHEMA_ORG,
    SKOS,
    SOFTWARE,
    XSD,
)

AUTHORS, BIBLIOGRAPHY, CATALOGUE = "authors", "bibliography", "catalogue"
CITATIONS, DATASET, ENTITIES = "citations", "dataset", "entities"
"""The ends of the graphs' IRIs; that of the data set itself is that of its graph."""
_TITLE = "Stemma: the family tree of research"
_DESCRIPTION = (
    "Papers with the hardware, frameworks, techniques, models and datasets that they introduce, "
    "build on, improve on, compare with and use, and the sentences that say so."
)
_VOCABULARIES = (ONTOLOGY, SCHEMA_ORG, FABIO, CITO, SKOS, PROV, OA, DCTERMS)
_ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r"})


def iri(value: str) -> str:
    """Write an IRI. Ids, and terms of vocabularies, hold no character that needs escaping."""
    return f"<{value}>"


def text(value: str) -> str:
    """Write a plain literal."""
    return f'"{value.translate(_ESCAPES)}"'


def english(value: str) -> str:
    """Write a literal in English."""
    return f"{text(value)}@en"


def typed(value: object, datatype: str) -> str:
    """Write a literal of an XML Schema datatype, such as ``integer``."""
    return f"{text(str(value))}^^<{XSD}{datatype}>"


def date(value: PartialDate) -> str:
    """Write a date with the datatype that has its precision, from ``gYear`` to ``date``."""
    edtf = str(value)
    if value.year is None:
        return typed(f"-{edtf[4:]}", "gMonthDay" if value.day else "gMonth")
    return typed(edtf, {4: "gYear", 7: "gYearMonth", 10: "date"}[len(edtf)])


Triples = Iterator[tuple[str, str, str]]
"""Triples of a subject, the IRI of a predicate, and an object."""


def quads(graph: str, triples: Iterable[tuple[str, str, str]]) -> Iterator[str]:
    """Write triples as lines of a graph (an IRI)."""
    for subject, predicate, value in triples:
        yield f"{subject} <{predicate}> {value} <{graph}> .\n"


# Entities.


def catalogued_aliases(
    entities: Mapping[str, Entity], catalogue: Catalogue
) -> dict[str, tuple[str, ...] | None]:
    """Return the aliases that the catalogue has of those entities (ids) that are in it; None where
    people decided otherwise than it."""
    found: dict[str, tuple[str, ...] | None] = {}
    for id_ in entities.keys() & catalogue.concepts.keys():
        entity, concept = entities[id_], catalogue.concepts[id_]
        as_catalogued = replace(entity, aliases=concept.aliases) == concept
        has_all = {*concept.aliases} <= {*entity.aliases}
        found[id_] = concept.aliases if as_catalogued and has_all else None
    return dict(sorted(found.items()))


def entity_triples(
    entity: Entity, catalogued: Collection[str] | None, published: PartialDate | None, base: str
) -> Triples:
    """Yield what papers say about an entity, for the graph `entities`.

    `catalogued` are the aliases that it has in the catalogue: then only others are written. None
    where the catalogue does not have it, or not like this. `published` is when it first appeared.
    """
    me = iri(base + entity.id)
    if catalogued is None:
        yield from _described(entity, base)
        yield me, v.IN_SCHEME, iri(base + ENTITIES)
    else:
        observed = (alias for alias in entity.aliases if alias not in catalogued)
        yield from ((me, v.OTHER_LABEL, text(alias)) for alias in observed)
    if published:
        yield me, v.PUBLISHED, date(published)


def concept_triples(entity: Entity, catalogued: Sequence[str] | None, base: str) -> Triples:
    """Yield a concept as the catalogue has it, for the graph `catalogue`.

    Without the aliases `catalogued` it only says that the entity is in the catalogue: people
    decided otherwise.
    """
    if catalogued is not None:
        yield from _described(replace(entity, aliases=tuple(catalogued)), base)
    yield iri(base + entity.id), v.IN_SCHEME, iri(CATALOGUE_SCHEME)


def schemes(base: str) -> dict[str, tuple[str, str]]:
    """Return the concept schemes (IRI and title) of the graphs `catalogue` and `entities`."""
    return {
        CATALOGUE: (CATALOGUE_SCHEME, "Stemma catalogue"),
        ENTITIES: (base + ENTITIES, "Entities that papers add"),
    }


def scheme_triples(graph: str, base: str) -> Triples:
    """Describe the concept scheme of a graph, if it has one."""
    for scheme, title in filter(None, [schemes(base).get(graph)]):
        yield iri(scheme), v.TYPE, iri(v.SCHEME)
        yield iri(scheme), v.READABLE, english(title)


def _described(entity: Entity, base: str) -> Triples:
    me = iri(base + entity.id)
    yield me, v.TYPE, iri(v.SKOS_CONCEPT)
    yield me, v.TYPE, iri(v.KINDS[entity.kind])
    yield me, v.LABEL, text(entity.name)
    yield me, v.READABLE, english(entity.name)
    yield me, v.GENERAL, typed(str(entity.general).lower(), "boolean")
    yield from ((me, v.OTHER_LABEL, text(alias)) for alias in entity.aliases)
    yield from ((me, v.BROADER, iri(base + broader)) for broader in entity.broader)


def fact_triples(fact: Fact, base: str) -> Triples:
    """Yield a fact for the graph `catalogue`: a triple, a statement, and an edge of lineage."""
    subject, entity = iri(base + fact.subject), iri(base + fact.entity)
    term = v.RELATIONS[fact.relation]
    relation, local = _local(fact.relation), fact.entity.partition("/")[2]
    me = iri(f"{base}{fact.subject}#{relation}-{local}")
    yield subject, term, entity
    yield subject, v.DERIVES_FROM, entity
    yield me, v.TYPE, iri(v.STATEMENT)
    yield me, v.SUBJECT, subject
    yield me, v.PREDICATE, iri(term)
    yield me, v.OBJECT, entity
    yield me, v.CHILD, subject
    yield me, v.CONFIDENCE, typed(1.0, "double")
    yield me, v.ORIGIN, text(CATALOGUE_ORIGIN)


# People and citations.


def person_triples(person: Person, papers: Iterable[str], base: str) -> Triples:
    """Yield who a person is, and which papers (ids) the person wrote."""
    me = iri(base + person.id)
    yield me, v.TYPE, iri(v.PERSON)
    yield me, v.NAME, text(person.name)
    yield from ((me, v.OTHER_NAME, text(name)) for name in person.other_names)
    if person.orcid:
        yield me, v.SAME_AS, iri(v.ORCID + person.orcid)
    yield from ((me, v.IDENTIFIER, text(identifier)) for identifier in person.ids)
    yield from ((iri(base + paper), v.CREATOR, me) for paper in papers)


def citation_query(near: str) -> str:
    """Return the query of the index for how papers cite others, by what these introduced.

    ``{}`` is for the papers at one end: `near` is citing or cited. A paper does not cite what
    certainly appeared after it.
    """
    start, end = {"citing": ("s", "i"), "cited": ("i", "s")}[near]
    return f"""
        SELECT citing.id, s.relation, cited.id FROM work near
        CROSS JOIN statement {start} ON {start}.subject = near.no
        CROSS JOIN statement {end} ON {end}.entity = {start}.entity
        JOIN work citing ON citing.no = s.subject JOIN work cited ON cited.no = i.subject
        WHERE near.id IN ({{}}) AND s.subject <> i.subject AND s.origin IS NOT NULL
        AND i.relation = 'INTRODUCES' AND i.origin IS NOT NULL
        AND s.relation IN ('BUILDS_ON', 'IMPROVES_ON', 'COMPARES_WITH', 'USES', 'EVALUATED_ON')
        AND NOT (coalesce(citing.published, '') GLOB '[0-9]*'
                 AND coalesce(cited.published, '') GLOB '[0-9]*'
                 AND substr(cited.published, 1, length(citing.published))
                   > substr(citing.published, 1, length(cited.published)))
    """


# The data set.


def description(base: str) -> Triples:
    """Say what the data set is."""
    me = iri(base + DATASET)
    yield me, v.TYPE, iri(v.DATASET)
    yield me, v.TYPE, iri(v.DCAT_DATASET)
    yield me, v.TITLE, text(_TITLE)
    yield me, v.DESCRIPTION, text(_DESCRIPTION)
    yield me, v.URI_SPACE, text(base)
    yield from ((me, v.VOCABULARY, iri(vocabulary)) for vocabulary in _VOCABULARIES)


def counts(counted: Statistics, base: str) -> Triples:
    """Count the members of classes, and the triples of relations, that there are."""
    me, members = iri(base + DATASET), {v.SCHOLARLY_ARTICLE: ("papers", counted.papers)}
    members |= {v.KINDS[kind]: (kind.value, n) for kind, n in counted.by_kind.items() if n}
    for term, (local, count) in members.items():
        part = iri(f"{base}{DATASET}#{local}")
        yield me, v.CLASS_PARTITION, part
        yield part, v.CLASS, iri(term)
        yield part, v.ENTITIES, typed(count, "integer")
    for relation, count in counted.by_relation.items():
        if count:
            part = iri(f"{base}{DATASET}#{_local(relation)}")
            yield me, v.PROPERTY_PARTITION, part
            yield part, v.PROPERTY, iri(v.RELATIONS[relation])
            yield part, v.TRIPLES, typed(count, "integer")


def run_triples(run: str, fingerprint: str) -> Triples:
    """Describe the run (an IRI) of an extractor, which found what papers say."""
    yield iri(run), v.TYPE, iri(v.ACTIVITY)
    yield iri(run), v.FINGERPRINT, text(fingerprint)
    yield iri(run), v.ASSOCIATED, iri(SOFTWARE)
    yield iri(SOFTWARE), v.TYPE, iri(v.SOFTWARE_AGENT)
    yield iri(SOFTWARE), v.READABLE, english("Stemma")


def decision_triples(
    decisions: Iterable[Decision],
    former: Mapping[str, str],
    unapplied: Mapping[int, str],
    base: str,
) -> Triples:
    """State what people decided, and which `former` ids they merged into others.

    Former ids may be known elsewhere; `unapplied` says why a decision does not apply.
    """
    for number, decision in enumerate(decisions, start=1):
        each = iri(f"{base}decision/{number}")
        yield iri(base + DATASET), v.DECIDED_BY, each
        yield each, v.TYPE, iri(v.DECISION)
        yield each, v.NUMBER, typed(number, "integer")
        yield each, v.READABLE, english(str(decision))
        if number in unapplied:
            yield each, v.NOT_APPLIED, text(unapplied[number])
    yield from ((iri(base + old), v.REPLACED_BY, iri(base + new)) for old, new in former.items())


def _local(relation: RelationType) -> str:
    return relation.value.lower().replace("_", "-")
