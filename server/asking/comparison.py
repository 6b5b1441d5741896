"""Questions that put two works side by side."""

from dataclasses import dataclass

from stemma.graph import Reader, Work
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
        sentences = [f"{_presented(found.left)}, {_presented(found.right)}."]
        if found.lineage.edges:
            sentences.append(in_words(found.lineage.edges, reader.works(found.lineage.works)))
        shared = [
            f"{aspect.value} {joined([each.name for each in both.shared[:_SHOWN]], 'and')}"
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
                sentences.append(f"Measured against each other: {statement.comparison}.")
                break
        return " ".join(sentences)


def _presented(side: Side) -> str:
    work = side.work
    year = f" ({side.published.year})" if side.published and side.published.year else ""
    kind = getattr(work, "kind", None)
    noun = f" is a {kind.value}" if isinstance(kind, EntityKind) else " is a paper"
    if kind is EntityKind.HARDWARE:
        noun = " is hardware"
    return f"{quoted(work)}{year}{noun}"
