"""Ties: what the uses of names share by which the meaning of one depends on that of others.

A graph keeps them by paper, so that a change is linked with what is connected to it, and
nothing else. They are texts: what sort of tie it is, and between whom.
"""

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from hashlib import blake2b

from stemma.graph.linking.known_name import certain_concept, differs, named_concepts, the_one
from stemma.graph.linking.naming import Name, NameUse, PaperNames
from stemma.schema import Catalogue, Entity
from stemma.schema.name import match_key, plain
from stemma.schema.vendor import split_vendor

_MOST_REMEMBERED = 100_000


class Tie(StrEnum):
    """The sorts of ties."""

    KEY = "key"
    """Names that may mean one thing: by name, other form, or product of a vendor."""
    TITLE = "title"
    """A name that seems to be the title of a paper (id), and what that introduces."""
    SLUG = "slug"
    """Entities that are in no catalogue, and compete for one id."""
    RIVAL = "rival"
    """Uses that may change with what is certainly a concept (id) of the catalogue."""
    KNOWN = "known"
    """Uses of a key that the catalogue knows, which may come to mean what a paper coins."""
    CERTAIN = "certain"
    """Uses that the extractor was certain are a concept (id)."""
    OWN = "own"
    """Other introductions that may be a concept (id); what is introduced has one sense."""
    INTRODUCED = "introduced"
    """Introductions by a name (key) that the catalogue knows."""
    CONCEPT = "concept"
    """Uses that were linked to a concept (id)."""
    INTRODUCER = "introducer"
    """Introductions that were linked to a concept (id)."""
    VENDOR = "vendor"
    """The product (key) of a vendor."""

    def to(self, what: str) -> str:
        """Return a tie of this sort."""
        return f"{self.value} {what}"

    def joins(self, tie: str) -> bool:
        """Return whether a tie is of this sort."""
        return tie.startswith(f"{self.value} ")

    def ends(self, ties: Iterable[str]) -> set[str]:
        """Return what the ties of this sort among some are to."""
        return {each.partition(" ")[2] for each in ties if self.joins(each)}


_JOINING = tuple(each.to("") for each in (Tie.KEY, Tie.TITLE, Tie.SLUG))
"""How the ties begin that cause all connected names to be linked together."""

_BY_NAME = (Tie.KEY.to(""), Tie.KNOWN.to(""))


def is_by_name(tie: str) -> bool:
    """Return whether uses share a tie by what the name is, not by what it means."""
    return tie.startswith(_BY_NAME)


def is_joining(tie: str) -> bool:
    """Return whether what shares a tie is linked together."""
    return tie.startswith(_JOINING)


class TieFinder:
    """Finds the ties of names, by a catalogue.

    Thousands of papers name what is widely used, and most in the same words: their ties are found
    once.
    """

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._found: dict[tuple[Name, str | None], frozenset[str]] = {}

    def ties_of(self, paper: PaperNames, ids: Mapping[str, str]) -> dict[str, frozenset[str]]:
        """Return the ties of the names of a paper, by name; `ids` are what they were linked to."""
        return {name.name: self._ties(paper, name, ids.get(name.name)) for name in paper.names}

    def _ties(self, paper: PaperNames, name: Name, id_: str | None) -> frozenset[str]:
        if name.introduced:  # Then it is tied to this paper.
            return self.find(paper, name, id_)
        ties = self._found.get((name, id_))
        if ties is None:
            if len(self._found) >= _MOST_REMEMBERED:
                self._found.clear()
            ties = self._found[name, id_] = self.find(paper, name, id_)
        return ties

    def find(self, paper: PaperNames, name: Name, id_: str | None) -> frozenset[str]:
        """Return the ties of a name, which was linked to `id_`, without remembering them."""
        own = _own_ties(NameUse(paper, name), self._catalogue)
        return frozenset({*own, *_ties_of_link(name, id_, self._catalogue)})


def code_of(key: str) -> int:
    """Return a number for a key, which takes less room; no two keys of a store share one."""
    return int.from_bytes(blake2b(key.encode(), digest_size=8).digest(), "big", signed=True)


def code_of_use(name: Name, id_: str) -> int:
    """Return a number for how a paper that does not introduce it uses a name, and means by it."""
    dated = (name.is_other, name.is_known)
    return code_of(repr((name.name, name.kind.value, name.concept, name.forms, id_, *dated)))


def vendor_tie(key: str, vendor: str) -> str:
    """Return the tie of those who name the product `key` after a vendor."""
    return Tie.VENDOR.to(f"{vendor} {key}")


def forms_beyond(concept: Entity, forms: Iterable[str]) -> list[str]:
    """Return the forms of a name that the catalogue does not have of a concept."""
    return [form for form in forms if form != concept.name and form not in concept.aliases]


def slug_of(id_: str) -> str:
    """Return what entities have in common that compete for an id."""
    return id_.partition("--")[0]


def _own_ties(use: NameUse, catalogue: Catalogue) -> Iterator[str]:
    name, key = use.name, use.key
    parts = split_vendor(plain(name.name))
    product = match_key(parts[1]) if parts else None
    if parts and product:
        yield vendor_tie(product, parts[0])
    certain = certain_concept(name, catalogue)
    possible = [certain] if certain else _possible(use, product, catalogue)
    if certain:
        yield Tie.CERTAIN.to(certain.id)
    elif name.introduced:
        yield from (Tie.OWN.to(each.id) for each in possible)
    if name.introduced:
        yield Tie.TITLE.to(use.paper.paper)
    elif use.cited:
        yield Tie.TITLE.to(use.cited)
    elif certain:
        return
    elif key in catalogue.by_key and _by_name(use, catalogue):
        yield Tie.KNOWN.to(key)
        return
    keys = {key, *use.other_keys}
    if name.introduced:
        known = [form for form in keys if form in catalogue.by_key]
        yield from map(Tie.INTRODUCED.to, known)
        possible += [each for form in known for each in catalogue.by_key[form]]
    yield from (Tie.RIVAL.to(each.id) for each in possible)
    yield from (Tie.KEY.to(each) for each in {*keys, *([product] if product else ())})


def _possible(use: NameUse, product: str | None, catalogue: Catalogue) -> list[Entity]:
    """Return the concepts that a name may mean, whosever product it may be."""
    if use.name.is_other:
        return []
    _, of_vendors = catalogue.by_product.get(use.key, ((), ()))
    return named_concepts(use, catalogue) or [
        *of_vendors,
        *catalogue.by_key.get(product or "", ()),
    ]


def _by_name(use: NameUse, catalogue: Catalogue) -> Entity | None:
    named = named_concepts(use, catalogue)
    kind = use.name.kind
    return the_one([each for each in named if not differs(use.name, each)], kind)


def _ties_of_link(name: Name, id_: str | None, catalogue: Catalogue) -> Iterator[str]:
    if id_ is None:
        return
    if id_ not in catalogue.concepts:
        yield Tie.SLUG.to(slug_of(id_))
        return
    yield Tie.CONCEPT.to(id_)
    if name.introduced:
        yield Tie.INTRODUCER.to(id_)
