"""Queries made of the schema, valid and not quite: each gets an answer, or a reason why not."""

import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
import schemathesis
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st
from schemathesis import Case, GenerationMode
from schemathesis.graphql import nodes

from examples import scaled

pytestmark = pytest.mark.xdist_group("fuzzing")  # They share a server.
SCHEMA = schemathesis.graphql.from_path(Path(__file__).parents[3] / "schema" / "schema.graphql")
KNOWN = (
    "LoRA",
    "vLLM",
    "entity/lora",
    "entity/a100",
    "what builds on LoRA",
    "which papers run on H100 since 2024",
)

# Names that are there, and pages that are not too large, get beyond the first check.
texts = st.sampled_from(KNOWN) | st.text(max_size=30)
sizes = st.integers(0, 20) | st.integers(-(2**31), 2**31 - 1)
confidences = st.floats(0, 1) | st.floats(allow_nan=False, allow_infinity=False)


@pytest.fixture(autouse=True, scope="module")
def scalars() -> Iterator[None]:
    """What queries say of texts and numbers."""
    scalar = schemathesis.graphql.scalar
    scalar("String", texts.map(nodes.String))
    scalar("ID", texts.map(nodes.String))
    scalar("Int", sizes.map(nodes.Int))
    scalar("Float", confidences.map(nodes.Float))
    yield


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
@pytest.mark.parametrize("field", SCHEMA["Query"])
def test_queries_of_the_schema_are_answered(service, fuzzed_for, field, mode):
    until = time.monotonic() + fuzzed_for / (2 * len(SCHEMA["Query"]))
    for round_ in count():

        @seed(round_)
        @settings(max_examples=scaled(12), database=None, suppress_health_check=list(HealthCheck))
        @given(case=SCHEMA["Query"][field].as_strategy(generation_mode=mode))
        def is_answered(case: Case) -> None:
            service.post({"query": case.body})

        is_answered()
        if time.monotonic() >= until:
            return
