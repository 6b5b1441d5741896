"""The reader of files in Markdown."""

import re
from collections.abc import Iterator

from stemma.extract.formats.document import Document, whole_text
from stemma.extract.formats.draft import Draft
from stemma.extract.formats.format_reader import Options, Reader
from stemma.extract.formats.record import field_of
from stemma.schema import Paper, Problem

_FENCE = re.compile(r"(---|\+\+\+)[ \t]*\n")
HAS_ABSTRACT = re.compile(
    r"^[ \t#*_]{0,12}(?:<[^<>\n]{0,80}>)?[*_]{0,3}"
    r"(?:(?:1|I)?\.?[ \t]*introduction|abstract|summary)",
    re.I | re.M,
)
_LONGEST = 65_536


class MarkdownReader(Reader):
    """Reads files of a paper each, with front matter in YAML or TOML, or without."""

    name = "markdown"
    description = "Markdown"
    fields = (
        "one paper, with front matter (fields as in JSON) or as converters write it from PDF, with "
        "sections, tables and references; a README or a list of links is no paper"
    )

    def recognises(self, start: str) -> bool:
        """Recognise by a title and something else of a paper, in front matter or in the text."""
        names, text = list[str](), start
        if found := front_matter(start):
            names = re.findall(r"^[\"']?([A-Za-z][\w -]*?)[\"']?[ \t]*[:=]", found[1], re.M)
            text = found[2]
        known = {field_of(each) for each in names}
        if "title" in known and known & {"abstract", "authors", "doi", "arxiv_id"}:
            return True
        if not HAS_ABSTRACT.search(text):
            return False
        from stemma.extract.formats.markdown import converted  # noqa: PLC0415 - needs lxml

        return bool(converted(text, "", is_start=True, has_title="title" in known))

    def read(self, document: Document, options: Options) -> Iterator[Paper | Problem]:
        """Read the paper."""
        if text := whole_text(document, options.max_record_size):
            from stemma.extract.formats.markdown import read_paper  # noqa: PLC0415

            draft = read_paper(text, document.name, options)
            if isinstance(draft, Draft):
                yield from draft.read(document, options)
            else:
                yield Problem(document.name, 1, draft, skipped=True)


def front_matter(text: str) -> tuple[str, str, str] | None:
    """Return the fence, what stands between two of them, and what follows."""
    opening = _FENCE.match(text := text.removeprefix("\ufeff"))
    if not opening:
        return None
    end = text.find(f"\n{opening[1]}", opening.end() - 1, _LONGEST)
    if end < 0:
        return None
    return opening[1], text[opening.end() : end], text[end + 4 :].partition("\n")[2]
