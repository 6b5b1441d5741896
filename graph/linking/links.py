"""Links: what linking makes of the names of all papers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from stemma.schema import Entity, Fact, RelationType

Claim = tuple[RelationType, str]
"""What one paper states: a relation to one of its names."""


@dataclass(frozen=True, slots=True)
class Links:
    """The outcome: entity ids by paper and name, and the entities by id, in order.

    `facts` are the catalogue's between these entities. The rest is what people's decisions come
    to: `verdicts` tell by paper which of its claims are true, and which are not; `former` maps ids
    that are no more to what took their place; `unapplied` gives the reason why the decision of a
    number does not apply, or not whole.
    """

    ids: Mapping[str, Mapping[str, str]]
    entities: Mapping[str, Entity]
    facts: Sequence[Fact] = ()
    verdicts: Mapping[str, Mapping[Claim, bool]] = field(default_factory=dict)
    former: Mapping[str, str] = field(default_factory=dict)
    unapplied: Mapping[int, str] = field(default_factory=dict)
