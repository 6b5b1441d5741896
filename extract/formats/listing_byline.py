"""Bylines: what a listing says under an abstract, of its authors or organization, and its date."""

import re
from dataclasses import dataclass

from stemma.schema.partial_date import PartialDate

SEPARATOR = "·"
"""Stands on a line of its own between the authors and the date."""

_AUTHORS = re.compile(r"(?:[•·]\s*)?([0-9]{1,6})\s+authors?|•\s*([0-9]{1,6})\s+\w+", re.I)
_MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december"
_DATE = re.compile(r"([A-Za-z]{3,9})\.?\s+([0-9]{1,2})(?:,\s*([0-9]{4}))?(?:\s+[0-9.,]+k?)?")


@dataclass(frozen=True, slots=True)
class Byline:
    """Who wrote a paper and when, as far as a listing says."""

    author_count: int | None = None
    organization: str | None = None
    date: PartialDate | None = None


def author_count(line: str) -> int | None:
    """Return the number of a line such as ``• 5 authors``, None for any other line."""
    found = _AUTHORS.fullmatch(line)
    return int(found[1] or found[2]) if found else None


def organization(line: str) -> str:
    """Return the name of an organization, without the account's name that listings put before it.

    ``ReactiveAI Reactive AI`` is Reactive AI; ``Allen Institute`` has no account's name.
    """
    account, _, name = line.partition(" ")
    name = name.strip()
    if not name:
        return line
    half = len(line) // 2
    if line[:half].strip() == line[half:].strip():
        return line[half:].strip()
    initials = "".join(character for character in name if character.isupper())
    same = _letters(name).startswith(_letters(account)) or initials.endswith(account)
    is_account = same or account.islower() or re.search(r"[-_0-9]", account)
    return name if is_account else line


def day(line: str) -> PartialDate | None:
    """Read a date such as ``Oct 10, 2017`` or ``Oct 10``; a number of votes may follow it.

    None where it is no date in English; ValueError where there is no such day.
    """
    found = _DATE.fullmatch(line)
    if not found:
        return None
    name = re.sub("^sept$", "sep", found[1].casefold())
    for number, month in enumerate(_MONTHS.split("|"), 1):
        if month.startswith(name):
            return PartialDate(int(found[3]) if found[3] else None, number, int(found[2]))
    return None


def _letters(name: str) -> str:
    return re.sub(r"[\W_]", "", name).casefold()
