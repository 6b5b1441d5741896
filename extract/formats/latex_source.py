"""LaTeX source: a file, a folder, or the archive of a paper as arXiv offers it.

A paper is a main file with a ``\\documentclass``; what it inputs is read with it, and its
bibliography gives the works that it cites, rather than papers of their own.
"""

import posixpath
import re
from collections.abc import Callable, Iterator

from stemma.extract.formats.bibtex_reader import entries
from stemma.extract.formats.body import (
    APPENDIX,
    INTRODUCTION,
    LEAST_UNHEADED,
    MOST_CHARACTERS,
    Body,
    Cell,
    PaperTable,
    marked_citation,
    under_headings,
    without_marks,
)
from stemma.extract.formats.dates import is_date
from stemma.extract.formats.document import Document, Member, Texts, texts_beside, whole_text
from stemma.extract.formats.latex import from_latex
from stemma.extract.formats.latex_macros import (
    Macros,
    arguments,
    balanced,
    environments,
    notes,
    replaced,
    without,
    without_environments,
    without_unread,
)
from stemma.extract.formats.link import arxiv_id_in, as_arxiv_id, as_doi, doi_in
from stemma.extract.formats.person_name import is_organisation, person_names
from stemma.extract.formats.reader import Draft, author, one_line, reference
from stemma.schema import Author, Reference

_TABLE = re.compile(r"\\begin\s*\{(?:(?:wrap|sideways|long)?table|(?:wrap)?figure)\*?\}")
"""What may have a table: some stand in figures."""
_TABULAR = re.compile(
    r"\\begin\s*\{(tabular[xy*]?|longtable|NiceTabular\*?)\}"
    r"((?:(?!\\begin\s*\{(?:tabular[xy*]?|longtable|NiceTabular\*?)\}).)*?)\\end\{\1\}",
    re.S,
)
"""One with no other within it, and what is between its beginning and its end."""
_ROW_END = re.compile(r"\\\\\*?(?:\s*\[[^\]\n]{0,20}\])?|\\tabularnewline\b")
_NESTED = re.compile(
    r"\\begin\s*\{tabular\}\s*(?:\[\w\]\s*)?\{[^{}&]{0,40}(?:\{[^{}&]{0,20}\}[^{}&]{0,20}){0,4}\}"
    r"((?:(?!\\(?:begin|end)\b)[^&]){0,500})\\end\s*\{tabular\}"
)
_BOX = re.compile(r"\\(?:makecell|shortstack|thead)\*?\s*(?:\[[^\[\]]{0,10}\]\s*)?(?=\{)")
"""Cells of several lines: a table of one column, and boxes."""
_RULES = re.compile(
    r"\\(?:(?:top|mid|bottom|h)(?:rule|line)\b|(?:cmid|c)(?:rule|line)\b\s*(?:\([lr]*\))?\s*\{[^{}]*\}|"
    r"addlinespace\b(?:\s*\[[^\]]*\])?|(?:row|cell|column|arrayrule)color\s*(?:\[[^\]]*\])?\s*\{[^{}]*\}|"
    r"specialrule\s*(?:\{[^{}]*\}\s*){3}|end(?:first)?(?:head|foot)\b|centering\b|small\b|"
    r"footnotesize\b|scriptsize\b|tiny\b|bf\b|bfseries\b)(?:\s*\[[^\]\n]{0,20}\])?"
)
_SPAN = re.compile(r"\\(multicolumn|multirow)\s*(?:\[[^\]]*\]\s*)?\{\s*(-?\d{1,3}|\*)\s*\}")
_BEGINS_GROUP = re.compile(r"\s*(?:\[[^\]]{0,50}\]\s*)?(?=\{)")
_CELL_END = re.compile(r"(?<!\\)&")
_SIGNS = (
    (re.compile(r"\\pm\b|\\textpm\b"), "±"),
    (re.compile(r"\\times\b|\\texttimes\b"), "×"),
    (re.compile(r"\\uparrow\b"), "↑"),
    (re.compile(r"\\downarrow\b"), "↓"),
    (re.compile(r"\\(?:mathbf|boldsymbol|bm|mathrm|underline|uline)\b"), r"\\textbf"),
    (re.compile(r"(?<!\\)\$"), ""),
)
_LONGEST_TABLE = 100_000
"""Characters of a table that is read."""
_SECTION = re.compile(
    r"\\(section|subsection|subsubsection|paragraph)\*?\s*(?:\[[^\]]{0,300}\])?\{"
)
_LEVELS = ("appendix", "section", "subsection", "subsubsection", "paragraph")
_END = re.compile(r"\\end\s*\{document\}")
_APPENDIX = re.compile(r"\\appendix\b|\\begin\s*\{appendices\}")
_PLACE_OF_REFERENCES = re.compile(
    r"\\bibliography(?:style)?\s*\{[^{}]{0,1000}\}|\\printbibliography\b(?:\s*\[[^\]]{0,300}\])?"
)
_CITATION = re.compile(
    r"~?\\\w{0,30}cite\w{0,30}\*?\s*(?:\[[^\]]{0,500}\]\s*){0,2}\{([^{}]{1,5000})\}", re.I
)
_FLOAT = re.compile(
    r"\\begin\s*\{(?:figure|table|wrapfigure|wraptable|algorithm|algorithmic|equation|align|"
    r"tikzpicture|tabular|lstlisting|verbatim|gather|eqnarray|multline|thebibliography)\*?\}"
)
"""Figures, tables, formulas on lines of their own, and code, which are no running text."""
_FRONT = re.compile(r"\\maketitle\b|\\end\s*\{(?:abstract|document)\}")
_PARAGRAPH = re.compile(r"\n[^\S\n]*\n\s*")
_LONGEST_SOURCE = 3 * MOST_CHARACTERS
"""Characters of source that are looked at: it has commands and figures beside the text."""
_LONGEST_PARAGRAPH = 50_000
_LONGEST_HEADING = 2001


