"""A question that is being answered: the works of the graph that its names mean, however they are
spelt."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from typing import Any

from stemma.graph import Reader, Selection, Work
from stemma.graph.matching import Topic
from stemma.graph.reader import spellings
from stemma.graph.searching import entities_meant, nearest_works
from stemma.graph.selection import LARGEST_LINEAGE, MOST_RESULTS
from stemma.schema import Catalogue, Entity, Paper, Statement
from stemma.schema.name import is_id, match_key
from stemma.server.asking.answer import Answer, sentence_of
from stemma.server.asking.parser import Span
from stemma.server.asking.question import OF_ASKING, STOP_WORDS, Question, spellings_of
from stemma.server.asking.similarity import TextVectors
from stemma.server.asking.thesaurus import terms_in

WORD = re.compile(r"""\"[^"]+\"|(?:(?!'s\b|-based\b|-derived\b)[^\s,;:?!()"])+""")
_LONGEST_NAME, _LONGEST_ENTITY = 12, 5
"""Words of a name, which is a title if it has more than those of an entity."""
_SURELY_A_NAME = 5
"""Papers that name an entity, for its name to be meant by a word that is spelt otherwise, or that
other papers have."""
_FEW_NAMING, _PLAIN = 3, 10
"""Papers that name an entity, for its name to be that of others too; abstracts for each of those,
that have a word which is not meant as a name."""
_SHORTEST_MISSPELT, _RARE, _MOST_READ, _MOST_LIKE, _FEW_WORDS = 5, 3, 100, 3, 4
"""Letters of words that may be misspelt, how few papers have one, how many are read for what is
meant, how many words like it are compared; and of how many words of a topic all should be known."""
_LIKE_NAME, _LIKE = 0.85, 0.8
"""How like a misspelt name or word is what is meant, from 0 to 1."""
_BESIDE_NAME = re.compile(
    r"(?i)^(?:the|an?|any|some|single|one|original) |'s$|"
    r" (?:papers?|works?|systems?|models?|methods?|frameworks?|data ?sets?|benchmarks?|robots?|team"
    r"|humanoids?|library|algorithms?|authors|people|cards?|machines?|gpus?|optimi[sz]ers?"
    r"|architectures?|(?:nano )?drones?|arms?|boards?|phones?|chips?|processors?)$"
)
"""What stands beside a name and is no part of it: "the PipeDream paper"."""
_CONTRAST = re.compile(r"(?i)\b(?:instead of|rather than)(?: an?| the)? $")
_WITHOUT = re.compile(r"(?i)\bwithout(?: any| an?| the)? $")
"""What stands before the other side of a contrast, and before what papers may say as well."""
_UNWANTED = re.compile(r"(?i)\b(?:instead of|rather than|apart from|besides)\b[^,.;:?!]*")


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

    `excluded` are the works (ids) that it leaves out, with narrower entities and what is called
    after them, and papers with words that it leaves out; `exception` says so. `without` the
    exception, these papers (ids) are found. Lists with one are read whole, others up to the `first`
    works. `remarks` say how the question was read, and what is not known, or `lacking`; `topic`
    what it is about, `topics` its parts as they are spelt, `others` words that no span has, which
    may tell of it as well, and `whole` the question with these topics, without what it leaves out.
    """

    def __init__(self, reader: Reader, question: Question, skipped: int, end: int) -> None:
        self.reader, self.question, self.skipped, self.end = reader, question, skipped, end
        self.remarks, self._meant = dict[str, None](), dict[str, Work | None]()
        self.is_part, self.unless, self.exception = False, "", ""
        self.excluded, self.without, self.exceptions = set[str](), set[str](), list[Work]()
        self.lacking = set[str]()
        for each in question.parsed.of("not"):
            self._leave_out(each)
        if self.exceptions:
            self.exception = f", but not {joined(map(quoted, self.exceptions))}"
        # How many of the works are excluded is known when all have been read.
        self.first = max(end, LARGEST_LINEAGE) if self.excluded else end
        self.take_as_topic("topic")
        wanted = _UNWANTED.sub(lambda match: " " * len(match[0]), question.text)
        self.whole, without = wanted, [(span, "") for span in self.spans("not")]
        for span, text in sorted((*self.topics.items(), *without), key=lambda each: -each[0].start):
            self.whole = f"{self.whole[: span.start]}{text}{self.whole[span.end :]}"
        taken = {place for span in self.spans() for place in range(span.start, span.end)}
        free = (e[0] for e in WORD.finditer(wanted) if taken.isdisjoint(range(*e.span())))
        words = (each.strip(".'-\"") for each in free)
        self.others = [word for word in words if len(word) > 1 and word.casefold() not in OF_ASKING]

    def spans(self, *roles: str) -> list[Span]:
        """Return the spans of the question with one of these roles."""
        return self.question.parsed.of(*roles)

    def take_as_topic(self, *roles: str) -> None:
        """Take the spans with these roles for the topic."""
        self.topics = {span: self.corrected(span.text) for span in self.spans(*roles)}
        self.topic = self.phrase(self.topics)

    def phrase(self, spans: Iterable[Span]) -> str:
        """Return the words of spans, with the small words between them: "activations on SSDs"."""
        text, said, last = self.question.text, "", 0
        for span in sorted(spans, key=lambda span: span.start):
            between = text[last : span.start] if said else ""
            is_small = {*between.casefold().split()} <= STOP_WORDS
            said += (between if is_small else " ") + self.topics.get(span, span.text)
            last = span.end
        return said

    def _leave_out(self, span: Span) -> None:
        """Leave out what a span of the question says; of a contrast, the other side says it."""
        before = self.question.text[: span.start]
        if _CONTRAST.search(before):
            return
        reader, work, selection = self.reader, self.work(span.text), Selection(first=MOST_RESULTS)
        if work is None:
            if _WITHOUT.search(before):  # Papers say "without retraining" as well.
                return
            self.unless += f", but not about {span.text}"
            with_words = reader.ranked([Topic(spellings_of(span.text))], selection)
            self.excluded |= {word.id for word in with_words}
            return
        self.exceptions.append(work)
        if self.spans("author"):  # "What else did they write": all but this one.
            return
        # Not NeMo is not NeMo Megatron either.
        names = {work.name, *spellings(work)}
        alike = reader.works({id_ for name in names for id_ in reader.matching(name, selection)})
        called = re.compile(rf"(?i)(?<!\w)(?:{'|'.join(map(re.escape, names))})(?:v\d|(?![\w.]))")
        self.excluded |= entities_meant(reader, work)
        self.excluded |= {id_ for id_, each in alike.items() if called.search(each.name)}

    def remark(self, text: str) -> None:
        """Add a remark, once."""
        self.remarks[text] = None

    def remark_unknown(self, name: str) -> None:
        """Remark that nothing has a name, if it is written like one and nothing has."""
        if name != name.casefold() and not (self.work(name) or self.names_in(name)):
            self.remark(f"Nothing here is called “{name}”.")

    def works(self, *roles: str) -> list[Work]:
        """Return the works that the spans with these roles name."""
        found = dict[str, Work]()
        for span in self.spans(*roles):
            work = self.work(span.text)
            # "Differences Punica S-LoRA" may be read as one name.
            named = [work] if work else self.names_in(span.text)
            found |= {each.id: each for each in named}
        return [*found.values()]

    @cached_property
    def named(self) -> list[Work]:
        """The works that words of the question name, one by one."""
        return self.names_in(self.question.text)

    def names_in(self, text: str) -> list[Work]:
        """Return the works that words of the question name, one by one."""
        return [mention.work for mention in names_in(self.reader, text) if mention.work]

    def work(self, text: str) -> Work | None:
        """Return the work that words of the question name, if the graph has one; of "TPUs", the
        class."""
        if text not in self._meant:
            self._meant[text] = self._named(text)
        return self._meant[text]

    def _named(self, text: str) -> Work | None:
        bare, names = text.strip(" .,\"'"), list[NameInText]()
        while bare:
            names = [*names_in(self.reader, bare)]
            if any(name.end - name.start == len(bare) for name in names):
                break
            if (shorter := _BESIDE_NAME.sub("", bare)) == bare:
                break
            bare = shorter
        whole = [name for name in names if name.end - name.start == len(bare)]
        for mention in whole:
            if mention.work and mention.namesakes:
                others = joined(mention.namesakes)
                self.remark(f"“{bare}” is taken to be {mention.work.id}; also so called: {others}.")
            elif mention.concept and not mention.concept.general:
                self.remark(f"No paper here states anything about {mention.concept.name}.")
                self.lacking.add(mention.concept.name)
            return mention.work
        if meant := self._begins(bare) or self._spelt(bare):
            self.remark(f"“{bare}” is read as {meant.name}.")
            return meant
        return None

    def _begins(self, name: str) -> Work | None:
        """Return the paper whose title has these words in front of its colon."""
        first = Selection(first=_MOST_LIKE if " " in name else 0)
        found = self.reader.works(self.reader.matching(name, first)).values()
        key = match_key(name)
        return next((e for e in found if match_key(e.name.partition(": ")[0]) == key), None)

    def _spelt(self, name: str) -> Work | None:
        """Return the work that a misspelt name means."""
        is_word = name.islower() and " " not in name and self._number_with(name) >= _RARE
        if is_word or len(name) < _SHORTEST_MISSPELT or {*name.casefold().split()} <= STOP_WORDS:
            return None
        near = nearest_works(self.reader, name)
        meant = {match_key(spelling): work for work in near[::-1] for spelling in spellings(work)}
        found = get_close_matches(match_key(name), meant, 1, _LIKE_NAME)
        # An RTX 4091 is no RTX 4090.
        digits = [re.findall(r"\d", each) for each in (name, *found)]
        # Shoppers are no Hoppers: the first letter is seldom mistaken.
        is_meant = found and digits[0] == digits[1] and match_key(name)[:1] == found[0][:1]
        return meant[found[0]] if is_meant else None

    def corrected(self, text: str) -> str:
        """Return words of a topic, with what is meant in place of those that no name and hardly a
        paper has."""
        names = names_in(self.reader, text)
        known = {place for name in names for place in range(name.start, name.end)}
        words = [match for match in WORD.finditer(text) if match[0].casefold() not in STOP_WORDS]
        vectors, before = TextVectors.shipped(), text
        for word in reversed(words):
            key = word[0].casefold()
            is_long = len(key) >= _SHORTEST_MISSPELT and key.isalpha()
            if word.start() in known or not is_long or (number := self._number_with(key)) >= _RARE:
                continue
            others = [Topic(spellings_of(match[0])) for match in words if match is not word]
            meant = ""
            if not vectors.knows(key):
                named = self._spelt_in_papers(key, others) or getattr(self._spelt(key), "name", "")
                meant = named or vectors.spelt(key)
            if meant:
                self.remark(f"“{word[0]}” is read as {meant}.")
                text = f"{text[: word.start()]}{meant}{text[word.end() :]}"
            elif not number and len(words) <= _FEW_WORDS and not terms_in(word[0]):
                self.remark(f"No paper here has “{word[0]}”.")
                self.lacking.add(word[0])
        # With words that are right now, papers on them may have what another one means.
        return text if text == before else self.corrected(text)

    def _number_with(self, word: str) -> int:
        """Return how many papers have a word, up to the number that is not rare."""
        return len(self.reader.ranked([Topic(spellings_of(word))], Selection(first=_RARE)))

    def _spelt_in_papers(self, word: str, others: Sequence[Topic]) -> str:
        """Return the word like a misspelt one that papers on the other words have, rather one that
        is not rare."""
        rankeds = self.reader.ranked(others, Selection(first=_MOST_READ)) if others else []
        papers = self.reader.works([ranked.id for ranked in rankeds]).values()
        texts = (f"{e.name} {e.abstract}".casefold() for e in papers if isinstance(e, Paper))
        words = {each for text in texts for each in re.findall(r"[^\W\d_]+", text)}
        near = get_close_matches(word, words, _MOST_LIKE, _LIKE)
        return next((e for e in near if self._number_with(e) >= _RARE), next(iter(near), ""))

    def listed(
        self,
        works: Sequence[Work],
        understood_as: str,
        total: int | None = None,
        text: str = "",
        named: Sequence[Work] = (),
        statements: Iterable[Statement] = (),
        said: Mapping[str, str] | None = None,
        **others: Any,
    ) -> Answer:
        """Return the answer with a page of all works that were found (of which there are `total`)
        and are not excluded, after those that the question `named`, which its text does not count;
        with what is `said` of works, if anything, in place of the surest of the statements, and
        `others` of its fields."""
        named = [each for each in named if each.id not in self.excluded]
        kept = [work for work in works if work.id not in self.excluded]
        left_out = self.without.union(work.id for work in works) - {each.id for each in kept}
        if self.excluded and kept and not left_out:
            self.remark("What is to be left out was not among these.")
        total = (len(works) if total is None else total) - len(works) + len(kept)
        total = min(total, self.question.number or total)
        text = text or f"{understood_as[:1].upper()}{understood_as[1:]}: {total:,}."
        total, stated = total + len(named), tuple(statements)
        if said is None:
            surest = sorted(filter(sentence_of, stated), key=lambda statement: statement.confidence)
            said = {id_: sentence_of(e) for e in surest for id_ in (e.entity, e.subject)}
        return Answer(
            text,
            understood_as,
            (*named, *kept)[self.skipped : self.end],
            stated,
            total=total,
            skipped=self.skipped,
            end_cursor=str(self.end) if self.skipped < self.end < total else None,
            said=said,
            question=self.question.text,
            **others,
        )


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
            if length >= _LONGEST_ENTITY or all(length > 1 and len(end) > 3 for end in ends):
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
