"""Answers as a terminal shows them."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Column, Table
from rich.text import Text
from rich.tree import Tree

from stemma.graph import FilterField, LineageDirection, Work
from stemma.graph.selection import spelled
from stemma.schema import Paper, PartialDate, RelationType
from stemma.schema.paper import Author
from stemma.schema.quantity import quantity
from stemma.server.cli.rows import Rows, grid
from stemma.server.views.lineage import LineageView
from stemma.server.views.statement import EdgeView, StatementView
from stemma.server.views.wording import in_section, readable
from stemma.server.views.work import AuthorView, NameView, PaperView, WorkView, work_view

if TYPE_CHECKING:
    from stemma.server.views.analysis import AnalysisView, CommunityView, LineOfDescentView
    from stemma.server.views.build import StatisticsView
    from stemma.server.views.profile import ProfileView

_MOST_AUTHORS = 3
"""Authors of a paper that are named in a list of papers."""
_KIND_STYLES = {
    "hardware": "magenta",
    "framework": "green",
    "technique": "cyan",
    "model": "yellow",
    "dataset": "blue",
    "paper": "white",
}


def tree(lineage: LineageView) -> RenderableType:
    """Return a lineage as a tree; a work with several parents is shown in full under the first.

    Works that are reached only through works of other kinds or years, which are not shown, come
    last.
    """
    downwards = lineage.direction is LineageDirection.DESCENDANTS
    edges = _edges_at(lineage, parents=downwards)
    nodes = {node.work.id: node for node in lineage.nodes}
    top = _top(lineage)
    shown = set[str]()

    def grow(work: str, branch: Tree) -> None:
        shown.add(work)
        waiting = [(work, branch)]
        for near, above in waiting:
            for edge in edges[near]:
                far = (edge.child if downwards else edge.parent).id
                if far in nodes:
                    leaf = above.add(_step(nodes[far].work, edge, again=far in shown))
                    waiting += [(far, leaf)] if far not in shown else []
                    shown.add(far)

    grow(lineage.root.id, top)
    for node in sorted(lineage.nodes, key=lambda view: view.depth):
        if node.work.id not in shown:
            steps = f"  in {quantity(node.depth, 'step')}, through what is not shown"
            text = title(node.work, node.work.published).append(steps, style="dim")
            grow(node.work.id, top.add(text))
    return top


def by_year(lineage: LineageView) -> RenderableType:
    """Return a lineage by year, in its order: each work with what it derives from."""
    downwards = lineage.direction is LineageDirection.DESCENDANTS
    edges = _edges_at(lineage, parents=not downwards)
    top = _top(lineage)
    for year, nodes in groupby(
        (node.work for node in lineage.nodes), lambda work: work.published and work.published.year
    ):
        branch = top.add(Text(str(year or "undated"), style="bold"))
        for work in nodes:
            text = title(work, work.published)
            for edge in edges[work.id]:
                line = f"{edge.child} {edge.phrase} {edge.parent}, {edge.confidence:.2f}"
                text = with_quotations(text.append(f"\n{line}", style="dim"), edge, 1)
            branch.add(text)
    return top


def _top(lineage: LineageView) -> Tree:
    """Return a tree with the root alone, which says so if that is all."""
    root = lineage.model.root
    top = Tree(title_of(root, lineage.dates.get(root.id)))
    if not lineage.total_count:
        top.add(Text(nothing(lineage.direction, lineage.emptied_by), style="dim"))
    return top


def _edges_at(lineage: LineageView, parents: bool) -> dict[str, list[EdgeView]]:
    """Return the edges of a lineage by their parents (ids), or by their children."""
    edges: dict[str, list[EdgeView]] = defaultdict(list)
    for edge in lineage.edges:
        edges[(edge.parent if parents else edge.child).id].append(edge)
    return edges


def nothing(direction: LineageDirection, emptied_by: Sequence[FilterField]) -> str:
    """Say that a lineage is empty, and which options of the command line left out what there is."""
    downwards = direction is LineageDirection.DESCENDANTS
    if emptied_by:
        # Of a flag, the second spelling leaves out: --catalogue/--no-catalogue.
        options = spelled(emptied_by, lambda each: each.on_command_line.rpartition("/")[2])
        return f"what {'builds on it' if downwards else 'it builds on'} is excluded by {options}"
    nothing = "nothing in this graph"
    return f"{nothing} builds on it" if downwards else f"it builds on {nothing}"


def papers_table(papers: Iterable[WorkView]) -> Rows:
    """Return papers as rows: date, title, first authors, id."""
    rows = Rows("date", "title", "authors", "id", may_be_below=True)
    for paper in papers:
        if isinstance(paper, PaperView):
            date, authors = Text(str(paper.published or "")), first_authors(paper.authors)
            rows.add(date, Text(paper.name), Text(authors), Text(paper.id, style="dim"))
    return rows


def first_authors(authors: Sequence[AuthorView | Author]) -> str:
    """Return the names of the first authors of a paper, and how many more there are."""
    names = ", ".join(author.name for author in authors[:_MOST_AUTHORS])
    others = len(authors) - _MOST_AUTHORS
    return f"{names} and {others} more" if others > 0 else names


def table(works: Iterable[WorkView]) -> Rows:
    """Return works as rows: name, kind, id."""
    rows = Rows("name", "kind", "id", may_be_below=True)
    for work in works:
        rows.add(Text(work.name), kind(work), Text(work.id, style="dim"))
    return rows


def statistics_table(statistics: "StatisticsView") -> Table:
    """Return the size of a graph as rows."""
    rows = grid(Column(justify="right"), Column())
    rows.add_row(str(statistics.papers), "papers")
    rows.add_row(str(statistics.entities), "entities")
    for kinds in statistics.entities_by_kind:
        rows.add_row(str(kinds.count), f"  {kinds.kind}", style="dim")
    rows.add_row(str(statistics.statements), "statements")
    for count in statistics.statements_by_relation:
        rows.add_row(str(count.count), f"  {count.relation.words}", style="dim")
    rows.add_row(str(statistics.lineage_edges), "lineage edges")
    rows.add_row(str(statistics.decisions), "decisions")
    return rows


def _step(work: WorkView, edge: EdgeView, again: bool) -> RenderableType:
    text = title(work, work.published)
    text.append(f"  {edge.phrase}, {edge.confidence:.2f}", style="dim")
    if edge.anachronism:
        text.append("  older than its parent?", style="red")
    if again:
        return text.append("  (see above)", style="dim")
    return with_quotations(text, edge, 2, catalogue=True)


def edge_line(edge: EdgeView) -> RenderableType:
    """Return an edge on a line, and its best sentence below."""
    child, parent = ((view.name, "bold") for view in (edge.child, edge.parent))
    sure = (f"  {edge.confidence:.2f}", "dim")
    text = Text.assemble("  + ", child, f" {edge.phrase} ", parent, sure)
    return Group(text, *(Padding(quotation, (0, 0, 0, 6)) for quotation in _quotations(edge)[:1]))


def with_quotations(text: Text, edge: EdgeView, most: int, catalogue: bool = False) -> Text:
    """Add the best sentences of an edge below a text, and if it is in the `catalogue` that."""
    if catalogue and edge.in_catalogue:
        text.append("\n").append("(from the catalogue)", style="dim")
    for quotation in _quotations(edge)[:most]:
        text.append("\n").append(quotation)
    return text


def _quotations(edge: EdgeView) -> list[Text]:
    """Return the best sentence of each statement of an edge, each once, with its paper."""
    found: dict[tuple[str, str, str], Text] = {}
    for evidence, paper in (
        (e, statement.paper) for statement in edge.statements for e in statement.evidence[:1]
    ):
        text = Text().append(f"“{readable(evidence.text)}”", style="not bold italic default")
        source = paper.name if paper and paper.name != evidence.text else ""
        if source:
            text.append(f"\n— {source}{in_section(evidence.section)}", style="dim")
        found.setdefault((evidence.text, source, evidence.section or ""), text)
    return [*found.values()]


def title(work: WorkView, published: PartialDate | None = None) -> Text:
    """Return a work's name with what it is, and when it was published."""
    facts = f"{work.kind_name}, {published}" if published else work.kind_name
    style = f"not bold {_KIND_STYLES[work.kind_name]}"
    return Text(work.name, style="bold").append(f" ({facts})", style=style)


