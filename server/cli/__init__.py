"""The command line: ``stemma``."""

import os

# Before numpy is loaded: the products of the parser of questions are small, and threads that wait
# for each other on a busy machine make them 40 times as slow.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from stemma.server.cli.app import main

__all__ = ["main"]
