"""The graph that describes the data set: by VoID and DCAT, with its runs and people's decisions.

There is nothing in it that the papers and the decisions do not determine.
"""

from collections.abc import Iterable, Iterator, Mapping

from stemma.graph.rdf import vocabulary as v
from stemma.graph.rdf.nquads import english, iri, text, typed
from stemma.graph.store import Statistics
from stemma.schema import Decision
from stemma.schema.namespace import (
    CITO,
    DCTERMS,
    FABIO,
    OA,
    ONTOLOGY,
    PROV,
    SCHEMA_ORG,
    SKOS,
    SOFTWARE,
)

DATASET = "dataset"
"""The end of the graph's IRI, and of that of the data set itself."""
_TITLE = "Stemma: the family tree of research"
_DESCRIPTION = (
    "Papers with the hardware, frameworks, techniques, models and datasets that they introduce, "
    "build on, improve on, compare with and use, and the sentences that say so."
)
_VOCABULARIES = (ONTOLOGY, SCHEMA_ORG, FABIO, CITO, SKOS, PROV, OA, DCTERMS)


class DatasetGraph:
    """Writes the lines of the graph of the data set whose IRIs begin with `base`."""

    def __init__(self, base: str) -> None:
        self.base = base
        self.me = f"<{base}{DATASET}>"

    def _line(self, subject: str, predicate: str, value: str) -> str:
        return f"{subject} <{predicate}> {value} {self.me} .\n"

    def description(self) -> Iterator[str]:
        """Say what the data set is."""
        yield self._line(self.me, v.TYPE, iri(v.DATASET))
        yield self._line(self.me, v.TYPE, iri(v.DCAT_DATASET))
        yield self._line(self.me, v.TITLE, text(_TITLE))
        yield self._line(self.me, v.DESCRIPTION, text(_DESCRIPTION))
        yield self._line(self.me, v.URI_SPACE, text(self.base))
        for vocabulary in _VOCABULARIES:
            yield self._line(self.me, v.VOCABULARY, iri(vocabulary))

    def counts(self, counted: Statistics) -> Iterator[str]:
        """Count the members of classes, and the triples of relations, that there are."""
        members = {v.SCHOLARLY_ARTICLE: ("papers", counted.papers)}
        members |= {v.KINDS[kind]: (kind.value, n) for kind, n in counted.by_kind.items() if n}
        for term, (local, count) in members.items():
            part = f"<{self.base}{DATASET}#{local}>"
            yield self._line(self.me, v.CLASS_PARTITION, part)
            yield self._line(part, v.CLASS, iri(term))
            yield self._line(part, v.ENTITIES, typed(count, "integer"))
        for relation, count in counted.by_relation.items():
            if not count:
                continue
            part = f"<{self.base}{DATASET}#{relation.value.lower().replace('_', '-')}>"
            yield self._line(self.me, v.PROPERTY_PARTITION, part)
            yield self._line(part, v.PROPERTY, iri(v.RELATIONS[relation]))
            yield self._line(part, v.TRIPLES, typed(count, "integer"))

    def runs(self, runs: Iterable[tuple[str, str]]) -> Iterator[str]:
        """Describe the runs (IRI, fingerprint) that found what papers say."""
        agent = iri(SOFTWARE)
        for run, fingerprint in runs:
            yield self._line(iri(run), v.TYPE, iri(v.ACTIVITY))
            yield self._line(iri(run), v.FINGERPRINT, text(fingerprint))
            yield self._line(iri(run), v.ASSOCIATED, agent)
            yield self._line(agent, v.TYPE, iri(v.SOFTWARE_AGENT))
            yield self._line(agent, v.READABLE, english("Stemma"))

    def decisions(
        self,
        decisions: Iterable[Decision],
        former: Mapping[str, str],
        unapplied: Mapping[int, str],
    ) -> Iterator[str]:
        """State what people decided, and which `former` ids they merged into others.

        Former ids may be known elsewhere; `unapplied` says why a decision does not apply.
        """
        for number, decision in enumerate(decisions, start=1):
            each = f"<{self.base}decision/{number}>"
            yield self._line(self.me, v.DECIDED_BY, each)
            yield self._line(each, v.TYPE, iri(v.DECISION))
            yield self._line(each, v.NUMBER, typed(number, "integer"))
            yield self._line(each, v.READABLE, english(str(decision)))
            if number in unapplied:
                yield self._line(each, v.NOT_APPLIED, text(unapplied[number]))
        for old, new in former.items():
            yield self._line(iri(self.base + old), v.REPLACED_BY, iri(self.base + new))
