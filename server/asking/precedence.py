"""Questions for which of two works appeared first."""

from dataclasses import dataclass

from stemma.graph import Reader, Work
from stemma.schema import PartialDate
from stemma.schema.quantity import quantity
from stemma.server.asking import graphql
from stemma.server.asking.answer import Answer, Window
from stemma.server.asking.wording import joined, quoted


@dataclass(frozen=True, slots=True)
class PrecedenceQuestion:
    """Which of `left` and `right` appeared first.

    `expected` asks whether the left one appeared "before" the right one, or "after" it.
    """

    left: Work
    right: Work
    expected: str | None = None

    @property
    def understood_as(self) -> str:
        if self.expected:
            return f"whether {quoted(self.left)} appeared {self.expected} {quoted(self.right)}"
        return f"which of {quoted(self.left)} and {quoted(self.right)} appeared first"

    @property
    def query(self) -> str:
        return graphql.works([work.id for work in self._works])

    @property
    def _works(self) -> tuple[Work, ...]:
        return tuple({work.id: work for work in (self.left, self.right)}.values())

    def answer(self, reader: Reader, window: Window) -> Answer:
        dates = reader.published([work.id for work in self._works])
        return Answer(
            self._sentence(dates.get(self.left.id), dates.get(self.right.id)),
            self.query,
            self.understood_as,
            self._works,
            suggestions=(f"compare {quoted(self.left)} and {quoted(self.right)}",),
            notes={id_: str(date) for id_, date in dates.items()},
        )

    def _sentence(self, left: PartialDate | None, right: PartialDate | None) -> str:
        if len(self._works) == 1:
            return f"Both are the same: {quoted(self.left)}."
        undated = [
            quoted(work)
            for work, date in ((self.left, left), (self.right, right))
            if not date or not date.year
        ]
        if not left or not right or undated:
            return f"It is not known when {joined(undated, 'and when')} appeared."
        if not left.is_after(right) and not right.is_after(left):
            return f"{quoted(self.left)} and {quoted(self.right)} both appeared in {left.year}."
        first, second = (self.left, left), (self.right, right)
        verdict = f"{'Yes' if self.expected == 'before' else 'No'}: "
        if left.is_after(right):
            first, second = second, first
            verdict = f"{'Yes' if self.expected == 'after' else 'No'}: "
        years = (second[1].year or 0) - (first[1].year or 0)
        gap = f"{quantity(years, 'year')} before" if years else "before"
        sentence = f"{_dated(*first)} appeared {gap} {_dated(*second)}."
        return f"{verdict}{sentence}" if self.expected else sentence


def _dated(work: Work, date: PartialDate) -> str:
    return f"{quoted(work)} ({date})"
