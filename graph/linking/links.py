"""Links: what linking makes of the names of all papers."""

from collections.abc import Collection, Iterable, Mapping, Sequence
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

    Where a graph has changed, it is what may differ: papers in which a name means another entity,
    or whose claims are judged otherwise; entities that are new or described otherwise, and the ids
    of those `gone`. All facts are there.
    """

    ids: Mapping[str, Mapping[str, str]]
    entities: Mapping[str, Entity]
    facts: Sequence[Fact]
    verdicts: Mapping[str, Mapping[Claim, Verdict]] = field(default_factory=dict)
    former: Mapping[str, str] = field(default_factory=dict)
    unapplied: Mapping[int, str] = field(default_factory=dict)
    gone: Collection[str] = ()


def verdict_rows(verdicts: Mapping[Claim, Verdict]) -> list[tuple[str, str, bool | str]]:
    """Return verdicts on the claims of a paper as JSON can hold them."""
    return [(*claim, verdicts[claim]) for claim in sorted(verdicts)]


def read_verdicts(rows: Iterable[tuple[str, str, bool | str]]) -> dict[Claim, Verdict]:
    """Return the verdicts that `verdict_rows` made rows of."""
    return {
        (RelationType(relation), name): RelationType(each) if isinstance(each, str) else each
        for relation, name, each in rows
    }
