"""The playground: the page, where it is built, and its examples, at ``/graphql/examples``.

An installation builds the page; a bare checkout has none.
"""

import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from stemma.graph import Reader
from stemma.schema import RelationType
from stemma.server.example import GraphExamples
from stemma.server.example_names import Role, any_graph, built_upon, derived, paper, related, stated
from stemma.server.web.linked_data.responses import tagged

FOLDER = Path(__file__).parents[1] / "playground" / "dist"
"""The page, ``index.html``, and what it loads, in ``assets``."""
_EXAMPLES = Path(__file__).parent / "examples"
_ROLES: dict[str, tuple[Role, *tuple[str, ...]]] = {
    "01-builds-on-zero-infinity": (built_upon, "ZeRO-Infinity"),
    "02-ask": (stated(RelationType.RUNS_ON), "H100"),
    "03-ancestors-of-fuyou": (derived, "Fuyou"),
    "04-path-from-fuyou-to-zero": (related, "Fuyou", "ZeRO"),
    "05-lineage-of-lora-by-date": (built_upon, "LoRA"),
    "06-compare-flashattentions": (related, "FlashAttention", "FlashAttention-2"),
    "07-on-a100": (stated(RelationType.RUNS_ON), "A100"),
    "08-compared-with-megatron-lm": (stated(RelationType.COMPARES_WITH), "Megatron-LM"),
    "09-used-with-lora": (stated(RelationType.USES), "LoRA"),
    "10-fuyou-paper": (
        paper,
        "Adding NVMe SSDs to Enable and Accelerate 100B Model Fine-tuning on a Single GPU",
        "Fuyou",
    ),
    "11-about-lora": (stated(RelationType.USES), "LoRA"),
    "12-search-lora": (stated(RelationType.USES), "LoRA"),
    "13-the-whole-graph": (any_graph,),
}


def is_built() -> bool:
    """Return whether the page of the playground was built."""
    return (FOLDER / "index.html").is_file()


def graph_examples() -> GraphExamples:
    """Return the example queries in GraphQL, which take their names from a graph."""
    return GraphExamples(_EXAMPLES, "graphql", _ROLES)


def playground_examples() -> Callable[[Request, Reader], Response]:
    """Make the handler that returns the examples for a graph, as JSON."""
    examples = graph_examples()

    def answer(request: Request, reader: Reader) -> Response:
        found = {"examples": [asdict(example) for example in examples.of(reader)]}
        body = json.dumps(found, ensure_ascii=False).encode()
        return tagged(request, body, "application/json", {})

    return answer
