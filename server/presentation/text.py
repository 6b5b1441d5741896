"""Answers as a terminal shows them."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from stemma.graph import (
    Lineage,
    LineageDirection,
    LineageEdge,
    LineageNode,
    Statistics,
    Work,
    kind_of,
)
from stemma.schema import CATALOGUE_ORIGIN, Paper, RelationType, Statement
from stemma.schema.quantity import quantity
from stemma.server.presentation.rows import Rows
from stemma.server.presentation.wording import (
    in_section,
    nothing,
    readable,
    relation_phrase,
)

_MOST_AUTHORS = 3
_KIND_STYLES = {
    "hardware": "magenta",
    "framework": "green",
    "technique": "cyan",
    "model": "yellow",
    "dataset": "blue",
    "paper": "white",
}


def tree(lineage: Lineage, works: Mapping[str, Work]) -> RenderableType:
    """Return a lineage as a tree; a work with several parents is shown in full under the first.

    Works that are reached only through works of other kinds or years, which are not shown, come
    last.
    """
    downwards = lineage.direction is LineageDirection.DESCENDANTS
    edges: dict[str, list[LineageEdge]] = defaultdict(list)
    for edge in lineage.edges:
        edges[edge.parent if downwards else edge.child].append(edge)
    nodes = {node.work.id: node for node in lineage.nodes}
    top = Tree(title(lineage.root))
    if not lineage.nodes:
        top.add(Text(nothing(lineage.direction, lineage.emptied_by), style="dim"))
        return top
    shown = {lineage.root.id}

    def grow(level: list[tuple[str, Tree]]) -> None:
        while level:
            below = []
            for work, branch in level:
                for edge in edges[work]:
                    far = edge.child if downwards else edge.parent
                    if far not in nodes:
                        continue
                    leaf = branch.add(_step(nodes[far], edge, works, again=far in shown))
                    if far not in shown:
                        shown.add(far)
                        below.append((far, leaf))
            level = below

    grow([(lineage.root.id, top)])
    for node in sorted(lineage.nodes, key=lambda each: each.depth):
        if node.work.id not in shown:
            shown.add(node.work.id)
            grow([(node.work.id, top.add(_through_others(node)))])
    return top


def by_year(lineage: Lineage, works: Mapping[str, Work]) -> RenderableType:
    """Return a lineage by year, in its order: each work with what it derives from."""
    downwards = lineage.direction is LineageDirection.DESCENDANTS
    edges: dict[str, list[LineageEdge]] = defaultdict(list)
    for edge in lineage.edges:
        edges[edge.child if downwards else edge.parent].append(edge)
    top = Tree(title(lineage.root))
    if not lineage.nodes:
        top.add(Text(nothing(lineage.direction, lineage.emptied_by), style="dim"))
    for year, nodes in groupby(lineage.nodes, lambda each: each.published and each.published.year):
        branch = top.add(Text(str(year or "undated"), style="bold"))
        for node in nodes:
            text = title(node.work, str(node.published) if node.published else None)
            for edge in edges[node.work.id]:
                ends = (
                    works[end].name if end in works else end for end in (edge.child, edge.parent)
                )
                line = f" {relation_phrase(edge)} ".join(ends)
                text.append(f"\n{line}, {edge.confidence:.2f}", style="dim")
                for quotation in quotations(edge, works)[:1]:
                    text.append("\n").append(quotation)
            branch.add(text)
    return top


def _through_others(node: LineageNode) -> Text:
    text = title(node.work, str(node.published) if node.published else None)
    steps = quantity(node.depth, "step")
    return text.append(f"  in {steps}, through works that are not shown", style="dim")


def papers_table(papers: Sequence[Work]) -> Rows:
    """Return papers as rows: date, title, first authors, id."""
    rows = Rows("date", "title", "authors", "id", may_be_below=True)
    for paper in papers:
        if isinstance(paper, Paper):
            names = ", ".join(each.name for each in paper.authors[:_MOST_AUTHORS])
            more = " …" if len(paper.authors) > _MOST_AUTHORS else ""
            date = Text(str(paper.published or ""))
            rows.add(date, Text(paper.title), Text(names + more), Text(paper.id, style="dim"))
    return rows


def table(works: Sequence[Work]) -> Rows:
    """Return works as rows: name, kind, id."""
    rows = Rows("name", "kind", "id", may_be_below=True)
    for work in works:
        rows.add(Text(work.name), kind(work), Text(work.id, style="dim"))
    return rows


def statistics_table(statistics: Statistics) -> Table:
    """Return the size of a graph as rows."""
    rows = Table(box=None, pad_edge=False, show_header=False)
    rows.add_column(justify="right")
    rows.add_column()
    rows.add_row(str(statistics.papers), "papers")
    rows.add_row(str(statistics.entities), "entities")
    for kind, count in statistics.by_kind.items():
        rows.add_row(Text(str(count), style="dim"), Text(f"  {kind.value}", style="dim"))
    rows.add_row(str(statistics.statements), "statements")
    for relation, count in statistics.by_relation.items():
        rows.add_row(Text(str(count), style="dim"), Text(f"  {relation.words}", style="dim"))
    rows.add_row(str(statistics.lineage_edges), "lineage edges")
    rows.add_row(str(statistics.decisions), "decisions")
    return rows


def _step(
    node: LineageNode, edge: LineageEdge, works: Mapping[str, Work], again: bool
) -> RenderableType:
    text = title(node.work, str(node.published) if node.published else None)
    text.append(f"  {relation_phrase(edge)}, {edge.confidence:.2f}", style="dim")
    if edge.anachronism:
        text.append("  older than its parent?", style="red")
    if again:
        text.append("  (see above)", style="dim")
        return text
    if edge.in_catalogue:
        text.append("\n").append(FROM_CATALOGUE)
    for quotation in quotations(edge, works)[:2]:
        text.append("\n").append(quotation)
    return text


def edge_line(edge: LineageEdge, works: Mapping[str, Work]) -> RenderableType:
    """Return an edge on a line, and its best sentence below."""
    child, parent = (works[end].name if end in works else end for end in (edge.child, edge.parent))
    text = Text("  + ").append(child, style="bold")
    text.append(f" {relation_phrase(edge)} ")
    text.append(parent, style="bold").append(f"  {edge.confidence:.2f}", style="dim")
    return Group(text, *(Padding(each, (0, 0, 0, 6)) for each in quotations(edge, works)[:1]))


FROM_CATALOGUE = Text("(from the catalogue)", style="dim")


def quotations(edge: LineageEdge, works: Mapping[str, Work]) -> list[Text]:
    """Return the best sentence of each statement of an edge, each once, with its paper."""
    quoted = {
        (
            each.evidence[0].text,
            works[each.subject].name if each.subject in works else None,
            each.evidence[0].section,
        ): None
        for each in edge.statements
        if each.evidence
    }
    found = []
    for sentence, paper, section in quoted:
        text = Text().append(f"“{readable(sentence)}”", style="not bold italic default")
        if paper and paper != sentence:
            text.append(f"\n— {paper}{f', {section}' if section else ''}", style="dim")
        found.append(text)
    return found


def title(work: Work, published: str | None = None) -> Text:
    """Return a work's name with what it is, and when it was published."""
    text = Text(work.name, style="bold")
    facts = [kind(work).plain, *([published] if published else [])]
    text.append(f" ({', '.join(facts)})", style=f"not bold {_KIND_STYLES[kind(work).plain]}")
    return text


