"""Lets ``python -m stemma.server`` stand for ``stemma``."""

from stemma.server.cli import main

main()
