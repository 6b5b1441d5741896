"""Extraction on a cluster: what `stemma extract` does on one machine, written as Parquet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from stemma.extract import Extractor
from stemma.extract.language_model import LanguageModelReader, Usage
from stemma.schema import Paper, Problem
from stemma.schema.interchange_parquet import schema, to_row
from stemma.server.build_report import BuildReport
from stemma.server.extraction_settings import ExtractionSettings
from stemma.server.spark.files import expect_new
from stemma.server.spark.source_records import ProblemsParam, files, papers, source_records

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_PAPERS_IN_A_PART = 2000
"""Papers that are lost, and read again, where a machine fails; a minute or two of work."""
_AT_ONCE = 256


def extract(
    spark: SparkSession,
    paths: Sequence[str],
    output: str,
    settings: ExtractionSettings,
) -> BuildReport:
    """Read papers at `paths`, extract what they say, and write it to the new folder `output`.

    Both may be URIs that Spark reads and writes. Each paper is written once, merged from all its
    records. The parts of the output, and the order in each, depend on nothing but the papers and
    the number of parts. Without papers, nothing is written. Raises FileExistsError where there is
    such a folder.
    """
    from pyspark.sql.pandas.types import from_arrow_schema  # noqa: PLC0415 - an extra

    expect_new(spark, output)
    context, report = spark.sparkContext, BuildReport()
    unread, lost = (context.accumulator({}, ProblemsParam()) for _ in range(2))
    shared = context.broadcast(settings)
    documents, missing = files(context, paths, settings.reading.reader)
    report.files = documents.count()
    read = source_records(documents, settings.reading, unread)
    count = read.count()
    parts = max(context.defaultParallelism, -(-count // _PAPERS_IN_A_PART))

    def rows(part: Iterable[Paper]) -> Iterator[dict[str, Any]]:
        found: dict[Problem, None] = {}
        extractor = _extractor(shared.value)
        in_order = sorted(part, key=lambda each: each.id)
        for each in extractor.extract(in_order, 1, on_problem=found.setdefault):
            if isinstance(each, Problem):
                found[each] = None
            else:
                yield to_row(each)
        lost.add(found)

    all_rows = papers(read, parts).mapPartitions(rows)
    frame = spark.createDataFrame(all_rows, from_arrow_schema(schema()), verifySchema=False)
    if count:
        frame.write.parquet(output)
        report.extracted = spark.read.parquet(output).count()
    for problem in (*missing, *sorted(unread.value, key=_by_place)):
        report.note_problem(problem)
    for problem in sorted(lost.value, key=_by_place):
        report.note_problem(problem, str(problem) if problem.skipped else None)
    failed = sum(each.skipped for each in lost.value)
    report.count_elsewhere(count, report.extracted + failed)
    return report


@lru_cache(maxsize=1)
def _extractor(settings: ExtractionSettings) -> Extractor | LanguageModelReader:
    """Return the extractor of this process, which Spark keeps between tasks."""
    return settings.extractor(Usage())


def _by_place(problem: Problem) -> tuple[str, int, str]:
    return problem.file, problem.line or 0, problem.reason
