"""Questions for the papers of an author, which the graph does not know."""

from dataclasses import dataclass

from stemma.graph import Reader
from stemma.server.asking import graphql
from stemma.server.asking.answer import Answer, Window


@dataclass(frozen=True, slots=True)
class AuthorshipQuestion:
    """Which papers are by `author`, a person or an organization."""

    author: str

    @property
    def understood_as(self) -> str:
        return f"papers written by {self.author}"

    @property
    def query(self) -> str:
        """No query finds them."""
        return graphql.works([])

    def answer(self, reader: Reader, window: Window) -> Answer:
        """Say that this is not known."""
        return Answer(
            "This graph does not keep the names of authors, and papers cannot be found by "
            "organization. A paper shows its organization where its listing names one.",
            self.query,
            self.understood_as,
        )
