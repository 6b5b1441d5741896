"""Errors that assistants can do something about: each says what."""

from collections.abc import Iterable
from typing import Any

from pydantic import ValidationError

from stemma.graph import StoreError, UnknownAuthorError, UnknownNameError
from stemma.server.http.questions import RETRY_AFTER, BusyError
from stemma.server.http.responses import problem_of


class NoAnswerError(Exception):
    """A search finds nothing, or a question in English is not understood: `suggestions` are."""

    def __init__(self, code: str, message: str, suggestions: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.code, self.suggestions = code, suggestions


_LONGEST_INPUT = 100
EXPECTED = (
    LookupError,
    ValueError,
    TimeoutError,
    StoreError,
    BusyError,
    NoAnswerError,
)


def problem(error: Exception, seconds: float) -> dict[str, Any] | None:
    """Return a problem in words for an assistant; None for an error that is a bug."""
    found = problem_of(error) or {"message": str(error)}
    match error:
        case UnknownNameError() if not isinstance(error, UnknownAuthorError):
            found["message"] += " Find names with the tool `search`."
        case StoreError():
            found["retry_after"] = RETRY_AFTER
        case NoAnswerError(code=code, suggestions=suggestions):
            found["code"] = code
            if suggestions:
                found["suggestions"] = list(suggestions)
        case TimeoutError():
            message = f"This took more than {seconds:g} s. Use a smaller `max_depth` or `first`."
            found = {"code": "TIMEOUT", "message": message}
        case BusyError():
            found |= {"code": "TOO_MANY_REQUESTS", "retry_after": RETRY_AFTER}
    return found if "code" in found else None


def bad_arguments(error: ValidationError, known: Iterable[str]) -> dict[str, Any]:
    """Return the problem with arguments of a tool, whose parameters are `known`."""
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
    return {"code": "BAD_ARGUMENT", "message": f"{'. '.join(map(_capital, wrong))}."}


def _capital(sentence: str) -> str:
    return sentence[0].upper() + sentence[1:]