def latex_tables(source: str, plain: Callable[[str], str]) -> Iterator[PaperTable]:
    """Yield the tables of a source without comments; `plain` decodes LaTeX and marks citations."""
    for start, end in environments(_TABLE, source):
        text = source[start:end]  # A longtable is both in one.
        if len(text) <= _LONGEST_TABLE:
            caption = plain(next(arguments(text, r"caption(?:of\s*\{table\}|\*)?"), ""))
            for rows in _tabulars(text, plain):
                yield PaperTable(caption, rows)


def _on_one_line(text: str) -> str:
    """Return a table whose cells have their lines side by side."""
    text = _NESTED.sub(lambda match: f"{{{_ROW_END.sub(' ', match[1])}}}", text)
    return replaced(_BOX, text, lambda inner: _ROW_END.sub(" ", inner))


def _tabulars(text: str, plain: Callable[[str], str]) -> Iterator[list[list[Cell]]]:
    for match in _TABULAR.finditer(_on_one_line(text)):
        rows = (_RULES.sub(" ", row) for row in _ROW_END.split(_without_columns(match[2])))
        cells = [[_cell(cell, plain) for cell in _CELL_END.split(row)] for row in rows]
        yield _without_blanks_below([row for row in cells if any(each.text for each in row)])


def _without_blanks_below(rows: list[list[Cell]]) -> list[list[Cell]]:
    """Leave out the empty cells that LaTeX has below a cell that spans several rows."""
    for number, row in enumerate(rows):
        for place, cell in reversed([*enumerate(row)]):
            for below in rows[number + 1 : number + cell.rows]:
                if place < len(below) and not below[place].text:
                    del below[place]
    return rows


def _without_columns(text: str) -> str:
    """Leave out what says how wide a table is and what its columns look like."""
    start = 0
    while (group := _group(text, start)) and "&" not in group[0]:
        start = group[1]
    return text[start:]


def _group(text: str, start: int) -> tuple[str, int] | None:
    """Return the text in the next braces, which may have an option before them, and their end."""
    begin = _BEGINS_GROUP.match(text, start)
    inner = balanced(text, begin.end()) if begin else None
    return (inner, begin.end() + len(inner) + 2) if begin and inner is not None else None


def _cell(text: str, plain: Callable[[str], str]) -> Cell:
    columns = rows = 1
    while match := _SPAN.match(text := text.strip()):
        number = abs(int(match[2])) if match[2] != "*" else 1
        if match[1] == "multicolumn":
            columns = max(number, 1)
        else:
            rows = max(number, 1)
        style = _group(text, match.end())
        if not style:
            break
        text = text[style[1] :].strip()
        if text.startswith("{") and (content := _group(text, 0)):
            text = content[0] + text[content[1] :]
    for sign, character in _SIGNS:
        text = sign.sub(character, text)
    return Cell(plain(text).strip(), columns, rows)


