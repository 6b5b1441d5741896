"""Answers of language models, kept on disk: a build can be repeated without the model."""

import sqlite3
from dataclasses import dataclass
from pathlib import Path

_TABLE = """
CREATE TABLE IF NOT EXISTS answer (
    key BLOB PRIMARY KEY,
    content TEXT NOT NULL,
    tokens_in INTEGER NOT NULL,
    tokens_out INTEGER NOT NULL
) WITHOUT ROWID
"""
_SECONDS_TO_WAIT = 60.0


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model wrote, and the tokens it read and wrote, 0 where the server does not say."""

    content: str
    tokens_in: int = 0
    tokens_out: int = 0


class Answers:
    """A file of answers by key, which several builds may use at once.

    Raises sqlite3.Error where the file is something else, or cannot be written.
    """

    def __init__(self, file: Path) -> None:
        file.parent.mkdir(parents=True, exist_ok=True)
        self._file = sqlite3.connect(file, timeout=_SECONDS_TO_WAIT, isolation_level=None)
        self._file.execute("PRAGMA journal_mode = WAL")
        self._file.execute(_TABLE)

    def get(self, key: bytes) -> Answer | None:
        """Return the answer to a question, if it was asked before."""
        row = self._file.execute(
            "SELECT content, tokens_in, tokens_out FROM answer WHERE key = ?", (key,)
        ).fetchone()
        return Answer(*row) if row else None

    def put(self, key: bytes, answer: Answer) -> None:
        """Keep an answer."""
        row = (key, answer.content, answer.tokens_in, answer.tokens_out)
        self._file.execute("INSERT OR REPLACE INTO answer VALUES (?, ?, ?, ?)", row)

    def close(self) -> None:
        """Close the file."""
        self._file.close()
