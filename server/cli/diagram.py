"""Lineages as diagrams: Mermaid for documents, DOT for Graphviz."""

from collections.abc import Iterator

from stemma.server.views.lineage import LineageView


def mermaid(lineage: LineageView) -> str:
    """Return a lineage as a Mermaid flowchart, the older works above."""
    lines = ["flowchart TD"]
    for number, name in enumerate(_names(lineage).values()):
        shown = name.replace("#", "#35;").replace('"', "#quot;")
        lines.append(f'    n{number}["{shown}"]')
    for parent, child, label in _edges(lineage):
        lines.append(f'    n{parent} -->|"{label}"| n{child}')
    return "\n".join(lines)


def dot(lineage: LineageView) -> str:
    """Return a lineage as a Graphviz digraph, the older works above."""
    lines = ["digraph lineage {", "  node [shape=box, style=rounded];"]
    for number, name in enumerate(_names(lineage).values()):
        shown = name.replace("\\", "\\\\").replace('"', '\\"')
        lines.append(f'  n{number} [label="{shown}"];')
    lines += (
        f'  n{parent} -> n{child} [label="{label}"];' for parent, child, label in _edges(lineage)
    )
    return "\n".join([*lines, "}"])


def _names(lineage: LineageView) -> dict[str, str]:
    """Return the names of works by id, the root first."""
    works = (lineage.root, *(node.work for node in lineage.nodes))
    ends = (end for edge in lineage.edges for end in (edge.child, edge.parent))
    return {each.id: each.name for each in (*works, *ends)}


def _edges(lineage: LineageView) -> Iterator[tuple[int, int, str]]:
    """Yield the numbers of parents and children, with their relations in words."""
    numbers = {id_: number for number, id_ in enumerate(_names(lineage))}
    for edge in lineage.edges:
        label = " and ".join(relation.words for relation in edge.relations)
        yield numbers[edge.parent.id], numbers[edge.child.id], label
