"""Lineages as flowcharts of Mermaid, for documents."""

from stemma.server.views.lineage import LineageView


def mermaid(lineage: LineageView) -> str:
    """Return a lineage as a Mermaid flowchart, the older works above."""
    works = (lineage.root, *(node.work for node in lineage.nodes))
    ends = (end for edge in lineage.edges for end in (edge.child, edge.parent))
    names = {each.id: each.name for each in (*works, *ends)}
    numbers = {id_: number for number, id_ in enumerate(names)}
    lines = ["flowchart TD"]
    for id_, name in names.items():
        shown = name.replace("#", "#35;").replace('"', "#quot;")
        lines.append(f'    n{numbers[id_]}["{shown}"]')
    for edge in lineage.edges:
        label = " and ".join(relation.words for relation in edge.relations)
        lines.append(f'    n{numbers[edge.parent.id]} -->|"{label}"| n{numbers[edge.child.id]}')
    return "\n".join(lines)
