"""Libraries, and their attachments: the files that they name for papers, with the full texts."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from urllib.parse import unquote

from stemma.extract.formats.document import Document, lines, readable
from stemma.extract.formats.document_readers import PdfReader
from stemma.extract.formats.reader import DraftReader, Options
from stemma.schema import Paper

_FILE = re.compile(r"(?<!\\);")
_FIELD = re.compile(r"(?<!\\):")
"""What parts description, path and type (``Kilns:files/1/kilns.pdf:application/pdf``)."""
_ESCAPED = re.compile(r"\\([:;\\_&%#{}$])")
_NAMED = re.compile(r"(?:^\s{0,20}L[124]  ?- |[{\"])([^{}\"]{1,4000})", re.I)
"""A value in a line of a library, which may name files."""
_LIBRARIES = ("bib", "bibtex", "ris", "csv")
COLUMN = "File Attachments"
"""The column in which Zotero names the files of a paper."""
_ENDNOTE = "internal-pdf://"
"""How EndNote writes files of its library into RIS."""
_MOST = 10
"""Files of a paper that are looked for."""


class LibraryReader(DraftReader):
    """Reads records that may name PDF files, as those of BibTeX and RIS do.

    A path is relative to the folder of the document. Those in archives are not looked for.
    """

    def read(self, document: Document, options: Options) -> Iterator[Paper]:
        """Read the papers, each with the full text in the first of its files that there is."""
        missing: list[str] = []
        for draft in self.drafts(document, options):
            if paper := draft.paper(document, options):
                names = dict.fromkeys(chain.from_iterable(map(attached, draft.files)))
                if names and type(document) is Document:
                    paper = _completed(paper, list(names)[:_MOST], document, options, missing)
                yield paper
        if missing:
            document.note(
                f"attached files that are not there: {len(missing):,} "
                f"(the first is {readable(missing[0])!r}); their papers are read without"
            )


def _completed(
    paper: Paper, names: Sequence[str], document: Document, options: Options, missing: list[str]
) -> Paper:
    """Return a paper with what the first file has that is there, or else add one to `missing`."""
    places = chain.from_iterable(_places(name, document.path.parent) for name in names)
    path = next(filter(_is_file, places), None)
    if path is None:
        missing.append(names[-1])
        return paper
    file = Document(path, readable(path.name))
    for read in PdfReader().read(file, options):
        paper = replace(
            paper,
            abstract=paper.abstract or read.abstract,
            references=paper.references or read.references,
            full_text=read.full_text,
        )
    for each in file.problems:
        document.add(replace(each, skipped=False))
    return paper


def attached_files(documents: Iterable[Document]) -> set[Path]:
    """Return the files that libraries among the documents name for their papers."""
    files: set[Path] = set()
    for document in documents:
        if document.format not in _LIBRARIES:
            continue
        for line in lines(document):
            if document.format == "csv" and line.number == 1 and COLUMN not in line.text:
                break
            values = _NAMED.findall(line.text) if ".pdf" in line.text.casefold() else ()
            for name in chain.from_iterable(map(attached, values)):
                places = filter(_is_file, _places(name, document.path.parent))
                files.update(place.resolve() for place in places)
    return files


def attached(value: str) -> Iterator[str]:
    r"""Yield what may be paths of PDF files in a field of attachments, as libraries write it.

    ``:kilns.pdf:PDF``, ``Kilns:C\:\\kilns.pdf:application/pdf;Page:kilns.html:text/html``,
    ``/home/ann/Zotero/storage/AB12/kilns.pdf``, ``file:///home/ann/kilns.pdf``.
    """
    for item in _FILE.split(value):
        parts = [item] if "://" in item else _FIELD.split(item)
        for before, part in zip(["", *parts], parts, strict=False):
            path = _ESCAPED.sub(r"\1", part).strip(" {}")
            if path.casefold().endswith(".pdf") and not path.startswith(("http:", "https:")):
                drive = f"{before}:" if len(before) == 1 and path.startswith("\\") else ""
                yield drive + (unquote(path.removeprefix("file://")) if "://" in path else path)


def _places(name: str, folder: Path) -> Iterator[Path]:
    """Yield where a file may be; Mendeley leaves out the first slash of a path."""
    if name.startswith(_ENDNOTE):
        for data in folder.glob("*.Data/PDF"):
            yield data / name.removeprefix(_ENDNOTE)
        return
    yield folder / (Path(name).expanduser() if name.startswith("~/") else name)
    if "\\" in name:
        yield folder / name.replace("\\", "/")
    if "/" in name and not name.startswith("/"):
        yield Path("/") / name


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a name that is too long, a folder that may not be read
        return False
