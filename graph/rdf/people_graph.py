"""The graph of people: who the authors of papers are.

How a paper names its authors is in its own graph; that two papers have the same author follows from
all papers together, so it has a graph of its own.
"""

from collections.abc import Iterable, Iterator, Sequence

from stemma.graph.linking.people import Person
from stemma.graph.rdf import vocabulary as v
from stemma.graph.rdf.nquads import iri, text

AUTHORS = "authors"
"""The end of the graph's IRI."""


def people_lines(people: Iterable[tuple[Person, Sequence[str]]], base: str) -> Iterator[str]:
    """Write who people are, and which papers (ids) they wrote."""
    graph = iri(base + AUTHORS)
    for person, papers in people:
        me = iri(base + person.id)
        yield f"{me} <{v.TYPE}> {iri(v.PERSON)} {graph} .\n"
        yield f"{me} <{v.NAME}> {text(person.name)} {graph} .\n"
        for name in person.other_names:
            yield f"{me} <{v.OTHER_NAME}> {text(name)} {graph} .\n"
        if person.orcid:
            yield f"{me} <{v.SAME_AS}> {iri(v.ORCID + person.orcid)} {graph} .\n"
        for identifier in person.ids:
            yield f"{me} <{v.IDENTIFIER}> {text(identifier)} {graph} .\n"
        for paper in papers:
            yield f"{iri(base + paper)} <{v.CREATOR}> {me} {graph} .\n"
