"""The command line: ``stemma``."""

from stemma.server.cli.app import main

__all__ = ["main"]
