"""A worker: the process that answers strangers' queries, one at a time.

It is told each question by a line of JSON, and replies with a line that has the size of the body
that follows. It ends with its input; the pool kills it where a query takes too long.
"""

import json
import os
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any, BinaryIO

from stemma.graph.oxigraph import OxigraphStore
from stemma.server.sparql.answering import Question, Refusal, answer, ask
from stemma.server.sparql.confinement import die_after, forbid_sockets, limit_memory
from stemma.server.sparql.limits import Limits

_GRACE = 5.0
"""Seconds after which a worker ends itself, should there be no pool any more to kill it."""


def serve(store: OxigraphStore, limits: Limits, questions: BinaryIO, replies: BinaryIO) -> None:
    """Answer questions until there are no more, each from the newest generation."""
    _reply(replies, {})
    for line in questions:
        die_after(limits.seconds + _GRACE)
        asked = json.loads(line)
        question = Question(
            asked["text"],
            tuple(asked["default_graphs"]),
            tuple(asked["named_graphs"]),
            asked["solutions"],
            asked["graph"],
        )
        try:
            with store.snapshot() as reader:
                found = answer(reader.rdf, reader.base, question, limits)
        except Refusal as refusal:
            _reply(replies, {"status": refusal.status}, str(refusal).encode())
        except MemoryError:
            # As Oxigraph does where it gets no memory: the pool knows what that means.
            os.abort()
        else:
            _reply(replies, {"media_type": found.media_type}, found.body)
        die_after(0)


def _reply(replies: BinaryIO, said: dict[str, Any], body: bytes = b"") -> None:
    replies.write(json.dumps({**said, "size": len(body)}).encode() + b"\n")
    replies.write(body)
    replies.flush()


def command(store: str, limits: Limits) -> list[str]:
    """Return the command that starts a worker on the store in the folder `store`."""
    return [sys.executable, "-m", __name__, store, json.dumps(asdict(limits))]


def main(store: str, limits: str) -> None:
    """Answer what is asked on the standard input, confined."""
    own_limits = Limits(**json.loads(limits))
    graph = OxigraphStore(Path(store))
    limit_memory(own_limits.memory)
    forbid_sockets()
    with graph.snapshot() as reader:
        ask(reader.rdf, reader.base, Question("ASK {}"))
    serve(graph, own_limits, sys.stdin.buffer, sys.stdout.buffer)


if __name__ == "__main__":
    main(*sys.argv[1:])
