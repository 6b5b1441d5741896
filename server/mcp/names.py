"""Names in questions: what they mean, and which other works have them."""

from typing import Any

from stemma.graph import Reader
from stemma.graph.searching import meaning
from stemma.server.mcp.answers import LONGEST_NAME, cut, work_facts

_MOST_OTHERS = 10


class Names:
    """Resolves the names in a question, and keeps those that other works have as well."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._found: dict[str, dict[str, Any]] = {}

    def resolve(self, name: str) -> str:
        """Return the work (an id) that a name means. Raises: `Reader.resolve`."""
        meant, others = meaning(self._reader, name)
        if others:
            self._found[name] = {
                "name": cut(name, LONGEST_NAME),
                "takenAs": meant,
                "others": [work_facts(each) for each in others[:_MOST_OTHERS]],
            }
        return meant

    @property
    def namesakes(self) -> list[dict[str, Any]] | None:
        """The names that other works have as well, each with its meaning and the others."""
        return list(self._found.values()) or None
