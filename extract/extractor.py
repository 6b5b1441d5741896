"""The extractor: papers in, extractions out, in the same order."""

from __future__ import annotations

import gc
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import cache, cached_property, lru_cache
from hashlib import sha256
from importlib.metadata import version
from math import inf
from pathlib import Path
from time import perf_counter
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeVar, cast
from weakref import finalize

from stemma.extract.encoder.trained_model import SHIPPED, ModelError, TrainedModel
from stemma.extract.encoder.trained_model import fingerprint as model_fingerprint
from stemma.extract.sections.trust import Trust
from stemma.garbage import no_garbage
from stemma.schema import (
    Catalogue,
    Extraction,
    FoundEntity,
    FoundRelation,
    FullText,
    Paper,
    Problem,
    RelationType,
    name,
)
from stemma.schema.catalogue import fingerprint as catalogue_fingerprint
from stemma.worker_pool import processors, worker_pool

_COMMAND_LINE = ("spacy.cli", "spacy.cli.info")


def import_spacy() -> None:
    """Import spaCy; its command line is imported when somebody uses it."""
    if "spacy" in sys.modules:
        return
    # `spacy` imports its command line only for the function `info`.
    for each in _COMMAND_LINE:
        sys.modules[each] = ModuleType(each)
    vars(sys.modules[_COMMAND_LINE[-1]])["info"] = _info
    try:
        import spacy  # noqa: F401, PLC0415
    finally:
        for each in _COMMAND_LINE:
            del sys.modules[each]


@cache
def _keep() -> None:
    """Let no search for garbage look through spaCy and the first pipeline: they stay, as a rule.

    Of a later pipeline, the cycles would never be found once it is gone.
    """
    gc.freeze()


def _info(*arguments: Any, **options: Any) -> Any:
    from spacy.cli.info import info  # noqa: PLC0415

    return info(*arguments, **options)


FOLDER = Path(__file__).parent
_NO_PART = (FOLDER / "evaluation", FOLDER / "web_services.py", SHIPPED)
"""What does not decide what is extracted. A trained model has its own hash."""
_SHARED = ("comparison.py", "disjoint_sets.py", "general_wording.py", "name.py")
"""The modules of the data model that decide what is extracted."""
_PARTS = {".py", ".cfg", ".toml", ".npz", ".json", ".onnx"}
_LIBRARIES = ("ahocorasick-rs", "onnxruntime", "spacy", "tokenizers")


@lru_cache(maxsize=16)
def extractor_fingerprint(catalogue: str | None = None, *, model: str | None = None) -> str:
    """Return a hash of the components' code, their config, data and models, and the catalogue.

    `catalogue` and `model` are the fingerprints of others than the shipped ones. spaCy is not
    loaded.
    """
    digest = sha256((catalogue or catalogue_fingerprint()).encode())
    digest.update((model or model_fingerprint(SHIPPED)).encode())
    for library in _LIBRARIES:
        digest.update(f"{library} {version(library)}".encode())
    for module in _SHARED:
        digest.update(Path(name.__file__).with_name(module).read_bytes())
    for file in sorted(FOLDER.rglob("*")):
        is_part = not any(file.is_relative_to(folder) for folder in _NO_PART)
        if file.suffix in _PARTS and is_part and file.is_file():
            digest.update(file.relative_to(FOLDER).as_posix().encode())
            digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

    from spacy.language import Language
    from spacy.tokens import Doc

    from stemma.extract.encoder.component import PaperReader
    from stemma.extract.sections.features import EntityReading
    from stemma.extract.sections.section_reader import SectionReader

