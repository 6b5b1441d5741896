"""Building: from files of papers, or of extractions, to a store."""

import pickle
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor
from dataclasses import replace
from pathlib import Path
from time import monotonic

from stemma.extract import formats
from stemma.extract.extractor import with_sections_of
from stemma.graph import Store, StoredPaper
from stemma.graph.identity import Identities
from stemma.graph.sqlite.paper_record import Buffer
from stemma.graph.sqlite.writer import Writer
from stemma.schema import Extraction, Paper, Problem, interchange
from stemma.schema.problem import unreadable
from stemma.schema.text_line import MAX_RECORD_SIZE, split_lines
from stemma.server.build_report import BuildReport
from stemma.server.deciding import unapplied
from stemma.server.extraction_settings import ExtractionSettings
from stemma.server.requested_papers import RequestedPapers
from stemma.worker_pool import processors

OnProgress = Callable[[int, int | None], None]
"""Called with the number of records dealt with so far, and of all where that is known."""

_BATCH = 256
_MOST_CHARACTERS = 2_000_000
"""Characters of full texts after which a batch ends: PDFs are read slowly, one at a time."""
_SECONDS_BETWEEN_COMMITS = 60.0
_MOST_TIME_FOR_COMMITS = 0.1
"""The share of a build's time: a commit into a large store takes long, so there are fewer then."""
_COUNTED_AT_ONCE = 1000


def build(
    store: Store,
    paths: Iterable[Path],
    settings: ExtractionSettings | None = None,
    *,
    again: bool = False,
    report: BuildReport | None = None,
    on_progress: OnProgress | None = None,
) -> BuildReport:
    """Read papers, extract what they say, and store it; what is known already is skipped.

    With `again`, files that were read before are read too, for papers that were removed since. If
    the store was opened with a catalogue, `settings` have the same. Files that need a library that
    is not installed count as not read, and so do files that the system could not read. `report` is
    the one to fill and to return. For `on_progress` all records are counted first. Nothing new in
    `paths`, nor in people's decisions, means that nothing is written. KeyboardInterrupt leaves all
    papers in the store whose texts were read until then. Raises StoreError where the store cannot
    be written, DecisionError where the decisions cannot be read, ValueError where no reader has the
    name that the settings give, OSError where their list of ids cannot be read.
    """
    settings, report = settings or ExtractionSettings(), report or BuildReport()
    if settings.catalogue is None:
        settings = replace(settings, catalogue=store.catalogue)
    files = _Files(paths, settings, report)
    documents = dict(_readable(files.documents, report))
    read, empty = map(store.already_read, (files.fingerprint, f"{files.fingerprint}/empty"))
    known = frozenset() if again else read | empty
    new = {file: state for file, state in documents.items() if (file.name, state) not in known}
    report.files, report.files_known = len(new), len(documents) - len(new)
    report.files_empty = sum((file.name, state) in empty for file, state in documents.items())
    if new or store.lacks_decisions():
        tally = _Tally(on_progress)
        tally.count_all(record for document in new for record in files.read(document, False))
        with store.writer() as writer:
            session = _Session(writer, settings, report, tally)
            try:
                session.read(new, files)
            except (KeyboardInterrupt, BrokenExecutor):
                session.commit()
                raise
            session.commit()
    if new:
        files.note_missing()
    for problem in unapplied(store).values():
        report.note_problem(problem)
    return report


def extract(
    paths: Iterable[Path],
    settings: ExtractionSettings | None = None,
    *,
    report: BuildReport | None = None,
    on_progress: OnProgress | None = None,
) -> Iterator[Extraction]:
    """Read papers and extract what they say, each paper once, merged from all its records.

    What is read, and what cannot be, is noted in `report`. Raises StoreError where the disk has no
    space for papers that wait.
    """
    settings, report = settings or ExtractionSettings(), report or BuildReport()
    tally = _Tally(on_progress)
    files = _Files(paths, settings, report)
    report.files = len(files.documents)
    extractions = settings.extractor().extract(
        _merged(files, report, tally), settings.processes, on_problem=report.note_problem
    )
    for extraction in extractions:
        tally.add(1)
        if isinstance(extraction, Problem):
            report.note_problem(extraction, str(extraction))  # each is another paper
        else:
            report.extracted += 1
            yield extraction
    files.note_missing()