def title_of(work: Work, published: PartialDate | None = None) -> Text:
    """Return the title of a work of the graph."""
    return title(work_view(work, None, {}), published)


def kind(work: WorkView) -> Text:
    """Return what a work is, in its colour."""
    return Text(work.kind_name, style=_KIND_STYLES[work.kind_name])


def sentence(statement: StatementView) -> Text:
    """Return a statement as a sentence, with its confidence.

    That of a mere mention is left out: however low it is, the sentence has the name.
    """
    relation = (f" {statement.relation.words} ", "bold")
    text = Text.assemble(statement.subject.name, relation, statement.entity.name)
    if statement.comparison:
        text.append(f": {statement.comparison}")
    is_mention = statement.relation is RelationType.MENTIONS
    remarks = [] if is_mention else [f"{statement.confidence:.2f}"]
    remarks += ["from the catalogue"] if statement.paper is None else []
    remarks += ["confirmed"] if statement.confirmed else []
    return text.append(f"  {', '.join(remarks)}" if remarks else "", style="dim")


def quoted(statement: StatementView) -> Iterator[RenderableType]:
    """Yield the best sentence of a statement, if it has one, below `sentence`."""
    for evidence in statement.evidence[:1]:
        text = Text(f"“{readable(evidence.text)}”{in_section(evidence.section)}", style="italic")
        yield Padding(text, (0, 0, 0, 2), expand=False)


