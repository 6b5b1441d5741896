"""The terms of the RDF by their prefixed names, as in Turtle, and how values are written."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from stemma.graph.selection import camel_case
from stemma.schema import EntityKind, PartialDate, RelationType
from stemma.schema import namespace as n

PREFIXES = {
    "stemma": n.ONTOLOGY,
    "rdf": n.RDF,
    "rdfs": n.RDFS,
    "skos": n.SKOS,
    "dcterms": n.DCTERMS,
    "schema": n.SCHEMA_ORG,
    "fabio": n.FABIO,
    "bibo": n.BIBO,
    "cito": n.CITO,
    "prov": n.PROV,
    "oa": n.OA,
    "void": n.VOID,
    "dcat": n.DCAT,
    "xsd": n.XSD,
}
"""How exports shorten IRIs."""
RELATIONS = {relation: f"stemma:{camel_case(relation.value.lower())}" for relation in RelationType}
KINDS = {kind: f"stemma:{kind.value.capitalize()}" for kind in EntityKind}
CITING = {
    RelationType.BUILDS_ON: "cito:extends",
    RelationType.IMPROVES_ON: "cito:discusses",
    RelationType.COMPARES_WITH: "cito:discusses",
    RelationType.USES: "cito:usesMethodIn",
    RelationType.EVALUATED_ON: "cito:usesDataFrom",
}
"""How a paper cites the one that introduced the entity of a statement with these relations."""
ORCID = "https://orcid.org/"
_ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r"})


@cache
def expanded(name: str) -> str:
    """Return the IRI of a term: ``https://schema.org/name`` of ``schema:name``."""
    prefix, _, local = name.partition(":")
    return PREFIXES[prefix] + local


def shortened(iri: str, prefixes: Mapping[str, str] = PREFIXES) -> str:
    """Return an IRI with a prefix in place of its namespace, if there is one."""
    for name, namespace in prefixes.items():
        if iri.startswith(namespace) and iri != namespace:
            return f"{name}:{iri.removeprefix(namespace)}"
    return iri


def iri(value: str) -> str:
    """Write an IRI. Ids, and terms of vocabularies, hold no character that needs escaping."""
    return f"<{value}>"


@cache
def term(name: str) -> str:
    """Write a term that is given by its prefixed name."""
    return iri(expanded(name))


def text(value: str) -> str:
    """Write a plain literal."""
    return f'"{value.translate(_ESCAPES)}"'


def english(value: str) -> str:
    """Write a literal in English."""
    return f"{text(value)}@en"


def typed(value: object, datatype: str) -> str:
    """Write a literal of an XML Schema datatype, such as ``integer``."""
    return f"{text(str(value))}^^<{n.XSD}{datatype}>"


def date(value: PartialDate) -> str:
    """Write a date with the datatype that has its precision, from ``gYear`` to ``date``."""
    edtf = str(value)
    if value.year is None:
        return typed(f"-{edtf[4:]}", "gMonthDay" if value.day else "gMonth")
    return typed(edtf, {4: "gYear", 7: "gYearMonth", 10: "date"}[len(edtf)])


Triples = Iterator[tuple[str, str, str]]
"""Triples of a subject, the prefixed name of a predicate, and an object."""


def quads(graph: str, triples: Iterable[tuple[str, str, str]]) -> Iterator[str]:
    """Write triples as lines of a graph (an IRI)."""
    for subject, predicate, value in triples:
        yield f"{subject} {term(predicate)} {value} <{graph}> .\n"
