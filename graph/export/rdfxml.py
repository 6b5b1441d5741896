"""RDF/XML."""

from collections.abc import Iterator

import pyoxigraph as ox

from stemma.graph.export.named_graph import NamedGraphs
from stemma.graph.export.portion import Portion
from stemma.graph.export.triple import triples
from stemma.graph.export.xml_text import fit_for_xml
from stemma.graph.oxigraph.vocabulary import PREFIXES


def rdfxml(portion: Portion) -> Iterator[bytes]:
    """Write the union of all graphs."""
    names = " ".join(f'xmlns:{short}="{full}"' for short, full in sorted(PREFIXES.items()))
    yield f'<?xml version="1.0" encoding="UTF-8"?>\n<rdf:RDF {names}>\n'.encode()
    for lines in NamedGraphs(portion).union():
        fitting = map(_fitting, triples(lines))
        data = ox.serialize(fitting, None, ox.RdfFormat.RDF_XML, prefixes=PREFIXES) or b""
        # A parser of XML takes a bare carriage return for a line feed.
        data = data.replace(b"\r", b"&#13;")
        yield data.split(b"\n", 2)[2].removesuffix(b"</rdf:RDF>")
    yield b"</rdf:RDF>\n"


def _fitting(triple: ox.Triple) -> ox.Triple:
    text = triple.object
    if isinstance(text, ox.Literal) and (fit := fit_for_xml(text.value)) != text.value:
        return ox.Triple(triple.subject, triple.predicate, ox.Literal(fit, datatype=text.datatype))
    return triple
