"""Fetching papers by their ids, or by a search of arXiv, into a file that later runs continue."""

from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

from stemma.extract.fetching.fetched_file import FetchedFile
from stemma.schema.paper import canonical_identifier
from stemma.schema.problem import Problem

OnProgress = Callable[[int, int | None], None]


@dataclass(slots=True)
class FetchReport:
    """What was fetched: all that was asked for is fetched, known, missing or left."""

    fetched: int = 0
    known: int = 0
    """Were in the file already."""
    missing: int = 0
    """No service has them, or not with all that is needed."""
    left: int = 0
    """To be fetched by another run."""
    problems: list[Problem] = field(default_factory=list)


def is_installed() -> bool:
    """Return whether what is needed for the network is installed."""
    return find_spec("httpx") is not None


def fetch(
    ids: Iterable[str],
    output: Path,
    *,
    search: str | None = None,
    most: int = 100,
    source: str = "openalex",
    mailto: str | None = None,
    on_progress: OnProgress | None = None,
    report: FetchReport | None = None,
) -> FetchReport:
    """Fetch the records of papers into a file, as their services write them.

    `ids` are such as ``arxiv:2104.07857`` and ``doi:10.1145/3458817.3476205``; `search` is a query
    of arXiv's API, of which the newest `most` papers are fetched. DOIs are asked of `source`:
    openalex, crossref or s2. What is in the file is not fetched again. `report` is up to date at
    any moment, even where KeyboardInterrupt ends this. Raises ValueError where the file is another.
    """
    from stemma.extract.fetching.run import Run  # noqa: PLC0415 - needs httpx
    from stemma.extract.fetching.services import DOI_SERVICES, Arxiv  # noqa: PLC0415

    report = FetchReport() if report is None else report
    wanted = list(dict.fromkeys(map(canonical_identifier, ids)))
    with closing(FetchedFile(output)) as file:
        new = [each for each in wanted if each not in file.ids]
        report.known, report.left = len(wanted) - len(new), len(new)
        run = Run(file, report, on_progress or (lambda done, total: None))
        run.fetch(Arxiv(mailto), [each for each in new if each.startswith("arxiv:")])
        run.fetch(DOI_SERVICES[source](mailto), [each for each in new if each.startswith("doi:")])
        if search:
            run.search(Arxiv(mailto), search, most)
    return report
