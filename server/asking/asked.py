"""A question that is being answered: the names in it, and the works of the graph that they mean."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from typing import Any

from stemma.graph import Reader, Selection, Work
from stemma.graph.matching import Topic
from stemma.graph.reader import spellings
from stemma.graph.searching import narrower_entities, nearest_works
from stemma.graph.selection import LARGEST_LINEAGE
from stemma.schema import Catalogue, EntityKind, Paper, Statement
from stemma.schema.name import is_id, match_key
from stemma.server.asking.answer import MOST_STATEMENTS, Answer, content_words, sentence_of
from stemma.server.asking.question import STOP_WORDS, TABLES, Question, is_noun, like, nouns

NAME = "[\ue000-\uf8ff]"
"""A pattern of the character that stands for a name in a question: one of private use."""
_NAME_AND_NOUN = rf"(?i:(?:single )?{NAME}(?: (?:{nouns(*EntityKind)})\b)?)"
_EXCEPTION = re.compile(
    rf"(?i),? (?:(?:but|and) not|{TABLES['except']})(?:(?:,? (?:and|or)|,)? {_NAME_AND_NOUN})+"
)
"""A pattern of what a question leaves out: "except QLoRA and DoRA"."""
_LONGEST_NAME, _LONGEST_ENTITY, _LONGEST_MISSPELT = 12, 5, 3
"""Words of a name, which is a title if it has more than those of an entity; of a misspelt one."""
_SURELY_A_NAME = 5
"""Papers that name an entity, for its name to be meant by a word that is spelt otherwise, or that
other papers have."""
_WORD = re.compile(r"""\"[^"]+\"|(?:(?!'s\b)[^\s,;:?!()"])+""")
_LIKE_ENOUGH = 0.85
"""The likeness, from 0 to 1, of a misspelt name to the one that is meant."""
_SHORTEST_MISSPELT, _MOST_CORRECTED, _RARE = 5, 3, 3
"""Letters of words that may be misspelt, how many are corrected, and how few papers have one."""


@dataclass(frozen=True, slots=True)
class NameInText:
    """A name in a text, from `start` to `end` in it; `spellings` are all names of what it means.

    `work` is that in the graph, if it is there, and `namesakes` are others (ids) of the name.
    """

    start: int
    end: int
    text: str
    spellings: Sequence[str] = ()
    work: Work | None = None
    namesakes: tuple[str, ...] = ()


class Asked:
    """A question that is being answered from a graph, up to the last of the works on a page.

    In its `text`, each name is one character, which `NAME` matches. `included` is the text without
    its `exception`, the names of works that are not wanted: their ids, and those of narrower
    entities, are `excluded`. Lists with an exception are read whole, others up to the `first`
    works. `remarks` say which names were ambiguous or misspelt.
    """

    def __init__(self, reader: Reader, question: Question, end: int) -> None:
        self.reader, self.question, self.end = reader, question, end
        self.remarks: dict[str, None] = {}
        self.text = self._corrected(re.sub(NAME, "", question.text))
        self._named: list[NameInText] = []
        for each in names_in(reader, self.text):
            if is_noun(each.text):
                continue
            if each.work and each.namesakes:
                others = joined(each.namesakes)
                remark = f"“{each.text}” is taken to be {each.work.id}; also so called: {others}."
                self.remarks[remark] = None
            # Of "mobile GPUs", the noun stays: it says what kind is asked for as well.
            text = re.sub(rf"(?i) (?:{nouns(*EntityKind)})$", "", each.text)
            self._named.append(replace(each, text=text, end=each.end - len(each.text) + len(text)))
        for number, each in reversed([*enumerate(self._named)]):
            mark = chr(ord("\ue000") + number)
            self.text = f"{self.text[: each.start]}{mark}{self.text[each.end :]}"
        self.included = _EXCEPTION.sub("", self.text)
        excluded = self.works(" ".join(_EXCEPTION.findall(self.text)))
        self.excluded = {id_ for e in excluded for id_ in (e.id, *narrower_entities(reader, e.id))}
        self.exception = f", but not {joined(map(quoted, excluded))}" if excluded else ""
        # How many of the works are excluded is known when all have been read.
        self.first = max(end, LARGEST_LINEAGE) if excluded else end

    def works(self, text: str) -> list[Work]:
        """Return the works that a part of the question names; of "GPUs" alone, the class."""
        named = [self._named[ord(each) - ord("\ue000")] for each in re.findall(NAME, text)]
        if not named and is_noun(text.strip(" ,")):
            named = [*names_in(self.reader, text)]
        return list({each.work.id: each.work for each in named if each.work}.values())

    @staticmethod
    def besides(text: str, names: int = 0) -> str:
        """Return a part of the question without its first `names` (all), and their nouns."""
        return re.sub(_NAME_AND_NOUN, " ", text, count=names)

    def typed(self, text: str) -> str:
        """Return a part of the question with its names, as they were typed."""
        return re.sub(NAME, lambda found: self._named[ord(found[0]) - ord("\ue000")].text, text)

    def _corrected(self, text: str) -> str:
        """Return a text with the names that are meant by words that no name and few papers have."""
        known = {n for each in names_in(self.reader, text) for n in range(each.start, each.end)}
        doubtful = [
            word
            for word in _WORD.finditer(text)
            if word.start() not in known
            and len(word[0]) >= _SHORTEST_MISSPELT
            and not is_noun(word[0])
            and word[0].casefold() not in STOP_WORDS
        ]
        having = {
            word.start(): len(self.reader.ranked([Topic(like(word[0]))], Selection(first=_RARE)))
            for word in doubtful
        }
        rare = [place for place, papers in having.items() if papers < _RARE]
        for place in reversed(rare[:_MOST_CORRECTED]):
            text = self._with_meant(text, place, _SURELY_A_NAME if having[place] else 0)
        return text

    def _with_meant(self, text: str, place: int, least: int) -> str:
        """Return a text with the name that is meant by a misspelt word and those around it, of
        what at least so many papers name."""
        around = (each for each in _spans(text, _LONGEST_MISSPELT) if each[0] <= place < each[1])
        word = next(_WORD.finditer(text, place))[0]
        for start, end, name in sorted(around, key=lambda each: each[0] - each[1]):
            is_name = not STOP_WORDS & {*name.casefold().split()}
            for near in nearest_works(self.reader, name) if is_name else ():
                papers = self.reader.papers_naming([near.id]).get(near.id, ())
                # Of "LoRA evolve", the other word is the name.
                is_named = match_key(name.replace(word, "")) == match_key(near.name)
                if len(papers) >= least and not is_named and _is_misspelt(name, near.name):
                    self.remarks[f"“{name}” is read as {near.name}."] = None
                    return f"{text[:start]}{near.name}{text[end:]}"
        return text

    def listed(
        self,
        works: Sequence[Work],
        understood_as: str,
        total: int | None = None,
        text: str = "",
        named: Sequence[Work] = (),
        statements: Iterable[Statement] = (),
        **others: Any,
    ) -> Answer:
        """Return the answer with the first works of all that were found (of which there are
        `total`) and are not excluded, after those that the question `named`, which its text does
        not count; with `others` of its fields."""
        kept = [each for each in works if each.id not in self.excluded]
        total = (len(works) if total is None else total) - len(works) + len(kept)
        total = min(total, self.question.number or total)
        return Answer(
            text or f"{understood_as[:1].upper()}{understood_as[1:]}: {total:,}.",
            understood_as,
            (*named, *kept)[: self.end],
            tuple(statements),
            total=total + len(named),
            **others,
        )

    def page(self, answer: Answer, skipped: int) -> Answer:
        """Return a page of an answer, with all that follows from its works and statements."""
        stated = sorted(answer.statements, key=lambda each: each.confidence)
        said = {
            id_: sentence
            for each in stated
            if (sentence := sentence_of(each))
            for id_ in (each.entity, each.subject)
        }
        return replace(
            answer,
            text=" ".join((answer.text, *self.remarks)),
            works=answer.works[skipped:],
            end_cursor=str(self.end) if skipped < self.end < answer.total else None,
            statements=answer.statements[:MOST_STATEMENTS],
            statement_total=len(answer.statements),
            said={**said, **answer.said},
            words=content_words(self.question.text),
        )


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
        known = [meant] if meant else Catalogue.shipped().by_key.get(match_key(name), ())
        if known:
            last = end
            names = [each for work in known for each in spellings(work)]
            yield NameInText(start, end, name, names, meant, tuple(ids[1:]))


def _spans(text: str, longest: int) -> Iterator[tuple[int, int, str]]:
    """Yield what may be a name in a text, with its start and end: a few words, but not "anything"
    alone; and only a title begins or ends with "the"."""
    words = [*_WORD.finditer(text)]
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


def _is_misspelt(name: str, meant: str) -> bool:
    """Return whether a name is like another; with other digits, an RTX 4091 is no RTX 4090."""
    likeness = SequenceMatcher(a=match_key(name), b=match_key(meant)).ratio()
    return likeness >= _LIKE_ENOUGH and re.findall(r"\d", name) == re.findall(r"\d", meant)


def quoted(work: Work) -> str:
    """Return a work's name, a title in quotation marks."""
    return f"“{work.name}”" if isinstance(work, Paper) else work.name


def joined(parts: Iterable[str], word: str = "and") -> str:
    """Return "a, b and c"."""
    *others, last = list(parts) or [""]
    return f"{', '.join(others)} {word} {last}" if others else last
