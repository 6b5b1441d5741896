"""The answer to each form of question about works that it names, from one view of the graph."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from stemma.graph import LineageDirection, Work, trace
from stemma.graph.comparing import compare
from stemma.graph.criteria import Criterion, papers_where
from stemma.graph.path import find_path
from stemma.graph.selection import LineageOrder, PageOrder
from stemma.graph.store import kind_of
from stemma.schema import Entity, Paper, RelationType
from stemma.server.asking.answer import MOST_STATEMENTS, Answer, Asked, sentence_of
from stemma.server.asking.naming import NAME, Names, joined, quoted
from stemma.server.asking.papers import papers_about
from stemma.server.asking.question import STOP_WORDS, TABLES, filled, is_noun, kinds_of

Form = Callable[[Asked, Sequence[Work]], Answer]
_MOST_AUTHORS = 8
_NAMED = 3
_DOWN, _UP = LineageDirection.DESCENDANTS, LineageDirection.ANCESTORS
_ORDERS = {PageOrder.NEWEST: LineageOrder.NEWEST, PageOrder.PUBLISHED: LineageOrder.DATE}
_PAPERS = re.compile(r"(?i)\b(?:papers|articles|studies|publications|preprints)\b")


def forms(asked: Asked) -> Iterator[Answer]:
    """Yield the answers of all forms that fit a question."""
    text = asked.names.text
    works = [] if _PAPERS.search(text) else asked.names.works(text)
    for name, pattern in _PATTERNS.items():
        fits = pattern.search(text) and len(works) == (2 if name in ("path", "compare") else 1)
        if fits and not _topic(pattern.sub(" ", text), name in _LINEAGES):
            yield _FORMS[name](asked, works)


def profile(asked: Asked) -> Answer | None:
    """Return everything about the only work that a question names, if it is about nothing else."""
    question, text = asked.question, asked.names.text
    works = asked.names.works(text)
    is_list = question.years or question.selection.order or question.introductory
    if len(works) > 1 or not works or is_list or _PAPERS.search(text) or _topic(text):
        return None
    return _profile(asked, works)


def _topic(text: str, kinds: bool = False) -> list[str]:
    """Return the words of a text that say something of a topic: no names, and no nouns in the
    singular; if `kinds` may be asked for, no nouns for these."""
    words = re.findall(r"[\w'-]+", Names.besides(text).casefold())
    return [
        each
        for each in words
        if each not in STOP_WORDS
        and not (is_noun(each) and not each.endswith("s"))
        and not (kinds and kinds_of(each))
    ]


def _lineage(*directions: LineageDirection) -> Form:
    """Return the form that asks for the lineage of a work, in one direction or both."""

    def answer(asked: Asked, works: Sequence[Work]) -> Answer:
        name, chosen = quoted(works[0]), asked.question.selection
        noun = next((e.lower() for e in asked.names.text.split() if kinds_of(e)), "")
        selection = chosen.changed(
            kinds=kinds_of(noun),
            first=asked.end,
            lineage_order=_ORDERS.get(chosen.order, LineageOrder.DEPTH),  # type: ignore[arg-type]
            order=None,
        )
        found = [
            trace(asked.reader, works[0].id, selection.changed(direction=e)) for e in directions
        ]
        said = {
            (_UP, _DOWN): f"{noun or 'all'} in the lineage of {name}, both ways",
            (_UP,): f"{noun or 'what'} {'that ' * bool(noun)}{name} builds or improves on",
            (_DOWN,): f"{f'{noun} that build or improve' if noun else 'what builds or improves'} "
            f"on {name}",
        }[directions]
        steps = "directly" if chosen.max_depth == 1 else f"in up to {chosen.max_depth} steps"
        edges = [(edge, each.direction) for each in found for edge in each.edges]
        answer = asked.listed(
            [node.work for lineage in found for node in lineage.nodes],
            f"{said}{asked.question.years}, {steps}{asked.question.ordered()}",
            sum(each.total for each in found),
            statements=[each for edge, _ in edges for each in edge.statements],
            notes={
                node.work.id: each.direction.value.removesuffix("s")
                for each in found[len(found) == 1 :]
                for node in each.nodes
            },
        )
        sentences = {
            (edge.child if way is _DOWN else edge.parent): sentence_of(each)
            for edge, way in edges
            for each in edge.statements[::-1]
        }
        return replace(answer, said=sentences, lineage_of=works[0])

    return answer


def _path(asked: Asked, ends: Sequence[Work]) -> Answer:
    """How two works are related."""
    left, right = map(quoted, ends)
    match = _PATTERNS["path"].search(asked.names.text)
    asks_lineage = bool(match and match["builds"])
    found = find_path(asked.reader, ends[0].id, ends[1].id, comparisons=not asks_lineage)
    works = asked.reader.works(found.works) if found.edges else {each.id: each for each in ends}
    steps = [
        f"{quoted(works[edge.child])} {joined(each.words for each in edge.relations)} "
        f"{quoted(works[edge.parent])}"
        for edge in found.edges
    ]
    if asks_lineage and not (
        steps and all(e.child == way for e, way in zip(found.edges, found.works, strict=False))
    ):
        steps.insert(0, f"Nothing here says that {left} builds on {right}")
    text = "; ".join(steps) or f"Neither lineage nor comparisons connect {left} to {right} here"
    statements = [each for edge in found.edges for each in edge.statements]
    understood = f"how {left} is related to {right}"
    return asked.listed([*works.values()], understood, text=f"{text}.", statements=statements)


def _comparison(asked: Asked, ends: Sequence[Work]) -> Answer:
    """Two works side by side, with the papers that name both."""
    found = compare(asked.reader, ends[0].id, ends[1].id)
    left, right = (
        f"{quoted(each.work)}{f' ({each.published})' if each.published else ''}"
        for each in (found.left, found.right)
    )
    shared = [each.name for both in found.aspects.values() for each in both.shared]
    said = f"; both name {joined(shared[:_NAMED])}" if shared else ""
    result = next((f" {each.comparison}." for each in found.statements if each.comparison), "")
    understood = f"{quoted(ends[0])} and {quoted(ends[1])} side by side"
    both = papers_where(asked.reader, [Criterion(each.id) for each in ends]).matches
    papers = {each.id: each for each in (*found.compared_by, *(e.paper for e in both))}
    text = f"{left} and {right} side by side{said}.{result}"
    works = [*ends, *papers.values()]
    return asked.listed(works, understood, text=text, statements=found.statements)


def _profile(asked: Asked, works: Sequence[Work]) -> Answer:
    """A work, the papers that introduce it, and those that are most about it."""
    reader, work = asked.reader, works[0]
    naming = reader.papers_naming([work.id])[work.id]
    first = reader.papers_naming([work.id], [RelationType.INTRODUCES])[work.id]
    ranked = [each.id for each in papers_about(reader, f'"{work.name}"')]
    listed = reader.works(list(dict.fromkeys([work.id, *first, *ranked, *naming])))
    origin = listed[first[0]] if first else work
    by = joined(e.name for e in origin.authors[:_MOST_AUTHORS]) if isinstance(origin, Paper) else ""
    facts = (kind_of(work), str(reader.published([work.id]).get(work.id, "")))
    said = f"{quoted(work)} ({', '.join(filter(None, facts))})"
    if isinstance(work, Entity):
        said += f", also {joined(work.aliases[:_NAMED], 'or')}" if work.aliases else ""
        said += f", introduced in {quoted(origin)}" if first else ""
    said += f" by {by}" if by else ""
    said += f"; papers that name it: {len(naming):,}"
    children = reader.neighbours([work.id], _DOWN)[work.id]
    text = f"{said}; what builds on it directly: {len(children):,}."
    statements = reader.statements([work.id], first=MOST_STATEMENTS)[work.id]
    understood = f"everything about {quoted(work)}"
    answer = asked.listed([*listed.values()], understood, text=text, statements=statements)
    return replace(answer, lineage_of=work)


_FORMS: dict[str, Form] = {
    "path": _path,
    "compare": _comparison,
    "lineage": _lineage(_UP, _DOWN),
    "descendants": _lineage(_DOWN),
    "ancestors": _lineage(_UP),
    "profile": _profile,
}
_LINEAGES = ("lineage", "descendants", "ancestors")
_PATTERNS = {
    name: re.compile(rf"(?i)(?:^|\b|(?={NAME}))(?:{filled(each)})(?![\w-])")
    for name, each in TABLES["forms"].items()
}
