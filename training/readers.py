"""Annotations that readers make: what is wrong with a file, how well two readers agree, and how
they are kept without the texts.

The format is that of `stemma evaluate` (README.md has an example): evidence is quoted, so such a
file is not for the repository; `store` writes the marks alone.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import product
from pathlib import Path

from stemma.extract.encoder.network import RELATIONS
from stemma.extract.evaluation import Scores, evaluate, read_gold
from stemma.extract.evaluation.gold import annotation_key
from stemma.extract.evaluation.prediction import papers_titled
from stemma.extract.formats import find
from stemma.schema import Evidence, Extraction, FoundEntity, FoundRelation, Mention, Problem
from training.annotated import Annotated, quotes
from training.papers import recognised
from training.standoff import Marked, place, write_standoff

OnProblem = Callable[[Problem], None]


def read_annotations(
    file: Path, paths: Iterable[Path], on_problem: OnProblem
) -> Iterator[Annotated]:
    """Yield the papers at `paths` that a file annotates, in its order.

    `on_problem` hears of what cannot be read, of papers that are missing, and of what is annotated
    but does not occur in title and abstract. A relation that is nowhere annotated counts as not
    judged, not as absent. Raises OSError if `file` cannot be read.
    """
    annotations, problems = read_gold(file)
    documents, unreadable = find(paths)
    for problem in (*problems, *unreadable):
        on_problem(problem)
    papers = papers_titled({annotation.key for annotation in annotations}, documents, on_problem)
    by_key = {annotation_key(each.title): each for each in papers}
    judged = {relation.type for annotation in annotations for relation in annotation.relations}
    unjudged = [each for each in RELATIONS if each not in judged]
    for annotation in annotations:
        if paper := by_key.get(annotation.key):
            disputed = frozenset(product((entity.name for entity in annotation.entities), unjudged))
            annotated = Annotated.of(Marked(paper, annotation, disputed), recognised(paper))
            reasons = list(_not_in_text(annotated))
        else:
            annotated, reasons = None, [f"none of the papers has this title: {annotation.title}"]
        for reason in reasons:
            on_problem(Problem(file.name, annotation.line, reason, skipped=annotated is None))
        if annotated:
            yield annotated


def store(papers: Iterable[Annotated], file: Path) -> None:
    """Write the annotations of papers as marks without texts (see `training.standoff`). Raises
    ValueError where evidence is not copied from the text."""
    write_standoff(((paper.marked.paper, paper.marked.annotation) for paper in papers), file)


def agreement(first: Iterable[Annotated], second: Iterable[Annotated]) -> tuple[int, Scores]:
    """Return how many papers both readers annotated, and how the second agrees with
    the first. Raises ValueError where the second quotes what is not in the text."""
    gold = {each.marked.annotation.key: each.marked.annotation for each in first}
    both = [each for each in second if each.marked.annotation.key in gold]
    papers = [gold[each.marked.annotation.key] for each in both]
    return len(both), evaluate(papers, map(_as_extraction, both)).scores


def _not_in_text(paper: Annotated) -> Iterator[str]:
    """Yield what is annotated, but does not occur in title and abstract."""
    matched, text = set(paper.spans.values()), " ".join(paper.document.text.split())
    for k, entity in enumerate(paper.marked.annotation.entities):
        absent = [mention for mention in entity.mentions if " ".join(mention.split()) not in text]
        if absent:
            names = ", ".join(map(repr, absent))
            yield f"not in title or abstract: {names}, of {entity.name!r}"
        elif k not in matched:
            yield f"{entity.name!r} occurs only within other names or words"
    for relation in paper.marked.annotation.relations:
        for quote in relation.evidence:
            if not any(quotes(quote, sentence) for sentence in paper.sentences):
                yield f"no sentence of title or abstract: {quote!r}, of {relation.type}"


def _as_extraction(paper: Annotated) -> Extraction:
    """Return what a reader annotated as if it had been extracted."""
    read, record = paper.marked.paper, paper.marked.annotation
    return Extraction(
        read,
        tuple(
            FoundEntity(
                entity.name,
                entity.kind,
                None,
                tuple(Mention(text, *place(text, read)) for text in entity.mentions),
            )
            for entity in record.entities
        ),
        tuple(
            FoundRelation(
                relation.type,
                relation.entity,
                1.0,
                tuple(Evidence(text, *place(text, read)) for text in relation.evidence),
                "reader",
            )
            for relation in record.relations
        ),
    )
