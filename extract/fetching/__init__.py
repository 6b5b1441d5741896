"""Fetching records of papers from the services that have them, over the network.

Nothing else in Stemma uses the network by itself. `fetch` needs httpx (``stemma-kg[fetch]``).
"""

from stemma.extract.fetching.fetching import FetchReport, fetch, is_installed

__all__ = ["FetchReport", "fetch", "is_installed"]
