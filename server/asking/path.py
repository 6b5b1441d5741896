"""Questions for how two works are related."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from stemma.graph import LineageEdge, Reader, Work
from stemma.graph.path import Path, find_path
from stemma.schema import RelationType
from stemma.server.asking import graphql
from stemma.server.asking.answer import Answer, Window
from stemma.server.asking.papers import PaperQuestion, Term
from stemma.server.asking.wording import evidence, quoted


@dataclass(frozen=True, slots=True)
class PathQuestion:
    """How `start` and `goal` are related; `derives` asks whether one comes of the other."""

    start: Work
    goal: Work
    derives: bool = False

    @property
    def understood_as(self) -> str:
        if self.derives:
            return (
                f"whether {quoted(self.start)} builds on {quoted(self.goal)}, in any number of "
                "steps"
            )
        return f"the shortest path from {quoted(self.start)} to {quoted(self.goal)}"

    @property
    def query(self) -> str:
        arguments = {"from": self.start.id, "to": self.goal.id}
        return graphql.query(graphql.field("path", graphql.PATH, arguments))

    def answer(self, reader: Reader, window: Window) -> Answer:
        """Find the way, else the papers that name both."""
        path = find_path(reader, self.start.id, self.goal.id)
        edges = path.edges
        if not edges:
            return self._without_way(reader, window)
        works = reader.works(path.works)
        statements = [each for edge in edges for each in edge.statements]
        return Answer(
            self._verdict(path) + in_words(edges, works) + evidence(reader, edges[0].statements),
            self.query,
            self.understood_as,
            tuple(works.values()),
            tuple(statements),
        )

    def _verdict(self, path: Path) -> str:
        if not self.derives:
            return ""
        children = [edge.child for edge in path.edges]
        compared = any(RelationType.COMPARES_WITH in edge.relations for edge in path.edges)
        if compared or children != path.works[:-1]:
            return "Not in this graph, but they are related: "
        return "Yes: " if len(children) == 1 else f"Yes, in {len(children)} steps: "

    def _without_way(self, reader: Reader, window: Window) -> Answer:
        if self.start.id == self.goal.id:
            query = graphql.works([self.start.id])
            text = f"Both are the same: {quoted(self.start)}."
            return Answer(text, query, self.understood_as, (self.start,))
        both = PaperQuestion((Term(self.start), Term(self.goal))).answer(reader, window)
        text = (
            f"Neither lineage nor comparisons connect {quoted(self.start)} to "
            f"{quoted(self.goal)} in this graph. {both.text}"
        )
        return replace(both, text=text, understood_as=self.understood_as)


def in_words(edges: Sequence[LineageEdge], works: Mapping[str, Work]) -> str:
    """Return "A improves on B, which builds on C." with as many sentences as there are turns."""
    steps = []
    for edge in edges:
        child, parent = quoted(works[edge.child]), quoted(works[edge.parent])
        relations = " and ".join(_OF_ONE[relation] for relation in edge.relations)
        source = " (from the catalogue)" if edge.only_in_catalogue else ""
        steps.append(f"{child} {relations} {parent}{source}")
    return "; ".join(steps) + "."


_OF_ONE = {
    RelationType.BUILDS_ON: "builds on",
    RelationType.IMPROVES_ON: "improves on",
    RelationType.COMPARES_WITH: "compares with",
}
