"""Contradictions: what papers seem to say, and cannot, as far as the catalogue knows lineages.

No work builds on, or improves on, its descendants: a paper is misread that seems to state lineage
of what it introduces itself, or of the descendants of its contribution in the catalogue. So is one
that seems to introduce a concept which appeared years before: it uses it (see `dated`).

Decisions take precedence over the catalogue.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from functools import cache

from stemma.graph.linking.naming import PaperNames
from stemma.schema import LINEAGE_RELATIONS, Fact, RelationType

Claim = tuple[RelationType, str]
"""What one paper states: a relation to one of its names."""

Verdict = bool | RelationType
"""Whether a claim is true, or what the paper states of that name in its place."""

ClaimsOf = Callable[[str], Mapping[Claim, str | None]]
"""Returns what a paper states, by its id: its claims, and for those of lineage the name of the
contribution that they are about (None for the paper as a whole). Asked of few papers."""


def verdict_rows(verdicts: Mapping[Claim, Verdict]) -> list[tuple[str, str, bool | str]]:
    """Return verdicts on the claims of a paper as JSON can hold them."""
    return [(*claim, verdicts[claim]) for claim in sorted(verdicts)]


def read_verdicts(rows: Iterable[tuple[str, str, bool | str]]) -> dict[Claim, Verdict]:
    """Return the verdicts that `verdict_rows` made rows of."""
    return {
        (RelationType(relation), name): RelationType(said) if isinstance(said, str) else said
        for relation, name, said in rows
    }


class Rules:
    """Judges what papers claim, by the catalogue's `facts` and by what people `decided`."""

    def __init__(
        self,
        facts: Iterable[Fact],
        claims_of: ClaimsOf,
        decided: Mapping[str, Mapping[Claim, bool]],
    ) -> None:
        self._claims_of, self._decided = claims_of, decided
        self._parents = defaultdict[str, set[str]](set)
        for fact in facts:
            self._parents[fact.subject].add(fact.entity)
        self._ancestors = cache(self._find_ancestors)

    def verdicts_on(
        self, papers: Iterable[PaperNames], ids: Mapping[str, Mapping[str, str]]
    ) -> dict[str, dict[Claim, Verdict]]:
        """Return by paper the verdicts on its claims: people's, and on what it cannot say.

        `ids` are the entities that names mean, by paper and name.
        """
        return {paper.paper: self._judge(paper, ids.get(paper.paper, {})) for paper in papers}

    def _judge(self, paper: PaperNames, ids: Mapping[str, str]) -> dict[Claim, Verdict]:
        """Return the verdicts on what one paper says; `ids` are what its names mean."""
        decided = self._decided.get(paper.paper, {})
        introduced = {
            ids[name.name]
            for name in paper.names
            if decided.get((RelationType.INTRODUCES, name.name), name.introduced)
        }
        derived = {
            name.name
            for name in paper.names
            if not name.introduced
            and not introduced.isdisjoint((ids[name.name], *self._ancestors(ids[name.name])))
        }
        known = {name.name for name in paper.names if name.is_known}
        verdicts = dict[Claim, Verdict]()
        if not (derived or known):
            return {**decided}
        claims = {
            claim: contribution
            for claim, contribution in self._claims_of(paper.paper).items()
            if decided.get(claim, True)
        }
        said = {name for relation, name in claims if relation is not RelationType.INTRODUCES}
        for claim, contribution in claims.items():
            relation, name = claim
            if name in derived and relation in LINEAGE_RELATIONS:
                child = ids.get(contribution or "")
                if ids[name] in introduced or child in self._ancestors(ids[name]):
                    verdicts[claim] = False
            elif name in known and relation is RelationType.INTRODUCES:
                verdicts[claim] = False if name in said else RelationType.USES
        return {**verdicts, **decided}

    def _find_ancestors(self, entity: str) -> frozenset[str]:
        """Return the ancestors of an entity, by the catalogue."""
        found: set[str] = set()
        left = [entity]
        while left:
            new = self._parents.get(left.pop(), set()) - found
            found |= new
            left += new
        return frozenset(found - {entity})
