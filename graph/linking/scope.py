"""The scope of a change: the uses of names that must be linked again when some papers change."""

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import chain, islice

from stemma.graph.linking.known_name import KnownNames
from stemma.graph.linking.naming import Name, NameUse, PaperNames
from stemma.graph.linking.ties import Tie, TieFinder, is_joining, slug_of, vendor_tie
from stemma.schema import Catalogue, Fact
from stemma.schema.name import match_key
from stemma.schema.vendor import VENDORS

_AT_ONCE = 200
"""Papers that are read together."""

UseKey = tuple[str, str]
"""A paper (id) and one of its names."""

Ids = Mapping[str, str]
"""The entities (ids) that the names of a paper mean."""


class LinkedGraph(ABC):
    """The names of a graph as it is before a change, with their links and ties."""

    @abstractmethod
    def tied(self, tie: str) -> Iterable[str]:
        """Return the papers (ids) that have a tie."""

    @abstractmethod
    def named(self, papers: Collection[str]) -> Mapping[str, tuple[PaperNames, Ids]]:
        """Return the names of papers, and what they mean."""

    @abstractmethod
    def concepts(self) -> Collection[str]:
        """Return the entities (ids) that are in the catalogue."""

    @abstractmethod
    def facts(self) -> Collection[Fact]:
        """Return the catalogue's facts."""

    @abstractmethod
    def former(self) -> Mapping[str, str]:
        """Return the ids that decisions took away, with what took their place."""

    @abstractmethod
    def called(self, key: str) -> Collection[str]:
        """Return the entities (ids) that have a name or an alias of this match key."""

    def has(self, tie: str) -> bool:
        """Return whether any paper has a tie."""
        return any(True for _ in self.tied(tie))


