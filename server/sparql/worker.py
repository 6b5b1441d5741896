"""A worker: the process that answers untrusted queries, one at a time, within limits.

It gets each query as JSON, and replies with JSON and a body. What it replies is never unpickled,
for it had better not be trusted after it read a stranger's query.
"""

import json
import os
from dataclasses import asdict
from multiprocessing import get_context
from multiprocessing.connection import Connection
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
        self._pipe, theirs = _PROCESSES.Pipe()
        self._process = _PROCESSES.Process(
            target=_work, args=(theirs, store, settings), name="sparql", daemon=True
        )
        self._process.start()
        theirs.close()

    @property
    def is_alive(self) -> bool:
        """Whether its process runs."""
        return self._process.is_alive()

    def ask(self, query: SparqlQuery) -> tuple[dict[str, Any], bytes]:
        """Return its reply, as `reply` does."""
        self._pipe.send_bytes(json.dumps(asdict(query)).encode())
        return self.reply()

    def reply(self) -> tuple[dict[str, Any], bytes]:
        """Return the next reply.

        Raises EOFError or OSError where it dies meanwhile, with the reason if that is an error.
        """
        header = json.loads(self._pipe.recv_bytes(self._most))
        if "error" in header:
            raise EOFError(header["error"])
        return header, self._pipe.recv_bytes(self._most)

    def end(self) -> int:
        """End it, whatever it is doing; return its exit status, which may be an earlier one."""
        self._process.kill()
        self._process.join()
        self._pipe.close()
        return self._process.exitcode or 0


def _work(pipe: Connection, store: str, settings: Settings) -> None:
    """Answer queries until there are no more."""
    # In a session of its own it does not get the Ctrl-C that is meant for the server.
    os.setsid()
    # Oxigraph says there that it gets no memory; the log is written by the pool.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    try:
        _serve(pipe, SqliteStore(Path(store)), settings)
    except EOFError:
        return
    except Exception as error:
        _reply(pipe, {"error": str(error)})


def _serve(pipe: Connection, store: SqliteStore, settings: Settings) -> None:
    """Answer queries, each from the newest generation. Raises EOFError at their end."""
    with store.snapshot() as reader:
        reader.dataset.project()
    limit_memory(settings.sparql_memory)
    forbid_sockets()
    with store.snapshot() as reader:
        evaluate(reader.dataset.rdf, reader.base, SparqlQuery("ASK {}"))
    _reply(pipe, {})
    while True:
        query = SparqlQuery(**json.loads(pipe.recv_bytes()))
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


def _reply(pipe: Connection, header: dict[str, Any], body: bytes = b"") -> None:
    pipe.send_bytes(json.dumps(header).encode())
    pipe.send_bytes(body)