def with_marked_citations(text: str, numbers: dict[str, int]) -> str:
    """Return LaTeX with marks in place of its commands that cite; see `marked_citation`."""
    return _CITATION.sub(lambda match: marked_citation(match[1], numbers), without_marks(text))


def latex_sections(
    source: str, plain: Callable[[str], str], numbers: dict[str, int]
) -> Iterator[tuple[int, str, str]]:
    """Yield the sections of a source without comments, each with its level and its heading.

    `plain` decodes LaTeX, `numbers` are those of the works that were cited before.
    """

    def text(part: str) -> str:
        marked = with_marked_citations(part, numbers)
        return "\n\n".join(
            plain(each) for each in _PARAGRAPH.split(marked) if len(each) <= _LONGEST_PARAGRAPH
        )

    end = _END.search(source)
    source = without_environments(_FLOAT, source[: end.start() if end else None])
    source = _PLACE_OF_REFERENCES.sub(" ", source)
    heads = list(_SECTION.finditer(source))
    appendix = _APPENDIX.search(source)
    if heads and (front := list(_FRONT.finditer(source, 0, heads[0].start()))):
        before = text(source[front[-1].end() : heads[0].start()][:_LONGEST_PARAGRAPH])
        if len(before) > LEAST_UNHEADED:
            yield _LEVELS.index("section"), INTRODUCTION, before
    for i, head in enumerate(heads):
        stop = heads[i + 1].start() if i + 1 < len(heads) else len(source)
        title = balanced(source, head.end() - 1, _LONGEST_HEADING)
        start = head.end() if title is None else head.end() + len(title) + 1
        if appendix and head.start() > appendix.start():
            appendix = None
            yield _LEVELS.index("appendix"), APPENDIX, ""
        stop = min(stop, start + _LONGEST_SOURCE)
        yield _LEVELS.index(head[1]), plain(title or ""), text(source[start:stop])


_AUTHOR = r"(?!short|running|corresponding|[cC]ite)[a-zA-Z]{0,12}[aA]uthors?\*?"
_MARK = notes()
_SIGN = re.compile(
    r"\$\s*\^?[^$]{0,40}\$|\\(?:footnotemark|samethanks|footnotesymbol|dag|ddag)(?![A-Za-z])\s*"
    r"(?:\[[^\[\]]{0,20}\])?"
)
_FONT = re.compile(
    r"\\(?:bf|it|rm|sf|tt|normalfont|large|bfseries|name|begin\s*\{tabular\}\s*(?:\[\w\]\s*)?\{\w{1,9}\}|"
    r"end\s*\{tabular\})(?![A-Za-z])"
)
_AFFILIATION = re.compile(r"\\(?:addr|email)(?![A-Za-z]).*", re.S)
"""As journals have it: what follows in the block is no name."""
_BETWEEN_AUTHORS = re.compile(r"\\(?:and|And|AND|IEEEauthorblockN)(?![A-Za-z])|(?<!\\)&")
LINE_END = re.compile(
    r"\\\\\*?(?:\[[^\]]{0,100}\])?|\\(?:newline|linebreak|titlebreak|break|skiplinehalf)(?![A-Za-z])"
)
_SPACE = re.compile(r"\\(?:quad|qquad|hfill|hspace)(?![A-Za-z])")
_NO_NAME = re.compile(
    r"[@\d]|\banonymous\b|\b(?:university|institute|department|inc|lab(?:s|oratory)?)\b", re.I
)
_IS_MARK = re.compile(r"\\[A-Za-z]{4,}(?![A-Za-z]|\s*\{)")
"""A command without a text, such as ``\\CorrespondingAuthor``: those for letters are shorter."""
_BEHIND_NAME = re.compile(r"(?:(?:Graduate|Student|Senior|Life) )*(?:Member|Fellow)|[A-Z]{2,5}")
"""What societies and addresses have between commas behind a name."""
_PERSON = re.compile(r"[^\W\d_]\S*(?:[ ~]\S+){1,5}")
_LONGEST_NAME = 60


def latex_authors(
    text: str, expanded: Callable[[str], str], plain: Callable[[str], str]
) -> Iterator[Author]:
    """Yield the authors that a source without comments names, each once.

    `expanded` replaces the macros of the source, `plain` decodes LaTeX.
    """
    seen: set[str] = set()
    for block in arguments(text, _AUTHOR):
        marked = _FONT.sub(" ", _SIGN.sub("*", without(_MARK, expanded(block), "*")))
        for part in _BETWEEN_AUTHORS.split(marked):
            for line in _lines_of_names(_AFFILIATION.sub("", part)):
                for name in _names(line, plain):
                    if name not in seen:
                        seen.add(name)
                        yield author(name)


