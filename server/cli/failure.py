"""What the command line says of errors that a user can fix."""

import shlex
from concurrent.futures import BrokenExecutor


def explained(error: BaseException) -> tuple[str, int] | None:
    """Return what to say of an error, and the status to end with; None where it is a bug."""
    from stemma.graph import FilterError, StoreError, UnknownNameError  # noqa: PLC0415 - keeps --help quick
    from stemma.schema import CatalogueError, DecisionError  # noqa: PLC0415

    status = 1
    match error:
        case KeyboardInterrupt():
            reason = "stopped"
        case KeyError() | IndexError():
            return None
        case UnknownNameError():
            search = f" Search for it: stemma search {shlex.quote(error.name)}"
            reason = f"{error}{'' if error.nearest else search}"
            reason = reason if error.name.strip() else "The name is empty."
        case OSError(strerror=str(reason)):
            # Without the number that the operating system gives it.
            reason = f"{error.filename}: {reason}" if error.filename else reason
        case StoreError() | CatalogueError() | DecisionError() | LookupError() | OSError():
            reason = str(error)
        case FilterError():
            reason, status = str(error), 2
        case UnicodeEncodeError(reason="surrogates not allowed"):
            reason, status = "an argument is not in UTF-8", 2
        case BrokenExecutor():
            reason = (
                "an extraction process died, perhaps because it ran out of memory; try fewer "
                "--processes"
            )
        case _:
            return None
    return reason, status
