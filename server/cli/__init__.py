"""The command line: ``stemma``."""

import sys
from io import TextIOWrapper

from stemma.server.cli.app import app
from stemma.server.cli.failure import explained
from stemma.server.cli.terminal import complain


def main() -> None:
    """Run the command line; errors that a user can fix end in a message and status 1 or 2."""
    if isinstance(sys.stdout, TextIOWrapper):
        # Characters that another encoding than UTF-8 lacks are written as on stderr.
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        app()
    except KeyboardInterrupt:
        complain("stopped")
        sys.exit(1)
    except Exception as error:
        told = explained(error)
        if told is None:
            raise
        reason, status = told
        complain(reason)
        sys.exit(status)


__all__ = ["main"]
