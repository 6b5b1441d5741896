"""The answer to a question."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from stemma.graph import Page, Reader, Work
from stemma.schema import LINEAGE_RELATIONS, Paper, RelationType, Statement
from stemma.server.asking.question import STOP_WORDS
from stemma.server.asking.similarity import ENDS, TextVectors

MOST_WORKS = 100
"""Works in an answer, unless another number is asked for."""
_STATED = tuple(relation for relation in RelationType if relation not in LINEAGE_RELATIONS)
"""The relations that are stated by papers alone, with a sentence."""
_OWN = re.compile("(?:We|Our|This|In this|Here,? we) ")
_ASKS_AMOUNT = re.compile(r"(?i)\bhow (?:much|many times|far|fast|big|large|long)\b|\bpercentage\b")
_AMOUNT = re.compile(r"\b\d+(?:\.\d+)?(?:x|×|%| ?times| ?percent)", re.IGNORECASE)
_OWN_COUNTS = 0.05
"""What it counts that authors speak of themselves, beside shares of words and likeness, up to 1."""
_STEM = 6
"""Letters of a word that say what it is about: "quantized" and "quantization" are alike."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The works that answer a question, with one line that says how it was understood.

    `text` is that line, with the number of works, or a fact. `understood_as` says in plain words
    how the question was read, None where nothing was found. `total` counts the works on all pages,
    `skipped` those on earlier ones; the next page follows `end_cursor`, None on the last.
    `statements` are what the works up to this page rest on. The answer is `about` the one work
    that a question names, or the two that it relates. `notes` say of works (ids) what puts them in
    their order, such as the number of papers, and `said` what papers say of them: nothing, where
    only the catalogue does; `derivations` what works of a lineage build on. `question` is what was
    asked. `suggestions` are other questions that this graph can answer.
    """

    text: str
    understood_as: str | None = None
    works: tuple[Work, ...] = ()
    statements: tuple[Statement, ...] = ()
    suggestions: tuple[str, ...] = ()
    total: int = 0
    skipped: int = 0
    end_cursor: str | None = None
    about: tuple[Work, ...] = ()
    notes: Mapping[str, str] = field(default_factory=dict)
    said: Mapping[str, str] = field(default_factory=dict)
    derivations: Mapping[str, str] = field(default_factory=dict)
    question: str = ""

    def page(self, first: int | None = None) -> tuple[Page[Work], list[str]]:
        """Return the works as a page, all or the `first` of them, with their cursors."""
        works = self.works[:first]
        has_next = len(works) < len(self.works) or self.end_cursor is not None
        cursors = [str(number) for number, _ in enumerate(works, self.skipped + 1)]
        return Page(works, self.total, has_next, self.skipped > 0), cursors

    def sentences(self, reader: Reader, works: Iterable[Work]) -> dict[str, str]:
        """Return a sentence on works (by id): of the statements of the answer, or the one of a
        paper's abstract that is most about the question, or the one that introduces an entity, or
        else the surest on it. What counts put in order needs none."""
        others = [e for e in works if not self._is_said(e) and e.id not in self.notes]
        said = {e.id: self._sentence_in(e.abstract) for e in others if isinstance(e, Paper)}
        for relations in ((RelationType.INTRODUCES,), _STATED):
            entities = [each.id for each in others if each.id not in said]
            surest = reader.statements(entities, relations, 1) if entities else {}
            said |= {
                id_: sentence_of(statement)
                for id_, statements in surest.items()
                for statement in statements
            }
            others = [each for each in others if each.id not in self.said]
        return {id_: each for id_, each in {**self.said, **said}.items() if each}

    def _is_said(self, work: Work) -> bool:
        said = self.said.get(work.id, "")
        needs_amount = isinstance(work, Paper) and _ASKS_AMOUNT.search(self.question)
        return bool(_AMOUNT.search(said) if needs_amount else said)

    def _sentence_in(self, text: str) -> str:
        """Return the sentence of a text that is most about the question, by its words and by its
        meaning; rather one that says what its authors do, or an amount that is asked for."""
        sentences, words = ENDS.split(text), content_words(self.question)
        like = TextVectors.shipped().like(self.question, sentences)

        def weight(scored: tuple[float, str]) -> float:
            share = len(words & content_words(scored[1])) / max(len(words), 1)
            amount = bool(_ASKS_AMOUNT.search(self.question) and _AMOUNT.search(scored[1]))
            return share + scored[0] + _OWN_COUNTS * bool(_OWN.match(scored[1])) + 2 * amount

        return max(zip(like, sentences, strict=True), key=weight)[1].strip()


def joint(every: Iterable[Answer | None]) -> Answer:
    """Return those of some answers that have works as one, without further pages; if none has, the
    last."""
    given = [answer for answer in every if answer]
    answers = [answer for answer in given if answer.total] or given[-1:]
    if len(answers) == 1:
        return answers[0]
    works = {work.id: work for answer in answers for work in answer.works}

    def of_all(field: str) -> dict[str, str]:
        return {
            id_: said for answer in answers[::-1] for id_, said in getattr(answer, field).items()
        }

    return Answer(
        " ".join(answer.text for answer in answers),
        "; ".join(answer.understood_as for answer in answers if answer.understood_as) or None,
        tuple(works.values()),
        tuple(statement for answer in answers for statement in answer.statements),
        total=len(works),
        about=next((answer.about for answer in answers if answer.about), ()),
        notes=of_all("notes"),
        said=of_all("said"),
        derivations=of_all("derivations"),
        question=answers[0].question,
    )


def content_words(text: str) -> frozenset[str]:
    """Return the beginnings of the words of a text that say what it is about."""
    words = set(re.findall(r"[\w-]+", text.casefold()))
    return frozenset(each.removesuffix("s")[:_STEM] for each in words - STOP_WORDS)


def sentence_of(statement: Statement) -> str:
    """Return the sentence of a statement, if it has one."""
    return statement.evidence[0].text.strip() if statement.evidence else ""