_NAMED, MOST_STATEMENTS = 10, 20


def profile_text(view: "ProfileView", every: bool) -> Iterator[RenderableType]:
    """Return a profile part by part, with some statements and names or `every` one."""
    profile, work = view.model, view.model.work
    yield title(view.work, None if isinstance(work, Paper) else profile.published)
    yield Text(work.id, style="dim")
    if isinstance(work, Paper):
        yield from _facts_of_paper(work)
    else:
        if work.aliases:
            yield Text(f"also {', '.join(work.aliases)}")
        broader = [view.named[each].name for each in work.broader if each in view.named]
        if broader:
            yield Text(f"a kind of {', '.join(broader)}")
    ordered = sorted(view.statements, key=lambda each: list(RelationType).index(each.relation))
    shown = ordered if every else ordered[:MOST_STATEMENTS]
    facts = _facts(view, _NAMED if len(shown) < len(ordered) else None)
    if facts.row_count:
        yield Text("")
        yield facts
    for statement in shown:
        yield Text("")
        yield sentence(statement)
        yield from quoted(statement)
    if len(shown) < len(ordered):
        more = f"\n{len(shown)} of {len(ordered)} statements; there are more (--all)"
        yield Text(more, style="dim")


def _facts(view: "ProfileView", most: int | None) -> Table:
    rows = grid(Column(style="dim", no_wrap=True), Column(overflow="fold"))

    def add(what: str, names: Sequence[str], between: str = ", ") -> None:
        shown = names if most is None else names[:most]
        if shown:
            more = f" and {len(names) - len(shown)} more (--all)" if len(names) > len(shown) else ""
            rows.add_row(Text(what), Text(between.join(shown) + more))

    profile = view.model
    papers = [paper for paper in profile.papers if paper.id != profile.work.id]
    add("introduced by", [_dated(paper) for paper in papers], "\n")
    add("builds on", [_end(edge, edge.parent) for edge in view.builds_on], "\n")
    add("what builds on it", [_end(edge, edge.child) for edge in view.built_on_by], "\n")
    for aspect, entities in view.aspects().items():
        add(aspect.value, [entity.name for entity in entities])
    return rows


