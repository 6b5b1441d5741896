"""Example queries, with names of the graph that they are for.

Each is a file that begins with its question, as a comment, and is about the papers in `examples/`.
For another graph, the names in it are replaced by names that give it an answer there.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from stemma.graph import Reader, Statistics
from stemma.server.example_names import Role, names_for


@dataclass(frozen=True, slots=True)
class Example:
    """A question in words, and as a query."""

    question: str
    query: str

    @classmethod
    def read(cls, path: Path) -> "Example":
        """Read a file, whose first comment has the question."""
        query = path.read_text("utf-8")
        comment = re.match(r"(?:#.*\n)+", query)
        words = comment.group().replace("#", " ").split() if comment else []
        question, mark, _ = " ".join(words).partition("?")
        return cls(question + mark, query)

    def about(self, names: Mapping[str, str]) -> "Example":
        """Return the example with other names: in its question, comments and strings."""
        lines = self.query.split("\n")
        return Example(
            _replaced(self.question, names, _on_one_line),
            "\n".join(
                _replaced(line, names, _in_comment if line.startswith("#") else _in_string)
                for line in lines
            ),
        )


class GraphExamples:
    """The examples in a folder that a graph answers, with names of its own; found once for each.

    `roles` has, by the name of a file, what the names in it are for, and these names.
    """

    def __init__(
        self, folder: Path, extension: str, roles: Mapping[str, tuple[Role, *tuple[str, ...]]]
    ) -> None:
        files = sorted(folder.glob(f"*.{extension}"))
        self._examples, self._roles = {path.stem: Example.read(path) for path in files}, roles
        self._found: tuple[Statistics, tuple[Example, ...]] | None = None

    def of(self, reader: Reader) -> tuple[Example, ...]:
        """Return the examples for the graph of a reader."""
        # Not the generation alone: it starts from zero where a store is rebuilt.
        graph = reader.statistics()
        if self._found is None or self._found[0] != graph:
            self._found = (graph, tuple(self._find(reader)))
        return self._found[1]

    def _find(self, reader: Reader) -> Iterator[Example]:
        for stem, example in self._examples.items():
            role, *own = self._roles[stem]
            if (names := names_for(reader, role, own)) is not None:
                yield example.about(dict(zip(own, names, strict=True)))


def _replaced(text: str, names: Mapping[str, str], written: Callable[[str], str]) -> str:
    if not names:
        return text
    # The longest first: FlashAttention-2 is not FlashAttention.
    pattern = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    return re.sub(pattern, lambda match: written(names[match.group()]), text)


def _in_string(name: str) -> str:
    """Return a name as it is written between quotation marks, in GraphQL and in SPARQL."""
    return json.dumps(name, ensure_ascii=False)[1:-1]


def _in_comment(name: str) -> str:
    # SPARQL may read \u000A as the end of a line even in a comment (19.2).
    return _on_one_line(name.replace("\\", " "))


def _on_one_line(name: str) -> str:
    return " ".join("".join(each if each.isprintable() else " " for each in name).split())
