"""The examples that the playground offers, at ``/graphql/examples``."""

import json
from collections.abc import Callable
from dataclasses import asdict

from starlette.requests import Request
from starlette.responses import Response

from stemma.graph import Reader
from stemma.server.graphql.example import graph_examples
from stemma.server.linked_data.responses import tagged


def playground_examples() -> Callable[[Request, Reader, str], Response]:
    """Make the handler that returns the examples for a graph, as JSON."""
    examples = graph_examples()

    def answer(request: Request, reader: Reader, local: str) -> Response:
        found = {"examples": [asdict(each) for each in examples.of(reader)]}
        body = json.dumps(found, ensure_ascii=False).encode()
        return tagged(request, body, "application/json", {})

    return answer
