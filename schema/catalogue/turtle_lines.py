"""Lines of Turtle: the line of each subject in a file, which parsers do not report."""

import re
from collections.abc import Mapping


class TurtleLines:
    """The lines of a file, with the prefixes that shorten its IRIs."""

    def __init__(self, data: bytes, prefixes: Mapping[str, str], base: str | None) -> None:
        self._lines = data.decode("utf-8", "replace").splitlines()
        self._prefixes = dict(prefixes)
        self._base = base or ""

    def of(self, iri: str) -> int | None:
        """Return the line, from 1, that begins with this subject; None where none does."""
        written = [f"<{iri}>"]
        if self._base and iri.startswith(self._base):
            written.append(f"<{iri.removeprefix(self._base)}>")
        written += [
            f"{prefix}:{iri.removeprefix(namespace)}"
            for prefix, namespace in self._prefixes.items()
            if iri.startswith(namespace)
        ]
        begins = re.compile(rf"\s*(?:{'|'.join(map(re.escape, written))})(?=[\s;,.\[]|$)")
        for number, line in enumerate(self._lines, start=1):
            if begins.match(line):
                return number
        return None
