"""The command line: ``stemma``."""

import shlex
import sys
from concurrent.futures import BrokenExecutor

from stemma.server.cli.app import app
from stemma.server.cli.terminal import complain


def main() -> None:
    """Run the command line; errors that a user can fix end in a message and status 1 or 2."""
    from stemma.graph import FilterError, StoreError, UnknownNameError  # noqa: PLC0415 - keeps --help quick
    from stemma.schema import CatalogueError, DecisionError  # noqa: PLC0415

    try:
        app()
    except UnknownNameError as error:
        search = f" Search for it: stemma search {shlex.quote(error.name)}"
        reason = f"{error}{'' if error.nearest else search}"
        complain(reason if error.name.strip() else "The name is empty.")
        sys.exit(1)
    except (StoreError, CatalogueError, DecisionError, LookupError, OSError) as error:
        if isinstance(error, KeyError | IndexError):
            raise
        complain(_reason(error))
        sys.exit(1)
    except FilterError as error:
        complain(str(error))
        sys.exit(2)
    except BrokenExecutor:
        complain(
            "an extraction process died, perhaps because it ran out of memory; try fewer "
            "--processes"
        )
        sys.exit(1)
    except KeyboardInterrupt:
        complain("stopped")
        sys.exit(1)


def _reason(error: Exception) -> str:
    """Say what is wrong, without the number that the operating system gives it."""
    if not isinstance(error, OSError) or not error.strerror:
        return str(error)
    return f"{error.filename}: {error.strerror}" if error.filename else error.strerror


__all__ = ["main"]
