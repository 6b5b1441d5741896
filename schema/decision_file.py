"""The file of people's decisions, and its text: TOML, to be read and edited by people as well."""

import json
import os
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import MISSING, Field, dataclass, fields
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

from stemma.schema.decision import DECISIONS, Decision, DecisionError
from stemma.schema.model import EntityKind, RelationType

_OPENING = """\
# What people decided about this graph. Each build applies it, in this order.
# Commands that add to it: stemma decide --help
"""
_HEADER = re.compile(r"\s*\[\[\s*decision\s*\]\]\s*(#.*)?")
_BY_VERB = {decision.verb: decision for decision in DECISIONS}
_ENUMERATIONS = {"kind": EntityKind, "relation": RelationType}
_LISTS = {"entities", "papers"}


@dataclass(frozen=True)
class DecisionText:
    """Decisions as they are written; `place` says where that is, for errors.

    `replaced` is the fingerprint of the text there of which this one was made.

    Each is a table of the array ``decision``, and begins with what is done::

        [[decision]]
        merge = ["entity/zero", "entity/zero-optimiser"]
        note = "one thing, two names"

    The other verbs are ``split`` (with ``papers`` and perhaps ``name``), ``rename`` (``name``),
    ``change_kind`` (``kind``), ``reject`` and ``confirm`` (``relation`` and ``entity``).
    """

    place: str
    data: bytes
    replaced: str | None = None

    @property
    def fingerprint(self) -> str:
        """A hash of the text, empty where there is none."""
        return sha256(self.data).hexdigest()[:16] if self.data else ""

    @cached_property
    def decisions(self) -> tuple[Decision, ...]:
        """The decisions, of which the first has the number 1.

        Raises DecisionError with place, decision and reason.
        """
        return _parsed(self._text, self.place)

    @cached_property
    def _text(self) -> str:
        try:
            return self.data.decode("utf-8-sig").replace("\r\n", "\n")
        except UnicodeDecodeError as error:
            raise DecisionError(f"{self.place} is not UTF-8: save it as UTF-8.") from error

    def _with(self, text: str) -> "DecisionText":
        replaced = self.fingerprint if self.replaced is None else self.replaced
        return DecisionText(self.place, text.encode(), replaced)

    def appended(self, decision: Decision) -> "DecisionText":
        """Return a text with a decision at the end and all else as it is."""
        decisions = (*self.decisions, decision)
        before = f"{self._text.rstrip()}\n" if self._text.strip() else _OPENING
        longer = self._with(f"{before}\n{to_toml(decision)}")
        if not longer._is_understood_as(decisions):
            raise DecisionError(
                f"Nothing can be added to {self.place}: begin each decision in it with "
                "[[decision]]."
            )
        return longer

    def without(self, number: int) -> "DecisionText":
        """Return a text without a decision, and without comments but those within it.

        Raises DecisionError where there is none of this number.
        """
        decisions = self.decisions
        if not 1 <= number <= len(decisions):
            count = {0: "holds none", 1: "holds one"}.get(len(decisions), f"holds {len(decisions)}")
            raise DecisionError(f"There is no decision {number}: {self.place} {count}.")
        left = self._with(_without(self._text, number))
        if not left._is_understood_as(decisions[: number - 1] + decisions[number:]):
            raise DecisionError(
                f"{self.place}: decision {number} cannot be removed automatically: delete it in "
                "the file."
            )
        return left

    def _is_understood_as(self, decisions: tuple[Decision, ...]) -> bool:
        try:
            return self.decisions == decisions
        except DecisionError:
            return False


def to_json(decision: Decision) -> dict[str, Any]:
    """Return a decision as JSON-ready data, of the shape that it has in a file."""
    first, *others = fields(decision)
    named = [(decision.verb, first), *((field.name, field) for field in others)]
    data = {name: getattr(decision, field.name) for name, field in named}
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in data.items()
        if value is not None
    }


def to_toml(decision: Decision) -> str:
    """Return a decision as a table of the file."""
    lines = [f"{name} = {_value(value)}\n" for name, value in to_json(decision).items()]
    return "".join(["[[decision]]\n", *lines])


