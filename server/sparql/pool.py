"""The pool of workers: a few running processes, each of which can be killed without harm.

Pools of libraries do less: they are broken for good when a process dies, or unpickle its replies.
"""

import asyncio
import logging
import signal
from collections.abc import Hashable
from contextlib import AsyncExitStack
from http import HTTPStatus

from stemma.server.settings import Settings
from stemma.server.sparql.answering import Refusal, SparqlQuery, SparqlResult
from stemma.server.sparql.fair_queue import FairQueue, busy
from stemma.server.sparql.worker import Worker

_log = logging.getLogger(__name__)


class WorkerPool:
    """Answers queries on the store in the folder `store` by processes, within limits.

    It is used in one event loop. A worker is started by the first query that finds none idle, so
    that a server without SPARQL queries has none.
    """

    def __init__(self, store: str, settings: Settings) -> None:
        self._store, self._settings = store, settings
        self._workers = set[Worker]()
        self._idle = list[Worker]()
        self._queue = FairQueue(settings.sparql_workers, settings.sparql_queue)

    async def start(self) -> None:
        """Wait for the first worker, which first writes the graph as RDF where that is missing.

        That may take minutes, in which the server answers other questions as fast as ever.
        """
        if not self._workers:
            self._idle.append(await self._started())

    async def stop(self) -> None:
        """End the workers."""
        await asyncio.gather(*map(self._end, self._workers.copy()))

    async def ask(self, query: SparqlQuery, client: Hashable = None) -> SparqlResult:
        """Answer a query of a client, unknown if None. Raises Refusal.

        Cancelling this kills the worker that runs the query.
        """
        began = asyncio.get_running_loop().time()
        async with AsyncExitStack() as stack:
            slot = self._queue.slot(object() if client is None else client)
            try:
                async with asyncio.timeout(self._settings.sparql_seconds):
                    await stack.enter_async_context(slot)
            except TimeoutError:
                raise busy() from None
            return await self._ask(query, asyncio.get_running_loop().time() - began)

    async def _ask(self, query: SparqlQuery, waited: float) -> SparqlResult:
        while self._idle and not self._idle[-1].is_alive:
            await self._end(self._idle.pop())
        worker = self._idle.pop() if self._idle else await self._started()
        try:
            # The time in the queue counts, the time that a worker takes to start does not.
            async with asyncio.timeout(self._settings.sparql_seconds - waited):
                reply, body = await worker.ask(query)
        except TimeoutError:
            await self._end(worker)
            raise self._too_slow(waited) from None
        except (EOFError, OSError) as error:
            raise self._refusal_after_exit(await self._end(worker), error) from None
        except asyncio.CancelledError:
            await self._end(worker)
            raise
        self._idle.append(worker)
        if "status" in reply:
            raise Refusal(HTTPStatus(reply["status"]), body.decode())
        return SparqlResult(reply["media_type"], body)

    async def _started(self) -> Worker:
        worker = Worker(self._store, self._settings)
        self._workers.add(worker)
        try:
            await worker.ready()
        except asyncio.CancelledError:
            await self._end(worker)
            raise
        except (EOFError, OSError) as error:
            await self._end(worker)
            _log.error("no SPARQL process could be started: %s", error)
            reason = "No SPARQL process could be started."
            raise Refusal(HTTPStatus.SERVICE_UNAVAILABLE, reason) from None
        return worker

    async def _end(self, worker: Worker) -> int:
        self._workers.discard(worker)
        return await worker.end()

    def _too_slow(self, waited: float) -> Refusal:
        reason = f"The query took more than {self._settings.sparql_seconds:g} s and was stopped."
        if waited < 1:
            advice = "Add constraints, or split it into smaller queries."
            return Refusal(HTTPStatus.SERVICE_UNAVAILABLE, f"{reason} {advice}")
        waiting = f"It spent {waited:.0f} s waiting in the queue: try again in a moment."
        return busy(f"{reason} {waiting}")

    def _refusal_after_exit(self, code: int, error: Exception) -> Refusal:
        """Return why a worker died with this exit status, for the client, and log it."""
        if code == -signal.SIGABRT:
            memory = f"more than {self._settings.sparql_memory} MB of memory"
            _log.warning("a SPARQL query needed %s", memory)
            reason = f"The query needs {memory}. Split it into smaller queries."
            return Refusal(HTTPStatus.SERVICE_UNAVAILABLE, reason)
        if code == -signal.SIGSEGV:
            # Its stack is full: Oxigraph reads and plans what nests by calling itself.
            _log.warning("a SPARQL query was nested too deeply")
            reason = "The query is nested too deeply, or too long. Split it into smaller queries."
            return Refusal(HTTPStatus.BAD_REQUEST, reason)
        _log.error("a SPARQL process died (%s): %s", code, error)
        reason = f"The process that executed the query died ({code})."
        return Refusal(HTTPStatus.INTERNAL_SERVER_ERROR, reason)
