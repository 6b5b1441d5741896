"""Clusters: uses whose names may mean one thing, as they are spelt alike or tied together."""

from collections import Counter, defaultdict
from collections.abc import Iterable

from stemma.graph.linking.known_name import KnownNames
from stemma.graph.linking.naming import NameUse, best_kind
from stemma.schema.disjoint_sets import DisjointSets
from stemma.schema.name import match_key


def clusters(uses: Iterable[NameUse], known: KnownNames) -> list[list[NameUse]]:
    """Gather uses by the keys of their names, and by what ties keys together.

    A name that most papers which spell it out use as another form of a longer one (an acronym)
    goes with that; a product goes with its name after the vendor's, where both occur as one kind.
    """
    by_key = defaultdict(list)
    for use in uses:
        by_key[use.key].append(use)
    groups = DisjointSets()
    for key, longer in _longer_names(by_key):
        if key in by_key and key not in known:
            groups.join(key, longer)
    for key, named in sorted(by_key.items()):
        for name in sorted({use.name.name for use in named}):
            product = known.product(name)
            if product and product in by_key and best_kind(by_key[product]) == best_kind(named):
                groups.join(key, product)
    gathered = defaultdict(list)
    for key in sorted(by_key):
        gathered[groups.of(key)].extend(by_key[key])
    return [gathered[key] for key in sorted(gathered)]


def _longer_names(by_key: dict[str, list[NameUse]]) -> list[tuple[str, str]]:
    """Return pairs of keys: another form, and the name that more papers than not give it."""
    votes: dict[str, Counter[str]] = defaultdict(Counter)
    for key, named in by_key.items():
        for use in named:
            for form in use.name.forms:
                other = match_key(form)
                if other != key:
                    votes[other][key] += len(use.papers)
    pairs = []
    for other, named_so in sorted(votes.items()):
        longer, papers = min(named_so.items(), key=lambda each: (-each[1], each[0]))
        if 2 * papers > named_so.total():
            pairs.append((other, longer))
    return pairs
