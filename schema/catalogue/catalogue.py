"""The catalogue as it is read from its own files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

import pyoxigraph as ox

from stemma.schema.general_wording import names_a_class
from stemma.schema.model import Entity, EntityKind, RelationType
from stemma.schema.name import match_key, plain, split_vendor
from stemma.schema.namespace import DATA, ONTOLOGY, RDF_TYPE, SCHEMA_ORG, SKOS
from stemma.schema.partial_date import PartialDate

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
LABELS = (SKOS + "altLabel", SKOS + "hiddenLabel")
_Properties = dict[str, list[str]]
"""The values of a subject, IRIs and texts, by the IRIs of properties."""


class CatalogueError(ValueError):
    """A catalogue file is not usable; the message says where and why."""


@dataclass(frozen=True, slots=True, order=True)
class Fact:
    """A fact of lineage between two concepts: `subject` has `relation` to `entity` (ids)."""

    subject: str
    relation: RelationType
    entity: str


class Origin(NamedTuple):
    """What RDF says of a concept beyond what papers need, as an added vocabulary has it.

    `label` is its name, a literal of N-Triples: empty where the shipped catalogue has the concept.
    `links` lead to what it matches, and to its schemes: terms of SKOS, each with an IRI.
    """

    label: str = ""
    links: tuple[tuple[str, str], ...] = ()


class Catalogue:
    """Concepts by id, the facts between them, and a fingerprint of the files they came from.

    `additions` are the files of others among these, `origins` their concepts, by id.
    """

    def __init__(
        self,
        concepts: Mapping[str, Entity],
        facts: Iterable[Fact],
        fingerprint: str,
        additions: Sequence[Addition] = (),
        origins: Mapping[str, Origin] = MappingProxyType({}),
    ) -> None:
        self.concepts = concepts
        self.facts = tuple(sorted(facts))
        self.fingerprint = fingerprint
        self.additions, self.origins = tuple(additions), origins

    @classmethod
    @lru_cache(maxsize=1)
    def shipped(cls) -> Catalogue:
        """Return the catalogue that comes with Stemma."""
        return cls.read(sorted(FOLDER.glob("*.ttl")))

    @classmethod
    def read(cls, files: Iterable[Path]) -> Catalogue:
        """Read SKOS from Turtle files. Raises CatalogueError with file and reason."""
        subjects: dict[str, _Properties] = {}
        for file in files:
            try:
                for triple in ox.parse(path=file, format=ox.RdfFormat.TURTLE):
                    subject, value = triple.subject, triple.object
                    if isinstance(subject, ox.NamedNode) and subject.value.startswith(DATA):
                        own = subjects.setdefault(subject.value.removeprefix(DATA), {})
                        if isinstance(value, ox.NamedNode | ox.Literal):
                            own.setdefault(triple.predicate.value, []).append(value.value)
            except (SyntaxError, OSError) as error:
                raise CatalogueError(f"{file}: not readable as Turtle: {error}") from error
        return cls(_entities(subjects), _facts(subjects), _hash(files))

    @cached_property
    def by_key(self) -> Mapping[str, tuple[Entity, ...]]:
        """Concepts by the match keys of their names; several where a name is ambiguous."""
        by_key: dict[str, dict[str, Entity]] = {}
        for concept in self.concepts.values():
            for name in (concept.name, *concept.aliases):
                by_key.setdefault(match_key(name), {})[concept.id] = concept
        return {key: tuple(senses.values()) for key, senses in by_key.items()}

    @cached_property
    def by_product(self) -> Mapping[str, tuple[frozenset[str], tuple[Entity, ...]]]:
        """Vendors, and concepts, by the match keys of the products that are named with a vendor."""
        products: dict[str, tuple[set[str], dict[str, Entity]]] = {}
        for concept in self.concepts.values():
            for name in (concept.name, *concept.aliases):
                if parts := split_vendor(plain(name)):
                    vendors, concepts = products.setdefault(match_key(parts[1]), (set(), {}))
                    vendors.add(parts[0])
                    concepts[concept.id] = concept
        return {
            key: (frozenset(vendors), tuple(concepts.values()))
            for key, (vendors, concepts) in products.items()
        }


@cache
def fingerprint() -> str:
    """Return a hash of the shipped catalogue's files, unparsed."""
    return _hash(FOLDER.glob("*.ttl"))


def _hash(files: Iterable[Path]) -> str:
    digest = sha256()
    for file in sorted(files):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def _entities(subjects: Mapping[str, _Properties]) -> dict[str, Entity]:
    """Return the concepts by id. Raises CatalogueError where one has no kind, or no year."""
    entities = {}
    for id_, own in sorted(subjects.items()):
        if not (names := own.get(SKOS + "prefLabel")):
            continue
        kinds = [KINDS[type_] for type_ in own.get(RDF_TYPE, ()) if type_ in KINDS]
        if not kinds:
            raise CatalogueError(f"{id_} has no kind: type it as one of {sorted(KINDS)}")
        kind, name = kinds[-1], names[-1]
        aliases = tuple(sorted({name for term in LABELS for name in own.get(term, ())}))
        broader = sorted({iri.removeprefix(DATA) for iri in own.get(SKOS + "broader", ())})
        general = own[GENERAL][-1] in ("true", "1") if GENERAL in own else None
        if general is None:
            general = names_a_class(name, aliases, kind)
        try:
            year = year_of(own[PUBLISHED][-1]) if PUBLISHED in own else None
        except ValueError as error:
            raise CatalogueError(f"{id_}: {error}") from error
        entities[id_] = Entity(id_, name, kind, aliases, tuple(broader), general, year)
    return entities


def _facts(subjects: Mapping[str, _Properties]) -> Iterator[Fact]:
    for id_, own in subjects.items():
        for term, relation in FACTS.items():
            for iri in own.get(term, ()):
                yield Fact(id_, relation, iri.removeprefix(DATA))


def year_of(date: str) -> int:
    """Return the year of a date in EDTF. Raises ValueError where it has none."""
    year = PartialDate.parse(date).year
    if year is None:
        raise ValueError(f"a date without a year: {date!r}")
    return year
