"""Links: what linking makes of the names of all papers."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from stemma.schema import Entity, Fact, RelationType

Claim = tuple[RelationType, str]
"""What one paper states: a relation to one of its names."""

Verdict = bool | RelationType
"""Whether a claim is true, or what the paper states of that name in its place."""


@dataclass(frozen=True, slots=True)
class Links:
    """The outcome: entity ids by paper and name, and the entities by id, in order.

    `facts` are the catalogue's between these entities. `verdicts` say by paper which of its claims
    are true, and which are not, by people's decisions or the catalogue. The rest is what decisions
    come to: `former` maps ids that no longer exist to what took their place; `unapplied` gives the
    reason why the decision of a number does not apply, or only in part.
    """

    ids: Mapping[str, Mapping[str, str]]
    entities: Mapping[str, Entity]
    facts: Sequence[Fact] = ()
    verdicts: Mapping[str, Mapping[Claim, Verdict]] = field(default_factory=dict)
    former: Mapping[str, str] = field(default_factory=dict)
    unapplied: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Change:
    """How the links of a graph change with some of its papers.

    `before` and `after` are the entity ids by paper and name; `after` has the papers that are new,
    `before` those that the graph keeps, and at least those are in both in which a name means
    another entity now. `entities` are those that may be new or changed, `gone` the ids of others.
    `facts_added` and `facts_gone` are those of the catalogue. `verdicts` are those on all papers
    that the change concerns, even if there are none. `former` and `unapplied` come of decisions.
    """

    before: Mapping[str, Mapping[str, str]]
    after: Mapping[str, Mapping[str, str]]
    entities: Mapping[str, Entity]
    gone: Collection[str]
    facts_added: Collection[Fact]
    facts_gone: Collection[Fact]
    verdicts: Mapping[str, Mapping[Claim, Verdict]]
    former: Mapping[str, str] = field(default_factory=dict)
    unapplied: Mapping[int, str] = field(default_factory=dict)

    @classmethod
    def of_all(
        cls,
        links: Links,
        before: Mapping[str, Mapping[str, str]],
        entities: Iterable[str],
        verdicts: Mapping[str, Mapping[Claim, Verdict]],
        facts: Collection[Fact] = (),
    ) -> "Change":
        """Return how `links` of all papers differ from the links, entities and so on before."""
        return cls(
            before,
            links.ids,
            links.entities,
            set(entities) - links.entities.keys(),
            set(links.facts).difference(facts),
            set(facts).difference(links.facts),
            {id_: links.verdicts.get(id_, {}) for id_ in {*links.verdicts, *verdicts}},
            links.former,
            links.unapplied,
        )

    def ids(self, paper: str) -> Mapping[str, str]:
        """Return the entities (ids) that the names of a paper mean now."""
        return self.after.get(paper) or self.before.get(paper, {})

    def relinked(self) -> Iterator[tuple[str, str, str, str]]:
        """Yield (paper, name, entity before, entity now) where a name means another entity."""
        for paper, names in sorted(self.before.items()):
            for name, entity in sorted(names.items()):
                if self.ids(paper)[name] != entity:
                    yield paper, name, entity, self.ids(paper)[name]


def verdict_rows(verdicts: Mapping[Claim, Verdict]) -> list[tuple[str, str, bool | str]]:
    """Return verdicts on the claims of a paper as JSON can hold them."""
    return [(*claim, verdicts[claim]) for claim in sorted(verdicts)]


def read_verdicts(rows: Iterable[tuple[str, str, bool | str]]) -> dict[Claim, Verdict]:
    """Return the verdicts that `verdict_rows` made rows of."""
    return {
        (RelationType(relation), name): RelationType(each) if isinstance(each, str) else each
        for relation, name, each in rows
    }
