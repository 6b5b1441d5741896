"""Fetching records of papers from the services that have them, over the network.

Nothing else in Stemma uses the network by itself; this needs httpx (``stemma[fetch]``).
"""

from stemma.extract.fetching.fetching import FetchReport, fetch, is_installed
from stemma.extract.fetching.services import DOI_SERVICES

__all__ = ["DOI_SERVICES", "FetchReport", "fetch", "is_installed"]
