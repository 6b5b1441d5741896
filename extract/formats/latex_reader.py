"""The reader of LaTeX source."""

import re
from collections.abc import Iterator

from stemma.extract.formats.document import Document
from stemma.extract.formats.format_reader import Options, Reader
from stemma.schema import Paper, Problem

_MAIN = re.compile(
    r"^[ \t]*+\\document(?:class|style)\b(?!\s*(?:\[[^\]]{0,500}\]\s*)?"
    r"\{\s*(?:standalone|beamer|\w*letter|\w*poster)\s*\})",
    re.M,
)
_TITLED = re.compile(
    r"\\[A-Za-z]{0,12}title\s*[\[{]|\\begin\s*\{abstract\}|\\abstract\s*\{|\\(?:input|include)\b"
)


class LatexReader(Reader):
    """Reads main files, each with the files that it inputs."""

    name = "latex"
    description = "LaTeX source"
    fields = (
        "a folder or an archive as one paper: title, abstract, authors, arXiv id from its name, "
        "sections, tables, cited works"
    )

    def recognises(self, start: str) -> bool:
        """Recognise the main file of a paper, not an input, a letter or a figure.

        It has a class, and a title or an abstract.
        """
        return bool(_MAIN.search(start) and _TITLED.search(start))

    def read(self, document: Document, options: Options) -> Iterator[Paper | Problem]:
        """Read the paper, with the files of its folder that it inputs."""
        # It takes longer to import than other formats to read.
        from stemma.extract.formats.latex_source import LatexSource, read_source  # noqa: PLC0415

        source = LatexSource.of(document, options.max_record_size)
        if source.main:
            yield from read_source(document, source, options)
