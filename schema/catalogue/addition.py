"""Additions to the catalogue: the concepts of anyone's SKOS.

A concept needs a ``skos:prefLabel``, and a kind: its own type (``stemma:Technique`` …), else that
of the nearest that is ``skos:broader``, else that of its scheme (``<scheme> stemma:kind
stemma:Technique``), else the one that was given with the file.

One that bears the name of a concept of the catalogue, and is of its kind, is that concept, and adds
names to it. What is not usable is reported, and the rest is used.
"""

import re
from base64 import b64decode, b64encode
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import pyoxigraph as ox

from stemma.schema.catalogue.catalogue import (
    FACTS,
    GENERAL,
    KINDS,
    LABELS,
    PUBLISHED,
    Catalogue,
    CatalogueError,
    Fact,
    Origin,
    year_of,
)
from stemma.schema.general_wording import names_a_class
from stemma.schema.model import Entity, EntityKind
from stemma.schema.name import ENTITY, entity_id, match_key
from stemma.schema.namespace import DATA, ONTOLOGY, OWL, RDF_TYPE, SKOS
from stemma.schema.problem import Problem

_SAME = (SKOS + "exactMatch", OWL + "sameAs")
_SCHEMES = (SKOS + "inScheme", SKOS + "topConceptOf")
_LINKS = {
    "skos:exactMatch": _SAME,
    "skos:closeMatch": (SKOS + "closeMatch",),
    "skos:inScheme": _SCHEMES,
}
_BASE = "file:///"
"""Of IRIs that a file leaves relative: they need only differ from each other."""
_IRI = re.compile(rf"<(?!{_BASE})")
"""How an IRI begins that a file gives whole."""
_KIND = ONTOLOGY + "kind"

_Value = ox.NamedNode | ox.BlankNode | ox.Literal


@dataclass(frozen=True, slots=True)
class Addition:
    """A file of SKOS: its name, its bytes, and the kind of concepts that have none themselves."""

    name: str
    data: bytes
    kind: EntityKind | None = None

    @classmethod
    def from_json(cls, data: Mapping[str, str]) -> "Addition":
        """Read an addition from the data that `to_json` returned."""
        kind = EntityKind(data["kind"]) if data["kind"] else None
        return cls(data["name"], b64decode(data["data"]), kind)

    def to_json(self) -> dict[str, str]:
        """Return the addition as JSON-ready data."""
        data = b64encode(self.data).decode("ascii")
        return {"name": self.name, "kind": self.kind or "", "data": data}

    @classmethod
    def of(cls, argument: str) -> "Addition":
        """Read ``methods.ttl``, or ``technique=methods.ttl``. Raises OSError where it cannot be."""
        kind, separator, path = argument.partition("=")
        if separator and kind.lower() in set(EntityKind):
            return cls(Path(path).name, Path(path).read_bytes(), EntityKind(kind.lower()))
        return cls(Path(argument).name, Path(argument).read_bytes())


def extended(
    catalogue: Catalogue, additions: Sequence[Addition]
) -> tuple[Catalogue, list[Problem]]:
    """Return `catalogue` with the concepts of `additions`, and what of them is not usable.

    Raises CatalogueError, with file and line, where one is no RDF or has no usable concept.
    """
    reading = _Reading(catalogue)
    for addition in additions:
        reading.read(addition)
    concepts, facts = reading.concepts(), reading.facts()
    digest = sha256(catalogue.fingerprint.encode())
    for addition in additions:
        digest.update(
            b"\0".join((addition.name.encode(), (addition.kind or "").encode(), addition.data))
        )
    fingerprint = digest.hexdigest()[:16]
    made = Catalogue(concepts, facts, fingerprint, additions, reading.origins())
    return made, sorted(
        reading.problems, key=lambda problem: (problem.file, problem.line or 0, problem.reason)
    )


