"""A question that is being answered: the names in it, however they are spelt, and the works of the
graph that they mean."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any

from stemma.graph import Reader, Selection, Work
from stemma.graph.matching import Topic
from stemma.graph.reader import spellings
from stemma.graph.searching import entities_meant, nearest_works
from stemma.graph.selection import LARGEST_LINEAGE, MOST_RESULTS
from stemma.schema import Catalogue, Entity, EntityKind, Paper, Statement
from stemma.schema.name import is_id, match_key
from stemma.server.asking.answer import Answer, content_words, sentence_of
from stemma.server.asking.question import (
    NAME,
    PATTERNS,
    STOP_WORDS,
    SYNONYMS,
    VOCABULARY,
    Question,
    is_cue,
    is_noun,
    is_plain,
    like,
    nouns,
)

WORD = re.compile(r"""\"[^"]+\"|(?:(?!'s\b|-based\b|-derived\b)[^\s,;:?!()"])+""")
_LONGEST_NAME, _LONGEST_ENTITY, _LONGEST_MISSPELT = 12, 5, 3
"""Words of a name, which is a title if it has more than those of an entity; of a misspelt one."""
_LONGEST_AUTHOR = 3
"""Words of the name of an author in a question."""
_SURELY_A_NAME = 5
"""Papers that name an entity, for its name to be meant by a word that is spelt otherwise, or that
other papers have."""
_FEW_NAMING, _PLAIN = 3, 10
"""Papers that name an entity, for its name to be that of others too; abstracts for each of those,
that have a word which is not meant as a name."""
_SHORTEST_MISSPELT, _MOST_CORRECTED, _RARE, _LIKE_ENOUGH = 5, 3, 3, 0.85
"""Letters of words that may be misspelt, how many are corrected, how few papers have one, and how
like it, from 0 to 1, is what is meant."""


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


class Asked:
    """A question that is being answered from a graph: the works of one page, up to the `end`.

    In its `text`, each name is one character, which `NAME` matches; it is without what the question
    leaves out, which is in `exceptions`: the words before the names, and works. Their ids, and
    those of narrower entities and of what is called after them, are `excluded`, as are papers with
    the words that `unless` says; `without` the exception, these papers (ids) are found. Lists with
    one are read whole, others up to the `first` works. `remarks` say how the question was read, and
    what is not known.
    """

    def __init__(self, reader: Reader, question: Question, skipped: int, end: int) -> None:
        self.reader, self.question, self.skipped, self.end = reader, question, skipped, end
        self.unless, self.is_part = "", False
        self.remarks = {question.remark: None} if question.remark else {}
        text = self._corrected(re.sub(NAME, "", question.text))
        self.named: list[NameInText] = []
        for each in names_in(reader, text):
            # "Faster" may be a model, and "inspired" a data set, but not in a question; nor is
            # TRACE meant by "trace the lineage".
            is_order = each.start == 0 and text[each.end :].startswith(" the ")
            if is_plain(each.text) or (is_order and each.text.islower()):
                continue
            if each.work and _is_plain(reader, each.text, each.work):
                continue
            # Of "mobile GPUs", the noun stays: it says what kind is asked for as well.
            name = re.sub(rf"(?i) (?:{nouns(*EntityKind)})$", "", each.text)
            self.named.append(replace(each, text=name, end=each.end - len(each.text) + len(name)))
            if each.work and each.namesakes:
                others = joined(each.namesakes)
                self.remark(f"“{name}” is taken to be {each.work.id}; also so called: {others}.")
            elif each.concept and not each.concept.general:
                self.remark(f"No paper here states anything about {each.concept.name}.")
        for number, each in reversed([*enumerate(self.named)]):
            text = f"{text[: each.start]}{chr(ord(NAME[1]) + number)}{text[each.end :]}"
        # "GPT-3-based models" are models that are based on GPT-3.
        self._leave_out(self._with_authors(PATTERNS["based"].sub(r"\3 \2 on \1", text)))

    def _leave_out(self, text: str) -> None:
        """Take out of a text what the question leaves out."""
        reader = self.reader
        out, text = PATTERNS["except"], re.sub(r"(?i) ones\b", "", text)
        found = [(each["verb"], self.works(each["names"])) for each in out.finditer(text)]
        self.exceptions = [each for each in found if each[1]]
        self.text = out.sub(lambda e: "" if self.works(e["names"]) else e[0], text).strip()
        excluded = [each for _, works in self.exceptions for each in works]
        self.excluded, self.without = set[str](), set[str]()
        for work in excluded:
            # Not NeMo is not NeMo Megatron either.
            names, every = {work.name, *spellings(work)}, Selection(first=MOST_RESULTS)
            alike = reader.works({id_ for each in names for id_ in reader.matching(each, every)})
            called = re.compile(
                rf"(?i)(?<!\w)(?:{'|'.join(map(re.escape, names))})(?:v\d|(?![\w.]))"
            )
            self.excluded |= entities_meant(reader, work)
            self.excluded |= {id_ for id_, e in alike.items() if called.search(e.name)}
        self.exception = f", but not {joined(map(quoted, excluded))}" if excluded else ""
        if match := PATTERNS["unless"].search(self.text):
            words = content(self.typed(match["words"]))
            self.text, self.unless = self.text[: match.start()], f", but not about {words}"
            with_words = reader.ranked([Topic(like(words))], Selection(first=MOST_RESULTS))
            self.excluded |= {each.id for each in with_words}
        # How many of the works are excluded is known when all have been read.
        self.first = max(self.end, LARGEST_LINEAGE) if self.excluded else self.end

    def remark(self, text: str) -> None:
        """Add a remark, once."""
        self.remarks[text] = None

    def ignore(self, words: Sequence[str]) -> None:
        """Say which words of the question the answer leaves out, if there are any."""
        if said := [f"“{each}”" for each in words if each not in VOCABULARY]:
            self.remark(f"Left out of the question: {joined(said)}.")

    def works(self, text: str) -> list[Work]:
        """Return the works that a part of the question names; of "GPUs" alone, the class."""
        named = [self.named[ord(each) - ord(NAME[1])] for each in re.findall(NAME, text)]
        if not named and is_noun(bare := re.sub("(?i)^(?:an?|the|any) ", "", text.strip(" ,"))):
            named = [*names_in(self.reader, bare)]
        return list({each.work.id: each.work for each in named if each.work}.values())

    @staticmethod
    def besides(text: str, names: int = 0) -> str:
        """Return a part of the question without its first `names` (all), and their nouns."""
        return re.sub(rf"{NAME}(?i: (?:{nouns(*EntityKind)})\b)?", " ", text, count=names)

    def typed(self, text: str) -> str:
        """Return a part of the question with its names, as they were typed."""
        return re.sub(NAME, lambda found: self.named[ord(found[0]) - ord(NAME[1])].text, text)

    def _with_authors(self, text: str) -> str:
        """Return a text that asks for papers by whom it names in full, if that is not said yet."""
        spans = [*_spans(text, _LONGEST_AUTHOR)]
        names = {e for *_, e in spans if " " in e and not STOP_WORDS & {*e.casefold().split()}}
        called = self.reader.all_people_called(names)
        for start, end, name in spans:
            if people := called.get(name):
                before, after = text[:start].rstrip(), text[end:].removeprefix("'s")
                if re.search(r"(?i)\b(?:by|from|with|and|or|,)$", before):
                    break
                return f"papers about {re.sub('(?i) of$', '', before)}{after} by {people[0].name}"
        return text

    def _corrected(self, text: str) -> str:
        """Return a text with the names, or the words of the tables, that are meant by words that no
        name and few papers have."""
        known = {n for each in names_in(self.reader, text) for n in range(each.start, each.end)}
        rare = dict[re.Match[str], int]()
        for word in WORD.finditer(text):
            key = word[0].casefold()
            is_known = word.start() in known or is_noun(key) or is_cue(key)
            if not is_known and len(key) >= _SHORTEST_MISSPELT and len(rare) < _MOST_CORRECTED:
                papers = len(self.reader.ranked([Topic(like(key))], Selection(first=_RARE)))
                rare |= {word: papers} if papers < _RARE else {}
        for word, papers in reversed(rare.items()):
            spans = [e for e in _spans(text, _LONGEST_MISSPELT) if e[0] <= word.start() < e[1]]
            # Not of a word that is part of a name which has been corrected.
            is_there = text[word.start() : word.end()] == word[0]
            for start, end, name in sorted(spans, key=lambda e: e[0] - e[1]) if is_there else ():
                if meant := self._meant(name, word[0], papers):
                    self.remark(f"“{name}” is read as {meant}.")
                    text = f"{text[:start]}{meant}{text[end:]}"
                    break
        return text

    def _meant(self, name: str, word: str, papers: int) -> str | None:
        """Return what a misspelt name means, with a word that so many papers have."""
        if STOP_WORDS & {*name.casefold().split()}:
            return None
        near = nearest_works(self.reader, name)
        naming = self.reader.papers_naming([each.id for each in near])
        least = _SURELY_A_NAME if papers else 0
        known = (each for each in near if len(naming.get(each.id, ())) >= least)
        meant = {each: each for each in (*VOCABULARY, *SYNONYMS)}
        meant |= {match_key(each): each for work in known for each in spellings(work)}
        # Of "LoRA evolve", the other word is the name.
        meant.pop(match_key(name.replace(word, "")), None)
        found = get_close_matches(match_key(name), meant, 1, _LIKE_ENOUGH)
        # An RTX 4091 is no RTX 4090.
        digits = [re.findall(r"\d", each) for each in (name, *found)]
        return meant[found[0]] if found and digits[0] == digits[1] else None

    def listed(
        self,
        works: Sequence[Work],
        understood_as: str,
        total: int | None = None,
        text: str = "",
        named: Sequence[Work] = (),
        statements: Iterable[Statement] = (),
        said: dict[str, str] | None = None,
        **others: Any,
    ) -> Answer:
        """Return the answer with a page of all works that were found (of which there are `total`)
        and are not excluded, after those that the question `named`, which its text does not count;
        with what is `said` of works by more than the `statements`, and `others` of its fields."""
        named = [each for each in named if each.id not in self.excluded]
        kept = [each for each in works if each.id not in self.excluded]
        left_out = self.without.union(each.id for each in works) - {each.id for each in kept}
        if self.excluded and kept and not left_out:
            self.remark("What is to be left out was not among these.")
        total = (len(works) if total is None else total) - len(works) + len(kept)
        total = min(total, self.question.number or total)
        text = text or f"{understood_as[:1].upper()}{understood_as[1:]}: {total:,}."
        total, stated = total + len(named), tuple(statements)
        surest = sorted(filter(sentence_of, stated), key=lambda each: each.confidence)
        sentences = {id_: sentence_of(e) for e in surest for id_ in (e.entity, e.subject)}
        return Answer(
            text,
            understood_as,
            (*named, *kept)[self.skipped : self.end],
            stated,
            total=total,
            skipped=self.skipped,
            end_cursor=str(self.end) if self.skipped < self.end < total else None,
            said=sentences | (said or {}),
            words=content_words(self.question.text),
            **others,
        )


def content(text: str) -> str:
    """Return a text without the words around it that say nothing of a topic."""
    words = text.split()
    says = [number for number, each in enumerate(words) if each.casefold() not in STOP_WORDS]
    return " ".join(words[says[0] : says[-1] + 1]) if says else ""


def is_general(work: Work) -> bool:
    """Return whether a work is a general term, such as GPU."""
    return isinstance(work, Entity) and work.general


def names_in(reader: Reader, text: str, *, sure: bool = False) -> Iterator[NameInText]:
    """Yield the names in a text, in their order, of names that overlap the longer one.

    Names of the catalogue count that are not in the graph. If they are to be `sure`, a word that a
    few papers use for an entity must be written as they do: one may call something "Text".
    """
    spans = sorted(_spans(text, _LONGEST_NAME), key=lambda each: (each[0], -each[1]))
    called = reader.all_called(sorted({name for *_, name in spans}), with_aliases=True)
    last = 0
    for start, end, name in spans:
        if start < last:
            continue
        papers = {name: 0} if is_id(name) else called[name]
        works = reader.works(papers)
        # Orca is the one that is written so, not ORCA.
        ids = sorted(works, key=lambda e: (name not in spellings(works[e]), -papers[e], e))
        meant = works[ids[0]] if ids else None
        if meant and meant.name == name:  # What has it as an alias is no other of the name.
            ids = [each for each in ids if match_key(works[each].name) == match_key(name)]
        if meant and sure and not _is_surely(name, meant, papers[meant.id]):
            meant = None
        if meant and sure and _is_plain(reader, name, meant):
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


def _is_plain(reader: Reader, name: str, work: Work) -> bool:
    """Return whether a word is no name: far more abstracts have it than papers name such a work,
    and it is in small letters, or another name of what only a few papers name."""
    is_lower, naming = name.islower(), len(reader.papers_naming([work.id]).get(work.id, ()))
    is_known = naming >= _FEW_NAMING and (not is_lower or name in spellings(work))
    if " " in name or is_known or (name == work.name and not is_lower):
        return False
    most = _PLAIN * max(naming, 2)
    return len(reader.ranked([Topic((name,))], Selection(first=most))) == most


def _is_surely(name: str, work: Work, papers: int) -> bool:
    is_known = papers >= _SURELY_A_NAME or work.id in Catalogue.shipped().concepts
    return not isinstance(work, Paper) and (name in spellings(work) or is_known)


def quoted(work: Work) -> str:
    """Return a work's name, a title in quotation marks."""
    return f"“{work.name}”" if isinstance(work, Paper) else work.name


def joined(parts: Iterable[str], word: str = "and") -> str:
    """Return "a, b and c"."""
    *others, last = list(parts) or [""]
    return f"{', '.join(others)} {word} {last}" if others else last