def load(
    store: Store,
    files: Iterable[Path],
    *,
    max_record_size: int = MAX_RECORD_SIZE,
    report: BuildReport | None = None,
    on_progress: OnProgress | None = None,
) -> BuildReport:
    """Store extractions from files, and link them with what the store holds.

    Extractions are JSON lines, as `extract` writes them; a folder stands for the files in it, and
    ``-`` is standard input. Extractions over `max_record_size` bytes are skipped. `report` is the
    one to fill and to return. Raises StoreError where the store cannot be written.
    """
    report, tally = report or BuildReport(), _Tally(on_progress)
    documents = dict(_readable(_with_parts(files, report), report))
    report.files = len(documents)
    if not documents:
        return report
    tally.count_all(record for document in documents for record in _records(document))
    with store.writer() as writer:
        identities = Identities(writer.known_as)
        for document in documents:
            chunks = _chunks(document, report)
            extractions = interchange.read(chunks, document.name, document.sha256, max_record_size)
            for extraction in extractions:
                if isinstance(extraction, Problem):
                    report.note_problem(extraction)
                    tally.add(extraction.skipped)
                else:
                    _put_fuller(writer, extraction, identities, report)
                    tally.add(1)
        report.note_changes(writer.commit())
    for problem in unapplied(store).values():
        report.note_problem(problem)
    return report


class _Files:
    """The files to read, and which of the papers in them are wanted; it notes what is wrong."""

    def __init__(
        self, paths: Iterable[Path], settings: ExtractionSettings, report: BuildReport
    ) -> None:
        self._report = report
        self._wanted = RequestedPapers(settings.ids) if settings.ids else None
        for problem in self._wanted.problems if self._wanted else ():
            report.note_problem(problem)
        wanted = self._wanted.identifiers if self._wanted else None
        self._options = replace(settings.reading, wanted=wanted)
        self.fingerprint = settings.fingerprint(self._wanted.fingerprint if self._wanted else None)
        reader = self._options.reader
        if reader:
            formats.reader_by_name(reader)
        self.documents, problems = formats.find(paths, reader, report.files_skipped)
        for problem in problems:
            report.note_problem(problem)

    def read(self, document: formats.Document, full_text: bool = True) -> Iterator[Paper | Problem]:
        """Read the papers of a document that are wanted; to count them, without `full_text`."""
        options = replace(self._options, full_text=full_text and self._options.full_text)
        papers = formats.read_document(document, options)
        return self._wanted.only(papers) if self._wanted else papers

    def note_missing(self) -> None:
        """Note which of the wanted papers were in none of the files."""
        for problem in self._wanted.missing() if self._wanted else ():
            self._report.note_problem(problem)


class _Tally:
    """Counts records, and reports progress."""

    def __init__(self, on_progress: OnProgress | None) -> None:
        self._report_progress = on_progress or (lambda done, total: None)
        self._counts = on_progress is not None
        self._done = 0
        self.total: int | None = None

    def count_all(self, records: Iterable[object]) -> None:
        """Count them, if progress is reported."""
        if not self._counts:
            return
        for record in records:
            if not isinstance(record, Problem) or record.skipped:
                self.expect((self.total or 0) + 1)
        self._report_progress(0, self.total)

    def expect(self, total: int) -> None:
        """Say how many are known of, so far."""
        self.total = total
        if total % _COUNTED_AT_ONCE == 0:
            self._report_progress(0, total)

    def add(self, count: int) -> None:
        """Count records as dealt with."""
        if count:
            self._done += count
            self._report_progress(self._done, self.total)


def _with_parts(files: Iterable[Path], report: BuildReport) -> Iterator[formats.Document]:
    """Yield the files, and those in folders, except for hidden ones."""
    for file in files:
        if file == formats.STANDARD_INPUT:
            try:
                yield formats.standard_input()
            except ValueError as error:
                report.note_problem(Problem(str(file), None, str(error)))
        elif file.is_dir():
            parts = (part for part in sorted(file.iterdir()) if part.name[0] not in "._")
            yield from (formats.Document(part, part.name) for part in parts if part.is_file())
        else:
            yield formats.Document(file, file.name)


def _records(document: formats.Document) -> Iterator[object]:
    """Yield something for each record in a file of extractions, before they are read."""
    for line in split_lines(_chunks(document, BuildReport()), b"\n"):
        if line.is_last and line.text.strip():
            yield line


