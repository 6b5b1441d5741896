"""LaTeX source: a file, a folder, or the archive of a paper as arXiv offers it.

A paper is a main file with a ``\\documentclass``; what it inputs is read with it, and its
bibliography gives the works that it cites, rather than papers of their own.
"""

import posixpath
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from stemma.extract.formats.archive import Member
from stemma.extract.formats.bibtex import entries
from stemma.extract.formats.body import Body
from stemma.extract.formats.document import Document
from stemma.extract.formats.draft import Draft, as_date, author, one_line, reference, split_names
from stemma.extract.formats.latex import from_latex
from stemma.extract.formats.latex_braces import arguments, uses
from stemma.extract.formats.latex_macros import Macros, without_unread
from stemma.extract.formats.latex_references import listed_references
from stemma.extract.formats.latex_sections import Citations, latex_sections
from stemma.extract.formats.latex_tables import latex_tables
from stemma.extract.formats.link import arxiv_id_in, as_arxiv_id, as_doi
from stemma.extract.formats.reader import Options, Reader
from stemma.extract.formats.whole import whole_text
from stemma.schema.paper import Author, Paper, Reference
from stemma.schema.problem import Problem

ENDINGS = ("tex", "ltx", "bbl", "bib")
"""The files of a paper's source that are read."""
_MAIN = re.compile(r"^[ \t]*+\\document(?:class|style)\b", re.M)
_TITLED = re.compile(r"\\(?:icml|twocolumn)?title\b|\\begin\s*\{abstract\}|\\abstract\s*\{", re.I)
_COMMENT = re.compile(r"(?<!\\)((?:\\\\)*)%[^\n]*(?:\n[ \t]*(?=\S))?")
_INPUT = re.compile(
    r"\\(?:(?:input|include|subfile)\s*\{([^{}\n]{1,200})\}|input\s+([^\s{}\\]{1,200})|"
    r"(?:sub)?(?:import|inputfrom|includefrom)\*?\s*\{([^{}\n]{0,200})\}\s*\{([^{}\n]{1,200})\})"
)
_BIBLIOGRAPHY = re.compile(
    r"\\(?:bibliography|addbibresource)\s*(?:\[[^\]]{0,500}\])?\{([^{}]{1,2000})\}"
)
_CITED = re.compile(
    r"\\\w{0,30}cite\w{0,30}\*?\s*(?:\[[^\]]{0,500}\]\s*){0,2}\{([^{}]{1,5000})\}", re.I
)
_ABSTRACT = re.compile(
    r"\\begin\s*\{(abstract\*?)\}((?:(?!\\begin\s*\{abstract).)*?)\\end\s*\{\1\}", re.I | re.S
)
_ABSTRACT_SECTION = re.compile(
    r"\\(?:(?:sub)?section\*?|textbf|textsc|centerline|begin\s*\{center\})\s*\{\s*(?:\\\w+\s*)*+"
    r"Abstract[.:]?\s*\}(?:\s*\\end\s*\{center\}|[.:—-]*)",
    re.I,
)
_ABSTRACT_END = re.compile(
    r"\\(?:sub)?section\b|\\(?:noindent\s*)?\\?textbf\s*\{\s*(?:key ?words|index terms)|"
    r"\\begin\s*\{(?:keyword|IEEEkeywords)|\\keywords\b",
    re.I,
)
_REFERENCE = re.compile(
    r"\\(?:ref|eqref|cref|label|footnotemark|vspace|hspace)\*?\s*\{[^{}]*\}", re.I
)
_DROPPED = re.compile(
    r"\\(?:thanks|footnote|footnotetext|inst|textsuperscript|orcidID|orcid|email|affil|affiliation|"
    r"address|institute|IEEEauthorrefmark|authorrefmark|fnmsep|corref|fnref|tnoteref|tnotemark|ead|"
    r"keywords|icmlkeywords|titlerunning|todo|vspace|hspace|phantom|vphantom|hphantom)\*?\s*"
    r"(?:\[[^\[\]]{0,200}\]\s*)?(?=\{)"
)
_AND = re.compile(r"\\(?:and|And|AND|quad|qquad)\b|(?<!\\)&")
_LINE_END = re.compile(
    r"\\\\\*?(?:\[[^\]]{0,100}\])?|\\(?:newline|linebreak|titlebreak|break)(?![A-Za-z])"
)
_NO_NAME = re.compile(r"[@\d]|\b(?:university|institute|department|inc|lab(?:s|oratory)?)\b", re.I)
_LEVELS = 8
_MOST_TEXT = 32 << 20
_LONGEST_NAME = 60

Texts = Callable[[str], str | None]
"""Returns the text of a file by its path from the folder of the main file."""


class LatexReader(Reader):
    """Reads main files, each with the files that it inputs."""

    name = "latex"
    description = "LaTeX source"
    fields = (
        "title, abstract, authors, arXiv id from the name of file or folder, cited works, "
        "sections, tables; a folder or an arXiv archive (`.tar.gz`) is one paper; its `.bib` "
        "files are not read as papers"
    )
    begins = "\\%"

    def recognises(self, start: str) -> bool:
        """Recognise by the class of a document that has a title or an abstract."""
        return is_main(start)

    def read(self, document: Document, options: Options) -> Iterator[Paper | Problem]:
        """Read the paper, with the files of its folder that it inputs."""
        text, problems = whole_text(document, options.max_record_size)
        yield from problems
        if text:
            texts: Texts = lambda name: None  # noqa: E731
            if not isinstance(document, Member):
                texts = _Folder(document.path.parent, options.max_record_size).text
            yield from read_source(document, text, texts, options)


