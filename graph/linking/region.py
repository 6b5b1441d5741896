"""The region of a change: the uses of names that must be linked again when some papers change.

They are found by keys that uses of names are filed under.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cache
from hashlib import blake2b
from heapq import nsmallest
from typing import TYPE_CHECKING

from stemma.graph.linking.known_name import (
    KnownNames,
    certain_concept,
    dated,
    differs,
    named_concepts,
    product_of,
    the_one,
)
from stemma.graph.linking.naming import NameUse, PaperNames, uses_in
from stemma.graph.linking.sense import TELLING_PAPERS, Elsewhere
from stemma.schema import Catalogue, Entity
from stemma.schema.name import match_key

if TYPE_CHECKING:
    from stemma.graph.sqlite.linked_names import NameIndex


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

    def to(self, value: str) -> str:
        """Return the key of this sort to a name, a paper or a concept."""
        return f"{self.value} {value}"

    def among(self, keys: Iterable[str]) -> set[str]:
        """Return the names, papers or concepts of the keys of this sort among `keys`."""
        return {each.partition(" ")[2] for each in keys if each.startswith(f"{self.value} ")}


def joining(keys: Iterable[str]) -> set[str]:
    """Return the keys among some by which uses may mean one thing."""
    return {each for each in keys if each.startswith((Key.NAME.to(""), Key.PAPER.to("")))}


def keys_of(use: NameUse, catalogue: Catalogue) -> set[str]:
    """Return the keys that a use is filed under; they depend on it and the catalogue alone."""
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


Ids = Mapping[str, str]
"""The entities (ids) that the names of a paper mean."""


class Region:
    """Gathers what is connected to a change of `graph`, as it is before the change.

    The papers `gone` (ids) are removed, or replaced by those of the same ids in `new`. `uses` are
    those to be linked again: all that can change are among them.
    """

    def __init__(
        self,
        graph: "NameIndex",
        gone: Collection[str],
        new: Iterable[PaperNames],
        catalogue: Catalogue,
    ) -> None:
        self.graph, self._catalogue = graph, catalogue
        self.gone = dict(graph.papers(gone))
        self.new = {each.paper: dated(each, catalogue) for each in new}
        self.known = KnownNames(catalogue, cache(self._vendors_of))
        self._uses = dict[object, NameUse]()
        self._asked = set[str]()
        self._new_by_key = defaultdict[str, list[NameUse]](list)
        old, added = (
            list(uses_in(each))
            for each in ((names for names, _ in self.gone.values()), self.new.values())
        )
        for use in added:
            for key in keys_of(use, catalogue):
                self._new_by_key[key].append(use)
        self._grow(added, old)
        self._grow_to_concepts([*old, *added])

    @property
    def uses(self) -> Collection[NameUse]:
        """The uses that must be linked again."""
        return self._uses.values()

    def beyond(self, entity: str) -> list[NameUse]:
        """Return the uses outside of the region that mean an entity (id)."""
        uses = self._kept(self.graph.meaning([entity]))
        return [each for each in uses if _identity(each) not in self._uses]

    def certain(self, concept: Entity) -> Elsewhere:
        """Return what certainly is a concept, after the change."""
        return self._certain(concept, self._filed(Key.CONCEPT.to(concept.id)))

    def grow_to(self, entities: Iterable[str]) -> bool:
        """Add all that means some entities (ids); return whether that adds any."""
        size = len(self._uses)
        self._grow(self._kept(self.graph.meaning(sorted(entities))))
        return len(self._uses) > size

    def grow_to_papers(self, papers: Collection[str]) -> None:
        """Add all names of papers (ids)."""
        entities = {id_ for _, ids in self.graph.papers(papers).values() for id_ in ids.values()}
        uses = self._kept(self.graph.meaning(sorted(entities)))
        self._grow(each for each in uses if not set(papers).isdisjoint(each.ids))

    # What is filed under a key.

    def _kept(self, uses: Iterable[NameUse]) -> Iterator[NameUse]:
        """Yield uses that the graph had without the papers that are gone."""
        for use in uses:
            if self.gone.keys().isdisjoint(use.ids):
                yield use
            elif papers := [each for each in use.papers if each[1] not in self.gone]:
                yield use.of(papers)

    def _filed(self, *keys: str) -> Iterator[NameUse]:
        """Yield the uses that are filed under some keys after the change."""
        yield from self._kept(self.graph.uses(keys))
        for key in keys:
            yield from self._new_by_key.get(key, ())

    def _certain(self, concept: Entity, filed: Iterable[NameUse]) -> Elsewhere:
        uses = [each for each in filed if self.known.concept(each) == concept]
        papers = {id_ for each in uses for id_ in each.ids}
        forms = {form for each in uses for form in each.name.forms}
        return Elsewhere(forms, nsmallest(TELLING_PAPERS, papers))

    def _vendors_of(self, key: str) -> set[str]:
        return _vendors(key, self._filed(Key.NAME.to(key), Key.KNOWN.to(key)))

    # What is connected.

    def _grow(self, uses: Iterable[NameUse], old: Iterable[NameUse] = ()) -> None:
        """Add uses, and what is connected to these and to `old` ones, which are gone."""
        added, waiting = list(old), list(uses)
        while added or waiting:
            for use in waiting:
                if self._uses.setdefault(_identity(use), use) is use:
                    added.append(use)
            keys, coined, known = set[str](), set[str](), set[str]()
            for use in added:
                own = keys_of(use, self._catalogue)
                keys |= joining(own)
                if use.introducer:
                    coined |= Key.NAME.among(own) & self._catalogue.by_key.keys()
                elif Key.KNOWN.to(use.key) in own:
                    known.add(use.key)
            uses_of_coined = self._ask(map(Key.KNOWN.to, coined))
            introductions = self.graph.uses([Key.NAME.to(each) for each in known])
            waiting = [
                *self._ask(keys),
                *(each for each in uses_of_coined if each.key in coined),
                *(each for each in self._kept(introductions) if each.introducer),
            ]
            added = []

    def _ask(self, keys: Iterable[str]) -> Iterator[NameUse]:
        """Yield the uses that the graph has under keys which were not asked for before."""
        new = set(keys) - self._asked
        self._asked |= new
        return self._kept(self.graph.uses(new))

    def _grow_to_concepts(self, changed: Sequence[NameUse]) -> None:
        """Add what depends on which names, without their vendors', are products of one vendor, and
        on what concepts certainly are."""
        products = {product[0] for each in changed if (product := product_of(each.name.name))}
        concepts = dict[Entity, None]()
        for key in sorted(products):
            filed = Key.NAME.to(key), Key.KNOWN.to(key)
            if _vendors(key, self.graph.uses(filed)) != self._vendors_of(key):
                self._grow(self._ask(filed[:1]))
                _, of_vendors = self._catalogue.by_product.get(key, ((), ()))
                concepts |= dict.fromkeys((*of_vendors, *self._catalogue.by_key.get(key, ())))
        keys = {key for use in changed for key in keys_of(use, self._catalogue)}
        for id_ in sorted(Key.CONCEPT.among(keys)):
            concept = self._catalogue.concepts[id_]
            called_so = self.graph.uses([Key.NAME.to(each) for each in names_of_concept(concept)])
            if any(True for _ in called_so):
                before = self._certain(concept, self.graph.uses([Key.CONCEPT.to(id_)]))
                if before != self.certain(concept):
                    concepts[concept] = None
        for concept in concepts:
            self._grow(self._ask(map(Key.NAME.to, names_of_concept(concept))))


def _identity(use: NameUse) -> object:
    """Return what is the same however a use was found."""
    return (use.name, use.introducer, use.meant)


def _vendors(key: str, uses: Iterable[NameUse]) -> set[str]:
    """Return the vendors of a product by the names of uses."""
    products = (product_of(each.name.name) for each in uses)
    return {product[1] for product in products if product and product[0] == key}
