"""Example queries: what people ask most, each a file that begins with the question."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

_FOLDER = Path(__file__).parent / "examples"


@dataclass(frozen=True, slots=True)
class Example:
    """A question in words, and as a query."""

    question: str
    query: str


@cache
def examples() -> tuple[Example, ...]:
    """Return the examples in their order."""
    queries = (path.read_text("utf-8") for path in sorted(_FOLDER.glob("*.rq")))
    return tuple(Example(text.partition("\n")[0].lstrip("# "), text) for text in queries)
