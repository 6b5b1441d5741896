"""Documents of RDF as pages: the resources in one, each with what is said of it."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

import pyoxigraph as ox

from stemma.graph.rdf.vocabulary import shortened
from stemma.schema.namespace import DATA, RDF
from stemma.server.web import pages

_FIRST, _REST = ox.NamedNode(RDF + "first"), ox.NamedNode(RDF + "rest")
_A_PAGE = 250
"""Resources on a page of a document with many."""
_Term = ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple


@dataclass(frozen=True, slots=True)
class Value:
    """A term as text, with an address if it has one, and, where it has no name, its properties."""

    text: str
    href: str | None = None
    properties: tuple[tuple["Value", list["Value"]], ...] = ()


class DocumentPage:
    """The page of a document with the IRI `iri`; IRIs are shortened by `prefixes`."""

    def __init__(self, iri: str, triples: Iterable[ox.Triple], prefixes: dict[str, str]) -> None:
        self.iri, self._prefixes = iri, prefixes
        self._said: dict[_Term, dict[_Term, list[_Term]]] = {}
        for triple in triples:
            own = self._said.setdefault(triple.subject, defaultdict(list))
            if triple.object not in own[triple.predicate]:
                own[triple.predicate].append(triple.object)

        named = [node for node in self._said if isinstance(node, ox.NamedNode)]
        named.sort(key=lambda node: not node.value.startswith(self.iri))
        self._pages = {node: place // _A_PAGE + 1 for place, node in enumerate(named)}
        self._shown = 1

    def render(self, formats: dict[str, str], number: int = 1) -> str:
        """Return a page of the document, with links to its `formats` by their names.

        What belongs to the document comes before what it says of the terms of others.
        """
        last = max(self._pages.values(), default=1)
        self._shown = min(max(number, 1), last)
        resources = [
            (_anchor(node.value), self._value(node).text, self._properties(node))
            for node, page in self._pages.items()
            if page == self._shown
        ]
        return pages.render(
            "document.html",
            iri=self.iri,
            formats=formats,
            resources=resources,
            number=self._shown,
            last=last,
        )

    def _properties(self, node: _Term) -> tuple[tuple[Value, list[Value]], ...]:
        def values(terms: list[_Term]) -> list[Value]:
            return [self._value(each) for term in terms for each in self._all(term)]

        said = self._said[node]
        return tuple((self._value(term), values(terms)) for term, terms in said.items())

    def _all(self, term: _Term) -> list[_Term]:
        """Return the members of a list, or a term that is none."""
        members = []
        while isinstance(term, ox.BlankNode) and _FIRST in self._said[term]:
            members += self._said[term][_FIRST]
            (term,) = self._said[term][_REST]
        return members or [term]

    def _value(self, term: _Term) -> Value:
        if isinstance(term, ox.BlankNode):
            return Value("", None, self._properties(term))
        if not isinstance(term, ox.NamedNode):
            return Value(term.value if isinstance(term, ox.Literal) else str(term))
        href = term.value
        if page := self._pages.get(term):
            href = f"{'' if page == self._shown else f'?page={page}'}#{_anchor(href)}"
        elif href.startswith(DATA):
            href = f"/id/{pages.path(href.removeprefix(DATA))}"
        return Value(shortened(term.value, self._prefixes), href)


def _anchor(iri: str) -> str:
    """Return the fragment of an IRI, or what comes last in it."""
    return iri.rpartition("#")[2] if "#" in iri else iri.rstrip("/").rpartition("/")[2]
