"""Archives of LaTeX source: the files of a paper are held until all of them have been read."""

import posixpath
from collections.abc import Iterator
from pathlib import Path

from stemma.extract.formats.archive import Member
from stemma.extract.formats.compression import CHUNK, DamagedError
from stemma.extract.formats.document import Document
from stemma.extract.formats.latex_source import ENDINGS, LatexReader, is_main, read_source
from stemma.extract.formats.lines import start
from stemma.extract.formats.reader import Options
from stemma.extract.formats.whole import whole_text
from stemma.schema.paper import Paper
from stemma.schema.problem import Problem

_MOST = 64 << 20
"""Bytes of source that are held of an archive; files beyond are read each by itself."""


class InMemoryDocument(Document):
    """A file of an archive, in memory."""

    def __init__(self, archive: Document, path: Path, name: str, data: bytes) -> None:
        super().__init__(path, name)
        object.__setattr__(self, "data", data)
        object.__setattr__(self, "sha256", archive.sha256)
        object.__setattr__(self, "size", archive.size)
        object.__setattr__(self, "head", data[:CHUNK])

    data: bytes

    def chunks(self) -> Iterator[bytes]:
        """Hand over its bytes."""
        if self.data:
            yield self.data


class LatexArchive:
    """The source files of an archive."""

    def __init__(self, archive: Document, options: Options) -> None:
        self._archive, self._options = archive, options
        self._files: dict[str, InMemoryDocument] = {}
        self._left = _MOST
        self._wanted = options.reader in (None, LatexReader.name)

    def take(self, member: Member) -> bool:
        """Keep a file if it may be a part of a paper's source, and return whether it is kept."""
        if not self._wanted or member.format not in ENDINGS:
            return False
        try:
            data = member.held(self._left)
        except DamagedError:
            return False
        if data is None:
            return False
        self._left -= len(data)
        name = member.path.as_posix()
        self._files[name] = InMemoryDocument(self._archive, member.path, member.name, data)
        return True

    def papers(self) -> Iterator[Paper | Problem]:
        """Read the papers, each from its main file."""
        for name in self._mains():
            folder = posixpath.dirname(name)

            def sibling(path: str, folder: str = folder) -> str | None:
                found = self._files.get(posixpath.normpath(posixpath.join(folder, path)))
                return self._text(found)[0] if found else None

            text, problems = self._text(self._files[name])
            yield from problems
            yield from read_source(self._files[name], text, sibling, self._options)

    def others(self) -> Iterator[InMemoryDocument]:
        """Return the files that belong to no paper's source, such as bibliographies."""
        folders = [posixpath.dirname(name) for name in self._mains()]
        for name, file in self._files.items():
            if not any(not folder or name.startswith(f"{folder}/") for folder in folders):
                yield file

    def _mains(self) -> list[str]:
        """Return the main files; a supplement without an abstract does not count beside a paper."""
        mains = [name for name, file in self._files.items() if is_main(start(file))]
        with_abstract = [name for name in mains if "abstract" in start(self._files[name])]
        return with_abstract or mains

    def _text(self, file: InMemoryDocument) -> tuple[str, list[Problem]]:
        return whole_text(file, self._options.max_record_size)
