"""Papers that somebody wants out of larger files, by a list of their identifiers."""

import re
from collections.abc import Iterable, Iterator, Set
from pathlib import Path

from stemma.extract.formats.document import Document, lines, readable
from stemma.extract.formats.link import as_identifier, stated_arxiv_id, stated_doi
from stemma.schema import Paper, Problem
from stemma.schema.text_line import MAX_RECORD_SIZE, whole_lines

_LONGEST_LINE = 10_000
_BETWEEN_WORDS = re.compile(r"[\s\"{}\[\]|,;]+")


def identifiers_in(document: Document) -> Iterator[str]:
    """Yield the arXiv ids and DOIs in a file: alone on their lines, in addresses, or in fields."""
    for line in lines(document, MAX_RECORD_SIZE):
        whole = as_identifier(line.text)
        words = [] if whole else _BETWEEN_WORDS.split(line.text)
        stated = (stated_doi(word) or stated_arxiv_id(word) or word for word in words)
        yield from filter(None, (whole, *map(as_identifier, stated)))


class RequestedPapers:
    """The identifiers that a file lists: arXiv ids, DOIs, or addresses of either, one a line.

    Blank lines and what follows ``#`` do not count, nor do versions. Raises OSError where the file
    cannot be read.
    """

    def __init__(self, path: Path) -> None:
        self._file = readable(path.name)
        self._lines: dict[str, int] = {}
        self._found: set[str] = set()
        document = Document(path, self._file)
        self.problems = document.problems
        """What is wrong with the file."""
        for line in whole_lines(lines(document, _LONGEST_LINE), _LONGEST_LINE):
            if text := f" {line.text}".partition(" #")[0].strip():
                self._add(text, line.number)

    def _add(self, text: str, line: int) -> None:
        if identifier := as_identifier(text):
            self._lines.setdefault(identifier, line)
        else:
            reason = f"neither an arXiv id nor a DOI: {text:.100}"
            self.problems.append(Problem(self._file, line, reason))

    @property
    def identifiers(self) -> Set[str]:
        """The identifiers, in their order: ``arxiv:…`` and ``doi:…``."""
        return self._lines.keys()

    @property
    def fingerprint(self) -> str:
        """The identifiers, in one text."""
        return " ".join(sorted(self._lines))

    def only(self, papers: Iterable[Paper | Problem]) -> Iterator[Paper | Problem]:
        """Pass on the papers that are wanted, and all problems."""
        for paper in papers:
            if isinstance(paper, Problem):
                yield paper
            elif own := self._lines.keys() & set(paper.identifiers):
                self._found |= own
                yield paper

    def missing(self) -> Iterator[Problem]:
        """Return the identifiers that no paper had, each as a problem."""
        for identifier, line in self._lines.items():
            if identifier not in self._found:
                reason = f"not in the files that were read: {identifier.partition(':')[2]}"
                yield Problem(self._file, line, reason)