class _Reading:
    """What additions say, gathered until all are read."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue, self._concepts = catalogue, dict(catalogue.concepts)
        self._properties: dict[str, dict[str, list[_Value]]] = {}
        self._from: dict[str, tuple[Addition, _TurtleLines]] = {}
        self._broader: dict[str, set[str]] = defaultdict(set)
        self._ids: dict[str, str] = {}
        self.problems: list[Problem] = []

    def read(self, addition: Addition) -> None:
        """Take in what a file says."""
        format_ = ox.RdfFormat.from_extension(Path(addition.name).suffix.lstrip("."))
        try:
            parser = ox.parse(addition.data, format=format_ or ox.RdfFormat.TURTLE, base_iri=_BASE)
            quads = list(parser)
        except SyntaxError as error:
            raise CatalogueError(
                f"{addition.name}:{error.lineno or 1}: not readable as RDF: {error.msg}"
            ) from error
        text = addition.data.decode("utf-8", "replace").splitlines()
        lines = _TurtleLines(text, parser.prefixes, parser.base_iri or "")
        concepts = set()
        for quad in quads:
            if isinstance(quad.subject, ox.Triple) or isinstance(quad.object, ox.Triple):
                continue
            subject = str(quad.subject)
            if quad.predicate.value == SKOS + "narrower":
                self._broader[str(quad.object)].add(subject)
            own = self._properties.setdefault(subject, {})
            own.setdefault(quad.predicate.value, []).append(quad.object)
            if _is_concept(quad):
                concepts.add(subject)
        for subject in concepts:
            self._from.setdefault(subject, (addition, lines))
            self._broader[subject].update(map(str, self._values(subject, SKOS + "broader")))
        if not concepts:
            raise CatalogueError(
                f"{addition.name}: has no SKOS: neither a skos:Concept nor a skos:prefLabel."
            )

    def concepts(self) -> dict[str, Entity]:
        """Return the catalogue's concepts and the new ones, in order. Raises CatalogueError."""
        taken: dict[str, str] = {}
        kinds = {}
        for subject in sorted(self._from):
            try:
                name, kind = self._name(subject), self._kind(subject)
                id_ = self._id(subject, name, kind)
                if id_ in taken:
                    raise ValueError(f"{name!r} is already the name of {taken[id_]}")
            except ValueError as reason:
                self._report(subject, f"it is skipped: {reason}")
            else:
                taken[id_] = subject
                self._ids[subject], kinds[subject] = id_, kind
        if not self._ids:
            problems = "".join(f"\n  {problem}" for problem in self.problems[:5])
            raise CatalogueError(f"No concept is usable:{problems}")
        for subject, id_ in self._ids.items():
            known = self._concepts.get(id_)
            self._concepts[id_] = self._entity(subject, id_, kinds[subject], known)
        return dict(sorted(self._concepts.items()))

    def _values(self, subject: str, *properties: str) -> Iterator[_Value]:
        """Yield the values of some properties of a subject."""
        own = self._properties.get(subject, {})
        return chain.from_iterable(own.get(term, ()) for term in properties)

    def _name(self, subject: str) -> str:
        if subject.startswith("_:"):
            raise ValueError("a concept needs an IRI of its own")
        label = _preferred(self._values(subject, SKOS + "prefLabel"))
        if label is None:
            raise ValueError("it has no skos:prefLabel")
        name = label.value.strip()
        if sum(map(str.isalnum, name)) < 2:
            raise ValueError(f"{name!r} is too short to search for in texts")
        return name

    def _kind(self, subject: str) -> EntityKind:
        """Return the kind of a concept, or the nearest one above it. Raises ValueError if none."""
        seen, level = {subject}, [subject]
        while level:
            kinds = {kind for concept in level for kind in self._own_kinds(concept)}
            if len(kinds) > 1:
                named = " and ".join(sorted(kinds))
                raise ValueError(f"its kind is ambiguous ({named}): give it one type")
            if kinds:
                return kinds.pop()
            level = sorted({b for concept in level for b in self._broader.get(concept, ())} - seen)
            seen |= set(level)
        schemes = {str(scheme) for concept in seen for scheme in self._values(concept, *_SCHEMES)}
        kinds = {kind for scheme in schemes for kind in _kinds(self._values(scheme, _KIND))}
        if len(kinds) == 1:
            return kinds.pop()
        if given := self._from[subject][0].kind:
            return given
        raise ValueError(
            "its kind is unknown: type it, or a broader concept, as stemma:Hardware, "
            "stemma:Framework, stemma:Technique, stemma:Model or stemma:Dataset, or use "
            f"--catalogue technique={self._from[subject][0].name}"
        )

    def _own_kinds(self, subject: str) -> Iterator[EntityKind]:
        yield from _kinds(self._values(subject, RDF_TYPE))
        for same in self._same(subject):
            if known := self._catalogue.concepts.get(_own_id(same)):
                yield known.kind

    def _same(self, subject: str) -> list[str]:
        """Return a concept with those that it is declared to be the same as."""
        return [subject, *map(str, self._values(subject, *_SAME))]

    def _id(self, subject: str, name: str, kind: EntityKind) -> str:
        """Return the id of a concept: that of the catalogue's, if it is one of these."""
        ids = [_own_id(same) for same in self._same(subject)]
        own = [id_ for id_ in ids if id_ in self._catalogue.concepts]
        named = [entity.id for entity in self._catalogue.by_key.get(match_key(name), ())]
        known = own[:1] or [id_ for id_ in named if self._catalogue.concepts[id_].kind is kind]
        if len(known) == 1:
            return known[0]
        if known or named:
            others = ", ".join(
                f"{id_} ({self._catalogue.concepts[id_].kind})" for id_ in known or named
            )
            raise ValueError(
                f"the catalogue already uses {name!r} for {others}: if they are the same, add "
                f"skos:exactMatch <{DATA}{(known or named)[0]}>; otherwise give it another name"
            )
        return _own_id(subject) or entity_id(name)

    def _entity(self, subject: str, id_: str, kind: EntityKind, known: Entity | None) -> Entity:
        labels = [
            value.value
            for value in self._values(subject, *LABELS)
            if isinstance(value, ox.Literal) and _is_english(value)
        ]
        name = known.name if known else self._name(subject)
        names = {match_key(label): label for label in sorted((*labels, self._name(subject)))}
        names |= {match_key(alias): alias for alias in (known.aliases if known else ())}
        names.pop(match_key(name), None)
        aliases = sorted(name for name in names.values() if sum(map(str.isalnum, name)) > 1)
        wider = {*(known.broader if known else ()), *self._wider(subject, id_)}
        general = self._general(subject)
        if general is None:
            general = known.general if known else names_a_class(name, aliases, kind)
        year = self._year(subject) or (known.year if known else None)
        return Entity(id_, name, kind, tuple(aliases), tuple(sorted(wider)), general, year)

    def _year(self, subject: str) -> int | None:
        """Return the earliest year that a concept gives for itself."""
        years = []
        for value in self._values(subject, PUBLISHED):
            try:
                years.append(year_of(value.value if isinstance(value, ox.Literal) else str(value)))
            except ValueError as reason:
                self._report(subject, f"schema:datePublished is {reason}")
        return min(years, default=None)

    def _general(self, subject: str) -> bool | None:
        """Return whether a concept says that it is a general term; None if it says nothing."""
        values = {
            value.value for value in self._values(subject, GENERAL) if isinstance(value, ox.Literal)
        }
        if values <= {"true", "1"} or values <= {"false", "0"}:
            return bool(values & {"true", "1"}) if values else None
        given = " and ".join(sorted(values))
        self._report(subject, f"stemma:general is {given}, but should be true or false")
        return None

    def _wider(self, subject: str, id_: str) -> Iterator[str]:
        """Yield the ids of what is broader, without cycles."""
        for broader in sorted(self._broader[subject]):
            wider = self._known_id(broader)
            if wider is None:
                if broader not in self._from:
                    self._report(subject, f"its broader concept {broader} does not exist")
            elif id_ in self._above(wider):
                self._report(subject, f"its broader concept {broader} forms a cycle")
            else:
                yield wider

    def _above(self, id_: str) -> set[str]:
        """Return an id with all that is broader than it, as far as concepts are made."""
        waiting, above = [id_], set[str]()
        while waiting:
            concept = waiting.pop()
            if concept not in above:
                above.add(concept)
                waiting += self._concepts[concept].broader if concept in self._concepts else ()
        return above

    def _known_id(self, subject: str) -> str | None:
        own = _own_id(subject)
        return self._ids.get(subject) or (own if own in self._catalogue.concepts else None)

    def facts(self) -> list[Fact]:
        """Return the catalogue's facts of lineage, and the new ones."""
        facts = set(self._catalogue.facts)
        for subject in sorted(self._properties):
            for term, relation in FACTS.items():
                for value in self._values(subject, term):
                    ends = self._known_id(subject), self._known_id(str(value))
                    if ends[0] and ends[1] and ends[0] != ends[1]:
                        facts.add(Fact(ends[0], relation, ends[1]))
                    else:
                        self._report(
                            subject, f"a fact relates two concepts, and {value} is not one"
                        )
        return sorted(facts)

    def origins(self) -> dict[str, Origin]:
        """Return how their vocabularies have the concepts that are taken, by id."""
        origins = {}
        for subject, id_ in self._ids.items():
            links = {("skos:exactMatch", subject)}
            for term, own in _LINKS.items():
                links |= {(term, str(value)) for value in self._values(subject, *own)}
            known = {link for link in links if _IRI.match(link[1])}
            is_new = id_ not in self._catalogue.concepts
            label = _preferred(self._values(subject, SKOS + "prefLabel")) if is_new else ""
            origins[id_] = Origin(str(label), tuple(sorted(known)))
        return origins

    def _report(self, subject: str, reason: str) -> None:
        addition, lines = self._from.get(subject) or next(iter(self._from.values()))
        line = lines.of(subject.strip("<>"))
        self.problems.append(Problem(addition.name, line, f"{subject}: {reason}"))


