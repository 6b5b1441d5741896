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

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256

from stemma.graph.linking.people import Person
from stemma.graph.rdf.vocabulary import (
    CITING,
    KINDS,
    ORCID,
    PREFIXES,
    RELATIONS,
    Triples,
    date,
    english,
    iri,
    term,
    text,
    typed,
)
from stemma.graph.reader import Statistics
from stemma.schema import (
    CATALOGUE_ORIGIN,
    Catalogue,
    Decision,
    Entity,
    Fact,
    Origin,
    PartialDate,
    RelationType,
)
from stemma.schema.name import first_free
from stemma.schema.namespace import CATALOGUE_SCHEME, DATA, SOFTWARE

AUTHORS, BIBLIOGRAPHY, CATALOGUE = "authors", "bibliography", "catalogue"
CITATIONS, DATASET, ENTITIES = "citations", "dataset", "entities"
"""The ends of the graphs' IRIs; that of the data set itself is that of its graph."""
SCHEMES = {CATALOGUE: "Stemma catalogue", ENTITIES: "Entities that papers add"}
"""The graphs whose entities are in a concept scheme, with its title."""
_TITLE = "Stemma: the family tree of research"
_DESCRIPTION = (
    "Papers with the hardware, frameworks, techniques, models and datasets that they introduce, "
    "build on, improve on, compare with and use, and the sentences that say so."
)
_VOCABULARIES = ("stemma", "schema", "fabio", "cito", "skos", "prov", "oa", "dcterms")


# Entities.


def catalogued_aliases(
    entities: Mapping[str, Entity], catalogue: Catalogue
) -> dict[str, tuple[str, ...] | None]:
    """Return the aliases that the catalogue has of those entities (ids) that are in it; None where
    people decided otherwise than it."""
    catalogued: dict[str, tuple[str, ...] | None] = {}
    for id_ in entities.keys() & catalogue.concepts.keys():
        entity, concept = entities[id_], catalogue.concepts[id_]
        as_catalogued = replace(entity, aliases=concept.aliases) == concept
        has_all = {*concept.aliases} <= {*entity.aliases}
        catalogued[id_] = concept.aliases if as_catalogued and has_all else None
    return dict(sorted(catalogued.items()))


def scheme_iri(graph: str, base: str) -> str:
    """Return the IRI of the concept scheme of a graph in `SCHEMES`."""
    return CATALOGUE_SCHEME if graph == CATALOGUE else base + graph


def scheme_triples(graph: str, origins: Iterable[Origin], base: str) -> Triples:
    """Describe the concept schemes of a graph: its own, and those of added vocabularies."""
    if title := SCHEMES.get(graph):
        scheme = iri(scheme_iri(graph, base))
        yield scheme, "rdf:type", term("skos:ConceptScheme")
        yield scheme, "rdfs:label", english(title)
    if graph == CATALOGUE:
        links = {link for origin in origins for link in origin.links}
        added = sorted(scheme for property_, scheme in links if property_ == "skos:inScheme")
        yield from ((scheme, "rdf:type", term("skos:ConceptScheme")) for scheme in added)


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
        yield me, "skos:inScheme", iri(scheme_iri(ENTITIES, base))
    else:
        observed = (alias for alias in entity.aliases if alias not in catalogued)
        yield from ((me, "skos:altLabel", text(alias)) for alias in observed)
    if published:
        yield me, "schema:datePublished", date(published)


def concept_triples(
    entity: Entity, catalogued: Sequence[str] | None, origin: Origin, base: str
) -> Triples:
    """Yield a concept as the catalogue has it, for the graph `catalogue`.

    Without the aliases `catalogued` it only says that the entity is in the catalogue: people
    decided otherwise. A graph with another base than the catalogue is linked to it.
    """
    me, links = iri(base + entity.id), {*origin.links}
    if catalogued is not None:
        yield from _described(replace(entity, aliases=tuple(catalogued)), base, origin.label)
    if not origin.label:
        links |= {
            ("skos:inScheme", iri(CATALOGUE_SCHEME)),
            ("skos:exactMatch", iri(DATA + entity.id)),
        }
    yield from ((me, property_, value) for property_, value in sorted(links) if value != me)


def _described(entity: Entity, base: str, label: str = "") -> Triples:
    me = iri(base + entity.id)
    yield me, "rdf:type", term("skos:Concept")
    yield me, "rdf:type", term(KINDS[entity.kind])
    yield me, "skos:prefLabel", text(entity.name)
    yield me, "rdfs:label", label or english(entity.name)
    yield me, "stemma:general", typed(str(entity.general).lower(), "boolean")
    yield from ((me, "skos:altLabel", text(alias)) for alias in entity.aliases)
    yield from ((me, "skos:broader", iri(base + broader)) for broader in entity.broader)


def fact_triples(fact: Fact, base: str) -> Triples:
    """Yield a fact for the graph `catalogue`: a triple, a statement, and an edge of lineage."""
    subject, entity = iri(base + fact.subject), iri(base + fact.entity)
    me = iri(f"{base}{fact.subject}#{_local(fact.relation)}-{fact.entity.partition('/')[2]}")
    yield subject, RELATIONS[fact.relation], entity
    yield subject, "stemma:derivesFrom", entity
    yield me, "rdf:type", term("rdf:Statement")
    yield me, "rdf:subject", subject
    yield me, "rdf:predicate", term(RELATIONS[fact.relation])
    yield me, "rdf:object", entity
    yield me, "stemma:child", subject
    yield me, "stemma:confidence", typed(1.0, "double")
    yield me, "stemma:origin", text(CATALOGUE_ORIGIN)


