"""Choices: members of an enumeration, as people write them in Python."""

from collections.abc import Iterable
from enum import StrEnum
from typing import TypeVar

_Choice = TypeVar("_Choice", bound=StrEnum)


def choice(choices: type[_Choice], value: _Choice | str) -> _Choice:
    """Return the member called `value`: "BUILDS_ON", "builds on" and "builds-on" are one.

    Raises ValueError, which lists the members.
    """
    wanted = str(value).strip().casefold().replace(" ", "_").replace("-", "_")
    for each in choices:
        if each.value.casefold() == wanted:
            return each
    raise ValueError(f"{value!r} is not one of {', '.join(choices)}")


def several(
    choices: type[_Choice], values: Iterable[_Choice | str] | _Choice | str | None
) -> tuple[_Choice, ...]:
    """Return the members called `values`; a single one need not stand in a list."""
    if isinstance(values, str):
        values = [values]
    return tuple(choice(choices, each) for each in values or ())
