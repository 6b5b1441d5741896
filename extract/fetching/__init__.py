"""Fetching records of papers from the services that have them, over the network.

Nothing else in Stemma uses the network by itself. `fetching.fetch` needs httpx
(``stemma-kg[fetch]``).
"""

from importlib.util import find_spec


def is_installed() -> bool:
    """Return whether what is needed for the network is installed."""
    return find_spec("httpx") is not None
