"""Known names: which concept of the catalogue a name of a paper means."""

from collections import defaultdict
from collections.abc import Iterable

from stemma.graph.linking.homonym import could_be_one_kind, read_alike, written_out
from stemma.graph.linking.naming import Mention, Name
from stemma.schema import Catalogue, Entity
from stemma.schema.name import match_key, plain
from stemma.schema.vendor import split_vendor


class KnownNames:
    """The catalogue's names, also with or without their vendors.

    A vendor's name counts for nothing only where no other vendor has a product of that name: what
    several make (AMD GPU, NVIDIA GPU) is a class of things.
    """

    def __init__(self, catalogue: Catalogue, mentions: Iterable[Mention]) -> None:
        self._catalogue = catalogue
        known = [
            (concept, name)
            for concept in catalogue.concepts.values()
            for name in (concept.name, *concept.aliases)
        ]
        makers = defaultdict(set)
        for name in {*(name for _, name in known), *(mention.name.name for mention in mentions)}:
            if parts := split_vendor(plain(name)):
                makers[match_key(parts[1])].add(parts[0])
        self._products = {product for product, vendors in makers.items() if len(vendors) == 1}
        self._by_product: dict[str, dict[str, Entity]] = defaultdict(dict)
        for concept, name in known:
            if product := self.product(name):
                self._by_product[product][concept.id] = concept

    def __contains__(self, key: str) -> bool:
        return key in self._catalogue.by_key

    def product(self, name: str) -> str | None:
        """Return the key of `name` without its vendor, where that is one vendor's product."""
        parts = split_vendor(plain(name))
        key = match_key(parts[1]) if parts else ""
        return key if key in self._products else None

    def certain(self, name: Name) -> Entity | None:
        """Return the concept that the extractor was certain of."""
        return self._catalogue.concepts.get(name.concept) if name.concept else None

    def concept(self, mention: Mention) -> Entity | None:
        """Return the concept that a mention means; None if it means none, or one of several."""
        if certain := self.certain(mention.name):
            return certain
        candidates = self.candidates(mention)
        if len(candidates) > 1:
            candidates = [each for each in candidates if each.kind == mention.name.kind]
        return candidates[0] if len(candidates) == 1 else None

    def candidates(self, mention: Mention) -> list[Entity]:
        """Return the concepts that a mention may mean: by name, else other form, else vendor."""
        by_key = self._catalogue.by_key
        for keys in ((mention.key,), sorted(mention.other_keys)):
            named = {each.id: each for key in keys for each in by_key.get(key, ())}
            if named:
                return [
                    each for _, each in sorted(named.items()) if not differs(mention.name, each)
                ]
        folded = dict(self._by_product.get(mention.key, {}))
        folded.update(
            (each.id, each) for each in by_key.get(self.product(mention.name.name) or "", ())
        )
        return [
            each
            for _, each in sorted(folded.items())
            if each.kind == mention.name.kind and not differs(mention.name, each)
        ]


def differs(name: Name, concept: Entity) -> bool:
    """Return whether a paper plainly means something else by a concept's name.

    So it does where the name is short for other words, and where the paper itself introduces
    another kind of thing under it.
    """
    spelt = written_out(name.forms)
    known = written_out((concept.name, *concept.aliases))
    if spelt and known:
        return not read_alike(spelt, known)
    if name.introduced and spelt:
        return name.kind != concept.kind
    if name.introduced or spelt:
        return not could_be_one_kind(name.kind, concept.kind)
    return False