T = TypeVar("T")
Texts = tuple[str, str]
"""Title and abstract."""
Found = tuple[tuple[FoundEntity, ...], tuple[FoundRelation, ...]]
Read = tuple[FullText | None, Found, tuple[str, ...], bytes]
"""What is kept of a full text, what was found, why passages could not be read, and the vector of
title and abstract."""
_BATCH = 16
"""Papers that the model reads at once: more would take longer, since they crowd the caches."""
_MOST_CHARACTERS = 30_000
"""Characters of full texts after which a batch ends."""
_LONGEST_TITLE, _LONGEST_ABSTRACT = 2_000, 100_000
"""Characters that are read: what is longer is neither. Rules need at most 20 µs a character, 5 µs
for a usual text."""
_MOST_WORDS = 100_000
"""Words that the vocabulary keeps: those of some 20,000 abstracts."""
_ENCODER = "stemma_encoder"
_SECONDS_TO_START = 3.0
"""What it takes to start processes: until then it is faster to work alone."""
_BATCHES_WAITING = 8
"""Batches a process has in hand or waiting: enough to keep it busy, few enough for memory."""


class Extractor:
    """Finds the entities that papers name, and how each paper relates to them.

    `trust` says which relations are read from which sections of a full text; by default as the
    shipped table does. `model` is another trained model than the shipped one.
    """

    def __init__(
        self,
        catalogue: Catalogue | None = None,
        *,
        trust: Trust | None = None,
        model: TrainedModel | None = None,
    ) -> None:
        self._catalogue = catalogue
        self._trained_model = model
        self._trust = trust
        self._pools: dict[int, ProcessPoolExecutor] = {}
        self._seconds_alone = 0.0

    @cached_property
    def fingerprint(self) -> str:
        """A hash that changes when the same paper could come out differently."""
        catalogue = self._catalogue.fingerprint if self._catalogue else None
        model = self._trained_model.fingerprint if self._trained_model else None
        own = extractor_fingerprint(catalogue, model=model)
        return f"{own}-{self._trust.fingerprint}" if self._trust else own

    @cached_property
    @no_garbage()
    def pipeline(self) -> Language:
        """The spaCy pipeline, built when it is first needed."""
        import_spacy()
        from stemma.extract import pipeline  # noqa: PLC0415  (spaCy loads slowly)

        model = self._trained_model
        if model and TrainedModel.read(model.path).fingerprint != model.fingerprint:
            raise ModelError(f"{model.path} holds a different model than the one that was chosen")
        loaded = pipeline.load(self._catalogue, model=model.path if model else None)
        _keep()
        return loaded

    def extract(
        self,
        papers: Iterable[Paper],
        processes: int | None = 1,
        on_problem: Callable[[Problem], object] = lambda problem: None,
    ) -> Iterator[Extraction | Problem]:
        """Yield for each paper, in order, what was found in it.

        `processes` share the work. None is for one for each processor, at most 8, as soon as the
        work has taken longer than it takes to start them. What is found does not depend on it.
        A paper that cannot be worked on is yielded as a problem, with the place it was read from;
        `on_problem` is called for a passage of a full text that cannot be, and the rest is read.
        Papers are taken from the iterable as they are needed, so a corpus may be of any size.
        """
        for batch, results in self._answered(_batches(papers), processes):
            for paper, result in zip(batch, results, strict=True):
                if isinstance(result, str):
                    reason = f"nothing was extracted from {paper.title!r}: {result}"
                    yield _problem_with(paper, reason, skipped=True)
                else:
                    kept, statements, unread, vector = result
                    for reason in unread:
                        on_problem(_problem_with(paper, reason, skipped=False))
                    own = replace(paper, full_text=kept) if paper.full_text else paper
                    yield Extraction(own, *statements, self.fingerprint, vector)

    def read(self, papers: list[Paper]) -> list[Read | str]:
        """Return the entities and relations in the abstract and the sections of each paper."""
        from stemma.extract.sentence_encoder import vector_of  # noqa: PLC0415

        texts = [
            (paper.title[:_LONGEST_TITLE], paper.abstract[:_LONGEST_ABSTRACT]) for paper in papers
        ]
        return [
            found
            if isinstance(found, str)
            else (*self._with_sections(paper, found), vector_of(paper.title, paper.abstract))
            for paper, found in zip(papers, self.find(texts), strict=True)
        ]

    def _with_sections(
        self, paper: Paper, abstract: Found
    ) -> tuple[FullText | None, Found, tuple[str, ...]]:
        """Add what sections say; a window that cannot be worked on says nothing."""
        unread = list[str]()
        if len(paper.abstract) > _LONGEST_ABSTRACT:
            unread.append(f"only {_LONGEST_ABSTRACT:,} characters of the abstract were read")
        if paper.full_text is None:
            return None, abstract, tuple(unread)
        reader, problems = self.section_reader(paper, abstract)
        return *reader.result(), (*unread, *problems)

    def section_reader(self, paper: Paper, abstract: Found) -> tuple[SectionReader, list[str]]:
        """Return a reader that has read the sections of a paper, which has a full text, and why
        passages could not be read."""
        from stemma.extract.sections.section_reader import SectionReader  # noqa: PLC0415

        known = (self._catalogue or Catalogue.shipped()).by_key
        reader = SectionReader(paper, abstract, self._trust or Trust.read(), known)
        windows, unread = reader.windows(), list[str]()
        texts = [(paper.title, f"{window.text}\n\n{reader.context}") for window in windows]
        for window, read in zip(windows, self._read_texts(texts, self._readings), strict=True):
            if isinstance(read, str):
                unread.append(f"a passage of the {window.kind.section} was not read: {read}")
            else:
                reader.add(window, read)
        reader.add_tables()
        return reader, unread

    def _readings(self, docs: Iterator[Doc]) -> list[list[EntityReading]]:
        from stemma.extract.sections.features import readings  # noqa: PLC0415

        nlp = self.pipeline
        reader = cast("PaperReader", nlp.get_pipe(_ENCODER))
        read = nlp.pipe(docs, batch_size=_BATCH, disable=(_ENCODER, "stemma_comparisons"))
        return [readings(doc, reader) for doc in read]

    def find(self, texts: list[Texts]) -> list[Found | str]:
        """Return the entities and relations in each title and abstract, or the reason for none."""
        return self._read_texts(texts, self._found)

    def _found(self, docs: Iterator[Doc]) -> list[Found]:
        from stemma.extract.recognition import found_in  # noqa: PLC0415

        return [found_in(doc) for doc in self.pipeline.pipe(docs, batch_size=_BATCH)]

    def _read_texts(
        self, texts: list[Texts], read: Callable[[Iterator[Doc]], Sequence[T]]
    ) -> list[T | str]:
        """Return what is read of each title and abstract, or why nothing could be."""
        try:
            # New words are forgotten once there are many: a corpus always has more of them.
            full = len(self.pipeline.vocab) > _MOST_WORDS
            with self.pipeline.memory_zone() if full else nullcontext(), no_garbage():
                # The pipeline has imported spaCy by now, and without its command line.
                from stemma.extract.recognition import document_of  # noqa: PLC0415

                return [*read(document_of(self.pipeline, *text) for text in texts)]
        except Exception as error:
            # One of them cannot be worked on; the others are read all the same.
            if len(texts) == 1:
                return [f"{type(error).__name__}: {error}"]
            return [result for text in texts for result in self._read_texts([text], read)]

    def _answered(
        self, batches: Iterator[list[Paper]], processes: int | None
    ) -> Iterator[_Answered]:
        most = processes or processors()
        alone = inf if most == 1 else 0 if processes else _SECONDS_TO_START
        while self._seconds_alone < alone:
            batch = next(batches, None)
            if batch is None:
                return
            _ = self.pipeline  # Loading it is not reading.
            start = perf_counter()
            answer = self.read(batch)
            self._seconds_alone += perf_counter() - start
            yield batch, answer
        yield from self._in_pool(batches, most)

    def _in_pool(self, batches: Iterator[list[Paper]], processes: int) -> Iterator[_Answered]:
        waiting: deque[tuple[list[Paper], Future[list[Read | str]]]] = deque()
        pool = self._pool(processes)
        for batch in batches:
            texts = [
                Paper(paper.id, paper.title, paper.abstract, full_text=paper.full_text)
                for paper in batch
            ]
            waiting.append((batch, pool.submit(_work, texts)))
            if len(waiting) >= processes * _BATCHES_WAITING:
                first, answer = waiting.popleft()
                yield first, answer.result()
        while waiting:
            first, answer = waiting.popleft()
            yield first, answer.result()

    def _pool(self, processes: int) -> ProcessPoolExecutor:
        """Return the processes, started once: each has to load the pipeline again."""
        if processes not in self._pools:
            settings = (self._catalogue, self._trust, self._trained_model)
            pool = worker_pool(processes, _start_worker, *settings)
            # A pool that is collected just before the interpreter ends closes what the
            # interpreter still writes to (Python 3.11): it has to end before.
            finalize(self, pool.shutdown, cancel_futures=True)
            self._pools[processes] = pool
        return self._pools[processes]


