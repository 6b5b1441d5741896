"""The vocabulary page: the ontology as a page to read, in Markdown.

Usage: python -m stemma.schema.vocabulary > docs/vocabulary.md
"""

import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

import pyoxigraph as ox

from stemma.schema.namespace import OWL, RDF, RDF_TYPE, RDFS, SKOS

ONTOLOGY_FILE = Path(__file__).with_name("ontology.ttl")
SHAPES_FILE = Path(__file__).with_name("shapes.ttl")
_OPENING = """\
# Vocabulary

<!-- Generated from schema/ontology.ttl by `make schema`: do not edit. -->

The terms of Stemma's graphs are defined in [`schema/ontology.ttl`](../schema/ontology.ttl), an
OWL 2 ontology, version {version}, with an example of each term and how Stemma uses the terms of
others. `stemma check --shapes` checks a graph by [`schema/shapes.ttl`](../schema/shapes.ttl).
See [RDF](rdf.md) for the layout of a graph.

| prefix | namespace |
|---|---|
{prefixes}
"""
_CLASS = OWL + "Class"
_PROPERTIES = {OWL + "ObjectProperty", OWL + "DatatypeProperty", OWL + "AnnotationProperty"}
_FIRST, _REST = RDF + "first", RDF + "rest"

_Node = ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple


class Vocabulary:
    """The terms of an ontology, in the order of its file."""

    def __init__(self, file: Path = ONTOLOGY_FILE) -> None:
        parser = ox.parse(path=file, format=ox.RdfFormat.TURTLE)
        self._properties: dict[_Node, dict[str, list[_Node]]] = {}
        for triple in parser:
            own = self._properties.setdefault(triple.subject, defaultdict(list))
            own[triple.predicate.value].append(triple.object)
        self.prefixes: dict[str, str] = dict(sorted(parser.prefixes.items()))

    def page(self) -> str:
        """Return the Markdown of the vocabulary."""
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        (version,) = self._values(OWL + "versionInfo")
        yield _OPENING.format(
            version=version,
            prefixes="\n".join(f"| `{name}:` | <{iri}> |" for name, iri in self.prefixes.items()),
        )
        yield from ("## Classes", "", "| class | definition |", "|---|---|")
        for term in self._own_terms(lambda types: _CLASS in types):
            yield f"| {self._head(term)} | {self._definition(term)} |"
        yield from ("", "## Properties", "")
        yield "A property with * has at most one value.\n"
        yield "| property | domain → range | definition |"
        yield "|---|---|---|"
        for term in self._own_terms(lambda types: bool(_PROPERTIES & types)):
            yield f"| {self._head(term)} | {self._ends(term)} | {self._definition(term)} |"
        yield ""

    def _values(self, term: str) -> list[str]:
        return [_text(each) for own in self._properties.values() for each in own.get(term, ())]

    def _types(self, term: _Node) -> set[str]:
        return {_text(each) for each in self._properties[term].get(RDF_TYPE, ())}

    def _own_terms(self, chosen: Callable[[set[str]], bool]) -> Iterator[_Node]:
        for term in self._properties:
            if self.short(term).startswith("stemma:") and chosen(self._types(term)):
                yield term

    def _head(self, term: _Node) -> str:
        star = "*" if OWL + "FunctionalProperty" in self._types(term) else ""
        return f'<a id="{self.short(term).partition(":")[2]}"></a>`{self.short(term)}`{star}'

    def _definition(self, term: _Node) -> str:
        """Return a definition that fits into a cell of a table."""
        definition = _text(self._properties[term][SKOS + "definition"][0])
        return " ".join(definition.split()).replace("|", "\\|")

    def _ends(self, term: _Node) -> str:
        own = self._properties[term]
        ends = (own.get(RDFS + "domain"), own.get(RDFS + "range"))
        return " → ".join(self._class(each[0]) if each else "" for each in ends)

    def _class(self, term: _Node) -> str:
        if not isinstance(term, ox.BlankNode):
            return f"`{self.short(term)}`"
        return " or ".join(f"`{self.short(each)}`" for each in self._members(term))

    def _members(self, term: _Node) -> Iterator[_Node]:
        """Yield what a class or a datatype lists."""
        own = self._properties[term]
        (rest,) = own.get(OWL + "oneOf") or own[OWL + "unionOf"]
        while rest in self._properties:
            yield self._properties[rest][_FIRST][0]
            rest = self._properties[rest][_REST][0]

    def short(self, term: _Node) -> str:
        """Return a term with its prefix, a literal in quotation marks."""
        if isinstance(term, ox.Literal):
            return term.value
        iri = _text(term)
        for name, namespace in self.prefixes.items():
            if iri.startswith(namespace):
                return f"{name}:{iri.removeprefix(namespace)}"
        return iri


def _text(term: _Node) -> str:
    return "" if isinstance(term, ox.Triple) else term.value


if __name__ == "__main__":
    sys.stdout.write(Vocabulary().page())