def _value(value: str | list[str]) -> str:
    """Write a text, or a list of them; TOML's rules are JSON's, except for one character."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _parsed(text: str, place: str) -> tuple[Decision, ...]:
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise DecisionError(f"{place} is not TOML: {error}. Correct the file.") from error
    tables = data.pop("decision", [])
    if data or not isinstance(tables, list):
        key = next(iter(data), "decision")
        raise DecisionError(f"{place}: {key!r} is unknown; decisions begin with [[decision]].")
    decisions = []
    for number, table in enumerate(tables, start=1):
        try:
            decisions.append(from_json(table))
        except ValueError as error:
            raise DecisionError(
                f"{place}: decision {number}: {error}. Correct or remove it."
            ) from error
    return tuple(decisions)


def from_json(table: object) -> Decision:
    """Read what `to_json` returns, or a table. Raises ValueError where it is no decision."""
    if not isinstance(table, Mapping):
        raise ValueError("it should be a table, headed [[decision]]")
    verbs = [verb for verb in _BY_VERB if verb in table]
    if len(verbs) != 1:
        raise ValueError(f"it should have one of {', '.join(_BY_VERB)}")
    made = _BY_VERB[verbs[0]]
    first, *others = fields(made)
    named = {verbs[0]: first, **{field.name: field for field in others}}
    unknown = [name for name in table if name not in named]
    if unknown:
        raise ValueError(f"unknown key {unknown[0]!r} in {verbs[0]!r}")
    missing = [
        name for name, field in named.items() if name not in table and field.default is MISSING
    ]
    if missing:
        raise ValueError(f"{missing[0]!r} is missing")
    values = {named[name].name: _read(name, named[name], table[name]) for name in table}
    return made(**values)


def _read(name: str, field: Field[Any], value: object) -> Any:
    if field.name in _LISTS:
        if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
            raise ValueError(f"{name!r} should be a list of strings")
        return tuple(value)
    if not isinstance(value, str):
        raise ValueError(f"{name!r} should be a string, not {value!r}")
    if allowed := _ENUMERATIONS.get(field.name):
        known: Sequence[str] = [enum.value for enum in allowed]
        if value not in known:
            raise ValueError(f"{name!r} should be one of {', '.join(known)}, not {value!r}")
        return allowed(value)
    return value


def _without(text: str, number: int) -> str:
    """Take the lines of one table out: all from its header to the last that says something."""
    lines = text.split("\n")
    headers = [place for place, line in enumerate(lines) if _HEADER.fullmatch(line)]
    start, *rest = [*headers[number - 1 :], len(lines)]
    end = rest[0] if rest else start
    while end > start and (not lines[end - 1].strip() or lines[end - 1].lstrip().startswith("#")):
        end -= 1
    before, after = lines[:start], lines[end:]
    while before and after and not before[-1].strip() and not after[0].strip():
        after.pop(0)
    return "\n".join([*before, *after]).rstrip() + "\n"


class DecisionFile:
    """The decisions on one graph, numbered from 1, in the file `path`, which need not exist.

    A text that replaces the file is staged next to it until the graph that it makes is written.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._staged = path.with_name(f"{path.name}.new")

    def text(self) -> DecisionText:
        """Return the text of the file, empty if there is no file. Raises DecisionError."""
        try:
            data = self.path.read_bytes()
        except FileNotFoundError:
            data = b""
        except OSError as error:
            raise DecisionError(f"{self.path} cannot be read: {error.strerror}") from error
        return DecisionText(str(self.path), data)

    def fingerprint(self) -> str:
        """Return a hash of the file, empty where there is none."""
        return self.text().fingerprint

    def read(self) -> tuple[Decision, ...]:
        """Return the decisions. Raises DecisionError with file, decision and reason."""
        return self.text().decisions

    @contextmanager
    def staged(self, text: DecisionText) -> Iterator[None]:
        """Hold a text ready, which becomes the file if what is done meanwhile succeeds.

        Raises DecisionError where the file cannot be written, or was changed by another process.
        """
        try:
            self._stage(text)
            yield
        except Exception:
            self._staged.unlink(missing_ok=True)
            raise
        if not self.settle(text.fingerprint, text.replaced):
            raise DecisionError(
                f"{text.place} was changed by someone else in the meantime: repeat the decision."
            )

    def settle(self, fingerprint: str, replaced: str | None) -> bool:
        """Finish what is staged, and return whether it became the file.

        It does if it has this fingerprint, that of the decisions which the graph was written with,
        and if the file still is what it was when they were `replaced`.
        """
        try:
            staged = DecisionText(str(self.path), self._staged.read_bytes())
        except OSError:  # Perhaps another writer has finished it.
            return self.fingerprint() == fingerprint
        if (staged.fingerprint, self.fingerprint()) != (fingerprint, replaced):
            self._staged.unlink()
            return False
        self._staged.replace(self.path)
        return True

    def _stage(self, text: DecisionText) -> None:
        try:
            with self._staged.open("wb") as file:
                file.write(text.data)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise DecisionError(f"{self.path} cannot be written: {error.strerror}") from error
