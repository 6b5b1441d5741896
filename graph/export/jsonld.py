"""JSON-LD that reads like JSON: a paper with its statements in it, and in those their evidence."""

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pyoxigraph as ox

import stemma.schema
from stemma.graph.export.portion import Portion
from stemma.graph.export.rdf import NamedGraphs, triples
from stemma.graph.rdf.graphs import schemes
from stemma.graph.rdf.vocabulary import EVIDENCE, MEMBER, SUBJECT, TYPE
from stemma.schema.name import AUTHOR, ENTITY, PAPER
from stemma.schema.namespace import XSD

FILE = Path(stemma.schema.__file__).with_name("context.jsonld")
_PLAIN, _DOUBLE = XSD + "string", XSD + "double"
_NATIVE = {
    f"{XSD}integer": re.compile(r"-?(0|[1-9][0-9]*)"),
    _DOUBLE: re.compile(r"-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?"),
    f"{XSD}boolean": re.compile("true|false"),
}
"""Literals that JSON has values of its own for."""
_HIERARCHICAL = re.compile(r"https?://[^/?#]+/(?:[^?#]*/)?")
_RELATIVE = re.compile(r"[a-z][a-z0-9._-]*(?:/[A-Za-z0-9_-][A-Za-z0-9._-]*)*(?:#[A-Za-z0-9._-]*)?")

_Term = ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple
_Subject = ox.NamedNode | ox.BlankNode | ox.Triple
_Node = dict[str, Any]


@cache
def _meanings() -> dict[str, Any]:
    document: dict[str, Any] = json.loads(FILE.read_text("utf-8"))["@context"]
    return document


class Context:
    """Writes terms of RDF in the words of the context, and IRIs of data relative to their base."""

    def __init__(self, base: str) -> None:
        self._base = base if _HIERARCHICAL.fullmatch(base) else None
        self.document = ({"@base": base} if self._base else {}) | _meanings()
        self._prefixes = {
            full: short
            for short, full in _meanings().items()
            if isinstance(full, str) and full.startswith("http")
        }
        self._types: dict[str, str] = {}
        self._languages: dict[str, str] = {}
        self._sets: set[str] = {"type"}
        self._words: dict[str, str] = {}
        self._places = {key: place for place, key in enumerate(_meanings())}
        for key, meaning in _meanings().items():
            definition = meaning if isinstance(meaning, dict) else {"@id": meaning}
            if definition.get("@container") == "@set":
                self._sets.add(key)
            if "@language" in definition:
                self._languages[key] = definition["@language"]
            if "@type" in definition:
                self._types[key] = self._expanded(definition["@type"])
            if "@id" in definition and key not in self._prefixes.values():
                self._words[self._expanded(definition["@id"])] = key

    def _expanded(self, name: str) -> str:
        prefix, colon, local = name.partition(":")
        full = _meanings().get(prefix)
        return full + local if colon and isinstance(full, str) else name

    def key(self, iri: str) -> str:
        """Return the word for a property, else its IRI, shortened if that can be."""
        if iri in self._words:
            return self._words[iri]
        for full, short in self._prefixes.items():
            local = iri.removeprefix(full)
            if local != iri and not local.startswith("//"):
                return f"{short}:{local}"
        return iri

    def word(self, term: _Term) -> str:
        """Return the word for a class or a property that is a value."""
        return self.key(term.value) if isinstance(term, ox.NamedNode) else str(term)

    def place(self, key: str) -> tuple[int, str]:
        """Order keys as the context lists them, others behind."""
        return (self._places.get(key, len(self._places)), key)

    def is_set(self, key: str) -> bool:
        """Return whether the values of a key are always in a list."""
        return key in self._sets

    def is_word(self, key: str) -> bool:
        """Return whether the values of a key are words of the context."""
        return self._types.get(key) == "@vocab"

    def relative(self, iri: str) -> str:
        """Return an IRI relative to the base, if it is one of the data."""
        if self._base and iri.startswith(self._base):
            rest = iri.removeprefix(self._base)
            if _RELATIVE.fullmatch(rest):
                return rest
        return iri

    def reference(self, term: _Term) -> str:
        """Return what identifies a resource."""
        return self.relative(term.value) if isinstance(term, ox.NamedNode) else str(term)

    def value(self, key: str, term: _Term) -> Any:
        """Return a value of a key, as short as the context allows."""
        type_ = self._types.get(key)
        if not isinstance(term, ox.Literal):
            if type_ == "@vocab":
                return self.word(term)
            return self.reference(term) if type_ == "@id" else {"id": self.reference(term)}
        datatype = term.datatype.value
        if term.language:
            is_known = term.language == self._languages.get(key)
            return term.value if is_known else {"@value": term.value, "@language": term.language}
        if datatype == type_:
            return _native(term.value, datatype)
        if datatype == _PLAIN:
            is_short = type_ is None and key not in self._languages
            return term.value if is_short else {"@value": term.value}
        return {"@value": term.value, "@type": self.key(datatype)}


