"""Lineages as diagrams: Mermaid for documents, DOT for Graphviz."""

from stemma.server.views.edge import EdgeView
from stemma.server.views.lineage import LineageView


def mermaid(lineage: LineageView) -> str:
    """Return a lineage as a Mermaid flowchart, the older works above."""
    numbers = _numbers(lineage)
    lines = ["flowchart TD"]
    for work, number in numbers.items():
        name = _name(work, lineage).replace("#", "#35;").replace('"', "#quot;")
        lines.append(f'    n{number}["{name}"]')
    for edge in lineage.edges:
        child, parent = numbers[edge.child.id], numbers[edge.parent.id]
        lines.append(f'    n{parent} -->|"{_label(edge)}"| n{child}')
    return "\n".join(lines)


def dot(lineage: LineageView) -> str:
    """Return a lineage as a Graphviz digraph, the older works above."""
    numbers = _numbers(lineage)
    lines = ["digraph lineage {", "  node [shape=box, style=rounded];"]
    for work, number in numbers.items():
        name = _name(work, lineage).replace("\\", "\\\\").replace('"', '\\"')
        lines.append(f'  n{number} [label="{name}"];')
    for edge in lineage.edges:
        child, parent = numbers[edge.child.id], numbers[edge.parent.id]
        lines.append(f'  n{parent} -> n{child} [label="{_label(edge)}"];')
    return "\n".join([*lines, "}"])


def _numbers(lineage: LineageView) -> dict[str, int]:
    ids = [lineage.root.id, *(node.work.id for node in lineage.nodes)]
    ids += [each for edge in lineage.edges for each in (edge.child.id, edge.parent.id)]
    return {work: number for number, work in enumerate(dict.fromkeys(ids))}


def _name(work: str, lineage: LineageView) -> str:
    if work == lineage.root.id:
        return lineage.root.name
    return lineage.named[work].name if work in lineage.named else work


def _label(edge: EdgeView) -> str:
    return " and ".join(relation.words for relation in edge.relations)
