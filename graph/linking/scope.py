"""The scope of a change: the uses of names that must be linked again when some papers change."""

from abc import ABC, abstractmethod
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import chain, islice

from stemma.graph.linking.known_name import KnownNames, certain_concept, dated
from stemma.graph.linking.naming import Name, NameUse, PaperNames
from stemma.graph.linking.sense import TELLING_PAPERS, Elsewhere
from stemma.graph.linking.ties import (
    Tie,
    TieFinder,
    forms_beyond,
    is_by_name,
    is_joining,
    slug_of,
    vendor_tie,
)
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
    def standing_for(self, tie: str) -> Iterable[str]:
        """Return the papers (ids) that have a tie by what they introduce, or by a use of a name
        that stands for all that are the same; perhaps others."""

    def expect(self, ties: Iterable[str]) -> None:
        """Prepare for questions about these ties, in case they are read at once."""
        return

    @abstractmethod
    def uses_like(self, paper: PaperNames, name: Name, id_: str) -> int:
        """Return how many papers use a name, not introduced, in the same way, and mean `id_` by it.

        0 if another paper than `paper`, the first of them, stands for these uses.
        """

    @abstractmethod
    def named(self, papers: Collection[str]) -> Mapping[str, tuple[PaperNames, Ids]]:
        """Return the names of papers, `dated` by the catalogue, and what they mean."""

    @abstractmethod
    def certain_forms(self, concept: str) -> Mapping[str, int]:
        """Count the uses that certainly are a concept (id), by their forms.

        Of the forms that the catalogue does not have, of uses that have the tie CERTAIN.
        """

    @abstractmethod
    def telling(self, concept: str) -> Collection[str]:
        """Return the first TELLING_PAPERS papers (ids) whose uses have the tie CERTAIN."""

    @abstractmethod
    def linked_forms(self, concept: str) -> Mapping[str, int]:
        """Count the uses that mean a concept (id), by forms that the catalogue does not have."""

    @abstractmethod
    def has_concept(self, id_: str) -> bool:
        """Return whether an entity (an id) is there, and in the catalogue."""

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

    def having(self, ties: Iterable[str]) -> set[str]:
        """Return which of some ties any paper has."""
        return {tie for tie in ties if any(True for _ in self.tied(tie))}


