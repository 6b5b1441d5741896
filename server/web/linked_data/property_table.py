"""Property tables: RDF as people can read it, for what has no page of its own kind."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

import pyoxigraph as ox

from stemma.graph.rdf.vocabulary import PREFIXES
from stemma.server.web.pages import path


@dataclass(frozen=True, slots=True)
class PropertyCell:
    """A term as it is shown, and where it leads to, if anywhere."""

    text: str
    href: str | None = None


Table = dict[PropertyCell, dict[PropertyCell, list[PropertyCell]]]
"""By subject and property, the values."""


def property_table(triples: Iterable[ox.Triple], base: str) -> Table:
    """Arrange triples by subject and property, in the order in which subjects first appear.

    IRIs that begin with `base` lead to their pages.
    """
    triples = list(triples)
    table: Table = {_cell(each.subject, base): defaultdict(list) for each in triples}
    for triple in sorted(triples, key=str):
        property_ = _cell(triple.predicate, base)
        table[_cell(triple.subject, base)][property_].append(_cell(triple.object, base))
    return table


def _cell(term: ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple, base: str) -> PropertyCell:
    if not isinstance(term, ox.NamedNode):
        return PropertyCell(str(term) if isinstance(term, ox.Triple) else term.value)
    iri = term.value
    if iri.startswith(base):
        local, mark, fragment = iri.removeprefix(base).partition("#")
        return PropertyCell(local + mark + fragment, f"/page/{path(local)}{mark}{fragment}")
    for prefix, namespace in PREFIXES.items():
        if iri.startswith(namespace):
            return PropertyCell(f"{prefix}:{iri.removeprefix(namespace)}", iri)
    return PropertyCell(iri, iri if iri.startswith(("http://", "https://")) else None)
