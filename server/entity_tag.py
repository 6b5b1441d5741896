"""Entity tags: what tells a client that an answer is the one that it has already."""

from functools import cache
from hashlib import blake2b
from importlib.metadata import version

from starlette.requests import Request

from stemma.graph import Reader


def entity_tag(reader: Reader, question: str) -> str:
    """Return a tag for the answer to `question`, which changes whenever the graph does.

    It is weak (RFC 9110, 8.8.1): it stands for what is said, not for how it is compressed.
    """
    # A store that was made anew counts its generations anew: its size tells it from the old one.
    told = f"{_version()} {reader.statistics()} {question}"
    return f'W/"{blake2b(told.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()}"'


def is_known(request: Request, tag: str) -> bool:
    """Tell whether the client has the answer with this tag."""
    given = ",".join(request.headers.getlist("if-none-match"))
    return not {each.strip() for each in given.split(",")}.isdisjoint({tag, "*"})


@cache
def _version() -> str:
    return version("stemma")
