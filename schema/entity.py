"""Entities: the named things that papers introduce, build on, use and compare with."""

from dataclasses import dataclass

from stemma.schema.kind import EntityKind


@dataclass(frozen=True, slots=True)
class Entity:
    """A node of the graph that is no paper.

    `aliases` are its other names, sorted; `broader` are ids of the entities that it is a case of.
    """

    id: str
    name: str
    kind: EntityKind
    aliases: tuple[str, ...] = ()
    broader: tuple[str, ...] = ()
