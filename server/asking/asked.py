"""A question that is being answered: the names in it, and the works of the graph that they mean."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from stemma.graph import Reader, Work
from stemma.graph.criteria import narrower_entities
from stemma.graph.selection import LARGEST_LINEAGE
from stemma.schema import EntityKind, Statement
from stemma.server.asking.answer import MOST_STATEMENTS, Answer, content_words, sentence_of
from stemma.server.asking.names import corrected, joined, names_in, quoted
from stemma.server.asking.question import TABLES, Question, is_noun, nouns

NAME = "[\ue000-\uf8ff]"
"""A pattern of the character that stands for a name in a question: one of private use."""
_NOUN = nouns(*EntityKind)
_NAME_AND_NOUN = rf"(?i:(?:an? |the |any |single )*(?:{NAME}(?: (?:{_NOUN})\b)?|(?:{_NOUN})\b))"
_EXCEPTION = re.compile(
    rf"(?i)(?:^|,? )(?:(?:and|but) )?(?:{TABLES['except']})\b(?P<verb>(?: [a-z]+){{0,3}}?)"
    rf"(?P<names>(?:(?:,? (?:and|or)|,)? {_NAME_AND_NOUN})+)"
)
"""A pattern of what a question leaves out: "except QLoRA and DoRA", "but do not run on A100"."""


class Asked:
    """A question that is being answered from a graph: the works of one page, up to the `end`.

    In its `text`, each name is one character, which `NAME` matches; it is without what the question
    leaves out, which is in `exceptions`: the words before the names, and works. Their ids, and
    those of narrower entities, are `excluded`. Lists with an exception are read whole, others up to
    the `first` works. `remarks` say how the question was read, and what is not known.
    """

    def __init__(self, reader: Reader, question: Question, skipped: int, end: int) -> None:
        self.reader, self.question, self.skipped, self.end = reader, question, skipped, end
        text, remarks = corrected(reader, re.sub(NAME, "", question.text))
        self.remarks = dict.fromkeys(filter(None, (question.remark, *remarks)))
        self.named = []
        for each in names_in(reader, text):
            if is_noun(each.text):
                continue
            # Of "mobile GPUs", the noun stays: it says what kind is asked for as well.
            name = re.sub(rf"(?i) (?:{_NOUN})$", "", each.text)
            self.named.append(replace(each, text=name, end=each.end - len(each.text) + len(name)))
            if each.work and each.namesakes:
                others = joined(each.namesakes)
                self.remarks[f"“{name}” is taken to be {each.work.id}; also so called: {others}."] = None
            elif each.concept and not each.concept.general:
                self.remarks[f"No paper here states anything about {each.concept.name}."] = None
        for number, each in reversed([*enumerate(self.named)]):
            text = f"{text[: each.start]}{chr(ord(NAME[1]) + number)}{text[each.end :]}"
        found = [(each["verb"], self.works(each["names"])) for each in _EXCEPTION.finditer(text)]
        self.exceptions = [each for each in found if each[1]]
        self.text = _EXCEPTION.sub(lambda e: "" if self.works(e["names"]) else e[0], text).strip()
        excluded = [each for _, works in self.exceptions for each in works]
        self.excluded = {id_ for e in excluded for id_ in (e.id, *narrower_entities(reader, e.id))}
        self.exception = f", but not {joined(map(quoted, excluded))}" if excluded else ""
        # How many of the works are excluded is known when all have been read.
        self.first = max(end, LARGEST_LINEAGE) if excluded else end

    def works(self, text: str) -> list[Work]:
        """Return the works that a part of the question names; of "GPUs" alone, the class."""
        named = [self.named[ord(each) - ord(NAME[1])] for each in re.findall(NAME, text)]
        if not named and is_noun(bare := re.sub("(?i)^(?:an?|the|any) ", "", text.strip(" ,"))):
            named = [*names_in(self.reader, bare)]
        return list({each.work.id: each.work for each in named if each.work}.values())

    @staticmethod
    def besides(text: str, names: int = 0) -> str:
        """Return a part of the question without its first `names` (all), and their nouns."""
        return re.sub(rf"{NAME}(?i: (?:{_NOUN})\b)?", " ", text, count=names)

    def typed(self, text: str) -> str:
        """Return a part of the question with its names, as they were typed."""
        return re.sub(NAME, lambda found: self.named[ord(found[0]) - ord(NAME[1])].text, text)

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
        kept = [each for each in works if each.id not in self.excluded]
        total = (len(works) if total is None else total) - len(works) + len(kept)
        total = min(total, self.question.number or total)
        text = text or f"{understood_as[:1].upper()}{understood_as[1:]}: {total:,}."
        total += len(named)
        stated = tuple(statements)
        surest = sorted(filter(sentence_of, stated), key=lambda each: each.confidence)
        sentences = {id_: sentence_of(e) for e in surest for id_ in (e.entity, e.subject)}
        return Answer(
            text,
            understood_as,
            (*named, *kept)[self.skipped : self.end],
            stated[:MOST_STATEMENTS],
            total=total,
            end_cursor=str(self.end) if self.skipped < self.end < total else None,
            statement_total=len(stated),
            said={**sentences, **(said or {})},
            words=content_words(self.question.text),
            **others,
        )
