"""Questions that a graph can answer, with names of its own."""

from collections.abc import Iterator, Sequence
from itertools import combinations

from stemma.graph import Reader
from stemma.server.asking.answerable import COMPARED, Answerable
from stemma.server.asking.words import Word, words_of

_COMMON = {"what", "which", "who", "how", "is", "are", "does", "do", "the", "a", "of", "to", "in"}


def suggestions(reader: Reader) -> tuple[str, ...]:
    """Return a question of each sort that has an answer in this graph."""
    return tuple(dict.fromkeys(_suggestions(Answerable(reader))))


def nearest_suggestions(reader: Reader, words: Sequence[Word]) -> tuple[str, ...]:
    """Return the same questions, those with the largest share of the words of a question first."""
    asked = {word.key for word in words} - _COMMON

    def shared(suggestion: str) -> float:
        own = {word.key for word in words_of(suggestion)}
        return len(own & asked) / len(own)

    return tuple(sorted(suggestions(reader), key=shared, reverse=True))


def about(name: str) -> tuple[str, ...]:
    """Return what may be asked of one work."""
    return (f"what is {name}?", f"what builds on {name}?", f"what does {name} build on?")


def _suggestions(graph: Answerable) -> Iterator[str]:
    yield from _on_lineage(graph)
    for work in graph.hardware[:1]:
        yield f"which papers run on {work.name}?"
    for work in graph.compared[:1]:
        yield f"what compares with {work.name}?"
    for left, right in combinations(graph.compared, 2):
        if left.kind is right.kind:
            yield f"compare {left.name} and {right.name}"
            break
    for work in graph.introduced[:1]:
        yield f"who introduced {work.name}?"
    for work in graph.introduced:
        if any(graph.stated(each, *COMPARED) for each in graph.introducing(work)):
            yield f"baselines of {work.name}"
            break
    for work in graph.techniques:
        if graph.is_used_with_another(work):
            yield f"techniques used with {work.name}"
            yield f"what is {work.name}?"
            break
    if graph.hardware:
        yield "most used hardware"
    if graph.datasets:
        yield "which datasets do papers evaluate on?"
    if any(graph.has_children(work) for work in graph.introduced):
        yield "most influential works"


def _on_lineage(graph: Answerable) -> Iterator[str]:
    # One after the other: the first has an answer, mostly, and hubs have many neighbours.
    for work in graph.introduced:
        if graph.has_children(work):
            yield f"what builds on {work.name}?"
            yield f"timeline of {work.name}"
            break
    for work in graph.introduced:
        if ancestor := graph.nearest_ancestor(work):
            yield f"what does {work.name} build on?"
            yield f"how is {work.name} related to {ancestor.name}?"
            break
