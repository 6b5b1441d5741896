"""Feeds of papers: of the whole graph, on a work, and of what descends from a work."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from stemma.graph import LineageDirection, PageOrder, Reader, WorkFilter, WorkType
from stemma.graph.lineage import edges_within, traverse
from stemma.schema import Paper, PartialDate, RelationType, Statement
from stemma.schema.identifier import PAPER
from stemma.server.views.wording import readable
from stemma.server.views.work import links

MOST_ENTRIES = 50
_MOST_DESCENDANTS = 200
"""Of a lineage the newest works whose papers are read."""
_MOST_SENTENCES = 5
_DEPTH = 3
_TELLING = (RelationType.INTRODUCES, RelationType.BUILDS_ON, RelationType.IMPROVES_ON)
"""What an entry says of a paper where nothing in particular is asked for."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A paper in a feed. `content` is HTML; `link` leads to the paper where it was published."""

    paper: Paper
    published: PartialDate
    content: Markup

    @property
    def timestamp(self) -> str:
        """When it was published (RFC 3339); a month or a year counts as its first day."""
        date = self.published
        return f"{date.year:04}-{date.month or 1:02}-{date.day or 1:02}T00:00:00Z"

    @property
    def link(self) -> str | None:
        """The address of the paper elsewhere, if one is known."""
        return next(iter(links(self.paper)), None)


@dataclass(frozen=True, slots=True)
class Feed:
    """Papers, the newest first. `page` is the path of the page that shows the same."""

    title: str
    page: str
    entries: tuple[Entry, ...]


def papers_feed(reader: Reader, title: str, page: str, chosen: WorkFilter) -> Feed:
    """Return the newest papers that pass a filter, with the statements by which they do."""
    found = reader.page(WorkType.PAPER, chosen, PageOrder.NEWEST, first=MOST_ENTRIES)
    papers = [each for each in found.works if isinstance(each, Paper)]
    relations = chosen.relations or (() if chosen.entity else _TELLING)
    stated = reader.statements([each.id for each in papers], relations)
    wanted = {
        paper: [each for each in own if chosen.entity in (None, each.entity)]
        for paper, own in stated.items()
    }
    return Feed(title, page, _entries(reader, papers, wanted))


def descendants_feed(reader: Reader, work: str) -> Feed:
    """Return the newest papers by which something descends from a work (an id)."""
    traversal = traverse(reader, work, LineageDirection.DESCENDANTS, _DEPTH)
    children = [id_ for *_, id_ in traversal.places() if _is_dated(traversal.dates.get(id_))]
    children.sort(key=lambda id_: _newest_first(traversal.dates[id_], id_))
    stated: dict[str, list[Statement]] = defaultdict(list)
    for edge in edges_within(reader, children[:_MOST_DESCENDANTS], traversal.depths):
        for statement in edge.statements:
            if statement.subject.startswith(PAPER):
                stated[statement.subject].append(statement)
    papers = [each for each in reader.works(stated).values() if isinstance(each, Paper)]
    title = f"What builds on {traversal.root.name}"
    return Feed(title, f"/lineage/{traversal.root.id}", _entries(reader, papers, stated))


def _entries(
    reader: Reader, papers: Iterable[Paper], stated: Mapping[str, Sequence[Statement]]
) -> tuple[Entry, ...]:
    """Return the entries of papers whose year is known: a feed has no place for the others."""
    dated = [(date, each) for each in papers if (date := each.published) and date.year]
    dated.sort(key=lambda found: _newest_first(found[0], found[1].id))
    shown = dated[:MOST_ENTRIES]
    quoted = {paper.id: _with_sentences(stated.get(paper.id, ())) for _, paper in shown}
    names = reader.works({each.entity for own in quoted.values() for each in own})
    return tuple(
        Entry(
            paper,
            date,
            Markup("").join(_sentence(each, names[each.entity].name) for each in quoted[paper.id])
            or Markup("<p>{}</p>").format(paper.title),
        )
        for date, paper in shown
    )


def _with_sentences(statements: Iterable[Statement]) -> list[Statement]:
    return [each for each in statements if each.evidence][:_MOST_SENTENCES]


def _sentence(statement: Statement, name: str) -> Markup:
    return Markup("<p>{} {} ({:.2f})</p><blockquote>{}</blockquote>").format(
        statement.relation.words, name, statement.confidence, readable(statement.evidence[0].text)
    )


def _is_dated(date: PartialDate | None) -> bool:
    return date is not None and date.year is not None


def _newest_first(date: PartialDate, id_: str) -> tuple[int, int, int, str]:
    """Order by the day that an entry is dated, the newest first."""
    return (-(date.year or 0), -(date.month or 1), -(date.day or 1), id_)
