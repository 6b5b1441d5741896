"""Keys: what uses of names are filed under, to find those whose meaning depends on a change."""

from collections.abc import Iterable, Iterator
from enum import StrEnum
from hashlib import blake2b

from stemma.graph.linking.known_name import (
    certain_concept,
    differs,
    named_concepts,
    product_of,
    the_one,
)
from stemma.graph.linking.naming import NameUse
from stemma.schema import Catalogue, Entity
from stemma.schema.name import match_key


class Key(StrEnum):
    """The sorts of keys. Uses that share a NAME or a PAPER may mean one thing."""

    NAME = "name"
    """A match key: of the name, of another form of it, or of it without its vendor."""
    PAPER = "paper"
    """A paper (id): that introduces the name, or whose title the name seems to be."""
    KNOWN = "known"
    """The match key of a name that means a concept of the catalogue, unless papers coined it for
    something else; or of that without its vendor."""
    CONCEPT = "concept"
    """A concept (id) that the use certainly is, or that the name may mean which it introduces."""

    def to(self, what: str) -> str:
        """Return a key of this sort."""
        return f"{self.value} {what}"

    def among(self, keys: Iterable[str]) -> set[str]:
        """Return what the keys of this sort among some are to."""
        return {each.partition(" ")[2] for each in keys if each.startswith(f"{self.value} ")}


def joining(keys: Iterable[str]) -> set[str]:
    """Return the keys among some by which uses may mean one thing."""
    return {each for each in keys if each.startswith((Key.NAME.to(""), Key.PAPER.to("")))}


def keys_of(use: NameUse, catalogue: Catalogue) -> set[str]:
    """Return what a use is filed under: this depends on it and the catalogue alone."""
    name, keys = use.name, {use.key, *use.other_keys}
    product = {each[0] for each in [product_of(name.name)] if each}
    certain = certain_concept(name, catalogue)
    filed = set[str]()
    if use.introducer:
        possible = [certain] if certain else _possible(use, keys | product, catalogue)
        filed = {Key.PAPER.to(use.introducer), *(Key.CONCEPT.to(each.id) for each in possible)}
    elif certain:
        return {Key.CONCEPT.to(certain.id), *map(Key.KNOWN.to, product)}
    elif use.cited:
        filed = {Key.PAPER.to(use.cited)}
    elif use.key in catalogue.by_key and _means_known(use, catalogue):
        return set(map(Key.KNOWN.to, {use.key, *product}))
    return filed.union(map(Key.NAME.to, keys | product))


def _possible(use: NameUse, keys: Iterable[str], catalogue: Catalogue) -> list[Entity]:
    """Return the concepts that a name may mean, whosever product it may be."""
    if use.name.is_other:
        return []
    _, of_vendors = catalogue.by_product.get(use.key, ((), ()))
    return [*of_vendors, *(each for key in keys for each in catalogue.by_key.get(key, ()))]


def _means_known(use: NameUse, catalogue: Catalogue) -> bool:
    named = named_concepts(use, catalogue)
    return (
        the_one([each for each in named if not differs(use.name, each)], use.name.kind) is not None
    )


def names_of_concept(concept: Entity) -> Iterator[str]:
    """Yield the match keys of the names of a concept, also without their vendors."""
    for name in (concept.name, *concept.aliases):
        yield match_key(name)
        if product := product_of(name):
            yield product[0]


def code_of(key: str) -> int:
    """Return a number for a key, which takes less room; no two keys of a store share one."""
    return int.from_bytes(blake2b(key.encode(), digest_size=8).digest(), "big", signed=True)
