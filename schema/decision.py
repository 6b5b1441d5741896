"""Decisions: what people who know better correct in a graph, and why."""

from dataclasses import dataclass, fields
from typing import ClassVar

from stemma.schema.model import EntityKind, RelationType


class DecisionError(ValueError):
    """A decision makes no sense, or its file cannot be used; the message says why."""


@dataclass(frozen=True, slots=True)
class _Checked:
    """Raises DecisionError if a text is empty, or cannot be kept in a file."""

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            for text in value if isinstance(value, tuple) else (value,):
                if isinstance(text, str) and not text.strip():
                    raise DecisionError(f"{field.name} is empty")
                if isinstance(text, str) and any("\ud800" <= char <= "\udfff" for char in text):
                    raise DecisionError(f"{field.name} contains invalid Unicode: {text!r}")


@dataclass(frozen=True, slots=True)
class Merge(_Checked):
    """Several entities are one.

    That is the first of them, by id and name; the names of the others become aliases, and their
    ids are found as former ids of it.
    """

    verb: ClassVar[str] = "merge"
    entities: tuple[str, ...]
    note: str | None = None

    def __post_init__(self) -> None:
        _Checked.__post_init__(self)
        if len(set(self.entities)) < 2:
            raise DecisionError("a merge needs two entities or more")

    def __str__(self) -> str:
        first, *others = self.entities
        return f"merge {', '.join(others)} into {first}"


@dataclass(frozen=True, slots=True)
class Split(_Checked):
    """A decision to split an entity: where `papers` use its names, they mean another entity.

    The new entity is called `name`, or as these papers call it; its id ends in the first paper.
    """

    verb: ClassVar[str] = "split"
    entity: str
    papers: tuple[str, ...]
    name: str | None = None
    note: str | None = None

    def __post_init__(self) -> None:
        _Checked.__post_init__(self)
        if not self.papers:
            raise DecisionError(
                "a split requires at least one paper that uses the name for another entity"
            )

    def __str__(self) -> str:
        called = f" as {self.name}" if self.name else ""
        return f"split {self.entity} in {', '.join(self.papers)}{called}"


@dataclass(frozen=True, slots=True)
class Rename(_Checked):
    """An entity is called `name`. It keeps its id, and its old name as an alias."""

    verb: ClassVar[str] = "rename"
    entity: str
    name: str
    note: str | None = None

    def __str__(self) -> str:
        return f"rename {self.entity} to {self.name}"


@dataclass(frozen=True, slots=True)
class ChangeKind(_Checked):
    """An entity is of this kind, whatever papers and catalogue say."""

    verb: ClassVar[str] = "change_kind"
    entity: str
    kind: EntityKind
    note: str | None = None

    def __str__(self) -> str:
        return f"change the kind of {self.entity} to {self.kind.value}"


@dataclass(frozen=True, slots=True)
class _Judgement(_Checked):
    verb: ClassVar[str]
    subject: str
    relation: RelationType
    entity: str
    note: str | None = None

    def __str__(self) -> str:
        return f"{self.verb} {self.subject} {self.relation.value} {self.entity}"


@dataclass(frozen=True, slots=True)
class Reject(_Judgement):
    """A statement is wrong: the graph does not make it, however often it is found again."""

    verb: ClassVar[str] = "reject"


@dataclass(frozen=True, slots=True)
class Confirm(_Judgement):
    """A statement that was found is right: its confidence is 1."""

    verb: ClassVar[str] = "confirm"


Decision = Merge | Split | Rename | ChangeKind | Reject | Confirm
"""Works are given by their ids, or by names. Each decision is about what those before it left."""

DECISIONS = (Merge, Split, Rename, ChangeKind, Reject, Confirm)
