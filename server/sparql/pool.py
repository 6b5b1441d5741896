"""The pool of workers: a few warm processes, each of which can be killed without harm."""

import asyncio
import json
import logging
import signal
from asyncio import Queue, StreamReader, StreamWriter, Task
from asyncio.subprocess import PIPE, Process
from collections.abc import Hashable
from contextlib import AsyncExitStack, suppress
from dataclasses import asdict
from http import HTTPStatus
from typing import Any, Self

from stemma.server.sparql import worker
from stemma.server.sparql.answering import Answer, Question, Refusal
from stemma.server.sparql.limits import Limits
from stemma.server.sparql.turns import Turns, busy

_SECONDS_TO_START = 60.0
_HEARD = 4096
"""Bytes of what a worker says on stderr that are kept."""

_log = logging.getLogger(__name__)


class WorkerPool:
    """Answers questions on the store in the folder `store` by processes, within limits.

    It is used in one event loop; the workers are started by `start`, or by the first question.
    """

    def __init__(self, store: str, limits: Limits) -> None:
        self.limits = limits
        self._command = worker.command(store, limits)
        self._free = Queue[Task[_Worker]]()
        """What started the workers that nobody uses, or is about to."""
        self._workers = set[Task[_Worker]]()
        self._ending = set[Task[int]]()
        self._turns = Turns(limits.workers, limits.queue)

    def start(self) -> None:
        """Begin to start the workers, so that the first questions find them warm."""
        while len(self._workers) < self.limits.workers:
            self._free.put_nowait(self._hire())

    async def stop(self) -> None:
        """End the workers."""
        workers, self._workers = self._workers, set()
        for each in workers:
            each.cancel()
        for found in await asyncio.gather(*workers, return_exceptions=True):
            if isinstance(found, _Worker):
                await found.end()
        await asyncio.gather(*self._ending)

    async def ask(self, question: Question, client: Hashable = None) -> Answer:
        """Answer a question of a client, whoever that is if None. Raises Refusal.

        To cancel this kills the worker that is at it.
        """
        self.start()
        began = asyncio.get_running_loop().time()
        async with AsyncExitStack() as stack:
            turn = self._turns.turn(object() if client is None else client)
            try:
                async with asyncio.timeout(self.limits.seconds):
                    await stack.enter_async_context(turn)
            except TimeoutError:
                raise busy() from None
            return await self._ask(question, asyncio.get_running_loop().time() - began)

    async def _ask(self, question: Question, waited: float) -> Answer:
        place = self._free.get_nowait()
        try:
            if _is_over(place):
                place = self._replace(place)
            # Whoever gives up now does not keep the worker from starting.
            found = await asyncio.shield(place)
            try:
                return await self._put(question, found, waited)
            finally:
                if found.is_busy or found.is_over:
                    found.kill()
                    place = self._replace(place)
        finally:
            self._free.put_nowait(place)

    async def _put(self, question: Question, to: "_Worker", waited: float) -> Answer:
        # What it waited for its turn is of the same seconds, what a worker takes to start is not.
        try:
            async with asyncio.timeout(self.limits.seconds - waited):
                reply, body = await to.ask(question)
        except TimeoutError:
            raise self._too_slow(waited) from None
        except (EOFError, OSError):
            raise await self._obituary(to) from None
        if "status" in reply:
            raise Refusal(HTTPStatus(reply["status"]), body.decode())
        return Answer(reply["media_type"], body)

    def _too_slow(self, waited: float) -> Refusal:
        reason = f"The query took more than {self.limits.seconds:g} s and was stopped."
        if waited < 1:
            advice = "Bind more of its variables, or ask for a part at a time."
            return Refusal(HTTPStatus.SERVICE_UNAVAILABLE, f"{reason} {advice}")
        waiting = f"For {waited:.0f} s of these it waited for its turn: try again in a moment."
        return busy(f"{reason} {waiting}")

    async def _obituary(self, of: "_Worker") -> Refusal:
        """Say why a worker died, to its client and, in a line, to the log."""
        code, said = await of.end(), await of.last_words()
        if code == -signal.SIGABRT:
            reason = f"The query needs more than {self.limits.memory} MB of memory."
            _log.warning("a SPARQL query needed more than %s MB of memory", self.limits.memory)
            return Refusal(HTTPStatus.SERVICE_UNAVAILABLE, f"{reason} Ask for a part at a time.")
        if code == -signal.SIGSEGV:
            # Its stack is full: Oxigraph reads and plans what nests by calling itself.
            reason = "The query nests too deep, or goes on for too long. Ask for a part at a time."
            _log.warning("a SPARQL query nested too deep")
            return Refusal(HTTPStatus.BAD_REQUEST, reason)
        reason = f"The process that was to answer the query died ({code})."
        _log.error("a process for SPARQL died (%s): %s", code, said)
        return Refusal(HTTPStatus.INTERNAL_SERVER_ERROR, reason)

    def _hire(self) -> "Task[_Worker]":
        place = asyncio.create_task(_Worker.start(self._command))
        self._workers.add(place)
        return place

    def _replace(self, place: "Task[_Worker]") -> "Task[_Worker]":
        self._workers.discard(place)
        if place.done() and not place.cancelled() and not place.exception():
            ending = asyncio.create_task(place.result().end())
            self._ending.add(ending)
            ending.add_done_callback(self._ending.discard)
        return self._hire()


