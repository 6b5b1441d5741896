"""Predictions: the extractions of the annotated papers, made now or read from a file."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from itertools import chain
from pathlib import Path

from stemma.extract.evaluation.gold import annotation_key
from stemma.extract.extractor import Extractor
from stemma.extract.formats import Document, Options, find, read_document
from stemma.schema import Extraction, Paper, Problem, interchange
from stemma.schema.paper import merge

_INTERCHANGE = re.compile(rb'\s*\{[^\n]*"stemma"\s*:\s*\d')
OnProblem = Callable[[Problem], None]


def predict(
    paths: Iterable[Path],
    titles: Collection[str],
    on_problem: OnProblem,
    *,
    year: int | None = None,
    processes: int | None = 1,
    extractor: Extractor | None = None,
) -> Iterator[Extraction]:
    """Yield the extractions of those papers that have one of `titles`.

    A file that `stemma extract` wrote is taken as the prediction. Out of listings and dumps the
    papers are extracted, each once, merged from its records; those that are not requested are
    skipped by the extractor. Files come after what is extracted, so that of two
    predictions of one paper the file's is the last. `extractor` is the shipped one by default.
    """
    keys = {annotation_key(title) for title in titles}
    documents, problems = find(paths)
    for problem in problems:
        on_problem(problem)
    written = [document for document in documents if _is_interchange(document)]
    to_read = [document for document in documents if document not in written]
    papers = papers_titled(keys, to_read, on_problem, year=year)
    reader = extractor or Extractor()
    extracted = reader.extract(papers, processes, on_problem) if papers else iter(())
    from_files = (
        interchange.read(document.chunks(), document.name, document.sha256) for document in written
    )
    for found in chain(extracted, chain.from_iterable(from_files)):
        if isinstance(found, Problem):
            on_problem(found)
        elif annotation_key(found.paper.title) in keys:
            yield found


def papers_titled(
    keys: Collection[str],
    documents: Iterable[Document],
    on_problem: OnProblem,
    *,
    year: int | None = None,
) -> list[Paper]:
    """Return the papers whose titles have one of these keys (see `annotation_key`), each merged
    from all its records."""
    records: dict[str, list[Paper]] = {}
    for document in documents:
        for each in read_document(document, Options(year)):
            if isinstance(each, Problem):
                on_problem(each)
            elif (key := annotation_key(each.title)) in keys:
                records.setdefault(key, []).append(each)
    return [merge(record) for record in records.values()]


def _is_interchange(document: Document) -> bool:
    """Recognise by the beginning; a file that cannot be read is left to the reader to report."""
    with suppress(OSError):
        return document.format != "txt" and bool(_INTERCHANGE.match(document.head))
    return False