def _lines_of_names(block: str) -> Iterator[str]:
    """Yield the lines before those that say where the authors work.

    Further lines than the first have names if a comma leads to them, or if they look like the
    first: marks behind names, or several people between commas.
    """
    lines = [line.strip() for line in LINE_END.split(block)]
    lines = [line for line in lines if line.strip("* {}")]
    for number, line in enumerate(lines):
        before = lines[number - 1].rstrip("* {}")
        if number and (
            line.lstrip(" {").startswith("*")
            or not (before.endswith((",", " and")) or _alike(lines[0], line))
        ):
            return
        yield line


def _alike(first: str, line: str) -> bool:
    people = [each.strip(" *{}") for each in line.split(",")]
    return ("*" in first and "*" in line) or (
        "," in first and len(people) > 1 and all(map(_PERSON.fullmatch, people))
    )


def _names(line: str, plain: Callable[[str], str]) -> Iterator[str]:
    for part in _SPACE.split(line):
        names = person_names(one_line(plain(_IS_MARK.sub(" ", part)).replace("*", " ")))
        for i, name in enumerate(names):
            if i and (_BEHIND_NAME.fullmatch(name) or is_organisation(name)):
                continue
            if len(name) <= _LONGEST_NAME and not _NO_NAME.search(name) and name[0].isalpha():
                yield name


