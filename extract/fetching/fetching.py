"""Fetching papers by their ids, or by a search of arXiv, into a file that later runs continue."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from stemma.schema.paper import canonical_identifier
from stemma.schema.problem import Problem

if TYPE_CHECKING:
    from stemma.extract.fetching.fetched_file import FetchedFile
    from stemma.extract.fetching.services import Arxiv, Service

_PAGE = 100
OnProgress = Callable[[int, int | None], None]


@dataclass(slots=True)
class FetchReport:
    """What was fetched: all that was asked for is fetched, known, missing or left."""

    fetched: int = 0
    known: int = 0
    """Were in the file already."""
    missing: int = 0
    """No service has them, or not whole."""
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
    most: int = _PAGE,
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
    from stemma.extract.fetching.fetched_file import FetchedFile  # noqa: PLC0415 - needs httpx
    from stemma.extract.fetching.services import DOI_SERVICES, Arxiv  # noqa: PLC0415

    report = FetchReport() if report is None else report
    wanted = list(dict.fromkeys(map(canonical_identifier, ids)))
    with closing(FetchedFile(output)) as file:
        new = [each for each in wanted if each not in file.ids]
        report.known, report.left = len(wanted) - len(new), len(new)
        run = _Run(file, report, on_progress or (lambda done, total: None))
        run.fetch(Arxiv(mailto), [each for each in new if each.startswith("arxiv:")])
        run.fetch(DOI_SERVICES[source](mailto), [each for each in new if each.startswith("doi:")])
        if search:
            run.search(Arxiv(mailto), search, most)
    return report


class _Run:
    def __init__(self, file: "FetchedFile", report: FetchReport, on_progress: OnProgress) -> None:
        self._file, self._report, self._on_progress = file, report, on_progress

    def fetch(self, service: "Service", ids: Sequence[str]) -> None:
        """Fetch papers, until all are fetched or the service cannot be used."""
        from stemma.extract.fetching.client import (  # noqa: PLC0415
            RefusedError,
            UnavailableError,
        )

        with closing(service.client):
            for batch in _batches(ids, service.batch):
                try:
                    try:
                        self._take(service, batch)
                    except RefusedError as error:
                        if len(batch) == 1:
                            self._miss(service, batch[0], str(error))
                            continue
                        for each in batch:  # one of them may be why all were refused
                            try:
                                self._take(service, [each])
                            except RefusedError as alone:
                                self._miss(service, each, str(alone))
                except UnavailableError as error:
                    self._give_up(service, str(error))
                    return

    def search(self, service: "Arxiv", query: str, most: int) -> None:
        """Fetch what a search finds, from where an earlier run stopped."""
        from stemma.extract.fetching.client import (  # noqa: PLC0415
            RefusedError,
            UnavailableError,
        )

        start = self._file.position(query)
        self._report.known += min(start, most)
        self._report.left += max(0, most - start)
        with closing(service.client):
            while start < most:
                try:
                    page = service.search(query, start, min(_PAGE, most - start))
                except (RefusedError, UnavailableError) as error:
                    self._give_up(service, str(error))
                    return
                for position, (id_, record) in enumerate(page.records.items(), start + 1):
                    if id_ in self._file.ids:
                        self._report.known += 1
                        self._settle()
                    else:
                        self._add(service, id_, record, search=query, position=position)
                start += page.size
                if not page.size or start >= page.total:
                    self._report.left -= max(0, most - start)
                    return

    def _take(self, service: "Service", ids: Sequence[str]) -> None:
        records = service.records(ids)
        for each in ids:
            if each in records:
                self._add(service, each, records[each])
            else:
                self._miss(service, each, "not found")

    def _add(self, service: "Service", id_: str, record: object, **search: object) -> None:
        try:
            self._file.add(id_, service.name, record, **search)
        except ValueError as error:
            self._miss(service, id_, str(error))
            return
        self._report.fetched += 1
        self._settle()

    def _miss(self, service: "Service", id_: str, reason: str) -> None:
        self._report.problems.append(Problem(_host(service), None, f"{id_}: {reason}"))
        self._report.missing += 1
        self._settle()

    def _settle(self) -> None:
        self._report.left -= 1
        done = self._report.fetched + self._report.missing
        self._on_progress(done, done + self._report.left)

    def _give_up(self, service: "Service", reason: str) -> None:
        self._report.problems.append(Problem(_host(service), None, f"no usable response: {reason}"))


def _host(service: "Service") -> str:
    from stemma.extract.fetching.client import host  # noqa: PLC0415

    return host(service.address)


def _batches(ids: Sequence[str], size: int) -> Iterator[list[str]]:
    left = iter(ids)
    while batch := list(islice(left, size)):
        yield batch
