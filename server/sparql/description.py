"""The service description of the endpoint (SPARQL 1.1 Service Description), for machines."""

import pyoxigraph as ox

from stemma.schema.namespace import RDF_TYPE
from stemma.server.sparql.format import GRAPHS

_SD = "http://www.w3.org/ns/sparql-service-description#"
_FORMATS = "http://www.w3.org/ns/formats/"
_OFFERED = (
    *("SPARQL_Results_JSON", "SPARQL_Results_XML", "SPARQL_Results_CSV", "SPARQL_Results_TSV"),
    *("Turtle", "N-Triples", "JSON-LD", "RDF_XML"),
)


def description(url: str, dataset: str, media_type: str) -> bytes:
    """Describe the endpoint at `url`, whose data are those of the data set with the IRI `dataset`.

    `media_type` is one of those that graphs are offered in.
    """
    me, data, union = url, f"{url}#dataset", f"{url}#default-graph"
    lines = [
        (me, RDF_TYPE, f"{_SD}Service"),
        (me, f"{_SD}endpoint", url),
        (me, f"{_SD}supportedLanguage", f"{_SD}SPARQL11Query"),
        (me, f"{_SD}feature", f"{_SD}UnionDefaultGraph"),
        *((me, f"{_SD}resultFormat", _FORMATS + each) for each in _OFFERED),
        (me, f"{_SD}defaultDataset", data),
        (data, RDF_TYPE, f"{_SD}Dataset"),
        (data, f"{_SD}defaultGraph", union),
        (union, RDF_TYPE, f"{_SD}Graph"),
        (union, "http://www.w3.org/2000/01/rdf-schema#seeAlso", dataset),
    ]
    triples = (ox.Triple(*map(ox.NamedNode, line)) for line in lines)
    return ox.serialize(triples, None, GRAPHS[media_type], prefixes={"sd": _SD}) or b""
