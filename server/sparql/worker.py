"""A worker: the process that answers untrusted queries, one at a time.

It reads each query as a line of JSON, and replies with a line of JSON that has the size of the body
that follows. It ends with its input; the pool kills it where a query takes too long.
"""

import json
import os
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any, BinaryIO

from stemma.graph.sqlite import SqliteStore
from stemma.server.settings import Settings
from stemma.server.sparql.answering import Refusal, SparqlQuery, answer, evaluate
from stemma.server.sparql.confinement import die_after, forbid_sockets, limit_memory

_GRACE = 5.0
"""Seconds after which a worker ends itself, should there be no pool any more to kill it."""


def serve(store: SqliteStore, settings: Settings, input: BinaryIO, output: BinaryIO) -> None:
    """Answer queries until there are no more, each from the newest generation."""
    _reply(output, {})
    for line in input:
        die_after(settings.sparql_seconds + _GRACE)
        query = SparqlQuery(**json.loads(line))
        try:
            with store.snapshot() as reader:
                result = answer(reader.dataset.rdf, reader.base, query, settings)
        except Refusal as refusal:
            _reply(output, {"status": refusal.status}, str(refusal).encode())
        except MemoryError:
            # As Oxigraph does where it gets no memory: the pool knows what that means.
            os.abort()
        else:
            _reply(output, {"media_type": result.media_type}, result.body)
        die_after(0)


def _reply(output: BinaryIO, header: dict[str, Any], body: bytes = b"") -> None:
    output.write(json.dumps({**header, "size": len(body)}).encode() + b"\n")
    output.write(body)
    output.flush()


def command(store: str, settings: Settings) -> list[str]:
    """Return the command that starts a worker on the store in the folder `store`.

    It has the settings of SPARQL alone: so that no token is visible in a list of processes.
    """
    sparql = {name: value for name, value in asdict(settings).items() if name.startswith("sparql_")}
    sparql["sparql_timeout"] = settings.sparql_seconds
    return [sys.executable, "-m", __name__, store, json.dumps(sparql)]


def main(store: str, settings: str) -> None:
    """Answer queries from the standard input, confined."""
    own = Settings(**json.loads(settings))
    graph = SqliteStore(Path(store))
    with graph.snapshot() as reader:
        reader.dataset.project()
    limit_memory(own.sparql_memory)
    forbid_sockets()
    with graph.snapshot() as reader:
        evaluate(reader.dataset.rdf, reader.base, SparqlQuery("ASK {}"))
    serve(graph, own, sys.stdin.buffer, sys.stdout.buffer)


if __name__ == "__main__":
    main(*sys.argv[1:])