# People and citations.


def person_triples(person: Person, papers: Iterable[str], base: str) -> Triples:
    """Yield who a person is, and which papers (ids) the person wrote."""
    me = iri(base + person.id)
    yield me, "rdf:type", term("schema:Person")
    yield me, "schema:name", text(person.name)
    yield from ((me, "schema:alternateName", text(name)) for name in person.other_names)
    if person.orcid:
        yield me, "schema:sameAs", iri(ORCID + person.orcid)
    yield from ((me, "schema:identifier", text(identifier)) for identifier in person.ids)
    yield from ((iri(base + paper), "schema:creator", me) for paper in papers)


def citation_triples(citing: str, cited: str, relation: RelationType | None, base: str) -> Triples:
    """Yield that a paper cites another: with a `relation`, by what it states of its work."""
    for name in ("cito:cites", *([CITING[relation]] if relation else ())):
        yield iri(base + citing), name, iri(base + cited)


def citation_query(near: str) -> str:
    """Return the query of the index for how papers cite others, by what these introduced.

    ``{}`` is for the papers at one end: `near` is citing or cited. A paper does not cite what
    certainly appeared after it. To be evaluated on what is no dataset is a citation of no kind.
    """
    start, end = {"citing": ("s", "i"), "cited": ("i", "s")}[near]
    return f"""
        SELECT citing.id, iif(s.relation <> 'EVALUATED_ON' OR entity.kind = 'dataset', s.relation,
                              NULL), cited.id FROM work near
        CROSS JOIN statement {start} ON {start}.subject = near.no
        CROSS JOIN statement {end} ON {end}.entity = {start}.entity
        JOIN work citing ON citing.no = s.subject JOIN work cited ON cited.no = i.subject
        JOIN work entity ON entity.no = s.entity
        WHERE near.id IN ({{}}) AND s.subject <> i.subject AND s.origin IS NOT NULL
        AND i.relation = 'INTRODUCES' AND i.origin IS NOT NULL
        AND s.relation IN ({", ".join(f"'{relation}'" for relation in CITING)})
        AND NOT (coalesce(citing.published, '') GLOB '[0-9]*'
                 AND coalesce(cited.published, '') GLOB '[0-9]*'
                 AND substr(cited.published, 1, length(citing.published))
                   > substr(citing.published, 1, length(cited.published)))
    """


# The data set.


def description(base: str) -> Triples:
    """Say what the data set is."""
    me = iri(base + DATASET)
    yield me, "rdf:type", term("void:Dataset")
    yield me, "rdf:type", term("dcat:Dataset")
    yield me, "dcterms:title", text(_TITLE)
    yield me, "dcterms:description", text(_DESCRIPTION)
    yield me, "void:uriSpace", text(base)
    yield from ((me, "void:vocabulary", iri(PREFIXES[vocabulary])) for vocabulary in _VOCABULARIES)


def counts(counted: Statistics, base: str, full: bool = True) -> Triples:
    """Count the members of classes, and the triples of relations, in the plain or `full` graph."""
    me, members = iri(base + DATASET), {"schema:ScholarlyArticle": ("papers", counted.papers)}
    members |= {KINDS[kind]: (kind.value, n) for kind, n in counted.by_kind.items() if n}
    for class_, (local, count) in members.items():
        part = iri(f"{base}{DATASET}#{local}")
        yield me, "void:classPartition", part
        yield part, "void:class", term(class_)
        yield part, "void:entities", typed(count, "integer")
    for relation, count in counted.by_relation.items():
        if count and (full or relation is not RelationType.MENTIONS):
            part = iri(f"{base}{DATASET}#{_local(relation)}")
            yield me, "void:propertyPartition", part
            yield part, "void:property", term(RELATIONS[relation])
            yield part, "void:triples", typed(count, "integer")


def run_triples(run: str, fingerprint: str) -> Triples:
    """Describe the run (an IRI) of an extractor, which found what papers say."""
    yield iri(run), "rdf:type", term("prov:Activity")
    yield iri(run), "stemma:fingerprint", text(fingerprint)
    yield iri(run), "prov:wasAssociatedWith", iri(SOFTWARE)
    yield iri(SOFTWARE), "rdf:type", term("prov:SoftwareAgent")
    yield iri(SOFTWARE), "rdfs:label", english("Stemma")


def decision_triples(
    decisions: Iterable[Decision],
    former: Mapping[str, str],
    unapplied: Mapping[int, str],
    base: str,
) -> Triples:
    """State what people decided, and which `former` ids they merged into others.

    Former ids may be known elsewhere; `unapplied` says why a decision does not apply.
    """
    taken = set[str]()
    for number, decision in enumerate(decisions, start=1):
        digest = sha256(str(decision).encode()).hexdigest()[:16]
        taken.add(local := first_free(digest, taken.__contains__))
        me = iri(f"{base}decision/{local}")
        yield iri(base + DATASET), "stemma:decision", me
        yield me, "rdf:type", term("stemma:Decision")
        yield me, "stemma:number", typed(number, "integer")
        yield me, "rdfs:label", english(str(decision))
        if decision.note:
            yield me, "skos:note", text(decision.note)
        if number in unapplied:
            yield me, "stemma:notApplied", text(unapplied[number])
    for old, new in former.items():
        yield iri(base + old), "dcterms:isReplacedBy", iri(base + new)


def _local(relation: RelationType) -> str:
    return relation.value.lower().replace("_", "-")