def is_main(text: str) -> bool:
    """Return whether a file is the main file of a paper, not an input, a letter or a figure."""
    return bool(_MAIN.search(text) and _TITLED.search(text))


def read_source(
    document: Document, text: str, texts: Texts, options: Options
) -> Iterator[Paper | Problem]:
    """Read a paper from the text of its main file, and from those that it inputs."""
    whole = without_unread(_expanded(text, texts))
    known = Macros(whole)

    def plain(source: str) -> str:
        source = _REFERENCE.sub("", _CITED.sub("", known.expanded(source)))
        return re.sub(r"\s+([.,;:])", r"\1", from_latex(_without(_DROPPED, source)))

    title = next(filter(None, map(_first_line, arguments(whole, r"(?:icml)?title"))), "")
    listed = dict(_references(whole, texts, document))
    body = None
    if options.full_text:
        citations = Citations()

        def marked(source: str) -> str:
            return plain(citations.marked(source))

        body = Body(latex_sections(whole, plain, citations), listed, latex_tables(whole, marked))
    yield from Draft(
        1 + text[: max(text.find("\\title"), 0)].count("\n"),
        title=one_line(plain(title)),
        abstract=plain(_abstract(whole)),
        published=_date(plain(next(arguments(whole, "date"), ""))),
        authors=list(_authors(whole, plain)),
        arxiv_id=arxiv_id_in(document.name) or arxiv_id_in(_folder_name(document)),
        references=list(listed.values()),
        untitled="no title: the LaTeX source has no \\title",
        body=body,
    ).read(document, options.year)


def _abstract(text: str) -> str:
    """Return the abstract: of the environment, the command, or the section of this name."""
    if found := _ABSTRACT.search(text):
        return found[2]
    if own := next(filter(str.strip, arguments(text, "abstract")), ""):
        return own
    found = _ABSTRACT_SECTION.search(text)
    end = _ABSTRACT_END.search(text, found.end()) if found else None
    return text[found.end() : end.start()] if found and end else ""


def _folder_name(document: Document) -> str:
    return "" if isinstance(document, Member) else document.path.absolute().parent.name


@dataclass(frozen=True, slots=True)
class _Folder:
    """The files of a folder, and of no other place."""

    folder: Path
    longest: int

    def text(self, name: str) -> str | None:
        try:
            path = (self.folder / name).resolve()
            if not path.is_relative_to(self.folder.resolve()) or not path.is_file():
                return None
            return whole_text(Document(path, name), self.longest)[0]
        except (OSError, ValueError):
            return None


def _expanded(text: str, texts: Texts) -> str:
    """Return a text without comments, with the files that it inputs."""
    left = _MOST_TEXT

    def expand(text: str, level: int) -> str:
        nonlocal left
        left -= len(text)
        text = _COMMENT.sub(r"\1", text) if "%" in text else text
        if level == _LEVELS:
            return text

        def inputted(found: re.Match[str]) -> str:
            name = found[1] or found[2] or posixpath.join(found[3], found[4])
            own = _sibling(texts, name, ".tex") if left > 0 else None
            return expand(own, level + 1) if own else ""

        return _INPUT.sub(inputted, text)

    return expand(text, 0)


def _sibling(texts: Texts, name: str, ending: str) -> str | None:
    name = posixpath.normpath(name.strip().strip('"'))
    return next(filter(None, (texts(each) for each in (name + ending, name))), None)


def _without(command: re.Pattern[str], text: str) -> str:
    """Return a text without some commands and their arguments."""
    parts, end = list[str](), 0
    for found, argument in uses(text, command):
        parts.append(text[end : found.start()])
        end = found.end() + len(argument) + 2
    return "".join([*parts, text[end:]])


def _first_line(title: str) -> str:
    return _LINE_END.sub(" ", _without(_DROPPED, title)).strip()


def _authors(text: str, plain: Callable[[str], str]) -> Iterator[Author]:
    for each in (*arguments(text, "author"), *arguments(text, "icmlauthor")):
        names = re.sub(r"\$\s*\^?[^$]{0,40}\$|\\(?:bf|it|rm|normalfont|large)\b", " ", each)
        for part in _AND.split(_without(_DROPPED, names)):
            first = next(filter(str.strip, _LINE_END.split(part)), "")
            for name in split_names(one_line(plain(first)).replace("*", "")):
                if len(name) <= _LONGEST_NAME and not _NO_NAME.search(name) and name[0].isalpha():
                    yield author(name)


def _date(date: str) -> str | None:
    try:
        return str(as_date(date))
    except ValueError:
        return None


def _references(text: str, texts: Texts, document: Document) -> Iterator[tuple[str, Reference]]:
    """Yield the references with their keys: those that are listed, else those that are cited."""
    name = document.path.stem
    found = list(listed_references(text))
    if not found:
        listed = _sibling(texts, name, ".bbl") or ""
        found = list(listed_references(_COMMENT.sub(r"\1", listed)))
    yield from found
    if found:
        return
    cited = {key.strip() for each in _CITED.findall(text) for key in each.split(",")}
    for each in _BIBLIOGRAPHY.findall(text):
        for file in each.split(","):
            for key, draft in entries(_sibling(texts, file, ".bib") or ""):
                if key in cited or "*" in cited:
                    yield key, _cited(draft)


def _cited(draft: Draft) -> Reference:
    return reference(draft.title, as_doi(draft.doi or ""), as_arxiv_id(draft.arxiv_id or ""))
