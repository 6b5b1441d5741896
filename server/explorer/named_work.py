"""How a work is written in a box or an address: by its name, where that is enough."""

from stemma.graph import AmbiguousNameError, Reader, UnknownNameError, Work


def asked_as(reader: Reader, work: Work) -> str:
    """Return the name of a work if it leads to this work alone, else the id."""
    try:
        return work.name if reader.resolve(work.name) == work.id else work.id
    except (UnknownNameError, AmbiguousNameError):
        return work.id
