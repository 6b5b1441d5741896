"""The catalogue as it is read from its own files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import pyoxigraph as ox

from stemma.schema.entity import Entity, EntityKind
from stemma.schema.general_wording import names_a_class
from stemma.schema.name import match_key, plain
from stemma.schema.namespace import DATA, ONTOLOGY, RDF_TYPE, SCHEMA_ORG, SKOS
from stemma.schema.partial_date import PartialDate
from stemma.schema.statement import RelationType
from stemma.schema.vendor import split_vendor

if TYPE_CHECKING:
    from stemma.schema.catalogue.addition import Addition

FOLDER = Path(__file__).parent
GENERAL = ONTOLOGY + "general"
PUBLISHED = SCHEMA_ORG + "datePublished"
KINDS = {ONTOLOGY + kind.value.capitalize(): kind for kind in EntityKind}
FACTS = {
    ONTOLOGY + "buildsOn": RelationType.BUILDS_ON,
    ONTOLOGY + "improvesOn": RelationType.IMPROVES_ON,
}


class CatalogueError(ValueError):
    """A catalogue file is not usable; the message says where and why."""


@dataclass(frozen=True, slots=True, order=True)
class Fact:
    """A fact of lineage between two concepts: `subject` has `relation` to `entity` (ids)."""

    subject: str
    relation: RelationType
    entity: str


class Catalogue:
    """Concepts by id, the facts between them, and a fingerprint of the files they came from.

    `additions` are the files of others among these.
    """

    def __init__(
        self,
        concepts: Mapping[str, Entity],
        facts: Iterable[Fact],
        fingerprint: str,
        additions: Sequence[Addition] = (),
    ) -> None:
        self.concepts = concepts
        self.facts = tuple(sorted(facts))
        self.fingerprint = fingerprint
        self.additions = tuple(additions)

    @classmethod
    @lru_cache(maxsize=1)
    def shipped(cls) -> Catalogue:
        """Return the catalogue that comes with Stemma."""
        return cls.read(sorted(FOLDER.glob("*.ttl")))

    @classmethod
    def read(cls, files: Iterable[Path]) -> Catalogue:
        """Read SKOS from Turtle files. Raises CatalogueError with file and reason."""
        concepts = _Reading()
        for file in files:
            try:
                concepts.add(ox.parse(path=file, format=ox.RdfFormat.TURTLE))
            except (SyntaxError, OSError) as error:
                raise CatalogueError(f"{file}: not readable as Turtle: {error}") from error
            except ValueError as error:
                raise CatalogueError(f"{file}: {error}") from error
        return cls(concepts.entities(), concepts.facts, fingerprint(files))

    @cached_property
    def by_key(self) -> Mapping[str, tuple[Entity, ...]]:
        """Concepts by the match keys of their names; several where a name is ambiguous."""
        found: dict[str, dict[str, Entity]] = {}
        for concept in self.concepts.values():
            for name in (concept.name, *concept.aliases):
                found.setdefault(match_key(name), {})[concept.id] = concept
        return {key: tuple(senses.values()) for key, senses in found.items()}

    @cached_property
    def by_product(self) -> Mapping[str, tuple[frozenset[str], tuple[Entity, ...]]]:
        """Vendors, and concepts, by the match keys of the products that are named with a vendor."""
        found: dict[str, tuple[set[str], dict[str, Entity]]] = {}
        for concept in self.concepts.values():
            for name in (concept.name, *concept.aliases):
                if parts := split_vendor(plain(name)):
                    vendors, concepts = found.setdefault(match_key(parts[1]), (set(), {}))
                    vendors.add(parts[0])
                    concepts[concept.id] = concept
        return {
            key: (frozenset(vendors), tuple(concepts.values()))
            for key, (vendors, concepts) in found.items()
        }

    @cached_property
    def facts_about(self) -> Mapping[str, tuple[Fact, ...]]:
        """The facts between two concepts, by each of them."""
        found: dict[str, list[Fact]] = {}
        for fact in dict.fromkeys(self.facts):
            if fact.subject != fact.entity:
                found.setdefault(fact.subject, []).append(fact)
                found.setdefault(fact.entity, []).append(fact)
        return {id_: tuple(facts) for id_, facts in found.items()}


def fingerprint(files: Iterable[Path] | None = None) -> str:
    """Return a hash of the catalogue's files (the shipped ones, if none are given), unparsed."""
    return _shipped_fingerprint() if files is None else _hash(files)


@cache
def _shipped_fingerprint() -> str:
    return _hash(FOLDER.glob("*.ttl"))


def _hash(files: Iterable[Path]) -> str:
    digest = sha256()
    for file in sorted(files):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


class _Reading:
    """Triples gathered by subject until all files are read."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}
        self.kinds: dict[str, EntityKind] = {}
        self.aliases: dict[str, set[str]] = {}
        self.broader: dict[str, set[str]] = {}
        self.general: dict[str, bool] = {}
        self.years: dict[str, int] = {}
        self.facts: list[Fact] = []

    def add(self, triples: Iterable[ox.Quad]) -> None:
        for triple in triples:
            subject, predicate, value = triple.subject, triple.predicate.value, triple.object
            if not isinstance(subject, ox.NamedNode) or not subject.value.startswith(DATA):
                continue
            concept = subject.value.removeprefix(DATA)
            if predicate == GENERAL and isinstance(value, ox.Literal):
                self.general[concept] = value.value in ("true", "1")
            elif predicate == PUBLISHED and isinstance(value, ox.Literal):
                self.years[concept] = year_of(value.value)
            elif isinstance(value, ox.Literal):
                self._add_name(concept, predicate, value.value)
            elif isinstance(value, ox.NamedNode):
                self._add_link(concept, predicate, value.value)

    def _add_name(self, concept: str, predicate: str, name: str) -> None:
        if predicate == SKOS + "prefLabel":
            self.names[concept] = name
        elif predicate in (SKOS + "altLabel", SKOS + "hiddenLabel"):
            self.aliases.setdefault(concept, set()).add(name)

    def _add_link(self, concept: str, predicate: str, target: str) -> None:
        if predicate == RDF_TYPE and target in KINDS:
            self.kinds[concept] = KINDS[target]
        elif predicate == SKOS + "broader":
            self.broader.setdefault(concept, set()).add(target.removeprefix(DATA))
        elif predicate in FACTS:
            self.facts.append(Fact(concept, FACTS[predicate], target.removeprefix(DATA)))

    def entities(self) -> dict[str, Entity]:
        """Return the concepts by id. Raises CatalogueError where one has no kind."""
        for concept in self.names:
            if concept not in self.kinds:
                raise CatalogueError(f"{concept} has no kind: type it as one of {sorted(KINDS)}")
        return {
            concept: self._entity(concept, name) for concept, name in sorted(self.names.items())
        }

    def _entity(self, concept: str, name: str) -> Entity:
        kind, aliases = self.kinds[concept], tuple(sorted(self.aliases.get(concept, ())))
        general = self.general.get(concept)
        return Entity(
            concept,
            name,
            kind,
            aliases,
            tuple(sorted(self.broader.get(concept, ()))),
            names_a_class(name, aliases, kind) if general is None else general,
            self.years.get(concept),
        )


def year_of(date: str) -> int:
    """Return the year of a date in EDTF. Raises ValueError where it has none."""
    year = PartialDate.parse(date).year
    if year is None:
        raise ValueError(f"a date without a year: {date!r}")
    return year