_BRACED = r"\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*+\})*+\})*+\}"
_ITEM = re.compile(
    rf"\\bibitem(?![A-Za-z])\s*(?:\[(?:[^\]{{}}]|{_BRACED}){{0,500}}+\])?(?:\s*\{{([^{{}}]*)\}})?"
)
"""Its label may have brackets within braces."""
_BLOCK = re.compile(r"\\newblock(?![A-Za-z])")
_GLUE = re.compile(r"\\hskip\s*[\d.]+em(?:\s+(?:plus|minus)\s+[\d.]+em)*\s*(?:\\relax)?\s*")
"""The space that BibTeX's style of the IEEE writes within entries."""
_ENTRY = re.compile(r"\\entry\{([^{}]+)\}\{[^{}]*\}\{[^{}]*\}")
_VERBATIM = re.compile(r"\\verb\{(doi|eprint)\}\s*\\verb\s+(\S+)")
_MARKED_TITLE = r"(?:showarticletitle|showbooktitle|bibinfo\s*\{(?:title|booktitle)\}|enquote)"
_LONGEST, _LEAST_WORDS = 5000, 2
_NO_TITLE = re.compile(r"^(?:in\b|doi|\\|url|https?:|arxiv|\d{4}\W*$)", re.I)
_TITLE = "(?!short|running|sub|book|pdf|journal|conference)[A-Za-z]{1,12}title"
_COMMENT = re.compile(r"(?<!\\)((?:\\\\)*)%[^\n]*(?:\n[ \t]*(?=\S))?")
_INPUT = re.compile(
    r"\\(?:(?:input|include|subfile)\s*\{([^{}\n]{1,200})\}|input\s+([^\s{}\\]{1,200})|"
    r"(?:sub)?(?:import|inputfrom|includefrom)\*?\s*\{([^{}\n]{0,200})\}\s*\{([^{}\n]{1,200})\})"
)
_BIBLIOGRAPHY = re.compile(
    r"\\(?:bibliography|addbibresource)\s*(?:\[[^\]]{0,500}\])?\{([^{}]{1,2000})\}"
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
_DROPPED = notes(
    "orcidID|orcid|orcidlink|email|affil|affiliation|address|institute|ead|keywords|icmlkeywords|"
    "titlerunning|todo|vspace|hspace|phantom|vphantom|hphantom"
)
_MOST_LEVELS = 8
_MOST_TEXT = 32 << 20


def listed_references(text: str) -> Iterator[tuple[str, Reference]]:
    """Yield the works of a list of references, without comments, with the keys that cite them."""
    _, *entries = _ENTRY.split(text)
    for key, entry in zip(entries[::2], entries[1::2], strict=True):
        links = dict(_VERBATIM.findall(entry))
        title = one_line(from_latex(next(arguments(entry, r"field\{title\}"), "")))
        eprint = as_arxiv_id(links.get("eprint", ""))
        yield key.strip(), reference(title or None, links.get("doi"), eprint)
    items = list(_ITEM.finditer(text))
    for i, item in enumerate(items):
        end = items[i + 1].start() if i + 1 < len(items) else len(text)
        if item[1] is not None:
            yield item[1].strip(), _reference(text[item.end() : min(end, item.end() + _LONGEST)])


def _reference(text: str) -> Reference:
    text = _GLUE.sub(" ", text.partition("\\end{thebibliography}")[0])
    title = _title(text)
    if not title:
        from stemma.extract.formats import paper_text  # noqa: PLC0415 - takes long

        title = paper_text.printed_title(one_line(from_latex(_BLOCK.sub(" ", text))))
    return reference(title, doi_in(text), arxiv_id_in(text))


def _title(text: str) -> str | None:
    """Return the title that a style marks, or that is the block after the authors."""
    if marked := next(filter(None, arguments(text, _MARKED_TITLE)), None):
        return one_line(from_latex(marked)).strip(" ,.")
    blocks = [one_line(from_latex(each)).rstrip(".") for each in _BLOCK.split(text)]
    title = blocks[1] if len(blocks) > 1 else ""
    return title if len(title.split()) >= _LEAST_WORDS and not _NO_TITLE.match(title) else None


class LatexSource:
    """The text of a main file, with the files of its folder or archive that it inputs.

    None of more than `longest` is read.
    """

    def __init__(self, main: Document, longest: int) -> None:
        self.main, self.texts = whole_text(main, longest), texts_beside(main, longest)
        self.text = without_unread(_expanded(self.main, self.texts))
        self.expanded = Macros(self.text).expanded

    def plain(self, source: str) -> str:
        """Return LaTeX of this source as text, without citations and footnotes."""
        source = _REFERENCE.sub("", _CITATION.sub("", self.expanded(source)))
        return re.sub(r"(?<!\s)\s++([.,;:])", r"\1", from_latex(without(_DROPPED, source)))

    def title(self) -> str:
        """Return the title; classes of conferences have commands of their own for it."""
        titles = (*arguments(self.text, "title"), *arguments(self.text, _TITLE))
        plain = (
            one_line(self.plain(LINE_END.sub(" ", without(_DROPPED, title))))
            for title in titles
            if "#" not in title
        )
        return next(filter(None, plain), "")

    def abstract(self) -> str:
        """Return the LaTeX of the environment, of the command, or of the section of this name."""
        if match := _ABSTRACT.search(self.text):
            return match[2]
        if own := next(filter(str.strip, arguments(self.text, "[aA]bstract")), ""):
            return own
        match = _ABSTRACT_SECTION.search(self.text)
        end = _ABSTRACT_END.search(self.text, match.end()) if match else None
        return self.text[match.end() : end.start()] if match and end else ""


def read_source(document: Document, source: LatexSource) -> Draft:
    """Read the paper of a source, whose main file is `document`."""
    whole, plain, texts = source.text, source.plain, source.texts
    numbers: dict[str, int] = {}
    folder = "" if isinstance(document, Member) else document.path.absolute().parent.name

    def marked(part: str) -> str:
        return plain(with_marked_citations(part, numbers))

    listed = dict(_references(whole, texts, document))
    return Draft(
        1 + source.main[: max(source.main.find("\\title"), 0)].count("\n"),
        title=source.title(),
        abstract=plain(source.abstract()),
        published=next(filter(is_date, [plain(next(arguments(whole, "date"), ""))]), None),
        authors=list(latex_authors(whole, source.expanded, plain)),
        arxiv_id=arxiv_id_in(document.name) or arxiv_id_in(folder),
        body=Body(
            under_headings(latex_sections(whole, plain, numbers)),
            listed,
            latex_tables(whole, marked),
        ),
    )


def _expanded(text: str, texts: Texts) -> str:
    """Return a text without comments, with the files that it inputs."""
    left = _MOST_TEXT

    def expand(text: str, level: int) -> str:
        nonlocal left
        left -= len(text)
        text = _COMMENT.sub(r"\1", text) if "%" in text else text
        if level == _MOST_LEVELS:
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
    cited = {key.strip() for each in _CITATION.findall(text) for key in each.split(",")}
    for each in _BIBLIOGRAPHY.findall(text):
        for file in each.split(","):
            for key, draft in entries(_sibling(texts, file, ".bib") or ""):
                if key in cited or "*" in cited:
                    doi, arxiv = as_doi(draft.doi or ""), as_arxiv_id(draft.arxiv_id or "")
                    yield key, reference(draft.title, doi, arxiv)
