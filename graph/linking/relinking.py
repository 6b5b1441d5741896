"""Relinking: how the links of a graph change when some of its papers do.

The result is that of `link` over all papers; only what the change concerns is linked again, by the
same functions. That can be, as a use of a name means what it means by few others:

- by the uses that are spelt like it or introduce the paper whose title it is, by those that are
  spelt like these, and so on: they are one cluster, from which `senses_of` makes senses;
- for a name that the catalogue knows, by the papers that introduce something else by it;
- by the vendors before whose product papers put their names: those of one vendor may leave it out;
- by what has the same name, for its id, and by what people decided about it.

So a store files each way to use a name under a few keys (`keys_of`), which hang on the name and the
catalogue alone: its spellings (NAME), the paper that it may be of (PAPER), or the name by which it
is known (KNOWN). Papers that use a name in the same way and mean the same are one `NameUse`,
however many they are. A change is linked in three steps:

1. `Region` begins with the uses in papers that come and go, and asks the store for all that these
   are connected with, then for all that those are, until nothing is new (`_connected`): with the
   same NAME or PAPER, and with what is KNOWN by it if it is introduced; what is KNOWN, with the
   NAME of that. Uses of a KNOWN name are many, and do not bring in each other:
   most are never asked for.
2. The uses are linked, and decisions applied. What means an entity that came out, or may compete
   for its id, or that decisions refer to, or did before, has to be there as a whole: it is brought
   in, and this step is repeated until nothing is new.
3. What means something else than before is the change. From it follows which entities are new,
   gone, or described otherwise, which facts of the catalogue are between two that are there, and
   which papers are judged by other facts (`Rules`).

Uses that the region lacks mean what they meant. The tests in ``test_relinking.py`` compare graphs
that came about in any order, with removals and decisions, with what `link` makes of all papers.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING

from stemma.graph.linking.contradiction import ClaimsOf, Rules
from stemma.graph.linking.decision_applier import DecisionApplier
from stemma.graph.linking.linked_entity import LinkedEntity, Links, linked_entities
from stemma.graph.linking.naming import Context, NameUse, PaperNames, citing, uses_in
from stemma.graph.linking.sense import (
    KnownNames,
    certain_concept,
    dated,
    named_concepts,
    product_of,
    senses_of,
    the_one,
    vendors_in,
)
from stemma.schema import Catalogue, Decision, Entity, Fact
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


Filed = tuple[Key, str]
"""A key of a sort."""


def keys_of(use: NameUse, catalogue: Catalogue) -> set[Filed]:
    """Return the keys that a use is filed under; they depend on it and the catalogue alone."""
    products = {product for product, _ in filter(None, [product_of(use.name.name)])}
    if not use.introducer and certain_concept(use.name, catalogue):
        return {(Key.KNOWN, key) for key in products}
    papers = {paper for paper in (use.introducer, use.cited) if paper}
    may_be_known = not papers and use.key in catalogue.by_key
    if may_be_known and the_one(named_concepts(use, catalogue), use.name.kind):
        return {(Key.KNOWN, key) for key in (use.key, *products)}
    names = {(Key.NAME, key) for key in (use.key, *use.other_keys, *products)}
    return names.union((Key.PAPER, paper) for paper in papers)


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
        self.new = {names.paper: dated(names, catalogue) for names in new}
        self.known = KnownNames(catalogue, cache(self._vendors_of))
        self._uses = dict[object, NameUse]()
        self._asked = set[Filed]()
        self._new_by_key = defaultdict[Filed, list[NameUse]](list)
        old = list(uses_in(names for names, _ in self.gone.values()))
        added = list(uses_in(self.new.values()))
        for use in added:
            for key in keys_of(use, catalogue):
                self._new_by_key[key].append(use)
        self._grow(added, old)

    @property
    def uses(self) -> Collection[NameUse]:
        """The uses that must be linked again."""
        return self._uses.values()

    def beyond(self, entity: str) -> list[NameUse]:
        """Return the uses outside of the region that mean an entity (id)."""
        uses = self._kept(self.graph.meaning([entity]))
        return [use for use in uses if _identity(use) not in self._uses]

    def grow_to(self, entities: Iterable[str]) -> bool:
        """Add all that means some entities (ids); return whether that adds any."""
        size = len(self._uses)
        self._grow(self._kept(self.graph.meaning(sorted(entities))))
        return len(self._uses) > size

    def _kept(self, uses: Iterable[NameUse]) -> Iterator[NameUse]:
        """Yield uses that the graph had without the papers that are gone."""
        for use in uses:
            if papers := [paper for paper in use.papers if paper[1] not in self.gone]:
                yield use.of(papers)

    def _filed(self, *keys: Filed) -> Iterator[NameUse]:
        """Yield the uses that are filed under some keys after the change."""
        yield from self._kept(self.graph.uses(keys))
        for key in keys:
            yield from self._new_by_key.get(key, ())

    def _vendors_of(self, key: str) -> Collection[str]:
        filed = self._filed((Key.NAME, key), (Key.KNOWN, key))
        return vendors_in(use.name.name for use in filed)(key)

    def _grow(self, uses: Iterable[NameUse], old: Iterable[NameUse] = ()) -> None:
        """Add uses, and what is connected to these and to `old` ones, which are gone."""
        added, waiting = list(old), list(uses)
        while added or waiting:
            added += [use for use in waiting if self._uses.setdefault(_identity(use), use) is use]
            keys = {key for use in added for key in self._connected(use)} - self._asked
            self._asked |= keys
            added, waiting = [], list(self._kept(self.graph.uses(keys)))

    def _connected(self, use: NameUse) -> Iterator[Filed]:
        """Yield the keys of uses that may mean something else because there is this one."""
        for sort, key in keys_of(use, self._catalogue):
            yield Key.NAME if sort is Key.KNOWN else sort, key
            if use.introducer:
                yield Key.KNOWN, key


def _identity(use: NameUse) -> object:
    """Return what is the same however a use was found."""
    return (use.name, use.introducer, use.meant)


class Relinking:
    """Links the names of `new` papers, and again what their coming and going concerns.

    `gone` are the ids of papers that are removed, or replaced by new ones of the same id. All that
    people's `decisions` refer to, or referred to before, is linked again, and all papers (ids) that
    were `judged` are judged again.
    """

    def __init__(
        self,
        graph: "NameIndex",
        gone: Collection[str],
        new: Iterable[PaperNames],
        catalogue: Catalogue,
        context: Context,
        claims_of: ClaimsOf,
        decisions: Sequence[Decision],
        judged: Iterable[str],
    ) -> None:
        self._graph, self._catalogue, self._context = graph, catalogue, cache(context)
        self._region = region = Region(graph, gone, new, catalogue)
        self._claims_of, self._decisions, self._judged_before = claims_of, decisions, judged
        self._referred = graph.referred()
        while region.grow_to(self._link()):
            pass

    def _has_paper(self, id_: str) -> bool:
        """Return whether there is a paper after the change."""
        return id_ in self._region.new or bool(self._graph.papers({id_} - self._region.gone.keys()))

    def _meant_before(self) -> set[str]:
        """Return the entities (ids) that what is gone, or linked again, meant."""
        gone = {id_ for _, ids in self._region.gone.values() for id_ in ids.values()}
        return gone.union(use.meant for use in self._region.uses if use.meant)

    def _link(self) -> set[str]:
        """Link the uses of the region, and return the entities (ids) that must be whole in it."""
        region = self._region
        senses = senses_of(citing(region.uses), region.known, self._context)
        self._decided = DecisionApplier(
            linked_entities(*senses, self._catalogue),
            self._catalogue,
            self._claims_of,
            self._has_paper,
        )
        self._decided.apply(self._decisions)
        referred = self._decided.referred
        self._referred |= {*referred, *self._graph.called(map(match_key, referred))}
        self._meaning = defaultdict[str, list[NameUse]](list)
        for use, id_ in self._decided.meanings():
            self._meaning[id_].append(use)
        coined = {*self._meaning, *self._meant_before()} - self._catalogue.concepts.keys()
        ids = coined | self._referred
        rivals = self._graph.rivals({id_.partition("--")[0] for id_ in ids})
        return ids.union(rivals)

    # What that changes.

    def links(self) -> Links:
        """Return what changes of the links that the graph held."""
        graph, decided, new = self._graph, self._decided, self._region.new
        moved = [
            (use, id_) for id_, uses in self._meaning.items() for use in uses if use.meant != id_
        ]
        after = defaultdict[str, dict[str, str]](dict)
        for use, id_ in moved:
            for paper in use.ids:
                after[paper][use.name.name] = id_
        # Entities (ids) that more or fewer papers mean.
        changed = {id_ for _, ids in self._region.gone.values() for id_ in ids.values()}
        changed.update(id_ for use, now in moved for id_ in (now, use.meant) if id_)
        before = graph.concepts()
        named = changed & self._catalogue.concepts.keys()
        now = {**before, **{id_: any(True for _ in self._uses_of(id_)) for id_ in named}}
        present = decided.entities(id_ for id_, is_used in now.items() if is_used)
        # What takes the place of a concept can be there for that alone, named by no paper.
        held = {*before, *graph.former().values(), *self._meant_before()}
        facts = decided.facts(present)
        judged = {*after, *self._judged_before, *decided.verdicts, *self._judged(facts)}
        kept = graph.papers(judged - self._region.gone.keys())
        ids = {id_: {**ids, **after[id_]} for id_, (_, ids) in kept.items()}
        ids |= {id_: after[id_] for id_ in new}
        names = [*(names for names, _ in kept.values()), *new.values()]
        rules = Rules(facts, self._claims_of, decided.verdicts)
        return Links(
            ids,
            self._described(present, named | present.keys() - before.keys()),
            facts,
            rules.verdicts_on(names, ids),
            decided.former(),
            decided.unapplied(present),
            decided.referred,
            held - present.keys(),
        )

    def _uses_of(self, entity: str) -> Iterator[NameUse]:
        """Yield all uses that mean an entity now."""
        yield from self._meaning.get(entity, ())
        yield from self._region.beyond(entity)

    def _described(self, present: Mapping[str, Entity], changed: Set[str]) -> dict[str, Entity]:
        """Return the entities that are `present` and may be other than before.

        More or fewer papers mean the concepts (ids) that `changed`, or they were not there.
        """
        elsewhere = dict(self._decided.former().items() ^ self._graph.former().items()).keys()
        described = {}
        for id_, entity in present.items():
            concept = self._catalogue.concepts.get(id_)
            if concept is None or id_ in self._referred:
                described[id_] = entity  # All its uses are in the region.
            elif id_ in changed or not elsewhere.isdisjoint(concept.broader):
                whole = LinkedEntity(id_, self._uses_of(id_), self._catalogue, concept).entity
                described[id_] = self._decided.moved(whole)
        return described

    def _judged(self, facts: Collection[Fact]) -> Iterator[str]:
        """Yield papers (ids) whose claims are judged by other facts: of an entity, or of its
        ancestors."""
        entities = {fact.subject for fact in self._graph.facts().symmetric_difference(facts)}
        while more := {fact.subject for fact in facts if fact.entity in entities} - entities:
            entities |= more
        for id_ in entities:
            yield from (paper for use in self._uses_of(id_) for paper in use.ids)
