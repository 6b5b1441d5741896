"""References: the works that a paper cites."""

import re
from dataclasses import dataclass

IDENTIFIER = re.compile(r"(?:doi|arxiv|acl|corpusid|dblp|openalex|pmid):\S+")


@dataclass(frozen=True, slots=True)
class Reference:
    """A work that a paper cites: its identifier, its title, or both.

    `id` is that of a registry, with its name: ``doi:10.1000/x``, ``arxiv:2104.07857``,
    ``openalex:W123``, ``corpusid:123``.
    """

    id: str | None = None
    title: str | None = None

    def __str__(self) -> str:
        return " ".join(part for part in (self.id, self.title) if part)

    @classmethod
    def parse(cls, text: str) -> "Reference":
        """Read a reference as `str` writes it."""
        found = IDENTIFIER.match(text)
        if not found:
            return cls(None, text)
        return cls(found[0], text[found.end() :].strip() or None)
