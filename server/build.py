"""Building: from files of papers, or of extractions, to a store."""

import gzip
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from time import monotonic
from typing import TypeVar

from stemma.extract import Extractor, extractor_fingerprint, reading
from stemma.graph import Changes, Store, Writer
from stemma.graph.oxigraph import OxigraphStore
from stemma.schema import Catalogue, Extraction, Paper, Problem
from stemma.schema.paper import merge
from stemma.server.deciding import unapplied

OnPaper = Callable[[int], None]
"""Called with the number of papers dealt with so far."""

_BATCH = 256
_SECONDS_BETWEEN_COMMITS = 60.0

T = TypeVar("T")


@dataclass(slots=True)
class BuildReport:
    """What a build did. `extracted` counts papers whose texts were read by the extractor."""

    files: int = 0
    files_known: int = 0
    papers: int = 0
    extracted: int = 0
    problems: list[Problem] = field(default_factory=list)
    changes: Changes = field(default_factory=Changes)

    def note(self, changes: Changes) -> None:
        """Add what one commit changed."""
        self.changes.added += changes.added
        self.changes.updated += changes.updated
        self.changes.removed += changes.removed
        self.changes.relinked += changes.relinked
        self.changes.decided += changes.decided


def build(
    store: Store,
    paths: Iterable[Path],
    *,
    year: int | None = None,
    processes: int = 1,
    fast: bool = False,
    catalogue: Catalogue | None = None,
    on_paper: OnPaper = lambda count: None,
) -> BuildReport:
    """Read papers, extract what they say, and store it; what is known already is passed over.

    `year` is that in which listings were saved, for dates that leave it out, `fast` extracts by
    rules alone, without the trained model. `catalogue` is the one that the store was opened with;
    if none was given, the one that the store keeps. Nothing new in `paths`, nor in people's
    decisions, means that nothing is written. Raises StoreError where the store cannot be written,
    DecisionError where the decisions cannot be read.
    """
    documents, problems = reading.find(paths)
    if catalogue is None and isinstance(store, OxigraphStore):
        catalogue = store.catalogue
    own = catalogue.fingerprint if catalogue else None
    reading_key = f"{extractor_fingerprint(own, fast=fast)}/{year or ''}"
    known = store.already_read(reading_key)
    documents = list(_readable(documents, problems))
    new = [each for each in documents if (each.name, each.sha256) not in known]
    report = BuildReport(len(new), len(documents) - len(new), problems=problems)
    if new or store.lacks_decisions():
        with store.writer() as writer:
            session = _Session(writer, Extractor(catalogue, fast=fast), processes, report, on_paper)
            for document in new:
                session.read(reading.read_document(document, year))
                writer.mark_read(document.name, document.sha256, reading_key)
            report.note(writer.commit())
    report.problems += unapplied(store)
    return report


def extract(
    paths: Iterable[Path],
    *,
    year: int | None = None,
    processes: int = 1,
    fast: bool = False,
    catalogue: Catalogue | None = None,
    on_problem: Callable[[Problem], None],
) -> Iterator[Extraction]:
    """Read papers and extract what they say, each paper once, merged from all its readings."""
    documents, problems = reading.find(paths)
    for problem in problems:
        on_problem(problem)
    papers = _merged(documents, year, on_problem)
    for found in Extractor(catalogue, fast=fast).extract(papers, processes=processes):
        if isinstance(found, Problem):
            on_problem(found)
        else:
            yield found


def load(
    store: Store,
    files: Iterable[Path],
    *,
    catalogue: Catalogue | None = None,
    on_paper: OnPaper = lambda count: None,
) -> BuildReport:
    """Store extractions from files: those that `extract` wrote, exported graphs, or other RDF.

    An exported graph in N-Quads or TriG becomes, in an empty store, what it was, unless people
    decided otherwise or another `catalogue` was given, which the store was opened with; all else
    is linked with what the store holds. Raises StoreError where RDF is neither exported nor valid.
    """
    files, report = list(files), BuildReport()
    restored = _restored(store, files)
    if restored is not None:
        report.files, report.papers = 1, len(restored)
        report.changes.added = restored
        on_paper(report.papers)
        if catalogue is None and not store.lacks_decisions():
            return report
        files = []
    with store.writer() as writer:
        for file in files:
            report.files += 1
            for batch in _batches(_only(_extractions(file, report), report), _BATCH):
                _put_fuller(writer, batch)
                report.papers += len(batch)
                on_paper(report.papers)
        report.note(writer.commit())
    report.problems += unapplied(store)
    return report


def _restored(store: Store, files: Sequence[Path]) -> list[str] | None:
    """Return the papers of an exported graph, where that is all there is to load."""
    from stemma.graph.rdf_file import RdfFile  # noqa: PLC0415 - a build does not need it

    if len(files) != 1 or not RdfFile.is_one(files[0]) or not isinstance(store, OxigraphStore):
        return None
    return store.restore(RdfFile(files[0]))


