"""Questions for the papers of somebody whom the graph does not know."""

from dataclasses import dataclass

from stemma.graph import Reader
from stemma.server.asking import graphql
from stemma.server.asking.answer import Answer, Window


@dataclass(frozen=True, slots=True)
class UnknownAuthorQuestion:
    """Which papers are by `author`, whom no paper names."""

    author: str

    @property
    def understood_as(self) -> str:
        return f"papers written by {self.author}"

    @property
    def query(self) -> str:
        """No query finds them."""
        return graphql.works([])

    def answer(self, reader: Reader, window: Window) -> Answer:
        """Say that no author, organization or venue has this name."""
        return Answer(
            f"No author, organization or venue of a paper in this graph is called “{self.author}”. "
            "Not all sources of papers include authors, organizations and venues.",
            self.query,
            self.understood_as,
        )
