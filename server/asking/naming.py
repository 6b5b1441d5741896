"""The names in a question: the works of the graph that they mean."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import zip_longest

from stemma.graph import Reader, Work
from stemma.graph.ranking import Topic
from stemma.graph.searching import nearest_works
from stemma.graph.store import spellings
from stemma.schema import Catalogue, EntityKind, Paper
from stemma.schema.identifier import is_id
from stemma.schema.name import match_key
from stemma.server.asking.question import STOP_WORDS, is_noun, like, nouns

NAME = "[\ue000-\uf8ff]"
"""A pattern of the character that stands for a name in a question: one of private use."""
_NAME_AND_NOUN = rf"(?i)(?:single )?{NAME}(?: (?:{nouns(*EntityKind)})\b)?"
_LONGEST_NAME, _SHORT_NAME = 12, 3
"""Words of a name; only a title has more than a few, and only it begins or ends like "the"."""
_SURELY_A_NAME = 5
"""Papers that name an entity, for its name to be meant by a word that is spelt otherwise."""
_PREVAILS = 10
"""A work that so many times more papers name than another of its name is what is meant."""
_WORD = re.compile(r"""\"[^"]+\"|(?:(?!'s\b)[^\s,;:?!()"])+""")
_BRITISH = re.compile("is(?=(?:e|ed|es|ing|ations?)$)")
"""Of "summarise": names have "summarize"."""
_LIKE_ENOUGH = 0.8
"""The likeness, from 0 to 1, of a misspelt name to the one that is meant."""
_SHORTEST_MISSPELT, _LETTERS_OF_A_WORD, _FEW_WORDS = 5, 4, 2
_MOST_TRIED, _MOST_CORRECTED, _RARE = 6, 3, 3


@dataclass(frozen=True, slots=True)
class Name:
    """A name in a text, from `start` to `end` in it.

    `work` is what it means in the graph, if it is there; `spellings` are all names of it.
    """

    start: int
    end: int
    text: str
    spellings: Sequence[str]
    work: Work | None = None
    namesakes: tuple[str, ...] = ()


class Names:
    """The names of one question: in its `text`, each is one character, which `NAME` matches.

    `remarks` say which were ambiguous or misspelt.
    """

    def __init__(self, reader: Reader, text: str) -> None:
        self.reader = reader
        self.remarks: dict[str, None] = {}
        text = re.sub(NAME, "", text)
        named = list(names_in(reader, text))
        if (corrected := self._corrected(text, named)) != text:
            text, named = corrected, list(names_in(reader, corrected))
        named = [each for each in named if not is_noun(each.text)]
        for each in named:
            if each.namesakes and each.work:
                others = joined(each.namesakes)
                remark = f"“{each.text}” is taken to be {each.work.id}; also so called: {others}."
                self.remarks[remark] = None
        self._named = list(map(_without_noun, named))
        for number, each in reversed([*enumerate(self._named)]):
            text = f"{text[: each.start]}{chr(0xE000 + number)}{text[each.end :]}"
        self.text = text

    def works(self, text: str) -> list[Work]:
        """Return the works that a part of the question names; of "GPUs" alone, the class."""
        named = [self._named[ord(each) - 0xE000] for each in re.findall(NAME, text)]
        if not named and is_noun(noun := text.strip(" ,")):
            named = [*names_in(self.reader, noun)]
        return list({each.work.id: each.work for each in named if each.work}.values())

    @staticmethod
    def besides(text: str, names: int = 0) -> str:
        """Return a part of the question without its first `names` (all), and their nouns."""
        return re.sub(_NAME_AND_NOUN, " ", text, count=names)

    def typed(self, text: str) -> str:
        """Return a part of the question with its names, as they were typed."""
        return re.sub(NAME, lambda found: self._named[ord(found[0]) - 0xE000].text, text)

    def _corrected(self, text: str, named: Sequence[Name]) -> str:
        """Return a text with the names that are meant by words that no name and no paper has."""
        known = {place for each in named for place in range(each.start, each.end)}
        words = [*_WORD.finditer(text)]
        unknown = [
            number
            for number, word in enumerate(words)
            if word.start() not in known
            and len(word[0]) >= _SHORTEST_MISSPELT
            and not is_noun(word[0])
            and word[0].casefold() not in STOP_WORDS
        ]
        changed: dict[tuple[int, int], str] = {}
        for number in unknown[:_MOST_TRIED]:
            american = _BRITISH.sub("iz", words[number][0])
            if american != words[number][0]:
                changed[words[number].span()] = american
            elif len(changed) < _MOST_CORRECTED and self._is_rare(american):
                changed |= self._meant(text, words, number)
        for (start, end), instead in sorted(changed.items(), reverse=True):
            text = f"{text[:start]}{instead}{text[end:]}"
        return text

    def _is_rare(self, word: str) -> bool:
        """Return whether so few papers have a word that these may have misspelt it, too."""
        return len(self.reader.ranked([Topic(like(word))], first=_RARE)) < _RARE

    def _meant(
        self, text: str, words: Sequence[re.Match[str]], place: int
    ) -> dict[tuple[int, int], str]:
        """Return the name that is meant by a misspelt word and those around it, with its place."""
        for length in (3, 2, 1):
            for start in range(max(0, place - length + 1), min(place, len(words) - length) + 1):
                first, last = words[start], words[start + length - 1]
                name = text[first.start() : last.end()]
                if STOP_WORDS & {first[0].casefold(), last[0].casefold()}:
                    continue
                if len(match_key(name)) < _LETTERS_OF_A_WORD * length:
                    continue
                for near in nearest_works(self.reader, name):
                    if _is_misspelt(name, near.name):
                        self.remarks[f"“{name}” is read as {near.name}."] = None
                        return {(first.start(), last.end()): near.name}
        return {}


def names_in(reader: Reader, text: str, *, sure: bool = False) -> Iterator[Name]:
    """Yield the names in a text, the longest first where they overlap, in their order.

    Names of the catalogue count that are not in the graph. If they are to be `sure`, a word that a
    few papers use for an entity must be written as they do: one may call something "Text".
    """
    words = [*_WORD.finditer(text)]
    spans = {
        (start, end): text[words[start].start() : words[end - 1].end()].strip(".'/-\"")
        for start in range(len(words))
        for end in range(start + 1, min(len(words), start + _LONGEST_NAME) + 1)
        if end - start > _SHORT_NAME
        or not STOP_WORDS & {words[start][0].casefold(), words[end - 1][0].casefold()}
    }
    called = reader.all_called(sorted({*spans.values()}))
    start = 0
    while start < len(words):
        for end in range(min(len(words), start + _LONGEST_NAME), start, -1):
            span = spans.get((start, end), "")
            papers = {span: 0} if is_id(span) else called.get(span, {})
            works = reader.works(sorted(papers, key=lambda each: (-papers[each], each)))
            meant, *others = works.values() or [None]
            if sure and meant and not _is_surely(span, meant, papers[meant.id]):
                meant = None
            known = [meant] if meant else []
            # A work of the graph has the names of the catalogue, which takes time to load.
            concepts = Catalogue.shipped().by_key.get(match_key(span), ()) if not known else ()
            if names := [name for each in known or concepts for name in spellings(each)]:
                place = (words[start].start(), words[end - 1].end())
                rivals = (e.id for e in others if _PREVAILS * papers[e.id] > papers[meant.id])
                yield Name(*place, span, names, meant, tuple(rivals))
                break
        start = end


def _without_noun(name: Name) -> Name:
    """Return "mobile" of "mobile GPUs", which says the kind that is asked for as well."""
    first, _, last = name.text.rpartition(" ")
    if not (first and is_noun(last)):
        return name
    return replace(name, text=first, end=name.end - len(last) - 1)


def _is_surely(span: str, work: Work, papers: int) -> bool:
    return not isinstance(work, Paper) and (
        span in spellings(work)
        or papers >= _SURELY_A_NAME
        or work.id in Catalogue.shipped().concepts
    )


def _is_misspelt(name: str, meant: str) -> bool:
    """Return whether a name is like another one: as a whole, and word by word if it has many.

    Other digits make another name: an RTX 4091 is no RTX 4090.
    """
    pairs = [(match_key(name), match_key(meant))]
    words, others = (re.findall(r"\w+", each.casefold()) for each in (name, meant))
    if len(words) > _FEW_WORDS:
        pairs += zip_longest(words, others, fillvalue="")
    return re.findall(r"\d", name) == re.findall(r"\d", meant) and all(
        SequenceMatcher(a=a, b=b).ratio() >= _LIKE_ENOUGH for a, b in pairs
    )


def quoted(work: Work) -> str:
    """Return a work's name, a title in quotation marks."""
    return f"“{work.name}”" if isinstance(work, Paper) else work.name


def joined(parts: Iterable[str], word: str = "and") -> str:
    """Return "a, b and c"."""
    *others, last = list(parts) or [""]
    return f"{', '.join(others)} {word} {last}" if others else last