def _extractions(file: Path, report: BuildReport) -> Iterator[Extraction | Problem]:
    """Read a file of extractions, or of RDF."""
    from stemma.graph import rdf_import  # noqa: PLC0415
    from stemma.graph.rdf_file import RdfFile  # noqa: PLC0415
    from stemma.schema import interchange  # noqa: PLC0415

    if RdfFile.is_one(file):
        yield from rdf_import.papers(RdfFile(file))
        return
    document = reading.Document(file, file.name)
    if list(_readable([document], report.problems)):
        lines = _lines(document, report.problems)
        yield from interchange.read(lines, document.name, document.sha256)


class _Session:
    """One build: reads papers in batches, extracts what is new, and commits now and then."""

    def __init__(
        self,
        writer: Writer,
        extractor: Extractor,
        processes: int,
        report: BuildReport,
        on_paper: OnPaper,
    ) -> None:
        self._writer = writer
        self._extractor = extractor
        self._processes = processes
        self._report = report
        self._on_paper = on_paper
        self._last_commit = monotonic()

    def read(self, papers: Iterable[Paper | Problem]) -> None:
        """Take in the papers of one document."""
        for batch in _batches(_only(papers, self._report), _BATCH * self._processes):
            self._take(batch)
            self._report.papers += len(batch)
            self._on_paper(self._report.papers)
            if monotonic() - self._last_commit > _SECONDS_BETWEEN_COMMITS:
                self._report.note(self._writer.commit())
                self._last_commit = monotonic()

    def _take(self, batch: list[Paper]) -> None:
        by_id: dict[str, list[Paper]] = {}
        for paper in batch:
            by_id.setdefault(paper.id, []).append(paper)
        held = self._writer.held(list(by_id))
        new, changed = list[Paper](), list[Paper]()
        for each, readings in by_id.items():
            known = held.get(each)
            paper = merge([*([known.paper] if known else []), *readings])
            if (
                known is None
                or known.extractor != self._extractor.fingerprint
                or not _same_texts(known.paper, paper)
            ):
                new.append(paper)
            elif known.paper != paper:
                changed.append(paper)
        self._writer.update(changed)
        found = _only(self._extractor.extract(new, processes=self._processes), self._report)
        self._writer.put(found, self._extractor.fingerprint)
        self._report.extracted += len(new)


def _merged(
    documents: Sequence[reading.Document], year: int | None, on_problem: Callable[[Problem], None]
) -> Iterator[Paper]:
    """Read all documents, twice, so that only papers with several readings are kept in memory."""

    def read(tell: Callable[[Problem], None]) -> Iterator[Paper]:
        for document in documents:
            for each in reading.read_document(document, year):
                if isinstance(each, Problem):
                    tell(each)
                else:
                    yield each

    readings_left = Counter(hash(paper.id) for paper in read(on_problem))
    waiting: dict[str, Paper] = {}
    for each in read(lambda problem: None):
        paper = merge([waiting.pop(each.id), each]) if each.id in waiting else each
        readings_left[hash(each.id)] -= 1
        if readings_left[hash(each.id)]:
            waiting[each.id] = paper
        else:
            yield paper


def _put_fuller(writer: Writer, batch: list[Extraction]) -> None:
    """Store each extraction, unless what the store holds of its paper has a fuller text."""
    for extraction in batch:
        held = writer.held([extraction.paper.id]).get(extraction.paper.id)
        paper = merge([held.paper, extraction.paper]) if held else extraction.paper
        if _same_texts(paper, extraction.paper):
            writer.put([replace(extraction, paper=paper)], extraction.extractor)
        else:
            writer.update([paper])


def _same_texts(a: Paper, b: Paper) -> bool:
    return (a.title, a.abstract) == (b.title, b.abstract)


def _only(items: Iterable[T | Problem], report: BuildReport) -> Iterator[T]:
    """Pass on what could be read, and note what could not."""
    for item in items:
        if isinstance(item, Problem):
            report.problems.append(item)
        else:
            yield item


def _batches(items: Iterable[T], size: int) -> Iterator[list[T]]:
    iterator = iter(items)
    while batch := list(islice(iterator, size)):
        yield batch


def _readable(
    documents: Iterable[reading.Document], problems: list[Problem]
) -> Iterator[reading.Document]:
    """Pass on the documents whose bytes can be had, and note the others."""
    for document in documents:
        try:
            _ = document.sha256
        except OSError as error:
            reason = f"cannot be read: {error.strerror or error}"
            problems.append(Problem(document.name, None, reason))
        else:
            yield document


def _lines(document: reading.Document, problems: list[Problem]) -> Iterator[bytes]:
    """Read lines as they stand; where a compressed file is damaged, those before the damage."""
    opened = gzip.open if document.compressed else open
    try:
        with opened(document.path, "rb") as lines:
            yield from lines
    except (EOFError, OSError, zlib.error) as error:
        problems.append(Problem(document.name, None, f"cut off or damaged: {error}"))
