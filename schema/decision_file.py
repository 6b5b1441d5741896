"""The file of people's decisions."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from stemma.schema.decision import Decision, DecisionError
from stemma.schema.decision_text import DecisionText


class DecisionFile:
    """The decisions on one graph, numbered from 1, in the file `path`, which need not exist.

    A text that replaces the file is staged next to it until the graph that it makes is written.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._staged = path.with_name(f"{path.name}.new")

    def text(self) -> DecisionText:
        """Return what the file holds, empty if there is none. Raises DecisionError."""
        return DecisionText(str(self.path), self._bytes())

    def fingerprint(self) -> str:
        """Return a hash of the file, empty where there is none."""
        return self.text().fingerprint

    def read(self) -> tuple[Decision, ...]:
        """Return the decisions. Raises DecisionError with file, decision and reason."""
        return self.text().decisions

    def append(self, decision: Decision) -> int:
        """Write a decision at the end of the file, as a person would, and return its number."""
        longer = self.text().appended(decision)
        self._replace(longer)
        return len(longer.decisions)

    def remove(self, number: int) -> Decision:
        """Take a decision out of the file, as a person would, and return it."""
        text = self.text()
        self._replace(text.without(number))
        return text.decisions[number - 1]

    @contextmanager
    def staged(self, text: DecisionText) -> Iterator[None]:
        """Hold a text ready, which becomes the file if what is done meanwhile succeeds.

        Raises DecisionError where the file cannot be written, or was changed by another process.
        """
        try:
            self._stage(text)
            yield
        except Exception:
            self._staged.unlink(missing_ok=True)
            raise
        if not self.settle(text.fingerprint, text.replaced):
            raise changed_meanwhile(text)

    def settle(self, fingerprint: str, replaced: str | None) -> bool:
        """Finish what is staged, and return whether it became the file.

        It does if it has this fingerprint, that of the decisions which the graph was written with,
        and if the file still is what it was when they were `replaced`.
        """
        try:
            staged = DecisionText(str(self.path), self._staged.read_bytes())
        except OSError:
            return False
        if (staged.fingerprint, self.fingerprint()) != (fingerprint, replaced):
            self._staged.unlink()
            return False
        self._staged.replace(self.path)
        return True

    def _bytes(self) -> bytes:
        try:
            return self.path.read_bytes()
        except FileNotFoundError:
            return b""
        except OSError as error:
            raise DecisionError(f"{self.path} cannot be read: {error.strerror}") from error

    def _replace(self, text: DecisionText) -> None:
        """Replace the file atomically."""
        self._stage(text)
        self._staged.replace(self.path)

    def _stage(self, text: DecisionText) -> None:
        try:
            with self._staged.open("wb") as file:
                file.write(text.data)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise DecisionError(f"{self.path} cannot be written: {error.strerror}") from error


def changed_meanwhile(text: DecisionText) -> DecisionError:
    """Return the error for a text that cannot replace what it was made of."""
    return DecisionError(
        f"{text.place} was changed by someone else in the meantime: repeat the decision."
    )