def _dated(paper: Paper) -> str:
    return f"{paper.title} ({paper.published})" if paper.published else paper.title


def _end(edge: EdgeView, far: NameView) -> str:
    return f"{far.name}: {edge.phrase}, {edge.confidence:.2f}"


def _facts_of_paper(paper: Paper) -> Iterator[Text]:
    counted = None if paper.author_count is None else quantity(paper.author_count, "author")
    sources = (f"{source.file}:{source.position}" for source in paper.sources)
    facts = (paper.published, counted, paper.organization, paper.venue, *sources)
    yield Text(" · ".join(str(fact) for fact in facts if fact), style="dim")
    if paper.authors:
        yield Text(", ".join(author.name for author in paper.authors))
    for link in paper.links:
        yield Text(link, style="blue")


_WIDEST = 24


def report_text(report: "AnalysisView") -> Iterator[RenderableType]:
    """Return the report, part by part."""
    if not report.influential and not report.years:
        yield Text("Nothing to analyse: the graph has no lineage and no dated papers.", style="dim")
        return
    if report.influential:
        yield _heading("Most influential", "PageRank over the lineage")
        yield _influential(report)
        yield _heading("\nLongest lines of descent", "oldest first")
        yield from (_line(line) for line in report.lines_of_descent)
        yield _heading("\nCommunities", "more lineage among them than with others")
        yield from (_community(community) for community in report.communities)
    if report.years:
        built_on = "papers; new entities with descendants ← what they build on"
        yield _heading("\nYear by year", built_on)
        yield _years(report)


def _heading(words: str, explanation: str) -> Text:
    return Text.assemble((words, "bold"), (f"  {explanation}", "dim"))


def _influential(report: "AnalysisView") -> Table:
    bars = Column(no_wrap=True, style="green")
    rows = grid(Column(justify="right"), bars, Column(overflow="fold"), Column(style="dim"))
    most = report.influential[0].share
    for view in report.influential:
        bar = _bar(_WIDEST * view.share / most)
        children = quantity(view.children, "child", "children")
        derived = f"{children}, {quantity(view.descendants, 'descendant')}"
        rows.add_row(f"{view.share:.1%}", bar, Text(view.work.name, style="bold"), derived)
    return rows


def _line(line: "LineOfDescentView") -> Text:
    steps = (" ⇄ ".join(work.name for work in step) for step in line.steps)
    return Text.assemble((f"{len(line.steps):>2} ", "dim"), " → ".join(steps))


def _community(community: "CommunityView") -> Text:
    named = community.name.split(", ")
    others = ", ".join(work.name for work in community.works if work.name not in named)
    more = " …" if community.size > len(community.works) else ""
    return Text.assemble(
        (f"{community.size:>4} ", "dim"),
        (community.name, "bold"),
        (f"  {others}" * bool(others) + more, "dim"),
        no_wrap=True,
        overflow="ellipsis",
    )


def _years(report: "AnalysisView") -> Table:
    years, papers = (Column(justify="right", style=each) for each in ("bold", "dim"))
    rows = grid(years, Column(no_wrap=True, style="green"), papers, Column(overflow="fold"))
    most = max(year.papers for year in report.years)
    for year in report.years:
        bar = _bar(min(_WIDEST, most) * year.papers / most)
        works = Text(", ".join(work.name for work in year.new))
        if year.built_on:
            works.append(f" ← {', '.join(work.name for work in year.built_on)}", style="dim")
        rows.add_row(str(year.year), bar, str(year.papers), works)
    return rows


def _bar(length: float) -> str:
    return "█" * max(1, round(length))
