"""JSON-LD that reads like JSON: a paper with its statements in it, and in those their evidence."""

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from math import isfinite
from pathlib import Path
from typing import Any

import pyoxigraph as ox

import stemma.schema
from stemma.graph.export.portion import Portion
from stemma.graph.export.rdf import WITH_PATHS, NamedGraphs, triples
from stemma.graph.rdf.graphs import SCHEMES, scheme_iri
from stemma.graph.rdf.vocabulary import expanded, shortened
from stemma.schema.name import AUTHOR, ENTITY, PAPER

FILE = Path(stemma.schema.__file__).with_name("context.jsonld")
_RELATIVE = re.compile(r"[a-z][a-z0-9._-]*(?:/[A-Za-z0-9_-][A-Za-z0-9._-]*)*(?:#[A-Za-z0-9._-]*)?")
_SUBJECT, _EVIDENCE = expanded("rdf:subject"), expanded("stemma:evidence")
_MEMBER = expanded("rdf:_")

_Term = ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple
_Subject = ox.NamedNode | ox.BlankNode | ox.Triple
_Node = dict[str, Any]


@cache
def _meanings() -> dict[str, Any]:
    document: dict[str, Any] = json.loads(FILE.read_text("utf-8"))["@context"]
    return document


@cache
def _definition(word: str) -> dict[str, str]:
    """Return what the context says of a word; nothing of what is none."""
    meaning = _meanings().get(word, {})
    if word == "type":
        return {"@type": "@vocab", "@container": "@set"}
    return meaning if isinstance(meaning, dict) else {"@id": meaning}


@cache
def _words() -> dict[str, str]:
    """Return the words of the context, by the prefixed names of what they mean."""
    meant = ((_definition(word).get("@id"), word) for word in _meanings())
    return {name: word for name, word in meant if name} | {"rdf:type": "type"}


@cache
def key_of(iri: str) -> str:
    """Return the word for a property or a class, else its IRI, shortened if that can be."""
    name = shortened(iri)
    return _words().get(name, name)


@cache
def _place(key: str) -> tuple[int, str]:
    """Order keys as the context lists them, others behind."""
    words = list(_meanings())
    return (words.index(key) if key in words else len(words), key)


class Context:
    """Writes values in the words of the context, and IRIs of data relative to their base."""

    def __init__(self, base: str) -> None:
        self._base = base if WITH_PATHS.fullmatch(base) else None
        self.document = ({"@base": base} if self._base else {}) | _meanings()

    def reference(self, term: _Term) -> str:
        """Return the identifier of a resource: relative to the base, if it is one of the data."""
        if not isinstance(term, ox.NamedNode):
            return str(term)
        if self._base and term.value.startswith(self._base):
            rest = term.value.removeprefix(self._base)
            if _RELATIVE.fullmatch(rest):
                return rest
        return term.value

    def value(self, key: str, term: _Term) -> Any:
        """Return a value of a key, as short as the context allows."""
        definition = _definition(key)
        type_, language = definition.get("@type"), definition.get("@language")
        if not isinstance(term, ox.Literal):
            if type_ == "@vocab" and isinstance(term, ox.NamedNode):
                return key_of(term.value)
            return self.reference(term) if type_ else {"id": self.reference(term)}
        if term.language:
            is_known = term.language == language
            return term.value if is_known else {"@value": term.value, "@language": term.language}
        datatype = shortened(term.datatype.value)
        if datatype == type_:
            return _native(term.value, datatype)
        if datatype == "xsd:string":
            return {"@value": term.value} if type_ or language else term.value
        return {"@value": term.value, "@type": datatype}


def _native(text: str, datatype: str) -> Any:
    """Return a literal as a number or a truth value if JSON has one for it, else its text."""
    match datatype:
        case "xsd:integer":
            return int(text)
        case "xsd:double" if isfinite(float(text)):
            return float(text)
        case "xsd:boolean":
            return text == "true"
    return text


def jsonld(portion: Portion) -> Iterator[bytes]:
    """Write one graph after the other, each under its name."""
    graphs = NamedGraphs(portion)
    context = Context(graphs.base)

    def nodes(lines: list[bytes]) -> list[_Node]:
        return _Nesting(context, graphs.base, triples(lines)).nodes()

    named = (
        {"id": context.reference(ox.NamedNode(name)), "@graph": nodes(lines)}
        for name, lines in graphs
    )
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
        schemes = (scheme_iri(each, base) for each in SCHEMES)
        self._works = (*(base + prefix for prefix in (ENTITY, PAPER, AUTHOR)), *schemes)
        self._properties: dict[_Subject, list[tuple[str, _Term]]] = defaultdict(list)
        self._stating: dict[_Term, list[_Subject]] = defaultdict(list)
        for triple in graph:
            self._properties[triple.subject].append((triple.predicate.value, triple.object))
            if triple.predicate.value == _SUBJECT:
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
        context = self._context
        values: dict[str, list[Any]] = defaultdict(list)
        for predicate, value in self._in_order(self._properties[subject]):
            if predicate != _SUBJECT or value != within:
                key = key_of(predicate)
                values[key].append(self._value(key, value))
        for statement in self._stating.get(subject, ()):
            if statement in self._waiting:
                values["statements"].append(self._node(statement, within=subject))
        return {
            "id": context.reference(subject),
            **{
                key: own if len(own) > 1 or _definition(key).get("@container") else own[0]
                for key, own in sorted(values.items(), key=lambda each: _place(each[0]))
            },
        }

    def _in_order(self, own: list[tuple[str, _Term]]) -> list[tuple[str, _Term]]:
        """Sort the evidence by its members and what they refer to."""
        ranks = {
            value: int(predicate.removeprefix(_MEMBER))
            for predicate, value in own
            if predicate.startswith(_MEMBER)
        }

        def rank(property_value: tuple[str, _Term]) -> tuple[bool, int]:
            predicate, value = property_value
            return predicate.startswith(_MEMBER), (predicate == _EVIDENCE) * ranks.get(value, 0)

        return sorted(own, key=rank)

    def _value(self, key: str, value: _Term) -> Any:
        is_inside = not isinstance(value, ox.Literal) and value in self._waiting
        if is_inside and not self._is_work(value) and _definition(key).get("@type") != "@vocab":
            return self._node(value)  # type: ignore[arg-type]
        return self._context.value(key, value)