class _Session:
    """One build: reads papers in batches, extracts what is new, and commits now and then."""

    def __init__(
        self, writer: Writer, settings: ExtractionSettings, report: BuildReport, tally: _Tally
    ) -> None:
        self._writer = writer
        self._extractor = settings.extractor()
        self._processes = settings.processes
        self._report = report
        self._tally = tally
        self._identities = Identities(writer.known_as)
        self._next_commit = monotonic() + _SECONDS_BETWEEN_COMMITS

    def read(self, documents: Mapping[formats.Document, str], files: _Files) -> None:
        """Take in the papers of documents, many of which may share a batch, and mark their states;
        also which of them are worth reading again, or hold nothing that can be read."""
        most = _BATCH * (self._processes or processors())
        batch, ended, characters = list[Paper](), list[tuple[str, str, str]](), 0
        for document, state in documents.items():
            is_empty, is_unread = True, False
            for paper in files.read(document):
                if isinstance(paper, Problem):
                    self._report.note_problem(paper)
                    self._tally.add(paper.skipped)
                    is_unread |= paper.is_temporary
                    continue
                is_empty = False
                batch.append(paper)
                characters += paper.full_text.characters if paper.full_text else 0
                if len(batch) == most or characters > _MOST_CHARACTERS:
                    self._finish(batch, ended)
                    characters = 0
            reading = "/incomplete" if is_unread else "/empty" if is_empty else ""
            ended.append((document.name, state, files.fingerprint + reading))
        self._finish(batch, ended)

    def _finish(self, batch: list[Paper], ended: list[tuple[str, str, str]]) -> None:
        """Take in a batch, and mark the documents that ended in it."""
        self._take(batch)
        for mark in ended:
            self._writer.mark_read(*mark)
        batch.clear()
        ended.clear()
        self._commit_if_due()

    def _commit_if_due(self) -> None:
        if monotonic() > self._next_commit:
            self.commit()

    def commit(self) -> None:
        """Link and store what was taken in."""
        began = monotonic()
        self._report.note_changes(self._writer.commit())
        ended = monotonic()
        pause = max(_SECONDS_BETWEEN_COMMITS, (ended - began) / _MOST_TIME_FOR_COMMITS)
        self._next_commit = ended + pause

    def _take(self, batch: list[Paper]) -> None:
        held, papers, counts, gone = self._identified(batch)
        new, changed = list[Paper](), list[Paper]()
        for id_, paper in papers.items():
            known = held.get(id_)
            if (
                known is None
                or known.extractor != self._extractor.fingerprint
                or not _same_texts(known.paper, paper)
            ):
                new.append(paper)
            elif known.paper != (paper := replace(paper, full_text=known.paper.full_text)):
                changed.append(paper)
        earlier = self._earlier(new, held)
        self._writer.update(changed)
        self._tally.add(len(batch) - sum(counts[paper.id] for paper in new))
        for extraction in self._extracted(new, earlier, counts):
            self._writer.put([extraction], extraction.extractor)
            self._commit_if_due()
        # Who stops this before has both: what another file says of them is not read again.
        self._writer.drop(gone)
        self._report.extracted += len(new)

    def _earlier(
        self, papers: Iterable[Paper], held: Mapping[str, StoredPaper]
    ) -> dict[str, Extraction]:
        """Return what was extracted of full texts that are not at hand as a whole, by paper."""
        readers = {
            paper.paper.full_text.digest: id_
            for id_, paper in held.items()
            if paper.paper.full_text
        }
        extractions = dict[str, Extraction]()
        for paper in papers:
            if paper.full_text and not paper.full_text.is_whole:
                extractions[paper.id] = self._writer.extraction(readers[paper.full_text.digest])
        return extractions

    def _identified(
        self, batch: Sequence[Paper]
    ) -> tuple[Mapping[str, StoredPaper], dict[str, Paper], Counter[str], list[str]]:
        """Return what the store holds of a batch's papers, these, how often each was read, and
        which papers (ids) turned out to be others."""
        ids = {id_ for paper in batch for id_ in self._identities.candidates(paper)}
        held = self._writer.stored(sorted(ids))
        papers, counts, gone = dict[str, Paper](), Counter[str](), set[str]()

        def known(id_: str) -> Paper | None:
            if id_ in papers:
                return papers[id_]
            return held[id_].paper if id_ in held and id_ not in gone else None

        for record in batch:
            paper, others = self._identities.merge(record, known)
            papers[paper.id] = paper
            counts[paper.id] += 1 + sum(counts.pop(other, 0) for other in others)
            self._report.count(paper)
            self._report.joined(others)
            gone.update(others)
            for other in others:
                papers.pop(other, None)
        return held, papers, counts, sorted(gone - papers.keys())

    def _extracted(
        self, papers: list[Paper], earlier: Mapping[str, Extraction], counts: Mapping[str, int]
    ) -> Iterator[Extraction]:
        read = [
            replace(paper, full_text=None) if paper.id in earlier else paper for paper in papers
        ]
        extractions = self._extractor.extract(read, self._processes, self._report.note_problem)
        for paper, extraction in zip(papers, extractions, strict=True):
            if isinstance(extraction, Problem):
                self._report.note_problem(extraction, paper.id)
            elif paper.id in earlier:
                yield with_sections_of(extraction, earlier[paper.id])
            else:
                yield extraction
            self._tally.add(counts[paper.id])