def _native(text: str, datatype: str) -> Any:
    """Return a number or a truth value if it can be written as one, else the text."""
    if datatype not in _NATIVE or not _NATIVE[datatype].fullmatch(text):
        return text
    return float(text) if datatype == _DOUBLE else json.loads(text)


def jsonld(portion: Portion) -> Iterator[bytes]:
    """Write one graph after the other, each under its name."""
    graphs = NamedGraphs(portion)
    context = Context(graphs.base)

    def nodes(lines: list[bytes]) -> list[_Node]:
        return _Nesting(context, graphs.base, triples(lines)).nodes()

    named = ({"id": context.relative(name), "@graph": nodes(lines)} for name, lines in graphs)
    return _document(context, named)


def of_triples(base: str, graph: Iterable[ox.Triple]) -> bytes:
    """Write some triples, each at most once, in no named graph."""
    context = Context(base)
    return b"".join(_document(context, _Nesting(context, base, graph).nodes()))


def _document(context: Context, nodes: Iterable[_Node]) -> Iterator[bytes]:
    """Write nodes with our context in front."""
    yield f'{{"@context": {_dumped(context.document)},\n"@graph": ['.encode()
    separator = "\n"
    for node in nodes:
        yield (separator + _dumped(node)).encode()
        separator = ",\n"
    yield b"\n]}\n"


def _dumped(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, indent=1)


class _Nesting:
    """The resources of a graph, each inside the first that refers to it, but works and schemes."""

    def __init__(self, context: Context, base: str, graph: Iterable[ox.Triple]) -> None:
        self._context = context
        schemes_ = (iri for iri, _ in schemes(base).values())
        self._works = (*(base + prefix for prefix in (ENTITY, PAPER, AUTHOR)), *schemes_)
        self._properties: dict[_Subject, list[tuple[str, _Term]]] = defaultdict(list)
        self._stating: dict[_Term, list[_Subject]] = defaultdict(list)
        for triple in graph:
            self._properties[triple.subject].append((triple.predicate.value, triple.object))
            if triple.predicate.value == SUBJECT:
                self._stating[triple.object].append(triple.subject)
        self._waiting = dict.fromkeys(self._properties)

    def nodes(self) -> list[_Node]:
        """Return the nodes that are not nested in another, works first."""
        inside = {value for own in self._properties.values() for _, value in own}
        inside |= {each for own in self._stating.values() for each in own}
        works = [each for each in self._properties if self._is_work(each)]
        others = [each for each in self._properties if each not in inside]
        nodes = [self._node(each) for each in (*works, *others) if each in self._waiting]
        while self._waiting:
            nodes.append(self._node(next(iter(self._waiting))))
        return nodes

    def _is_work(self, term: _Term) -> bool:
        return (
            isinstance(term, ox.NamedNode)
            and term.value.startswith(self._works)
            and "#" not in term.value
        )

    def _node(self, subject: _Subject, within: _Subject | None = None) -> _Node:
        """Return a node; `within` is the subject whose statement it is, which says so."""
        del self._waiting[subject]
        terms = self._context
        values: dict[str, list[Any]] = defaultdict(list)
        for predicate, value in self._in_order(self._properties[subject]):
            if predicate == TYPE:
                values["type"].append(terms.word(value))
            elif predicate != SUBJECT or value != within:
                values[terms.key(predicate)].append(self._value(terms.key(predicate), value))
        for statement in self._stating.get(subject, ()):
            if statement in self._waiting:
                values["statements"].append(self._node(statement, within=subject))
        return {
            "id": terms.reference(subject),
            **{
                key: values[key] if len(values[key]) > 1 or terms.is_set(key) else values[key][0]
                for key in sorted(values, key=terms.place)
            },
        }

    def _in_order(self, own: list[tuple[str, _Term]]) -> list[tuple[str, _Term]]:
        """Sort the evidence by its members and what they refer to."""
        ranks = {
            value: int(predicate.removeprefix(MEMBER))
            for predicate, value in own
            if predicate.startswith(MEMBER)
        }

        def rank(property_value: tuple[str, _Term]) -> tuple[bool, int]:
            predicate, value = property_value
            return predicate.startswith(MEMBER), (predicate == EVIDENCE) * ranks.get(value, 0)

        return sorted(own, key=rank)

    def _value(self, key: str, value: _Term) -> Any:
        is_inside = not isinstance(value, ox.Literal) and value in self._waiting
        if is_inside and not self._is_work(value) and not self._context.is_word(key):
            return self._node(value)  # type: ignore[arg-type]
        return self._context.value(key, value)
