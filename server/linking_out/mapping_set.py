"""Matches as a mapping set in SSSOM: a table, or RDF.

See https://mapping-commons.github.io/sssom/. Each mapping says how sure it is and why.
"""

import csv
import io
from collections.abc import Iterable
from hashlib import sha256

import pyoxigraph as ox

from stemma import __version__
from stemma.schema.namespace import OWL, RDF, RDFS, SKOS, XSD
from stemma.server.linking_out import MappingFormat
from stemma.server.linking_out.matching import SAME_IDENTIFIER, SAME_PAPER, Match

_SSSOM = "https://w3id.org/sssom/"
_SEMAPV = "https://w3id.org/semapv/vocab/"
_PREFIXES = {"owl": OWL, "rdfs": RDFS, "semapv": _SEMAPV, "skos": SKOS, "sssom": _SSSOM, "xsd": XSD}
_JUSTIFICATIONS = {
    SAME_IDENTIFIER: "BackgroundKnowledgeBasedMatching",
    SAME_PAPER: "CompositeMatching",
}
_COLUMNS = (
    "subject_id",
    "subject_label",
    "predicate_id",
    "object_id",
    "object_label",
    "mapping_justification",
    "confidence",
    "comment",
)


def write(matches: Iterable[Match], base: str, source: str, format: MappingFormat) -> str:
    """Write matches; `base` begins the IRIs of works, `source` is the name of the file matched."""
    return (_table if format is MappingFormat.SSSOM else _turtle)(matches, base, source)


def _set_iri(base: str, source: str) -> str:
    return f"{base}mappings/{sha256(source.encode()).hexdigest()[:16]}"


def _table(matches: Iterable[Match], base: str, source: str) -> str:
    """Write a table of tab-separated values, with what it is about in comments before it."""
    text = io.StringIO()
    for line in (
        f"mapping_set_id: {_set_iri(base, source)}",
        "license: https://w3id.org/sssom/license/unspecified",
        "mapping_tool: Stemma",
        f"mapping_tool_version: {__version__}",
        "curie_map:",
        *(f"  {prefix}: {iri}" for prefix, iri in sorted(_PREFIXES.items())),
    ):
        text.write(f"#{line}\n")
    table = csv.writer(text, dialect="excel-tab", lineterminator="\n")
    table.writerow(_COLUMNS)
    for each in matches:
        table.writerow(
            (
                base + each.work.id,
                _one_line(each.work.name),
                "skos:exactMatch",
                each.record.iri,
                _one_line(each.record.names[0]),
                f"semapv:{_justification(each)}",
                each.confidence,
                each.reason,
            )
        )
    return text.getvalue()


def _turtle(matches: Iterable[Match], base: str, source: str) -> str:
    """Write the links, each with an axiom that says how sure it is."""
    node, of = ox.NamedNode, ox.Triple
    triples = []
    for each in matches:
        work, record = node(base + each.work.id), node(each.record.iri)
        axiom = node(f"{_set_iri(base, source)}#{_digest(work.value, record.value)}")
        exact, type_ = node(SKOS + "exactMatch"), node(RDF + "type")
        confidence = ox.Literal(str(each.confidence), datatype=node(XSD + "double"))
        triples += [
            of(work, exact, record),
            of(axiom, type_, node(OWL + "Axiom")),
            of(axiom, node(OWL + "annotatedSource"), work),
            of(axiom, node(OWL + "annotatedProperty"), exact),
            of(axiom, node(OWL + "annotatedTarget"), record),
            of(axiom, node(_SSSOM + "confidence"), confidence),
            of(
                axiom,
                node(_SSSOM + "mapping_justification"),
                node(_SEMAPV + _justification(each)),
            ),
            of(axiom, node(RDFS + "comment"), ox.Literal(each.reason)),
        ]
    written = ox.serialize(triples, format=ox.RdfFormat.TURTLE, prefixes=_PREFIXES)
    assert written is not None
    return written.decode()


def _digest(*parts: str) -> str:
    return sha256("\n".join(parts).encode()).hexdigest()[:16]


def _justification(match: Match) -> str:
    return _JUSTIFICATIONS.get(match.reason, "LexicalMatching")


def _one_line(text: str) -> str:
    return " ".join(text.split())
