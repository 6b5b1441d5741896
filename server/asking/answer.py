"""The answer to a question."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from stemma.graph import LineageDirection, Reader, Work
from stemma.schema import LINEAGE_RELATIONS, Paper, RelationType, Statement
from stemma.server.asking.naming import Names
from stemma.server.asking.question import Question
from stemma.server.asking.sentence import content_words, sentence_with

MOST_WORKS = 100
"""Works in an answer, unless another number is asked for."""
MOST_STATEMENTS = 100
_STATED = tuple(each for each in RelationType if each not in LINEAGE_RELATIONS)
"""The relations that are stated by papers alone, with a sentence."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The works that answer a question, with one line that says how it was understood.

    `text` is that line, with the number of works, or a fact. `understood_as` says in plain words
    how the question was read, None where nothing was found. `total` counts the works on all pages;
    the next one follows `end_cursor`, None on the last. `statement_total` counts the statements
    that the answer rests on, of which it has `MOST_STATEMENTS` at most. Where a lineage answers it,
    `lineage_of` and `direction` say which. `notes` say of works (ids) what puts them in their
    order, such as the number of papers, and `said` what papers say of them. `words` are what the
    question is about. `suggestions` are other questions that this graph can answer. An answer
    without works that is `final` is not followed by a search.
    """

    text: str
    understood_as: str | None = None
    works: tuple[Work, ...] = ()
    statements: tuple[Statement, ...] = ()
    suggestions: tuple[str, ...] = ()
    total: int = 0
    end_cursor: str | None = None
    statement_total: int = 0
    lineage_of: Work | None = None
    direction: LineageDirection | None = None
    notes: Mapping[str, str] = field(default_factory=dict)
    said: Mapping[str, str] = field(default_factory=dict)
    words: frozenset[str] = frozenset()
    final: bool = False

    def sentences(self, reader: Reader, works: Iterable[Work]) -> dict[str, str]:
        """Return a sentence on works (by id): of the statements of the answer, or the one of a
        paper's abstract that is most about the question, or the surest on an entity. What counts
        put in order needs none."""
        others = [e for e in works if e.id not in self.said and e.id not in self.notes]
        entities = [each.id for each in others if not isinstance(each, Paper)]
        surest = reader.statements(entities, _STATED, 1) if entities else {}
        return {
            **self.said,
            **{e.id: sentence_with(e.abstract, self.words) for e in others if isinstance(e, Paper)},
            **{
                id_: s.evidence[0].text.strip()
                for id_, of in surest.items()
                for s in of
                if s.evidence
            },
        }


@dataclass(frozen=True, slots=True)
class Asked:
    """A question that is being answered from a graph.

    Asked for are the `first` works after those `skipped`. With `correct`, names that are not known
    may be misspelt ones.
    """

    reader: Reader
    names: Names
    question: Question
    first: int = MOST_WORKS
    skipped: int = 0
    correct: bool = False

    @property
    def end(self) -> int:
        """The number of works to find, to know those that are asked for."""
        return self.skipped + self.first

    def work(self, given: Mapping[str, str], part: str = "x") -> Work | None:
        """Return the work that a part of the question names."""
        return self.names.work(given[part], self.correct) if part in given else None

    def pair(self, given: Mapping[str, str]) -> tuple[Work, Work] | None:
        """Return the two works that a question names."""
        if "xy" in given:
            return self.names.pair(given["xy"], self.correct)
        left = self.work(given)
        right = self.work(given, "y") if left else None
        return (left, right) if left and right and left.id != right.id else None

    def listed(
        self, works: Sequence[Work], understood_as: str, total: int | None = None, text: str = ""
    ) -> Answer:
        """Return the answer with the works of the window, of all that were found."""
        total = len(works) if total is None else total
        total = min(total, self.question.number or total)
        counted = f"{understood_as[:1].upper()}{understood_as[1:]}: {total:,}."
        return Answer(
            text or counted, understood_as, tuple(works[self.skipped : self.end]), total=total
        )

    def leave_out(self, every: int, kept: int, excluded: bool = False) -> None:
        """Remark how many of all that are asked about years, or what is excluded, leave out."""
        parts = ("the years" * bool(self.question.years), "what is excluded" * excluded)
        if every > kept:
            reasons = " and ".join(filter(None, parts))
            self.names.remarks[f"Left out by {reasons}: {every - kept:,}."] = None

    def finished(self, answer: Answer) -> Answer:
        """Return an answer with all that follows from its works and statements."""
        more = self.first and self.end < answer.total and answer.works
        stated = sorted(answer.statements, key=lambda each: each.confidence)
        said = {
            end: each.evidence[0].text.strip()
            for each in stated if each.evidence for end in (each.entity, each.subject)
        }  # fmt: skip
        return replace(
            answer,
            text=" ".join((answer.text, *self.names.remarks)),
            end_cursor=str(self.end) if more else None,
            statements=answer.statements[:MOST_STATEMENTS],
            statement_total=len(answer.statements),
            said={**said, **answer.said},
            words=content_words(self.question.text),
        )