class Scope:
    """Gathers what is connected to a change of `graph`.

    The papers `gone` (ids) are removed, or replaced by those of the same ids in `new`. `linked`
    are the uses to be linked again: all that can change are among them, each of them if `apart`,
    or if papers are gone; otherwise one stands for all that are the same.
    """

    def __init__(
        self,
        graph: LinkedGraph,
        gone: Collection[str],
        new: Iterable[PaperNames],
        catalogue: Catalogue,
        apart: bool = True,
    ) -> None:
        self.graph, self._catalogue = graph, catalogue
        self.is_apart = apart or bool(gone)
        self._papers_like: dict[UseKey, int] = {}
        self.products_changed = False
        self.concepts_changed: set[str] = set()
        self.gone = dict(graph.named(gone))
        self.papers = {each.paper: dated(each, catalogue) for each in new}
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
        self._certainly_gone = Certainly((names for names, _ in self.gone.values()), catalogue)
        self._certainly_new = Certainly(self.papers.values(), catalogue)
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
        return self._keys(tie, self.papers_tied(tie))

    def _keys_linked(self, tie: str) -> Iterator[UseKey]:
        """Yield those to be linked again."""
        if self.is_apart:
            return self.keys(tie)
        papers = chain(self.graph.standing_for(tie), sorted(self._new_tied.get(tie, ())))
        return filter(self._stands, self._keys(tie, papers))

    def _stands(self, key: UseKey) -> bool:
        paper, name = key[0], self.name(key)
        if key not in self._papers_like:
            known = paper in self.new or name.introduced
            self._papers_like[key] = (
                1
                if known
                else self.graph.uses_like(self.papers[paper], name, self.before[paper][name.name])
            )
        return self._papers_like[key] > 0

    def like(self, key: UseKey) -> Iterator[UseKey]:
        """Yield all uses that one stands for."""
        if self._papers_like.get(key, 1) == 1:
            yield key
            return
        paper, name = key[0], replace(self.name(key), titled=False)
        by = sorted(self._ties[paper][name.name], key=lambda tie: (not is_by_name(tie), tie))
        for each in self.keys(by[0]):
            if (
                each[0] in self.before
                and replace(self.name(each), titled=False) == name
                and self.before[each[0]][name.name] == self.before[paper][name.name]
            ):
                yield each

    def each_like(self, use: NameUse) -> Iterator[NameUse]:
        """Yield each of the uses that one stands for."""
        for key in self.like((use.paper.paper, use.name.name)):
            yield NameUse.of(self.papers[key[0]], self.name(key), self.paper)

    def _keys(self, tie: str, waiting: Iterator[str]) -> Iterator[UseKey]:
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
        papers = self._papers_like.get(key, 1)
        return NameUse.of(self.papers[key[0]], self.name(key), self.paper, papers)

    def name(self, key: UseKey) -> Name:
        """Return a name as its paper has it."""
        paper, name = key
        if (names := self._names.get(paper)) is None:
            self._names[paper] = names = {each.name: each for each in self.papers[paper].names}
        return names[name]

    def vendors_of(self, key: str) -> set[str]:
        """Return the vendors before a product's name."""
        return _vendors(key, self._having)

    def _having(self, ties: Collection[str]) -> set[str]:
        """Return which of some ties any paper has."""
        found = self.graph.having(ties)
        if self.gone:
            found = {tie for tie in found if any(True for _ in self.papers_tied(tie))}
        return {*self._new_tied.keys() & ties, *found}

    def had(self, tie: str) -> bool:
        """Return whether the graph had a tie before the change."""
        return bool(self.graph.having([tie]))

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
        products = list(self._changed_products(ties))
        self.products_changed = bool(products)
        self.reach(
            [
                *(tie for tie in ties if is_joining(tie)),
                *self._introducing_known(ties),
                *map(Tie.KEY.to, products),
            ]
        )
        self.concepts_changed = {*Tie.OWN.ends(ties), *self._otherwise_certain()}
        for concept in self.concepts_changed:
            self._join(self._keys_linked(Tie.RIVAL.to(concept)))
        self._reach_known()

    def _introducing_known(self, ties: Iterable[str]) -> Iterable[str]:
        """Return the ties with what papers introduce by names that the catalogue knows.

        Without that, these names mean what they mean in the catalogue.
        """
        introduced = set(map(Tie.INTRODUCED.to, Tie.KNOWN.ends(ties)))
        return map(Tie.KEY.to, Tie.INTRODUCED.ends(self._having(introduced)))

    # What is certain of concepts.

    def certain(self, concept: str) -> Elsewhere:
        """Return what is certain of a concept (id) by the uses that have the tie CERTAIN."""
        gone, new = self._certainly_gone, self._certainly_new
        forms = Counter(self.graph.certain_forms(concept))
        forms.update(new.forms[concept])
        forms.subtract(gone.forms[concept])
        if self._lost(concept):
            papers = set(self.papers_tied(Tie.CERTAIN.to(concept)))
        else:
            papers = new.papers[concept].union(self.graph.telling(concept))
        return Elsewhere((+forms).keys(), papers)

    def _otherwise_certain(self) -> Iterator[str]:
        """Yield the concepts (ids) that have other certain forms or telling papers than before."""
        gone, new = self._certainly_gone, self._certainly_new
        for concept in gone.papers.keys() | new.papers.keys():
            telling = self.graph.telling(concept)
            last = max(telling) if len(telling) == TELLING_PAPERS else None
            if self._lost(concept) or any(
                last is None or each < last for each in new.papers[concept].difference(telling)
            ):
                yield concept
            elif forms := {*gone.forms[concept], *new.forms[concept]}:
                before, after = self.graph.certain_forms(concept), self.certain(concept).forms
                if any((each in before) != (each in after) for each in forms):
                    yield concept

    def _lost(self, concept: str) -> set[str]:
        """Return the telling papers of a concept that say nothing of it any more."""
        gone = self._certainly_gone.papers[concept] - self._certainly_new.papers[concept]
        return gone.intersection(self.graph.telling(concept)) if gone else gone

    def _changed_products(self, ties: Iterable[str]) -> Iterator[str]:
        """Yield what (keys) is, or is not, the product of one vendor now."""
        for key in {each.partition(" ")[2] for each in Tie.VENDOR.ends(ties)}:
            known, _ = self._catalogue.by_product.get(key, (frozenset(), ()))
            if _vendors(key, self.graph.having) | known != self.vendors_of(key) | known:
                yield key

    def reach(self, ties: Iterable[str]) -> bool:
        """Add what ties join, and all that this is joined with; return whether that adds any."""
        size, waiting = len(self.linked), list(ties)
        while waiting:
            level = dict.fromkeys(each for each in waiting if each not in self._reached)
            self._reached.update(level)
            waiting = []
            if not self.is_apart:
                self.graph.expect(level)
            for tie in level:
                waiting += self._take(self._keys_linked(tie))
        return len(self.linked) > size

    def _take(self, keys: Iterable[UseKey]) -> Iterator[str]:
        """Add uses, and yield the ties that join them with others."""
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
        """Add the uses of known names that papers coin."""
        introduced = (name for each in self.linked if (name := self.name(each)).introduced)
        for form in {form for each in introduced for form in each.forms}:
            self.linked.update(self._keys_linked(Tie.KNOWN.to(match_key(form))))

    def take_papers(self, papers: Iterable[str]) -> None:
        """Add all names of papers."""
        papers = list(papers)
        self._join((paper, each.name) for paper in papers for each in self.papers[paper].names)
        ties = {tie for paper in papers for own in self._ties[paper].values() for tie in own}
        self.grow(self._introducing_known(ties))

    def grow_to(self, entities: Collection[str]) -> bool:
        """Add all that means one of `entities` (ids), or competes for its id."""
        ties = ((Tie.CONCEPT.to(each), Tie.SLUG.to(slug_of(each))) for each in sorted(entities))
        return self.grow(chain.from_iterable(ties))

    def grow(self, ties: Iterable[str]) -> bool:
        """Add what ties join as well; return whether that adds any."""
        if not self.reach(ties):
            return False
        self._reach_known()
        return True

    def known_names(self) -> KnownNames:
        """Return the catalogue's names, as the papers take them."""
        return KnownNames(self._catalogue, self.vendors_of)


class Certainly:
    """What papers certainly call concepts (ids), and which papers (ids) those are."""

    def __init__(self, papers: Iterable[PaperNames], catalogue: Catalogue) -> None:
        self.forms: dict[str, Counter[str]] = defaultdict(Counter)
        self.papers: dict[str, set[str]] = defaultdict(set)
        for paper in papers:
            for name in paper.names:
                if concept := certain_concept(name, catalogue):
                    self.forms[concept.id].update(forms_beyond(concept, name.forms))
                    self.papers[concept.id].add(paper.paper)


def _vendors(key: str, having: Callable[[Collection[str]], set[str]]) -> set[str]:
    """Return the vendors of a product by the ties that a graph has."""
    ties = {vendor_tie(key, vendor): vendor for vendor in map(str.casefold, VENDORS)}
    return {ties[tie] for tie in having(ties.keys())}