def with_sections_of(abstract: Extraction, earlier: Extraction) -> Extraction:
    """Return the extraction of a title and an abstract, with what sections say in an earlier one.

    That one read the full text of the same paper as a whole; what it quotes is all that was kept.
    The result is by the earlier extractor, so that the text is read again once it is at hand.
    """
    relations = {(relation.type, relation.entity): relation for relation in abstract.relations}
    for each in earlier.relations:
        quoted = tuple(evidence for evidence in each.evidence if evidence.section)
        if old := relations.get((each.type, each.entity)):
            relations[each.type, each.entity] = replace(
                old, evidence=(*old.evidence, *quoted), comparison=old.comparison or each.comparison
            )
        elif quoted and quoted == each.evidence:
            relations[each.type, each.entity] = each
    named = {name for relation, name in relations if relation is not RelationType.MENTIONS}
    entities = {entity.name: entity for entity in abstract.entities}
    for entity in earlier.entities:
        mentions = tuple(mention for mention in entity.mentions if mention.field.section)
        if known := entities.get(entity.name):
            entities[entity.name] = replace(known, mentions=(*known.mentions, *mentions))
        elif entity.name in named:
            entities[entity.name] = replace(entity, mentions=mentions)
    return replace(
        abstract,
        paper=replace(abstract.paper, full_text=earlier.paper.full_text),
        entities=tuple(entities.values()),
        relations=tuple(
            each
            for (relation, name), each in relations.items()
            if relation is not RelationType.MENTIONS or name not in named
        ),
        extractor=earlier.extractor,
    )


_Answered = tuple[list[Paper], list[Read | str]]
_worker: Extractor | None = None


def _start_worker(
    catalogue: Catalogue | None, trust: Trust | None, model: TrainedModel | None
) -> None:
    global _worker  # noqa: PLW0603  (one extractor a process)
    _worker = Extractor(catalogue, trust=trust, model=model)


def _work(papers: list[Paper]) -> list[Read | str]:
    assert _worker is not None
    return _worker.read(papers)


def _batches(papers: Iterable[Paper]) -> Iterator[list[Paper]]:
    """Yield papers that are read at once; those with long texts are few, and so soon shared out."""
    batch, characters = list[Paper](), 0
    for paper in papers:
        batch.append(paper)
        characters += paper.full_text.characters if paper.full_text else 0
        if len(batch) == _BATCH or characters > _MOST_CHARACTERS:
            yield batch
            batch, characters = [], 0
    if batch:
        yield batch


def _problem_with(paper: Paper, reason: str, skipped: bool) -> Problem:
    """Return a problem at the place that a paper was read from."""
    source = paper.sources[0] if paper.sources else None
    file, line = (source.file, source.position) if source else (paper.id, None)
    return Problem(file, line, reason, skipped)
