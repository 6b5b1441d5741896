"""Excerpts: what named graphs say of chosen works, and of nothing else."""

from collections import defaultdict
from collections.abc import Collection, Iterable

import pyoxigraph as ox

from stemma.graph.rdf.vocabulary import EXTRACTED_BY
from stemma.schema.identifier import ENTITY, PAPER

_EXTRACTED_BY = ox.NamedNode(EXTRACTED_BY)


class Excerpt:
    """Picks lines of N-Triples: of chosen works, of how they relate to each other, of runs.

    Lines that also mention another work are left out, so that no link leads out of the excerpt.
    """

    def __init__(self, rdf: ox.Store, base: str, works: Collection[str]) -> None:
        self._works = {f"<{base}{id_}>".encode() for id_ in works}
        self._any_work = tuple(f"<{base}{prefix}".encode() for prefix in (ENTITY, PAPER))
        self._runs = {
            str(quad.object).encode()
            for id_ in works
            for quad in rdf.quads_for_pattern(ox.NamedNode(base + id_), _EXTRACTED_BY, None)
        }

    def of(self, lines: Iterable[bytes]) -> list[bytes]:
        """Return those of the lines of one graph that belong to the excerpt."""
        triples: dict[bytes, list[tuple[bytes, bytes]]] = defaultdict(list)
        for line in lines:
            subject, _, rest = line.split(b" ", 2)
            triples[subject].append((rest[:-3], line))
        wanted = [subject for subject, own in triples.items() if self._begins(subject, own)]
        reached = set(wanted)
        while wanted:
            for value, _ in triples[wanted.pop()]:
                if value in triples and value not in reached and not self._is_work(value):
                    reached.add(value)
                    wanted.append(value)
        return [
            line
            for subject in reached
            for value, line in triples[subject]
            if value in self._works or not self._is_work(value)
        ]

    def _begins(self, subject: bytes, own: list[tuple[bytes, bytes]]) -> bool:
        """Return whether to go on from a resource: a work, a run, or what relates works."""
        if subject in self._works or subject in self._runs:
            return True
        if self._is_work(subject) or not subject.startswith(self._any_work):
            return False
        works = [value for value, _ in own if self._is_work(value)]
        return bool(works) and self._works.issuperset(works)

    def _is_work(self, term: bytes) -> bool:
        return term.startswith(self._any_work) and b"#" not in term
