"""Stemma: the family tree of research.

>>> from stemma import Stemma
>>> Stemma("stemma.db").lineage("ZeRO-Infinity")
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from stemma.server.api import Stemma

__all__ = ["Stemma"]


def __getattr__(name: str) -> object:
    """Load the API when it is asked for, so that one room can be imported without the others."""
    if name == "Stemma":
        from stemma.server.api import Stemma  # noqa: PLC0415

        return Stemma
    raise AttributeError(f"module 'stemma' has no attribute {name!r}")
