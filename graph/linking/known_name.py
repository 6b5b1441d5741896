"""Known names: which concept of the catalogue a name of a paper means."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from functools import cache, lru_cache

from stemma.graph.linking.naming import (
    YEARS_EARLY,
    Name,
    NameUse,
    PaperNames,
    could_be_one_kind,
    is_common,
    long_forms_agree,
    written_out,
)
from stemma.schema import Catalogue, Entity, EntityKind
from stemma.schema.name import ARTICLE, match_key, plain, split_vendor
from stemma.schema.partial_date import UNDATED

_OLDER_THAN_PAPERS = (EntityKind.FRAMEWORK, EntityKind.HARDWARE)
"""Kinds of what may be released or announced years before a paper presents it."""
_OF_NOBODY: tuple[frozenset[str], tuple[Entity, ...]] = (frozenset(), ())

VendorsOf = Callable[[str], Collection[str]]
"""Returns the vendors before whose product, by its match key, papers put their names."""


def vendors_in(names: Iterable[str]) -> VendorsOf:
    """Return the vendors of the products among `names`."""
    vendors = defaultdict(set)
    for product, vendor in filter(None, map(product_of, names)):
        vendors[product].add(vendor)
    return lambda key: vendors.get(key, ())


def product_of(name: str) -> tuple[str, str] | None:
    """Return the product, by its match key, and the vendor that `name` is made of, if it is."""
    parts = split_vendor(plain(name))
    return (match_key(parts[1]), parts[0]) if parts else None


def dated(paper: PaperNames, catalogue: Catalogue) -> PaperNames:
    """Return a paper with what its date says of names that the catalogue has.

    What appeared two years after the paper or later, it cannot mean. What appeared two years
    before it or earlier, it does not introduce: either it means something else, or it is misread,
    as where it calls the concept by its long form. (But frameworks and hardware may be older than
    their papers.) Names that are hardly chosen twice may be older than the catalogue knows.

    A paper without a date is hardly older than what it names.
    """
    called = [
        _concepts_called((each.name, *each.forms), each.concept, catalogue) for each in paper.names
    ]
    year = paper.published[0]
    is_dated = year < UNDATED[0]
    if not is_dated:
        year = _earliest(paper.names, called)

    def judged(name: Name, named: Sequence[Entity], forms: Sequence[str]) -> Name:
        years = [each.year for each in named if each.year]
        is_coinage = not all(each.general for each in named) and not all(map(is_common, forms))
        if not years or len(years) < len(named) or is_coinage:
            return name
        if is_dated and year + YEARS_EARLY <= min(years):
            return replace(name, is_other=True)
        if not name.introduced or year < max(years) + YEARS_EARLY or _lags(name, named):
            return name
        if all(map(str.islower, forms)) or any(" " in each for each in forms):
            return replace(name, introduced=False, is_known=True)
        return replace(name, is_other=True)

    names = tuple(judged(name, *each) for name, each in zip(paper.names, called, strict=True))
    return replace(paper, names=names) if names != paper.names else paper


def _earliest(
    names: Sequence[Name], called: Sequence[tuple[Sequence[Entity], Sequence[str]]]
) -> int:
    """Return the first year in which a paper can have been written that names all this."""
    years = [
        min(each.year or 0 for each in named)
        for name, (named, _) in zip(names, called, strict=True)
        if named and not name.introduced
    ]
    return max(years, default=0) - YEARS_EARLY + 1


def _lags(name: Name, named: Sequence[Entity]) -> bool:
    """Return whether a name is of a kind that is presented years after it appeared."""
    return name.kind in _OLDER_THAN_PAPERS and any(each.kind is name.kind for each in named)


@lru_cache(maxsize=65536)
def _concepts_called(
    forms: tuple[str, ...], concept: str | None, catalogue: Catalogue
) -> tuple[Sequence[Entity], Sequence[str]]:
    """Return the concepts that a paper may mean by a name, and its forms that they have."""
    by_form = {form: catalogue.by_key.get(match_key(form), ()) for form in forms}
    certain = catalogue.concepts.get(concept or "")
    named = [certain] if certain else [each for found in by_form.values() for each in found]
    return named, [form for form, found in by_form.items() if any(e in named for e in found)]


def named_concepts(use: NameUse, catalogue: Catalogue) -> list[Entity]:
    """Return the concepts with the name of a use, or else with another form of it, by id."""
    if use.name.is_other:
        return []
    for keys in ((use.key,), sorted(use.other_keys)):
        if named := {each.id: each for key in keys for each in catalogue.by_key.get(key, ())}:
            return [each for _, each in sorted(named.items())]
    return []


def certain_concept(name: Name, catalogue: Catalogue) -> Entity | None:
    """Return the concept that the extractor was certain of, if it can be that."""
    return catalogue.concepts.get(name.certain) if name.certain else None


class KnownNames:
    """The catalogue's names, also with or without their vendors.

    A vendor's name counts for nothing only where no other vendor has a product of that name: what
    several make (AMD GPU, NVIDIA GPU) is a class of things. `vendors_of` returns whose product
    papers take it for.
    """

    def __init__(self, catalogue: Catalogue, vendors_of: VendorsOf) -> None:
        self._catalogue, self._vendors_of = catalogue, vendors_of
        self._is_product = cache(self._find_whether_product)

    def _find_whether_product(self, key: str) -> bool:
        vendors, _ = self._catalogue.by_product.get(key, _OF_NOBODY)
        all_vendors = vendors.union(self._vendors_of(key))
        return len(all_vendors - {ARTICLE} or all_vendors) == 1

    def __contains__(self, key: str) -> bool:
        return key in self._catalogue.by_key

    def product(self, name: str) -> str | None:
        """Return the key of `name` without its vendor, where that is one vendor's product."""
        key, _ = product_of(name) or ("", "")
        return key if key and self._is_product(key) else None

    def concept(self, use: NameUse) -> Entity | None:
        """Return the concept that a use means; None if it means none, or one of several."""
        if certain := certain_concept(use.name, self._catalogue):
            return certain
        return the_one(self.candidates(use), use.name.kind)

    def candidates(self, use: NameUse) -> list[Entity]:
        """Return the concepts that a use may mean: by name, else other form, else vendor."""
        if use.name.is_other:
            return []
        if named := named_concepts(use, self._catalogue):
            return [each for each in named if not differs(use.name, each)]
        folded = {}
        if self._is_product(use.key):
            _, concepts = self._catalogue.by_product.get(use.key, _OF_NOBODY)
            folded = {each.id: each for each in concepts}
        product = self.product(use.name.name) or ""
        folded |= {each.id: each for each in self._catalogue.by_key.get(product, ())}
        return [
            each
            for _, each in sorted(folded.items())
            if each.kind == use.name.kind and not differs(use.name, each)
        ]


def the_one(candidates: Sequence[Entity], kind: EntityKind) -> Entity | None:
    """Return which of some concepts a name of this kind means; None if that is not one."""
    if len(candidates) > 1:
        candidates = [each for each in candidates if each.kind == kind]
    return candidates[0] if len(candidates) == 1 else None


def differs(name: Name, concept: Entity) -> bool:
    """Return whether a paper plainly means something else by a concept's name.

    So it does where the name is short for other words, and where the paper itself introduces
    another kind of thing under it.
    """
    spelt = written_out(name.forms)
    known = written_out((concept.name, *concept.aliases))
    if spelt and known:
        return not long_forms_agree(spelt, known)
    if name.introduced and spelt:
        return name.kind != concept.kind
    if name.introduced or spelt:
        return not could_be_one_kind(name.kind, concept.kind)
    return False
