"""The file of people's decisions: TOML, to be read and edited by people as well."""

import json
import os
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, Field, fields
from hashlib import sha256
from pathlib import Path
from typing import Any

from stemma.schema.decision import DECISIONS, Decision, DecisionError
from stemma.schema.kind import EntityKind
from stemma.schema.relation import RelationType

_OPENING = """\
# What people decided about this graph. Each build applies it, in this order.
# Commands that add to it: stemma decide --help
"""
_HEADER = re.compile(r"\s*\[\[\s*decision\s*\]\]\s*(#.*)?")
_BY_VERB = {each.verb: each for each in DECISIONS}
_ENUMERATIONS = {"kind": EntityKind, "relation": RelationType}
_LISTS = {"entities", "papers"}


class DecisionFile:
    """The decisions on one graph, numbered from 1, in the file `path`, which need not exist.

    Each is a table of the array ``decision``, and begins with what is done::

        [[decision]]
        merge = ["entity/zero", "entity/zero-optimiser"]
        note = "one thing, two names"

    The other verbs are ``split`` (with ``papers`` and perhaps ``name``), ``rename`` (``name``),
    ``change_kind`` (``kind``), ``reject`` and ``confirm`` (``relation`` and ``entity``).
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def fingerprint(self) -> str:
        """Return a hash of the file, empty where there is none."""
        data = self._bytes()
        return sha256(data).hexdigest()[:16] if data else ""

    def read(self) -> tuple[Decision, ...]:
        """Return the decisions. Raises DecisionError with file, decision and reason."""
        return self._parsed(self._text())

    def take_over(self, tables: Sequence[str]) -> bool:
        """Write decisions (tables of TOML) down where there are none; tell if they are these now.

        Raises DecisionError where the tables, or the file, are no decisions.
        """
        text = "\n".join([_OPENING, *tables])
        taken, own = self._parsed(text), self.read()
        if taken and not own:
            self._replace(text)
            return True
        return taken == own

    def append(self, decision: Decision) -> int:
        """Add a decision at the end, leaving all else as it is, and return its number."""
        text = self._text()
        number = len(self._parsed(text)) + 1
        before = f"{text.rstrip()}\n" if text.strip() else _OPENING
        longer = f"{before}\n{to_toml(decision)}"
        try:
            self._parsed(longer)
        except DecisionError as error:
            raise DecisionError(
                f"Nothing can be added to {self.path}: head each decision there with [[decision]]."
            ) from error
        self._replace(longer)
        return number

    def remove(self, number: int) -> Decision:
        """Take a decision out, with no comment but those within it, and return it.

        Raises DecisionError where there is none of this number.
        """
        text = self._text()
        decisions = self._parsed(text)
        if not 1 <= number <= len(decisions):
            count = {0: "holds none", 1: "holds one"}.get(len(decisions), f"holds {len(decisions)}")
            raise DecisionError(f"There is no decision {number}: {self.path} {count}.")
        left = _without(text, number)
        remaining = decisions[: number - 1] + decisions[number:]
        try:
            understood = self._parsed(left) == remaining
        except DecisionError:
            understood = False
        if not understood:
            raise DecisionError(
                f"{self.path}: decision {number} is written in a way that only a person can take "
                "out: delete it there."
            )
        self._replace(left)
        return decisions[number - 1]

    def _bytes(self) -> bytes:
        try:
            return self.path.read_bytes()
        except FileNotFoundError:
            return b""
        except OSError as error:
            raise DecisionError(f"{self.path} cannot be read: {error.strerror}") from error

    def _text(self) -> str:
        try:
            return self._bytes().decode("utf-8-sig").replace("\r\n", "\n")
        except UnicodeDecodeError as error:
            raise DecisionError(f"{self.path} is not UTF-8 text: save it as that.") from error

    def _parsed(self, text: str) -> tuple[Decision, ...]:
        try:
            data = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise DecisionError(f"{self.path} is not TOML: {error}. Mend it there.") from error
        tables = data.pop("decision", [])
        if data or not isinstance(tables, list):
            found = next(iter(data), "decision")
            raise DecisionError(
                f"{self.path}: {found!r} is not known; decisions begin with [[decision]]."
            )
        decisions = []
        for number, table in enumerate(tables, start=1):
            try:
                decisions.append(_decision(table))
            except ValueError as error:
                raise DecisionError(
                    f"{self.path}: decision {number}: {error}. Mend it there, or take it out."
                ) from error
        return tuple(decisions)

    def _replace(self, text: str) -> None:
        """Write the file so that nobody sees half of it."""
        new = self.path.with_name(f"{self.path.name}.new")
        with new.open("w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        new.replace(self.path)


def to_json(decision: Decision) -> dict[str, Any]:
    """Return a decision as JSON-ready data, of the shape that it has in a file."""
    first, *others = fields(decision)
    named = [(decision.verb, first), *((each.name, each) for each in others)]
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
    """Write a text, or a list of them; TOML's rules are JSON's, but for one character."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _decision(table: object) -> Decision:
    """Read one table. Raises ValueError where it is no decision."""
    if not isinstance(table, Mapping):
        raise ValueError("it should be a table, headed [[decision]]")
    verbs = [verb for verb in _BY_VERB if verb in table]
    if len(verbs) != 1:
        raise ValueError(f"it should have one of {', '.join(_BY_VERB)}")
    made = _BY_VERB[verbs[0]]
    first, *others = fields(made)
    named = {verbs[0]: first, **{each.name: each for each in others}}
    unknown = [name for name in table if name not in named]
    if unknown:
        raise ValueError(f"{unknown[0]!r} is not known beside {verbs[0]!r}")
    missing = [
        name for name, each in named.items() if name not in table and each.default is MISSING
    ]
    if missing:
        raise ValueError(f"{missing[0]!r} is missing")
    values = {named[name].name: _read(name, named[name], table[name]) for name in table}
    return made(**values)


def _read(name: str, field: Field[Any], value: object) -> Any:
    if field.name in _LISTS:
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            raise ValueError(f"{name!r} should be a list of texts")
        return tuple(value)
    if not isinstance(value, str):
        raise ValueError(f"{name!r} should be a text, not {value!r}")
    if allowed := _ENUMERATIONS.get(field.name):
        known: Sequence[str] = [each.value for each in allowed]
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
