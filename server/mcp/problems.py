"""Errors that assistants can do something about: each says what."""

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


def problem(error: Exception, seconds: float) -> dict[str, Any] | None:
    """Return a problem in words for an assistant; None for an error that is a bug."""
    found = problem_of(error) or {"message": str(error)}
    match error:
        case ValidationError():
            wrong = error.errors(include_url=False, include_context=False)
            each = (f"`{'.'.join(map(str, one['loc']))}`: {one['msg']}" for one in wrong)
            found["message"] = ". ".join(each)
        case UnknownNameError() if not isinstance(error, UnknownAuthorError):
            found["message"] += " Find names with the tool `search`."
        case StoreError() | BusyError():
            found["retry_after"] = RETRY_AFTER
        case NoAnswerError(code=code, suggestions=suggestions):
            found |= {"code": code, **({"suggestions": list(suggestions)} if suggestions else {})}
        case TimeoutError():
            message = f"This took more than {seconds:g} s. Use a smaller `max_depth` or `first`."
            found = {"code": "TIMEOUT", "message": message}
    return found if "code" in found else None
