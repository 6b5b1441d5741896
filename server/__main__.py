"""Makes ``python -m stemma.server`` the same as ``stemma``."""

from stemma.server.cli import main

main()
