"""Networks in XML, by networkx: GraphML, and GEXF 1.3 for Gephi."""

from collections.abc import Iterator
from io import BytesIO
from typing import TYPE_CHECKING
from xml.etree.ElementTree import Element

from stemma.graph.export.network import Attributes, Network
from stemma.graph.export.portion import Portion
from stemma.graph.export.xml_text import fit_for_xml

if TYPE_CHECKING:
    from networkx import MultiDiGraph

_PARALLEL_KEY = "networkx_key"
"""The attribute in which networkx writes the keys of edges."""


def graphml(portion: Portion) -> Iterator[bytes]:
    """Write nodes and edges with their attributes."""
    # write_graphml itself writes other bytes where there is lxml.
    from networkx.readwrite.graphml import write_graphml_xml  # noqa: PLC0415 - slow to load

    out = BytesIO()
    write_graphml_xml(_networkx(portion), out, named_key_ids=True)
    yield out.getvalue()


def gexf(portion: Portion) -> Iterator[bytes]:
    """Write nodes and edges with their attributes."""
    from networkx.readwrite.gexf import GEXFWriter  # noqa: PLC0415 - slow to load

    graph = _networkx(portion)
    for _, _, key, edge in graph.edges(keys=True, data=True):
        edge["id"] = key
    writer, out = GEXFWriter(graph, version="1.3"), BytesIO()
    _correct(writer.xml)
    writer.write(out)
    yield out.getvalue()


def _networkx(portion: Portion) -> "MultiDiGraph[str]":
    """Return a portion as a directed graph of ids; an edge's key is its ends and its relation."""
    from networkx import MultiDiGraph  # noqa: PLC0415 - slow to load

    network = Network(portion)
    graph: MultiDiGraph[str] = MultiDiGraph()
    for node in map(_fitting, network.nodes()):
        graph.add_node(str(node.pop("id")), **node)
    for edge in map(_fitting, network.edges()):
        source, target = str(edge.pop("source")), str(edge.pop("target"))
        relation, weight = edge["relation"], edge.get("confidence", 1.0)
        key = f"{source} {relation} {target}"
        graph.add_edge(source, target, key, label=relation, weight=weight, **edge)
    return graph


def _fitting(attributes: Attributes) -> Attributes:
    return {
        name: fit_for_xml(value) if isinstance(value, str) else value
        for name, value in attributes.items()
    }


def _correct(gexf: Element) -> None:
    """Take out what networkx writes and GEXF does not have, and the day; give edges unique ids.

    Gephi makes one edge of parallel ones of the same kind.
    """
    meta, graph = gexf.findall("meta")[0], gexf.findall("graph")[0]
    del meta.attrib["lastmodifieddate"], graph.attrib["name"]
    keys = graph.findall(f"attributes/attribute[@title='{_PARALLEL_KEY}']")
    for attributes in graph.findall("attributes[@class='edge']"):
        for each in keys:
            attributes.remove(each)
    for edge in graph.findall("edges/edge"):
        edge.set("kind", edge.get("label", ""))
        for values in edge.findall("attvalues"):
            for value in values.findall("attvalue"):
                if value.get("for") in [key.get("id") for key in keys]:
                    values.remove(value)
