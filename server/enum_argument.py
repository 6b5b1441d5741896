"""Arguments that name members of an enumeration, as people write them in Python."""

from collections.abc import Iterable
from enum import StrEnum
from typing import TypeVar

_Member = TypeVar("_Member", bound=StrEnum)


def member(members: type[_Member], value: _Member | str) -> _Member:
    """Return the member called `value`: "BUILDS_ON", "builds on" and "builds-on" are one.

    Raises ValueError, which lists the members.
    """
    wanted = str(value).strip().casefold().replace(" ", "_").replace("-", "_")
    for each in members:
        if each.value.casefold() == wanted:
            return each
    raise ValueError(f"{value!r} is not one of {', '.join(members)}")


def several(
    members: type[_Member], values: Iterable[_Member | str] | _Member | str | None
) -> tuple[_Member, ...]:
    """Return the members called `values`; a single one need not be in a list."""
    if isinstance(values, str):
        values = [values]
    return tuple(member(members, each) for each in values or ())
