"""Example queries in SPARQL: what people ask most."""

from pathlib import Path

from stemma.schema import RelationType
from stemma.server.example import GraphExamples
from stemma.server.example_names import Role, any_lineage, author, built_upon, derived, stated

_FOLDER = Path(__file__).parent / "examples"
_ROLES: dict[str, tuple[Role, *tuple[str, ...]]] = {
    "01-what-builds-on-zero-infinity": (built_upon, "ZeRO-Infinity"),
    "02-the-sentences-that-say-so": (built_upon, "ZeRO-Infinity"),
    "03-where-an-idea-came-from": (derived, "FlashAttention-3"),
    "04-how-comparisons-turn-out": (any_lineage,),
    "05-which-hardware-papers-run-on": (any_lineage,),
    "06-what-is-newest": (any_lineage,),
    "07-what-is-evaluated-on-imagenet": (stated(RelationType.EVALUATED_ON), "ImageNet"),
    "08-what-flashattention-is": (stated(RelationType.INTRODUCES), "FlashAttention"),
    "09-what-has-most-descendants": (any_lineage,),
    "10-papers-of-an-author": (author, "Tri Dao"),
}


def graph_examples() -> GraphExamples:
    """Return the example queries in SPARQL, which take their names from a graph."""
    return GraphExamples(_FOLDER, "rq", _ROLES)
