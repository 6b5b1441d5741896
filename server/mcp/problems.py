"""Errors that assistants can do something about: each says what."""

from collections.abc import Iterable

from pydantic import ValidationError

from stemma.graph import (
    AmbiguousNameError,
    StoreError,
    UnknownAuthorError,
    UnknownNameError,
)
from stemma.server.http.responses import UNREADABLE
from stemma.server.mcp.answers import Problem, work_facts
from stemma.server.mcp.limits import RETRY_AFTER, BusyError


class NotUnderstoodError(Exception):
    """A question in English is not understood, or has no answer; `suggestions` have one."""

    def __init__(self, message: str, suggestions: tuple[str, ...]) -> None:
        super().__init__(message)
        self.suggestions = suggestions


class NothingFoundError(Exception):
    """A search finds nothing at all."""


_LONGEST_INPUT = 100
EXPECTED = (
    LookupError,
    ValueError,
    TimeoutError,
    StoreError,
    BusyError,
    NotUnderstoodError,
    NothingFoundError,
)


def problem(error: Exception, seconds: float) -> Problem | None:
    """Return what is wrong, in words for an assistant; None for an error of our own."""
    found: Problem | None = None
    match error:
        case UnknownNameError():
            is_author = isinstance(error, UnknownAuthorError)
            hint = "" if is_author else " Find names with the tool `search`."
            message = f"{error}{hint}"
            found = Problem(code="UNKNOWN_NAME", message=message, nearest=list(error.nearest))
        case AmbiguousNameError():
            candidates = [work_facts(work) for work in error.candidates]
            found = Problem(code="AMBIGUOUS_NAME", message=str(error), candidates=candidates)
        case NotUnderstoodError():
            suggestions = list(error.suggestions)
            found = Problem(code="NOT_UNDERSTOOD", message=str(error), suggestions=suggestions)
        case NothingFoundError():
            found = Problem(code="NOTHING_FOUND", message=str(error))
        case TimeoutError():
            message = f"This took more than {seconds:g} s. Use a smaller `max_depth` or `first`."
            found = Problem(code="TIMEOUT", message=message)
        case BusyError():
            found = Problem(code="TOO_MANY_REQUESTS", message=str(error), retry_after=RETRY_AFTER)
        case StoreError():
            # Its own message may name hosts and databases.
            found = Problem(code="STORE_UNAVAILABLE", message=UNREADABLE, retry_after=RETRY_AFTER)
        case ValueError():
            found = Problem(code="BAD_ARGUMENT", message=str(error))
    return found


def bad_arguments(error: ValidationError, known: Iterable[str]) -> Problem:
    """Return what is wrong with the arguments of a tool, which has those that are `known`."""
    wrong = []
    for each in error.errors(include_url=False, include_context=False):
        name = ".".join(map(str, each["loc"]))
        match each["type"]:
            case "extra_forbidden":
                has = f"; this tool has {', '.join(known)}" if len(each["loc"]) == 1 else ""
                wrong.append(f"there is no argument `{name}`{has}")
            case "missing":
                wrong.append(f"`{name}` is required")
            case _:
                wrong.append(
                    f"`{name}`: {each['msg']}, not {str(each['input'])[:_LONGEST_INPUT]!r}"
                )
    return Problem(code="BAD_ARGUMENT", message=f"{'. '.join(map(_capital, wrong))}.")


def _capital(sentence: str) -> str:
    return sentence[0].upper() + sentence[1:]
