"""Questions that put two works side by side."""

from dataclasses import dataclass

from stemma.graph import Reader, Work, kind_of
from stemma.graph.comparing import Aspect, Side, SideBySide, compare
from stemma.schema import EntityKind
from stemma.server.asking import graphql
from stemma.server.asking.answer import Answer, Window
from stemma.server.asking.path import in_words
from stemma.server.asking.wording import evidence, joined, quoted

_SHOWN = 4


@dataclass(frozen=True, slots=True)
class ComparisonQuestion:
    """What `left` and `right` share, what each has alone, and the statements about both."""

    left: Work
    right: Work

    @property
    def understood_as(self) -> str:
        return f"{quoted(self.left)} and {quoted(self.right)} side by side"

    @property
    def query(self) -> str:
        arguments = {"left": self.left.id, "right": self.right.id}
        return graphql.query(graphql.field("compare", graphql.SIDE_BY_SIDE, arguments))

    def answer(self, reader: Reader, window: Window) -> Answer:
        found = compare(reader, self.left.id, self.right.id)
        works = tuple({work.id: work for work in (self.left, self.right)}.values())
        return Answer(
            self._sentence(reader, found) + evidence(reader, found.statements),
            self.query,
            self.understood_as,
            works,
            found.statements,
            (f"how is {quoted(self.left)} related to {quoted(self.right)}?",),
        )

    def _sentence(self, reader: Reader, found: SideBySide) -> str:
        sentences = [_presented(found.left, found.right)]
        if found.lineage.edges:
            sentences.append(in_words(found.lineage.edges, reader.works(found.lineage.works)))
        shared = [
            f"the {_noun(aspect, len(both.shared))} "
            f"{joined([each.name for each in both.shared[:_SHOWN]], 'and')}"
            for aspect, both in found.aspects.items()
            if both.shared and aspect is not Aspect.BASELINES
        ]
        baselines = found.aspects[Aspect.BASELINES].shared
        if shared:
            sentences.append(f"They share {'; '.join(shared)}.")
        if baselines:
            both = joined([each.name for each in baselines[:_SHOWN]], "and")
            sentences.append(f"Both are compared with {both}.")
        if not shared and not baselines:
            sentences.append(
                "No shared hardware, frameworks, techniques, models, datasets or baselines found."
            )
        for statement in found.statements:
            if statement.comparison:
                child = self.left if statement.entity == self.right.id else self.right
                other = self.right if child is self.left else self.left
                sentences.append(
                    f"{quoted(child)} against {quoted(other)}: {statement.comparison}."
                )
                break
        return " ".join(sentences)


def _presented(left: Side, right: Side) -> str:
    kinds = kind_of(left.work), kind_of(right.work)
    if kinds[0] == kinds[1]:
        plural = kinds[0] if kinds[0] == EntityKind.HARDWARE else f"{kinds[0]}s"
        return f"{_dated(left)} and {_dated(right)} are {plural}."
    first, second = (each if each == EntityKind.HARDWARE else f"a {each}" for each in kinds)
    return f"{_dated(left)} is {first}, and {_dated(right)} is {second}."


def _dated(side: Side) -> str:
    year = f" ({side.published.year})" if side.published and side.published.year else ""
    return f"{quoted(side.work)}{year}"


def _noun(aspect: Aspect, count: int) -> str:
    return aspect.value if count != 1 else aspect.value.removesuffix("s")
