"""Profiles, as a terminal shows them."""

from collections.abc import Iterator, Sequence

from rich.console import RenderableType
from rich.table import Column, Table
from rich.text import Text

from stemma.schema import Paper, RelationType
from stemma.schema.quantity import quantity
from stemma.server.cli.rows import grid
from stemma.server.cli.terminal import of_more
from stemma.server.cli.text import quoted, sentence, title
from stemma.server.views.profile import ProfileView
from stemma.server.views.statement import EdgeView
from stemma.server.views.work import NameView

_NAMED = 10


def profile_text(view: ProfileView, first: int, after: int) -> Iterator[RenderableType]:
    """Return a profile part by part, with `first` statements after those that are skipped.

    Lists of names are whole where all statements are given.
    """
    found, work = view.model, view.model.work
    yield title(view.work, None if isinstance(work, Paper) else found.published)
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
    is_whole = after == 0 and first >= len(ordered)
    facts = _facts(view, None if is_whole else _NAMED)
    if facts.row_count:
        yield Text("")
        yield facts
    shown = ordered[after : after + first]
    for statement in shown:
        yield Text("")
        yield sentence(statement)
        yield from quoted(statement)
    end = after + len(shown)
    if end < len(ordered):
        more = of_more(len(shown), f"{len(ordered)} statements", end)
        yield Text(f"\n{more}", style="dim")


def _facts(view: ProfileView, most: int | None) -> Table:
    rows = grid(Column(style="dim", no_wrap=True), Column(overflow="fold"))

    def add(what: str, names: Sequence[str], between: str = ", ") -> None:
        shown = names if most is None else names[:most]
        if shown:
            more = f" and {len(names) - len(shown)} more (--all)" if len(names) > len(shown) else ""
            rows.add_row(Text(what), Text(between.join(shown) + more))

    found = view.model
    papers = [paper for paper in found.papers if paper.id != found.work.id]
    add("introduced by", [f"{each.title}{_dated(each)}" for each in papers], "\n")
    add("builds on", [_end(edge, edge.parent) for edge in view.builds_on], "\n")
    add("what builds on it", [_end(edge, edge.child) for edge in view.built_on_by], "\n")
    for aspect, entities in view.aspects().items():
        add(aspect.value, [each.name for each in entities])
    return rows


def _dated(paper: Paper) -> str:
    return f" ({paper.published})" if paper.published else ""


def _end(edge: EdgeView, far: NameView) -> str:
    return f"{far.name}: {edge.phrase}, {edge.confidence:.2f}"


def _facts_of_paper(paper: Paper) -> Iterator[Text]:
    counted = None if paper.author_count is None else quantity(paper.author_count, "author")
    sources = (f"{each.file}:{each.position}" for each in paper.sources)
    facts = (paper.published, counted, paper.organization, paper.venue, *sources)
    yield Text(" · ".join(str(each) for each in facts if each), style="dim")
    if paper.authors:
        yield Text(", ".join(each.name for each in paper.authors))
    for link in paper.links:
        yield Text(link, style="blue")
