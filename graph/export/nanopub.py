"""Nanopublications: each statement with its provenance, under an IRI that is the hash of it all.

See https://nanopub.net/guidelines/working_draft/ and https://trustyuri.net: whoever has one can
check that nothing in it was changed. The hashes are those of the library nanopub. They are not
signed, and have no time: the same graph gives the same nanopublications.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping

import pyoxigraph as ox

from stemma.graph.export.named_graph import NamedGraphs
from stemma.graph.export.portion import Portion
from stemma.graph.export.rdf import triples
from stemma.graph.rdf import vocabulary as v
from stemma.graph.rdf.nanopublication import NP, PARTS, content_hash, expect_library
from stemma.schema.identifier import PAPER
from stemma.schema.namespace import DCTERMS, OA, ONTOLOGY, PROV, RDF, SOFTWARE, XSD

_NAMESPACE = "https://w3id.org/stemma/np/"
_PREFIXES = {
    "dcterms": DCTERMS,
    "np": NP,
    "oa": OA,
    "prov": PROV,
    "rdf": RDF,
    "stemma": ONTOLOGY,
    "xsd": XSD,
}
_OWN = re.compile(rf"<{re.escape(_NAMESPACE)}([^>]*)>")
_QUOTED = (v.EXACT, v.BEFORE, v.AFTER)
_OF_PROVENANCE = (v.ORIGIN, v.GENERATED_BY)
_Term = ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple
_Properties = Mapping[str, list[_Term]]


def nanopub(portion: Portion) -> Iterator[bytes]:
    """Write a nanopublication for each statement of a paper, as TriG.

    Raises StoreError where the library is not installed.
    """
    expect_library()
    graphs = NamedGraphs(portion)
    head = (f"@prefix {short}: <{full}> .\n" for short, full in sorted(_PREFIXES.items()))
    yield "".join(head).encode()
    for name, lines in graphs:
        if not name.startswith(graphs.base + PAPER):
            continue
        things: dict[str, dict[str, list[_Term]]] = defaultdict(lambda: defaultdict(list))
        for triple in triples(lines):
            if isinstance(triple.subject, ox.NamedNode):
                things[triple.subject.value][triple.predicate.value].append(triple.object)
        for iri, own in things.items():
            if ox.NamedNode(v.STATEMENT) in own.get(v.TYPE, ()):
                yield _written(_Statement(iri, own, things))


class _Statement:
    """What a nanopublication of one statement says, as N-Quads in a namespace without a hash."""

    def __init__(self, iri: str, own: _Properties, things: Mapping[str, _Properties]) -> None:
        self._iri, self._own, self._things = iri, own, things
        self._lines: list[str] = []

    def quads(self) -> str:
        """Return the four graphs: head, assertion, provenance and information on publication."""
        me, parts = (
            f"<{_NAMESPACE}>",
            [self._part(x) for x in ("assertion", "provenance", "pubinfo")],
        )
        assertion, provenance, pubinfo = parts
        head = self._part("Head")
        self._add(me, v.TYPE, f"<{NP}Nanopublication>", head)
        for predicate, part in zip(PARTS, parts, strict=True):
            self._add(me, NP + predicate, part, head)
        (subject,), (predicate_,), (object_,) = (
            self._own[each] for each in (v.SUBJECT, v.PREDICATE, v.OBJECT)
        )
        self._lines.append(f"{subject} {predicate_} {object_} {assertion} .")
        self._add(assertion, f"{PROV}wasDerivedFrom", str(subject), provenance)
        for predicate in _OF_PROVENANCE:
            for value in self._own.get(predicate, ()):
                self._add(assertion, predicate, str(value), provenance)
        for value in self._own.get(v.CONFIDENCE, ()):
            # As rdflib writes it, so that it has one form wherever it is hashed.
            plain = f'"{float(str(getattr(value, "value", 0)))}"^^<{XSD}double>'
            self._add(assertion, v.CONFIDENCE, plain, provenance)
        self._quote(assertion, provenance)
        self._add(me, f"{PROV}wasAttributedTo", f"<{SOFTWARE}>", pubinfo)
        self._add(me, f"{DCTERMS}isVersionOf", f"<{self._iri}>", pubinfo)
        return "\n".join(self._lines) + "\n"

    def _quote(self, assertion: str, provenance: str) -> None:
        for number, evidence in enumerate(self._own.get(v.EVIDENCE, ()), 1):
            if not isinstance(evidence, ox.NamedNode):
                continue
            sentence = self._part(f"sentence-{number}")
            self._add(assertion, v.EVIDENCE, sentence, provenance)
            self._add(sentence, v.TYPE, f"<{v.QUOTE}>", provenance)
            for predicate in _QUOTED:
                for value in self._things.get(evidence.value, {}).get(predicate, ()):
                    self._add(sentence, predicate, str(value), provenance)

    def _add(self, subject: str, predicate: str, value: str, graph: str) -> None:
        self._lines.append(f"{subject} <{predicate}> {value} {graph} .")

    @staticmethod
    def _part(name: str) -> str:
        return f"<{_NAMESPACE}{name}>"


def _written(statement: _Statement) -> bytes:
    quads = statement.quads()
    hash_ = content_hash(quads, _NAMESPACE)

    def with_hash(found: re.Match[str]) -> str:
        return f"<{_NAMESPACE}{hash_}{'#' if found[1] else ''}{found[1]}>"

    data = ox.parse(_OWN.sub(with_hash, quads), ox.RdfFormat.N_QUADS)
    written = ox.serialize(data, None, ox.RdfFormat.TRIG, prefixes=_PREFIXES) or b""
    return b"\n" + written.split(b"\n", len(_PREFIXES))[-1]
