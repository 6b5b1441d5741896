"""The answer to a question."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from stemma.graph import Page, Reader, Work
from stemma.schema import LINEAGE_RELATIONS, Paper, RelationType, Statement
from stemma.server.asking.question import STOP_WORDS

MOST_WORKS = 100
"""Works in an answer, unless another number is asked for."""
_STATED = tuple(each for each in RelationType if each not in LINEAGE_RELATIONS)
"""The relations that are stated by papers alone, with a sentence."""
ENDS = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")
_OWN = re.compile("(?:We|Our|This|In this|Here,? we) ")
STEM = 6
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
    only the catalogue does; `derivations` what works of a lineage build on. `words` are what the
    question is about. `suggestions` are other questions that this graph can answer.
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
    words: frozenset[str] = frozenset()

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
        others = [e for e in works if not self.said.get(e.id) and e.id not in self.notes]
        said = {e.id: self._sentence_in(e.abstract) for e in others if isinstance(e, Paper)}
        for relations in ((RelationType.INTRODUCES,), _STATED):
            entities = [each.id for each in others if each.id not in said]
            surest = reader.statements(entities, relations, 1) if entities else {}
            said |= {id_: sentence_of(each) for id_, own in surest.items() for each in own}
            others = [each for each in others if each.id not in self.said]
        return {id_: each for id_, each in {**self.said, **said}.items() if each}

    def _sentence_in(self, text: str) -> str:
        """Return the sentence of a text that has most words of the question; of equal ones, the
        first that says what its authors do."""
        return max(
            ENDS.split(text),
            key=lambda each: (len(self.words & content_words(each)), bool(_OWN.match(each))),
        ).strip()


def joint(answers: Sequence[Answer]) -> Answer:
    """Return the answers to the clauses of a question as one, without further pages."""
    if len(answers) == 1:
        return answers[0]
    works = {work.id: work for each in answers for work in each.works}

    def of_all(field: str) -> dict[str, str]:
        return {id_: said for each in answers[::-1] for id_, said in getattr(each, field).items()}

    return Answer(
        " ".join(each.text for each in answers),
        "; ".join(each.understood_as for each in answers if each.understood_as) or None,
        tuple(works.values()),
        tuple(statement for each in answers for statement in each.statements),
        total=len(works),
        about=next((each.about for each in answers if each.about), ()),
        notes=of_all("notes"),
        said=of_all("said"),
        derivations=of_all("derivations"),
        words=frozenset().union(*(each.words for each in answers)),
    )


def content_words(text: str) -> frozenset[str]:
    """Return the beginnings of the words of a text that say what it is about."""
    words = set(re.findall(r"[\w-]+", text.casefold()))
    return frozenset(each.removesuffix("s")[:STEM] for each in words - STOP_WORDS)


def sentence_of(statement: Statement) -> str:
    """Return the sentence of a statement, if it has one."""
    return statement.evidence[0].text.strip() if statement.evidence else ""
