"""A worker: the process that answers untrusted queries, one at a time, within limits.

It gets each query as JSON, and replies with JSON and a body. What it replies is never unpickled,
for it had better not be trusted after it read a stranger's query.
"""

import asyncio
import json
import os
import socket
from dataclasses import asdict
from io import BufferedRWPair
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from stemma.graph.sqlite import SqliteStore
from stemma.server.settings import Settings
from stemma.server.sparql.answering import Refusal, SparqlQuery, answer, evaluate
from stemma.server.sparql.confinement import MEGABYTE, die_after, forbid_sockets, limit_memory

_GRACE = 5.0
"""Seconds after which a worker ends itself, should there be no pool any more to kill it."""
_PROCESSES = get_context("spawn")


class Worker:
    """A running worker, as its pool sees it."""

    def __init__(self, store: str, settings: Settings) -> None:
        """Start one on the store in the folder `store`; its first reply says that it is ready."""
        self._most = (settings.sparql_size + 1) * MEGABYTE
        self._socket, theirs = socket.socketpair()
        self._queries: asyncio.StreamWriter | None = None
        self._process = _PROCESSES.Process(
            target=_work, args=(theirs, store, settings), name="sparql", daemon=True
        )
        self._process.start()
        theirs.close()

    @property
    def is_alive(self) -> bool:
        """Whether its process runs."""
        return self._process.is_alive()

    async def ready(self) -> None:
        """Wait until it can be asked. Raises: `ask`."""
        self._replies, self._queries = await asyncio.open_connection(sock=self._socket)
        await self._reply()

    async def ask(self, query: SparqlQuery) -> tuple[dict[str, Any], bytes]:
        """Return its reply.

        Raises EOFError where it dies meanwhile, with the reason if that is an error; OSError where
        it is not reached, or its reply is none: longer than an answer may be, perhaps.
        """
        assert self._queries
        self._queries.write(json.dumps(asdict(query)).encode() + b"\n")
        await self._queries.drain()
        return await self._reply()

    async def _reply(self) -> tuple[dict[str, Any], bytes]:
        try:
            line = await self._replies.readline()
            if not line:
                raise EOFError("it ended")
            header = json.loads(line)
            size = int(header["size"])
        except (ValueError, LookupError, TypeError) as error:
            raise OSError(f"its reply is none: {error}") from None
        if "error" in header:
            raise EOFError(header["error"])
        if not 0 <= size <= self._most:
            raise OSError(f"its reply has {size} bytes")
        return header, await self._replies.readexactly(size)

    async def end(self) -> int:
        """End it, whatever it is doing; return its exit status, which may be an earlier one."""
        self._process.kill()
        await asyncio.to_thread(self._process.join)
        (self._queries or self._socket).close()
        return self._process.exitcode or 0


def _work(asked: socket.socket, store: str, settings: Settings) -> None:
    """Answer queries until there are no more."""
    # In a session of its own it does not get the Ctrl-C that is meant for the server.
    os.setsid()
    # Oxigraph says there that it gets no memory; the log is written by the pool.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    pipe = asked.makefile("rwb")
    try:
        _serve(pipe, SqliteStore(Path(store)), settings)
    except Exception as error:
        _reply(pipe, {"error": str(error)})


def _serve(pipe: BufferedRWPair, store: SqliteStore, settings: Settings) -> None:
    """Answer queries, each from the newest generation, until there are no more."""
    with store.snapshot() as reader:
        reader.dataset.project()
    limit_memory(settings.sparql_memory)
    forbid_sockets()
    with store.snapshot() as reader:
        evaluate(reader.dataset.rdf, reader.base, SparqlQuery("ASK {}"))
    _reply(pipe, {})
    for line in pipe:
        query = SparqlQuery(**json.loads(line))
        die_after(settings.sparql_seconds + _GRACE)
        try:
            with store.snapshot() as reader:
                result = answer(reader.dataset.rdf, reader.base, query, settings)
        except Refusal as refusal:
            _reply(pipe, {"status": refusal.status}, str(refusal).encode())
        except MemoryError:
            # As Oxigraph does where it gets no memory: the pool knows what that means.
            os.abort()
        else:
            _reply(pipe, {"media_type": result.media_type}, result.body)
        die_after(0)


def _reply(pipe: BufferedRWPair, header: dict[str, Any], body: bytes = b"") -> None:
    pipe.write(json.dumps({**header, "size": len(body)}).encode() + b"\n" + body)
    pipe.flush()
