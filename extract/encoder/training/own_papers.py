"""Annotated papers of a user: annotations as `stemma evaluate` takes them, and what is wrong."""

from collections.abc import Callable, Iterable, Iterator
from itertools import product
from pathlib import Path

from stemma.extract.encoder.network import RELATIONS
from stemma.extract.encoder.training.annotation import Annotated, quotes
from stemma.extract.encoder.training.material import recognised
from stemma.extract.evaluation import read_gold
from stemma.extract.evaluation.annotation_key import annotation_key
from stemma.extract.evaluation.prediction import papers_titled
from stemma.extract.formats import find
from stemma.schema import Problem

OnProblem = Callable[[Problem], None]


def own_papers(
    gold: Path, paths: Iterable[Path], on_problem: OnProblem, *, year: int | None = None
) -> Iterator[Annotated]:
    """Yield the papers at `paths` that the file `gold` annotates, in its order.

    `on_problem` hears of what cannot be read, of papers that are missing, and of what is annotated
    but does not occur in title and abstract. A relation that is nowhere annotated counts as not
    judged, not as absent. Raises OSError if `gold` cannot be read.
    """
    annotations, problems = read_gold(gold)
    documents, unreadable = find(paths)
    for problem in (*problems, *unreadable):
        on_problem(problem)
    keys = {each.key for each in annotations}
    papers = papers_titled(keys, documents, on_problem, year=year)
    by_key = {annotation_key(each.title): each for each in papers}
    judged = {relation.type for each in annotations for relation in each.relations}
    unjudged = [each for each in RELATIONS if each not in judged]
    for each in annotations:
        if paper := by_key.get(each.key):
            disputed = product((entity.name for entity in each.entities), unjudged)
            annotated = Annotated.read(paper, recognised(paper), each, disputed)
            reasons = list(_not_in_text(annotated))
        else:
            annotated, reasons = None, [f"none of the papers has this title: {each.title}"]
        for reason in reasons:
            on_problem(Problem(gold.name, each.line, reason, skipped=annotated is None))
        if annotated:
            yield annotated


def _not_in_text(paper: Annotated) -> Iterator[str]:
    """Yield what is annotated, but does not occur in title and abstract."""
    found, text = set(paper.spans.values()), " ".join(paper.document.text.split())
    for k, entity in enumerate(paper.record.entities):
        absent = [each for each in entity.mentions if " ".join(each.split()) not in text]
        if absent:
            names = ", ".join(map(repr, absent))
            yield f"not in title or abstract: {names}, of {entity.name!r}"
        elif k not in found:
            yield f"{entity.name!r} occurs only within other names or words"
    for relation in paper.record.relations:
        for quote in relation.evidence:
            if not any(quotes(quote, each) for each in paper.sentences):
                yield f"no sentence of title or abstract: {quote!r}, of {relation.type}"