def kind(work: Work) -> Text:
    """Return what a work is, in its colour."""
    named = kind_of(work)
    return Text(named, style=_KIND_STYLES[named])


def sentence(statement: Statement, works: Mapping[str, Work]) -> Text:
    """Return a statement as a sentence, with its confidence.

    That of a mere mention is left out: however low it is, the sentence has the name.
    """
    subject, entity = works.get(statement.subject), works.get(statement.entity)
    text = Text(subject.name if subject else statement.subject)
    text.append(f" {statement.relation.words} ", style="bold")
    text.append(entity.name if entity else statement.entity)
    is_mention = statement.relation is RelationType.MENTIONS
    remarks = [] if is_mention else [f"{statement.confidence:.2f}"]
    if statement.origin == CATALOGUE_ORIGIN:
        remarks.append("from the catalogue")
    if statement.confirmed:
        remarks.append("confirmed")
    if statement.comparison:
        text.append(f": {statement.comparison}")
    return text.append(f"  {', '.join(remarks)}" if remarks else "", style="dim")


def quoted(statement: Statement) -> Iterator[RenderableType]:
    """Yield the best sentence of a statement, if it has one, below `sentence`."""
    for evidence in statement.evidence[:1]:
        text = Text(f"“{readable(evidence.text)}”{in_section(evidence)}", style="italic")
        yield Padding(text, (0, 0, 0, 2), expand=False)
