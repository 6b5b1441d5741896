"""Lists of references in LaTeX, as styles of BibTeX, biblatex or authors write them."""

import re
from collections.abc import Iterator

from stemma.extract.formats.bibliography import printed_title
from stemma.extract.formats.draft import one_line, reference
from stemma.extract.formats.latex import from_latex
from stemma.extract.formats.latex_macros import arguments, balanced
from stemma.extract.formats.link import arxiv_id_in, as_arxiv_id, doi_in
from stemma.schema.paper import Reference

_ITEM = re.compile(r"\\bibitem(?![A-Za-z])\s*")
_BRACKET = re.compile(r"\\.|[{}\]]", re.S)
_KEY = re.compile(r"\s*\{([^{}]*)\}")
_BLOCK = re.compile(r"\\newblock(?![A-Za-z])")
_ENTRY = re.compile(r"\\entry\{([^{}]+)\}\{[^{}]*\}\{[^{}]*\}")
_VERBATIM = re.compile(r"\\verb\{(doi|eprint)\}\s*\\verb\s+(\S+)")
_TITLE = r"(?:showarticletitle|showbooktitle|bibinfo\s*\{(?:title|booktitle)\}|enquote)"
_LONGEST, _LONGEST_KEY, _LEAST_WORDS = 5000, 500, 2
_NO_TITLE = re.compile(r"^(?:in\b|doi|\\|url|https?:|arxiv|\d{4}\W*$)", re.I)


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
        if found := _KEY.match(text, _after_label(text, item.end())):
            yield found[1].strip(), _reference(text[found.end() : min(end, found.end() + _LONGEST)])


def _after_label(text: str, at: int) -> int:
    """Return where the label of an item ends; it may have brackets within braces."""
    if not text.startswith("[", at):
        return at
    depth = 0
    for found in _BRACKET.finditer(text, at, at + _LONGEST_KEY):
        depth += {"{": 1, "}": -1}.get(found[0], 0)
        if found[0] == "]" and depth <= 0:
            return found.end()
    return at


def _reference(text: str) -> Reference:
    text = text.partition("\\end{thebibliography}")[0]
    title = _title(text) or printed_title(one_line(from_latex(_BLOCK.sub(" ", text))))
    return reference(title, doi_in(text), arxiv_id_in(text))


def _title(text: str) -> str | None:
    """Return the title that a style marks, or that is the block after the authors."""
    for found in re.finditer(rf"\\{_TITLE}\s*(?=\{{)", text):
        if marked := balanced(text, found.end()):
            return one_line(from_latex(marked)).strip(" ,.")
    blocks = [one_line(from_latex(each)).rstrip(".") for each in _BLOCK.split(text)]
    title = blocks[1] if len(blocks) > 1 else ""
    return title if len(title.split()) >= _LEAST_WORDS and not _NO_TITLE.match(title) else None
