"""The pool of workers: a few running processes, each of which can be killed without harm.

Pools of libraries do less: pebble's is broken for good when an idle process dies, and anyio's
unpickles what a process replies, which had better not be trusted after it read a stranger's query.
"""

import asyncio
import json
import logging
import signal
from asyncio import StreamReader, StreamWriter
from asyncio.subprocess import PIPE, Process
from collections.abc import Hashable
from contextlib import AsyncExitStack, suppress
from dataclasses import asdict
from http import HTTPStatus
from typing import Any, Self

from stemma.server.settings import Settings
from stemma.server.sparql.answering import Refusal, SparqlQuery, SparqlResult
from stemma.server.sparql.fair_queue import FairQueue, busy
from stemma.server.sparql.worker import command

_START_TIMEOUT = 3600.0
"""Seconds: the first worker may have to write the graph as RDF."""
_STDERR_SIZE = 4096
"""Bytes that are kept of what a worker writes to stderr."""

_log = logging.getLogger(__name__)


class WorkerPool:
    """Answers queries on the store in the folder `store` by processes, within limits.

    It is used in one event loop. A worker is started by the first query that finds none idle, so
    that a server without SPARQL queries has none.
    """

    def __init__(self, store: str, settings: Settings) -> None:
        self._settings = settings
        self._command = command(store, settings)
        self._workers = set[_Worker]()
        self._idle = list[_Worker]()
        self._queue = FairQueue(settings.sparql_workers, settings.sparql_queue)

    async def start(self) -> None:
        """Wait for the first worker, which first writes the graph as RDF where that is missing.

        That may take minutes, in which the server answers other questions as fast as ever.
        """
        if not self._workers:
            self._idle.append(await self._started())

    async def stop(self) -> None:
        """End the workers."""
        await asyncio.gather(*(worker.end() for worker in self._workers))

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
        while self._idle and self._idle[-1].has_ended:
            self._workers.discard(self._idle.pop())
        worker = self._idle.pop() if self._idle else await self._started()
        try:
            return await self._run(query, worker, waited)
        finally:
            if worker.is_busy:  # It took too long, the client gave up, or it died.
                self._workers.discard(worker)
                worker.kill()
                await worker.end()
            else:
                self._idle.append(worker)

    async def _started(self) -> "_Worker":
        worker = await _Worker.start(self._command)
        self._workers.add(worker)
        return worker

    async def _run(self, query: SparqlQuery, worker: "_Worker", waited: float) -> SparqlResult:
        # The time in the queue counts, the time that a worker takes to start does not.
        try:
            async with asyncio.timeout(self._settings.sparql_seconds - waited):
                reply, body = await worker.ask(query)
        except TimeoutError:
            raise self._too_slow(waited) from None
        except (EOFError, OSError):
            raise await self._refusal_after_exit(worker) from None
        if "status" in reply:
            raise Refusal(HTTPStatus(reply["status"]), body.decode())
        return SparqlResult(reply["media_type"], body)

    def _too_slow(self, waited: float) -> Refusal:
        reason = f"The query took more than {self._settings.sparql_seconds:g} s and was stopped."
        if waited < 1:
            advice = "Add constraints, or split it into smaller queries."
            return Refusal(HTTPStatus.SERVICE_UNAVAILABLE, f"{reason} {advice}")
        waiting = f"It spent {waited:.0f} s waiting in the queue: try again in a moment."
        return busy(f"{reason} {waiting}")

    async def _refusal_after_exit(self, worker: "_Worker") -> Refusal:
        """Return why a worker died, for the client, and log it."""
        code, error = await worker.end(), await worker.last_error()
        if code == -signal.SIGABRT:
            memory = self._settings.sparql_memory
            reason = f"The query needs more than {memory} MB of memory."
            _log.warning(
                "a SPARQL query needed more than %s MB of memory", self._settings.sparql_memory
            )
            return Refusal(
                HTTPStatus.SERVICE_UNAVAILABLE, f"{reason} Split it into smaller queries."
            )
        if code == -signal.SIGSEGV:
            # Its stack is full: Oxigraph reads and plans what nests by calling itself.
            reason = "The query is nested too deeply, or too long. Split it into smaller queries."
            _log.warning("a SPARQL query was nested too deeply")
            return Refusal(HTTPStatus.BAD_REQUEST, reason)
        reason = f"The process that executed the query died ({code})."
        _log.error("a SPARQL process died (%s): %s", code, error)
        return Refusal(HTTPStatus.INTERNAL_SERVER_ERROR, reason)


class _Worker:
    """A running process of stemma.server.sparql.worker."""

    def __init__(self, process: Process, queries: StreamWriter, replies: StreamReader) -> None:
        self._process, self._queries, self._replies = process, queries, replies
        self._stderr = asyncio.create_task(_read_stderr(process))
        self.is_busy = False
        """Whether the worker runs a query, or died of one."""

    @classmethod
    async def start(cls, command: list[str]) -> Self:
        """Start one, and wait until it is ready. Raises Refusal where it does not get there."""
        # In a session of its own it does not get the Ctrl-C that is meant for the server.
        process = await asyncio.create_subprocess_exec(
            *command, stdin=PIPE, stdout=PIPE, stderr=PIPE, start_new_session=True
        )
        assert process.stdin
        assert process.stdout
        worker = cls(process, process.stdin, process.stdout)
        try:
            async with asyncio.timeout(_START_TIMEOUT):
                await worker._reply()
        except (EOFError, TimeoutError):
            await worker.end()
            _log.error("no SPARQL process could be started: %s", await worker.last_error())
            raise Refusal(
                HTTPStatus.SERVICE_UNAVAILABLE, "No SPARQL process could be started."
            ) from None
        except asyncio.CancelledError:
            worker.kill()
            await worker.end()
            raise
        return worker

    @property
    def has_ended(self) -> bool:
        """Whether the process of the worker has ended."""
        return self._process.returncode is not None

    async def ask(self, query: SparqlQuery) -> tuple[dict[str, Any], bytes]:
        """Return its reply. Raises EOFError or OSError if it dies meanwhile."""
        self.is_busy = True
        self._queries.write(json.dumps(asdict(query)).encode() + b"\n")
        await self._queries.drain()
        reply = await self._reply()
        self.is_busy = False
        return reply

    async def _reply(self) -> tuple[dict[str, Any], bytes]:
        line = await self._replies.readline()
        if not line:
            raise EOFError
        header = json.loads(line)
        return header, await self._replies.readexactly(header["size"])

    def kill(self) -> None:
        """Stop it, whatever it is doing."""
        with suppress(ProcessLookupError):
            self._process.kill()

    async def last_error(self) -> str:
        """Return the last line that it wrote to stderr."""
        lines = (await self._stderr).decode(errors="replace").split("\n")
        return next((line.strip() for line in reversed(lines) if line.strip()), "it wrote nothing")

    async def end(self) -> int:
        """Let it end, or kill it after a second; return its exit status."""
        try:
            async with asyncio.timeout(1):
                # It ends with its input.
                self._queries.close()
                return await self._process.wait()
        except TimeoutError:
            self.kill()
            return await self._process.wait()


async def _read_stderr(process: Process) -> bytes:
    """Read what a process writes to stderr until its end; return the last of it."""
    assert process.stderr
    read = b""
    while piece := await process.stderr.read(_STDERR_SIZE):
        read = (read + piece)[-_STDERR_SIZE:]
    return read