def _merged(files: _Files, report: BuildReport, tally: _Tally) -> Iterator[Paper]:
    """Read all documents, then yield their papers, each merged from all its records.

    Until then the papers are on disk.
    """
    identities, buffer, places = Identities(), Buffer(), dict[str, int]()

    def read(place: int) -> Paper:
        paper: Paper = pickle.loads(buffer.get(place))
        return paper

    def known(id_: str) -> Paper | None:
        return read(places[id_]) if id_ in places else None

    for record in (record for document in files.documents for record in files.read(document)):
        if isinstance(record, Problem):
            report.note_problem(record)
            continue
        paper, others = identities.merge(record, known)
        places[paper.id] = buffer.put(pickle.dumps(paper))
        for other in others:
            del places[other]
        report.count(paper)
        report.joined(others)
        tally.expect(len(places))
    for place in places.values():
        yield read(place)
    buffer.close()


def _put_fuller(
    writer: Writer, extraction: Extraction, identities: Identities, report: BuildReport
) -> None:
    """Store an extraction together with what the store holds of its paper.

    Papers that the store holds may turn out to be one. What was read in the longest abstract stays,
    and if that was read without a full text, what sections of the longest one said beside it.
    """
    own = extraction.paper
    stored = writer.stored(identities.candidates(own))
    known = {id_: paper.paper for id_, paper in stored.items()}
    paper, others = identities.merge(own, known.get)

    def extraction_of(record: Paper) -> Extraction:
        return extraction if record is own else writer.extraction(record.id)

    records = [own, *(known[id_] for id_ in (paper.id, *others) if id_ in known)]
    read = extraction_of(max(records, key=lambda record: _fullness(record, paper)))
    if paper.full_text and not read.paper.full_text:
        longest = next(record for record in records if record.full_text == paper.full_text)
        read = with_sections_of(read, extraction_of(longest))
    # What is kept of a full text is what the extraction quotes.
    paper = replace(paper, full_text=read.paper.full_text)
    writer.put([replace(read, paper=paper)], read.extractor)
    writer.drop(others)
    report.count(paper)
    report.joined(others)


def _fullness(record: Paper, paper: Paper) -> tuple[bool, int]:
    """Order records of a paper by how much of its texts they have."""
    text = record.full_text
    return _same_abstract(record, paper), text.characters if text else 0


def _same_abstract(a: Paper, b: Paper) -> bool:
    return (a.title, a.abstract) == (b.title, b.abstract)


def _same_texts(a: Paper, b: Paper) -> bool:
    digests = [paper.full_text and paper.full_text.digest for paper in (a, b)]
    return _same_abstract(a, b) and digests[0] == digests[1]


def _readable(
    documents: Iterable[formats.Document], report: BuildReport
) -> Iterator[tuple[formats.Document, str]]:
    """Pass on the documents whose bytes can be read, with their states, and note the others."""
    for document in documents:
        try:
            yield document, formats.state_of(document)
        except OSError as error:
            report.note_problem(unreadable(document.name, error))


def _chunks(document: formats.Document, report: BuildReport) -> Iterator[bytes]:
    """Read a file; where it is compressed and damaged, what comes before the damage."""
    try:
        yield from document.chunks()
    except (EOFError, OSError) as error:
        reason = f"cut off or damaged: {error}"
        report.note_problem(Problem(document.name, None, reason))
