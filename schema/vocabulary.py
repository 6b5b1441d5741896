"""The vocabulary page: the ontology as a page to read, in Markdown.

Usage: python -m stemma.schema.vocabulary > docs/vocabulary.md
"""

import re
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

import pyoxigraph as ox

from stemma.schema.namespace import ONTOLOGY, OWL, RDF_TYPE, RDFS, SKOS

ONTOLOGY_FILE = Path(__file__).with_name("ontology.ttl")
SHAPES_FILE = Path(__file__).with_name("shapes.ttl")
_OPENING = """\
# Vocabulary

<!-- Generated from schema/ontology.ttl by `make schema`: do not edit. -->

The terms of the [ontology](../schema/ontology.ttl) {version} in short, `stemma:`
<https://w3id.org/stemma/ontology#>; a server has all about them at `/ontology`. See [RDF](rdf.md)
for how a graph is laid out.
Terms of others have the usual prefixes: {prefixes}.
"""
_CLASS = OWL + "Class"
_PROPERTIES = {OWL + "ObjectProperty", OWL + "DatatypeProperty", OWL + "AnnotationProperty"}
_USED = ("bibo", "cito", "dcterms", "oa", "prov", "rdf", "schema", "skos")
"""The prefixes of terms that every graph uses."""

_DETAILS = ("Section", "Naming", "FileEntry", "RejectedStatement", "TextPositionSelector")
"""The classes that only the full graph has."""
_END = re.compile(r"[.;:] |, (?:which|as|and) ")
"""Where what comes first in a definition ends."""

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
        names = (f"`{name}:` <{iri}>" for name, iri in self.prefixes.items() if name in _USED)
        yield _OPENING.format(version=version, prefixes=", ".join(names))
        yield from ("## Classes", "")
        for term in self._own_terms(lambda types: _CLASS in types):
            if self._local(term) not in _DETAILS:
                yield f"- `{self._local(term)}`: {self._definition(term)}"
        yield "\n## Properties\n\nBy the class that has them; those with * have at most one value."
        by_class = self._properties_by_class()
        for domain, terms in by_class.items():
            if domain not in _DETAILS:
                yield f"\n### {domain}\n"
                for term in terms:
                    yield f"- `{self._local(term)}`{self._star(term)}: {self._definition(term)}"
        yield "\n## The full graph\n\nDetails that the plain graph leaves out:\n"
        for domain in _DETAILS:
            terms = by_class.get(domain, [])
            yield f"- `{domain}` {' '.join(f'`{self._local(term)}`' for term in terms)}".rstrip()
        yield ""

    def _properties_by_class(self) -> dict[str, list[_Node]]:
        """Return the properties by the class that has them."""
        found = defaultdict[str, list[_Node]](list)
        for term in self._own_terms(lambda types: bool(_PROPERTIES & types)):
            (domain,) = self._properties[term][RDFS + "domain"]
            found[self._local(domain)].append(term)
        return found

    def _values(self, term: str) -> list[str]:
        return [_text(each) for own in self._properties.values() for each in own.get(term, ())]

    def _types(self, term: _Node) -> set[str]:
        return {_text(each) for each in self._properties[term].get(RDF_TYPE, ())}

    def _own_terms(self, chosen: Callable[[set[str]], bool]) -> Iterator[_Node]:
        for term in self._properties:
            if _text(term).startswith(ONTOLOGY) and chosen(self._types(term)):
                yield term

    def _star(self, term: _Node) -> str:
        return "*" if OWL + "FunctionalProperty" in self._types(term) else ""

    def _local(self, term: _Node) -> str:
        """Return a term without its namespace."""
        return _text(term).replace("#", "/").rpartition("/")[2]

    def _definition(self, term: _Node) -> str:
        """Return what comes first in a definition."""
        definition = " ".join(_text(self._properties[term][SKOS + "definition"][0]).split())
        return _END.split(definition)[0].rstrip(".")


def _text(term: _Node) -> str:
    return "" if isinstance(term, ox.Triple) else term.value


if __name__ == "__main__":
    sys.stdout.write(Vocabulary().page())