def _own_id(subject: str) -> str:
    """Return the id of a concept by its IRI, if that is one of ours; else nothing."""
    return subject[1:-1].removeprefix(DATA) if subject.startswith(f"<{DATA}{ENTITY}") else ""


def _is_concept(quad: ox.Quad) -> bool:
    if quad.predicate.value == RDF_TYPE:
        return isinstance(quad.object, ox.NamedNode) and (
            quad.object.value == SKOS + "Concept" or quad.object.value in KINDS
        )
    return quad.predicate.value == SKOS + "prefLabel"


def _kinds(values: Iterable[_Value]) -> Iterator[EntityKind]:
    """Yield the kinds of entities among values of a property."""
    return (KINDS[v.value] for v in values if isinstance(v, ox.NamedNode) and v.value in KINDS)


def _is_english(label: ox.Literal) -> bool:
    return not label.language or label.language.lower().partition("-")[0] == "en"


def _preferred(labels: Iterable[object]) -> ox.Literal | None:
    """Return the English label, else the one without language, else the first by language."""
    literals = [label for label in labels if isinstance(label, ox.Literal) and label.value.strip()]
    return min(
        literals,
        key=lambda literal: (
            not (literal.language and _is_english(literal)),
            bool(literal.language),
            literal.language or "",
            literal.value,
        ),
        default=None,
    )


class _TurtleLines(NamedTuple):
    """The line of each subject in a file of Turtle, which parsers do not report.

    `prefixes` shorten its IRIs.
    """

    lines: Sequence[str]
    prefixes: Mapping[str, str]
    base: str

    def of(self, iri: str) -> int | None:
        """Return the line, from 1, that begins with this subject; None where none does."""
        written = [f"<{iri}>", f"<{iri.removeprefix(self.base)}>"]
        for prefix, namespace in self.prefixes.items():
            if iri.startswith(namespace):
                written.append(f"{prefix}:{iri.removeprefix(namespace)}")
        begins = re.compile(rf"\s*(?:{'|'.join(map(re.escape, written))})(?=[\s;,.\[]|$)")
        matching = (number for number, line in enumerate(self.lines, 1) if begins.match(line))
        return next(matching, None)
