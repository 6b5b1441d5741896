"""A run that fetches papers: it asks a service, adds records to the file, and counts."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import islice

from stemma.extract.fetching.client import RefusedError, UnavailableError, host
from stemma.extract.fetching.fetched_file import FetchedFile
from stemma.extract.fetching.fetching import FetchReport, OnProgress
from stemma.extract.fetching.services import Arxiv, Service
from stemma.schema.problem import Problem

_PAGE = 100


class Run:
    """Fetches into a file, and keeps a report up to date."""

    def __init__(self, file: FetchedFile, report: FetchReport, on_progress: OnProgress) -> None:
        self._file, self._report, self._on_progress = file, report, on_progress

    def fetch(self, service: Service, ids: Sequence[str]) -> None:
        """Fetch papers, until all are fetched or the service cannot be used."""
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

    def search(self, service: Arxiv, query: str, most: int) -> None:
        """Fetch what a search finds, from where an earlier run stopped."""
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

    def _take(self, service: Service, ids: Sequence[str]) -> None:
        records = service.records(ids)
        for each in ids:
            if each in records:
                self._add(service, each, records[each])
            else:
                self._miss(service, each, "not found")

    def _add(self, service: Service, id_: str, record: object, **search: object) -> None:
        try:
            self._file.add(id_, service.name, record, **search)
        except ValueError as error:
            self._miss(service, id_, str(error))
            return
        self._report.fetched += 1
        self._settle()

    def _miss(self, service: Service, id_: str, reason: str) -> None:
        self._report.problems.append(Problem(host(service.address), None, f"{id_}: {reason}"))
        self._report.missing += 1
        self._settle()

    def _settle(self) -> None:
        self._report.left -= 1
        done = self._report.fetched + self._report.missing
        self._on_progress(done, done + self._report.left)

    def _give_up(self, service: Service, reason: str) -> None:
        problem = Problem(host(service.address), None, f"no usable response: {reason}")
        self._report.problems.append(problem)


def _batches(ids: Sequence[str], size: int) -> Iterator[list[str]]:
    left = iter(ids)
    while batch := list(islice(left, size)):
        yield batch