class Scope:
    """Gathers what is connected to a change of `graph`.

    The papers `gone` (ids) are removed, or replaced by those of the same ids in `new`. `linked`
    are the uses to be linked again: all that can change are among them.
    """

    def __init__(
        self,
        graph: LinkedGraph,
        gone: Collection[str],
        new: Iterable[PaperNames],
        catalogue: Catalogue,
    ) -> None:
        self.graph, self._catalogue = graph, catalogue
        self.gone = dict(graph.named(gone))
        self.papers = {each.paper: each for each in new}
        self.new = frozenset(self.papers)
        self.before: dict[str, Ids] = {}
        self._finder = TieFinder(catalogue)
        self._ties: dict[str, dict[str, frozenset[str]]] = {}
        self._new_tied: dict[str, set[str]] = defaultdict(set)
        for paper in self.papers.values():
            self._ties[paper.paper] = self._finder.ties_of(paper, {})
            for ties in self._ties[paper.paper].values():
                for tie in ties:
                    self._new_tied[tie].add(paper.paper)
        self._reached: set[str] = set()
        self._taken: set[UseKey] = set()
        self._names: dict[str, dict[str, Name]] = {}
        self.linked: set[UseKey] = set()
        self._begin()

    # What the graph has after the change.

    def papers_tied(self, tie: str) -> Iterator[str]:
        """Yield the papers (ids) that have a tie."""
        yield from (each for each in self.graph.tied(tie) if each not in self.gone)
        yield from sorted(self._new_tied.get(tie, ()))

    def keys(self, tie: str) -> Iterator[UseKey]:
        """Yield the uses of names that have a tie; those in new papers have none of links."""
        waiting = iter(list(self.papers_tied(tie)))
        while papers := list(islice(waiting, _AT_ONCE)):
            self._load(papers)
            for paper in papers:
                for name, ties in self._ties[paper].items():
                    if tie in ties:
                        yield paper, name

    def paper(self, id_: str) -> PaperNames | None:
        """Return a paper, if the graph has it."""
        self._load([id_])
        return self.papers.get(id_)

    def use(self, key: UseKey) -> NameUse:
        """Return a use with what it cites."""
        return NameUse.of(self.papers[key[0]], self.name(key), self.paper)

    def name(self, key: UseKey) -> Name:
        """Return a name as its paper has it."""
        paper, name = key
        if (names := self._names.get(paper)) is None:
            self._names[paper] = names = {each.name: each for each in self.papers[paper].names}
        return names[name]

    def vendors_of(self, key: str) -> set[str]:
        """Return the vendors before a product's name."""
        return _vendors(key, self._has)

    def _has(self, tie: str) -> bool:
        """Return whether any paper has a tie."""
        if tie in self._new_tied:
            return True
        return any(True for _ in self.papers_tied(tie)) if self.gone else self.graph.has(tie)

    def had(self, tie: str) -> bool:
        """Return whether the graph had a tie before the change."""
        return self.graph.has(tie)

    def _load(self, papers: Iterable[str]) -> None:
        lacking = [each for each in papers if each not in self.papers and each not in self.gone]
        for id_, (names, ids) in self.graph.named(lacking).items() if lacking else ():
            self.papers[id_], self.before[id_] = names, ids
            self._ties[id_] = self._finder.ties_of(names, ids)

    # What is connected.

    def _begin(self) -> None:
        old = [self._finder.ties_of(*each) for each in self.gone.values()]
        new = [self._ties[each] for each in sorted(self.new)]
        ties = {tie for each in (*old, *new) for own in each.values() for tie in own}
        self.linked |= {(paper, name) for paper in self.new for name in self._ties[paper]}
        self.reach(
            [
                *(tie for tie in ties if is_joining(tie)),
                *(Tie.KEY.to(key) for key in Tie.KNOWN.ends(ties)),
                *(Tie.KEY.to(key) for key in self._changed_products(ties)),
            ]
        )
        for concept in Tie.CERTAIN.ends(ties):
            self._join(self.keys(Tie.RIVAL.to(concept)))
        self._reach_known()

    def _changed_products(self, ties: Iterable[str]) -> Iterator[str]:
        """Yield what (keys) is, or is not, the product of one vendor now."""
        for key in {each.partition(" ")[2] for each in Tie.VENDOR.ends(ties)}:
            known, _ = self._catalogue.by_product.get(key, (frozenset(), ()))
            if _vendors(key, self.had) | known != self.vendors_of(key) | known:
                yield key

    def reach(self, ties: Iterable[str]) -> bool:
        """Take in what is joined by ties, and all that this is joined with. Return if it is new."""
        size, waiting = len(self.linked), list(ties)
        while waiting:
            tie = waiting.pop()
            if tie not in self._reached:
                self._reached.add(tie)
                waiting += self._take(self.keys(tie))
        return len(self.linked) > size

    def _take(self, keys: Iterable[UseKey]) -> Iterator[str]:
        """Take uses in, and yield what joins them with others."""
        for key in keys:
            if key in self._taken:
                continue
            self._taken.add(key)
            self.linked.add(key)
            paper, name = key
            ties = self._ties[paper][name]
            if any(map(Tie.KEY.joins, ties)):
                yield from filter(is_joining, ties)

    def _join(self, keys: Iterable[UseKey]) -> None:
        self.reach(self._take(keys))

    def _reach_known(self) -> None:
        """Take in the uses of known names that papers coin."""
        introduced = (name for each in self.linked if (name := self.name(each)).introduced)
        for form in {form for each in introduced for form in each.forms}:
            self.linked.update(self.keys(Tie.KNOWN.to(match_key(form))))

    def take_papers(self, papers: Iterable[str]) -> None:
        """Take in all names of papers."""
        self._join((paper, each.name) for paper in papers for each in self.papers[paper].names)

    def grow_to(self, entities: Collection[str]) -> bool:
        """Take in all that means one of `entities` (ids), or competes for its id."""
        ties = ((Tie.CONCEPT.to(each), Tie.SLUG.to(slug_of(each))) for each in sorted(entities))
        return self.grow(chain.from_iterable(ties))

    def grow(self, ties: Iterable[str]) -> bool:
        """Take in what is joined by ties as well. Return if that is more than before."""
        if not self.reach(ties):
            return False
        self._reach_known()
        return True

    def known_names(self) -> KnownNames:
        """Return the catalogue's names, as the papers take them."""
        return KnownNames(self._catalogue, self.vendors_of)


def _vendors(key: str, has: Callable[[str], bool]) -> set[str]:
    """Return the vendors of a product by the ties that a graph has."""
    return {vendor for vendor in map(str.casefold, VENDORS) if has(vendor_tie(key, vendor))}