class _Worker:
    """A running process of stemma.server.sparql.worker."""

    def __init__(self, process: Process, questions: StreamWriter, replies: StreamReader) -> None:
        self._process, self._questions, self._replies = process, questions, replies
        self._listening = asyncio.create_task(_heard(process))
        self.is_busy = False
        """Whether it has been asked what it has not answered."""

    @classmethod
    async def start(cls, command: list[str]) -> Self:
        """Start one, and wait until it is ready. Raises Refusal where it does not get there."""
        # In a session of its own it does not hear the Ctrl-C that is meant for the server.
        process = await asyncio.create_subprocess_exec(
            *command, stdin=PIPE, stdout=PIPE, stderr=PIPE, start_new_session=True
        )
        assert process.stdin
        assert process.stdout
        found = cls(process, process.stdin, process.stdout)
        try:
            async with asyncio.timeout(_SECONDS_TO_START):
                await found._reply()
        except (EOFError, TimeoutError):
            await found.end()
            _log.error("no process for SPARQL could be started: %s", await found.last_words())
            raise Refusal(
                HTTPStatus.SERVICE_UNAVAILABLE, "No process could be started for the query."
            ) from None
        except asyncio.CancelledError:
            found.kill()
            await found.end()
            raise
        return found

    @property
    def is_over(self) -> bool:
        """Whether it has died."""
        return self._process.returncode is not None

    async def ask(self, question: Question) -> tuple[dict[str, Any], bytes]:
        """Return its reply. Raises EOFError or OSError if it dies meanwhile."""
        self.is_busy = True
        self._questions.write(json.dumps(asdict(question)).encode() + b"\n")
        await self._questions.drain()
        reply = await self._reply()
        self.is_busy = False
        return reply

    async def _reply(self) -> tuple[dict[str, Any], bytes]:
        line = await self._replies.readline()
        if not line:
            raise EOFError
        said = json.loads(line)
        return said, await self._replies.readexactly(said["size"])

    def kill(self) -> None:
        """Stop it, whatever it is doing."""
        with suppress(ProcessLookupError):
            self._process.kill()

    async def last_words(self) -> str:
        """Return the last line of what it said on stderr before its end."""
        lines = (await self._listening).decode(errors="replace").split("\n")
        return next((line.strip() for line in reversed(lines) if line.strip()), "it said nothing")

    async def end(self) -> int:
        """Wait for its end, which is brought about if need be; return how it died."""
        try:
            async with asyncio.timeout(1):
                # It ends with its input.
                self._questions.close()
                return await self._process.wait()
        except TimeoutError:
            self.kill()
            return await self._process.wait()


async def _heard(process: Process) -> bytes:
    """Take what a process says on stderr until its end; return the last of it."""
    assert process.stderr
    heard = b""
    while piece := await process.stderr.read(_HEARD):
        heard = (heard + piece)[-_HEARD:]
    return heard


def _is_over(place: "Task[_Worker]") -> bool:
    if not place.done():
        return False
    return place.cancelled() or bool(place.exception()) or place.result().is_over
