"""The answer to a question."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from stemma.graph import Reader, Work
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
    `lineage_of` says of what. `notes` say of works (ids) what puts them in their order, such as the
    number of papers, and `said` what papers say of them. `words` are what the question is about.
    `suggestions` are other questions that this graph can answer.
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
    notes: Mapping[str, str] = field(default_factory=dict)
    said: Mapping[str, str] = field(default_factory=dict)
    words: frozenset[str] = frozenset()

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
    """A question that is being answered from a graph: for the `first` works after `skipped`."""

    reader: Reader
    names: Names
    question: Question
    first: int = MOST_WORKS
    skipped: int = 0

    @property
    def end(self) -> int:
        """The number of works to find, to know those that are asked for."""
        return self.skipped + self.first

    def listed(
        self,
        works: Sequence[Work],
        understood_as: str,
        total: int | None = None,
        text: str = "",
        named: Sequence[Work] = (),
    ) -> Answer:
        """Return the answer with the works of the window, of all that were found; those that the
        question named are before them, and are not counted in its text."""
        total = len(works) if total is None else total
        total = min(total, self.question.number or total)
        counted = f"{understood_as[:1].upper()}{understood_as[1:]}: {total:,}."
        shown = tuple([*named, *works][self.skipped : self.end])
        return Answer(text or counted, understood_as, shown, total=total + len(named))

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
