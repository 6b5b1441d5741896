"""JSON-LD that reads like JSON: a paper with its statements in it, and in those their evidence."""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

import pyoxigraph as ox

from stemma.graph.export.context import Context
from stemma.graph.export.named_graph import NamedGraphs
from stemma.graph.export.portion import Portion
from stemma.graph.export.rdf import triples
from stemma.graph.rdf.entity_graph import schemes
from stemma.graph.rdf.vocabulary import EVIDENCE, MEMBER, SUBJECT, TYPE
from stemma.schema.identifier import AUTHOR, ENTITY, PAPER

_Term = ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple
_Subject = ox.NamedNode | ox.BlankNode | ox.Triple
_Node = dict[str, Any]


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
        self._works = (*(base + prefix for prefix in (ENTITY, PAPER, AUTHOR)), *schemes(base))
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
