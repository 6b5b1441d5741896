"""Names in a question: the works of the graph that they mean, however they are spelt."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from stemma.graph import Reader, Selection, Work
from stemma.graph.matching import Topic
from stemma.graph.reader import spellings
from stemma.graph.searching import nearest_works
from stemma.schema import Catalogue, Entity, Paper
from stemma.schema.name import is_id, match_key
from stemma.server.asking.question import STOP_WORDS, VERBS, VOCABULARY, is_noun, like

WORD = re.compile(r"""\"[^"]+\"|(?:(?!'s\b)[^\s,;:?!()"])+""")
_LONGEST_NAME, _LONGEST_ENTITY, _LONGEST_MISSPELT = 12, 5, 3
"""Words of a name, which is a title if it has more than those of an entity; of a misspelt one."""
_SURELY_A_NAME = 5
"""Papers that name an entity, for its name to be meant by a word that is spelt otherwise, or that
other papers have."""
_LIKE_ENOUGH = 0.85
"""The likeness, from 0 to 1, of a misspelt name to the one that is meant."""
_SHORTEST_MISSPELT, _MOST_CORRECTED, _RARE = 5, 3, 3
"""Letters of words that may be misspelt, how many are corrected, and how few papers have one."""


@dataclass(frozen=True, slots=True)
class NameInText:
    """A name in a text, from `start` to `end` in it, of something in the graph or the catalogue.

    `work` is what it means in the graph, if it is there, and `namesakes` are others (ids) of the
    name; `concept` is what it means in the catalogue if it is not.
    """

    start: int
    end: int
    text: str
    work: Work | None = None
    namesakes: tuple[str, ...] = ()
    concept: Entity | None = None

    @property
    def spellings(self) -> Sequence[str]:
        """All names of what it means."""
        meant = self.work or self.concept
        return spellings(meant) if meant else ()


def names_in(reader: Reader, text: str, *, sure: bool = False) -> Iterator[NameInText]:
    """Yield the names in a text, in their order, of names that overlap the longer one.

    Names of the catalogue count that are not in the graph. If they are to be `sure`, a word that a
    few papers use for an entity must be written as they do: one may call something "Text".
    """
    spans = sorted(_spans(text, _LONGEST_NAME), key=lambda each: (each[0], -each[1]))
    called = reader.all_called(sorted({name for *_, name in spans}))
    last = 0
    for start, end, name in spans:
        if start < last:
            continue
        papers = {name: 0} if is_id(name) else called[name]
        ids = sorted(papers, key=lambda each: (-papers[each], each))
        meant = next(iter(reader.works(ids[:1]).values()), None)
        if meant and sure and not _is_surely(name, meant, papers[meant.id]):
            meant = None
        # A work of the graph has the names of the catalogue, which takes time to load.
        known = () if meant else Catalogue.shipped().by_key.get(match_key(name), ())
        if meant or known:
            last = end
            yield NameInText(start, end, name, meant, tuple(ids[1:]), next(iter(known), None))


def _spans(text: str, longest: int) -> Iterator[tuple[int, int, str]]:
    """Yield what may be a name in a text, with its start and end: a few words, but not "anything"
    alone; and only a title begins or ends with "the"."""
    words = [*WORD.finditer(text)]
    for number, first in enumerate(words):
        for length, last in enumerate(words[number : number + longest], 1):
            ends = STOP_WORDS & {first[0].casefold(), last[0].casefold()}
            if length >= _LONGEST_ENTITY or all(length > 1 and len(each) > 3 for each in ends):
                yield first.start(), last.end(), text[first.start() : last.end()].strip(".'/-\"")


def _is_surely(name: str, work: Work, papers: int) -> bool:
    return not isinstance(work, Paper) and (
        name in spellings(work)
        or papers >= _SURELY_A_NAME
        or work.id in Catalogue.shipped().concepts
    )


def corrected(reader: Reader, text: str) -> tuple[str, list[str]]:
    """Return a text with the name, or the word of the tables, that is meant by each word that no
    name and few papers have; and a remark on each."""
    known = {n for each in names_in(reader, text) for n in range(each.start, each.end)}
    remarks: list[str] = []
    for word in reversed([*WORD.finditer(text)]):
        key = word[0].casefold()
        is_known = word.start() in known or is_noun(key) or key in VOCABULARY
        is_known = is_known or any(each.match(f"{key} x") for *_, each in VERBS.values())
        if is_known or len(key) < _SHORTEST_MISSPELT or len(remarks) == _MOST_CORRECTED:
            continue
        papers = len(reader.ranked([Topic(like(key))], Selection(first=_RARE)))
        spans = [e for e in _spans(text, _LONGEST_MISSPELT) if e[0] <= word.start() < e[1]]
        for start, end, name in sorted(spans, key=lambda e: e[0] - e[1]) if papers < _RARE else ():
            if meant := _meant(reader, name, word[0], _SURELY_A_NAME if papers else 0):
                remarks.append(f"“{name}” is read as {meant}.")
                text = f"{text[:start]}{meant}{text[end:]}"
                break
    return text, remarks[::-1]


def _meant(reader: Reader, name: str, word: str, least: int) -> str | None:
    """Return what a misspelt name with a word means, of names that so many papers have at least."""
    if STOP_WORDS & {*name.casefold().split()}:
        return None
    near = nearest_works(reader, name)
    naming = reader.papers_naming([each.id for each in near])
    meant = {match_key(e.name): e.name for e in near if len(naming.get(e.id, ())) >= least}
    # Of "LoRA evolve", the other word is the name.
    meant.pop(match_key(name.replace(word, "")), None)
    words = () if least else VOCABULARY
    meant = {each: each for each in words} | meant
    found = get_close_matches(match_key(name), meant, 1, _LIKE_ENOUGH)
    # An RTX 4091 is no RTX 4090.
    digits = [re.findall(r"\d", each) for each in (name, *found)]
    return meant[found[0]] if found and digits[0] == digits[1] else None


def quoted(work: Work) -> str:
    """Return a work's name, a title in quotation marks."""
    return f"“{work.name}”" if isinstance(work, Paper) else work.name


def joined(parts: Iterable[str], word: str = "and") -> str:
    """Return "a, b and c"."""
    *others, last = list(parts) or [""]
    return f"{', '.join(others)} {word} {last}" if others else last
