"""Stemma: the family tree of research.

>>> from stemma import Stemma
>>> Stemma("stemma.db").lineage("ZeRO-Infinity")
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from stemma.server.api import Stemma

    __version__: str

__all__ = ["Stemma", "__version__"]


def __getattr__(name: str) -> object:
    """Load the API on first use, so that a package can be imported without the others."""
    if name == "__version__":
        from stemma.distribution import version  # noqa: PLC0415

        return version()
    if name == "Stemma":
        from stemma.server.api import Stemma  # noqa: PLC0415

        return Stemma
    raise AttributeError(f"module 'stemma' has no attribute {name!r}")


def __dir__() -> list[str]:
    """List what is loaded on first use too, for completion and `help`."""
    return sorted({*globals(), *__all__})
