"""Entries: which paragraphs of a listing are a title, and which are its abstract."""

import re
from dataclasses import dataclass

from stemma.schema.text_line import Line

_LONGEST_TITLE = 300
_LONG = 200
_ENDS_A_SENTENCE = re.compile(r"[.!?。…][\"')\]”’}]*$")


@dataclass(slots=True)
class Entry:
    """A title, with the number of its line, and the paragraphs of its abstract."""

    title: Line[str]
    abstract: list[str]


def alternate(paragraphs: list[Line[str]]) -> bool:
    """Return whether titles and abstracts take turns, so that each paragraph's part is certain."""
    titles, abstracts = paragraphs[0::2], paragraphs[1::2]
    unlikely = sum(not is_heading(title) for title in titles)
    return (
        len(titles) == len(abstracts) > 0
        and unlikely * 4 < len(titles)
        and all(
            len(title.text) <= _LONGEST_TITLE
            and len(title.text) < len(abstract.text)
            and _is_prose(abstract)
            for title, abstract in zip(titles, abstracts, strict=True)
        )
    )


def entries(paragraphs: list[Line[str]]) -> list[Entry]:
    """Pair the paragraphs of a section; an abstract may have several of them.

    A later paragraph begins a new paper only if it reads like a title and prose follows it.
    """
    if alternate(paragraphs):
        turns = zip(paragraphs[0::2], paragraphs[1::2], strict=True)
        return [Entry(title, [abstract.text]) for title, abstract in turns]
    found: list[Entry] = []
    for i, paragraph in enumerate(paragraphs):
        if not found or (found[-1].abstract and begins_paper(paragraphs, i)):
            found.append(Entry(paragraph, []))
        else:
            found[-1].abstract.append(paragraph.text)
    return found


def begins_paper(paragraphs: list[Line[str]], i: int) -> bool:
    """Return whether paragraph `i` reads like a title that an abstract follows."""
    return is_heading(paragraphs[i]) and i + 1 < len(paragraphs) and _is_prose(paragraphs[i + 1])


def is_heading(paragraph: Line[str]) -> bool:
    """Return whether a paragraph reads like a title."""
    return len(paragraph.text) <= _LONGEST_TITLE and paragraph.text[-1] not in ".,:;"


def _is_prose(paragraph: Line[str]) -> bool:
    return len(paragraph.text) > _LONG or bool(_ENDS_A_SENTENCE.search(paragraph.text))
