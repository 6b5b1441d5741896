"""Reading on a cluster: a file is read by one task, in any format that is read on one machine."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

from pyspark import AccumulatorParam, StorageLevel

from stemma.extract import formats
from stemma.extract.formats.registry import is_offered
from stemma.graph.identity import keys_of_identity
from stemma.schema import Paper, Problem
from stemma.server.merging import PaperMerger
from stemma.server.spark.components import connected_components

if TYPE_CHECKING:
    from pyspark import RDD, Accumulator, SparkContext

_MOST_PROBLEMS = 10_000
"""Problems that a task reports."""


class SourceRecord(NamedTuple):
    """A paper as one file has it. Records are ordered by file (its number), then by place."""

    file: tuple[int, int]
    place: int
    paper: Paper


class File(NamedTuple):
    """A file of papers: a `path` that all machines see, or what is in it.

    Files are ordered by `number`: that of what was named, and theirs in it.
    """

    number: tuple[int, int]
    name: str
    path: str
    content: bytes | None = None


class ProblemsParam(AccumulatorParam[dict[Problem, None]]):
    """Collects problems; what a task reports again, because it was repeated, counts once."""

    def zero(self, value: dict[Problem, None]) -> dict[Problem, None]:
        return {}

    def addInPlace(  # noqa: N802 - Spark's name
        self, value1: dict[Problem, None], value2: dict[Problem, None]
    ) -> dict[Problem, None]:
        return value1 | value2


def files(
    context: SparkContext, paths: Sequence[str], reader: str | None
) -> tuple[RDD[File], list[Problem]]:
    """Return the files at paths that all machines see, or at URIs that Spark reads (``hdfs://``).

    Files at URIs are held in memory while they are read: 2 GB is the most. What was named and
    cannot be read is a problem. `reader`: the name of the only format that is read, if one is set.
    """
    here = [Path(each) for each in paths if "://" not in each]
    documents, problems = formats.find(here)
    found = [
        File((0, number), each.name, str(each.path.absolute()))
        for number, each in enumerate(documents)
    ]
    parts = max(1, min(len(found), 10 * context.defaultParallelism))
    all_files = context.parallelize(found, parts)
    uris = [each for each in paths if "://" in each]
    for number, uri in enumerate(uris, start=1):
        offered = _at(context, uri, number).filter(lambda each: _is_offered(each, reader))
        all_files = all_files.union(offered)
    return all_files, problems


def _at(context: SparkContext, uri: str, which: int) -> RDD[File]:
    def named(pair: tuple[tuple[str, bytes], int]) -> File:
        (path, content), number = pair
        base = PurePosixPath(uri)
        full = PurePosixPath(path)
        name = full.relative_to(base) if full.is_relative_to(base) and full != base else full.name
        return File((which, number), str(name), path, content)

    return context.binaryFiles(uri).sortByKey().zipWithIndex().map(named)


def source_records(
    files: RDD[File], options: formats.Options, problems: Accumulator[dict[Problem, None]]
) -> RDD[SourceRecord]:
    """Return what is read in files; what cannot be read is added to `problems`."""

    def read(part: Iterable[File]) -> Iterator[SourceRecord]:
        found: dict[Problem, None] = {}
        for file in part:
            for place, each in enumerate(_read(file, options)):
                if isinstance(each, Paper):
                    yield SourceRecord(file.number, place, each)
                elif len(found) < _MOST_PROBLEMS:
                    found[each] = None
        problems.add(found)

    return files.mapPartitions(read).persist(StorageLevel.MEMORY_AND_DISK)


def _is_offered(file: File, reader: str | None) -> bool:
    with _document(file) as document:
        return is_offered(document, reader)


def _read(file: File, options: formats.Options) -> Iterator[Paper | Problem]:
    try:
        with _document(file) as document:
            yield from formats.read_document(document, options)
    except OSError as error:
        reason = (
            f"{file.path} cannot be read on this machine ({error.strerror or error}): give a "
            "path that all machines see, or a URI such as hdfs://"
        )
        yield Problem(file.name, None, reason)


@contextmanager
def _document(file: File) -> Iterator[formats.Document]:
    """Return a file as readers open it, while the context lasts."""
    if file.content is None:
        yield formats.Document(Path(file.path), file.name)
        return
    with TemporaryDirectory(prefix="stemma-") as folder:
        path = Path(folder) / PurePosixPath(file.name).name
        path.write_bytes(file.content)
        yield formats.Document(path, file.name)


def papers(records: RDD[SourceRecord], parts: int) -> RDD[Paper]:
    """Return the papers that these are records of, each once, in `parts`.

    Records that share an identifier or a title are distinguished or merged as on one machine.
    """
    keyed = records.flatMap(
        lambda each: [(key, each.paper.id) for key in keys_of_identity(each.paper)]
    )
    ties = keyed.distinct().groupByKey().flatMap(lambda each: pairwise(sorted(each[1])))
    components = connected_components(ties)
    by_id = records.keyBy(lambda each: each.paper.id)
    together = by_id.leftOuterJoin(components).map(lambda each: (each[1][1] or each[0], each[1][0]))
    return together.groupByKey(parts).values().flatMap(_merged)


def _merged(records: Iterable[SourceRecord]) -> Iterator[Paper]:
    """Merge records of which some may be of one paper."""
    in_order = [each.paper for each in sorted(records, key=lambda each: each[:2])]
    if len(in_order) == 1:
        yield from in_order
        return
    merger = PaperMerger()
    for paper in in_order:
        merger.add(paper)
    yield from merger.merged(in_order)
