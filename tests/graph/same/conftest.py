"""Papers whose graph could hang on the order in which they come."""

import pytest

from stemma.schema import Extraction


@pytest.fixture
def papers(describe) -> list[Extraction]:
    """Papers whose names mean other things when other papers are there."""
    return [
        describe("Stripes: rings", "We propose stripe parallelism: chunks go around rings.",
                 "technique stripe parallelism: INTRODUCES", "framework CUDA: USES",
                 published="2021"),
        describe("Dropout", "We propose stripe parallelism: dropout beside tensors.",
                 "technique Stripe Parallelism = stripe parallelism: INTRODUCES",
                 "technique ZeRO: IMPROVES_ON", published="2022-05-06"),
        describe("Users", "Rings of chunks; stripe parallelism on A100 and Intel Zulu.",
                 "technique stripe parallelism: BUILDS_ON", "hardware A100: RUNS_ON",
                 "hardware Intel Zulu: RUNS_ON", published="XXXX-03-04"),
        describe("Zulu", "Zulu, and ZeRO-Infinity.", "hardware Zulu: RUNS_ON",
                 "framework ZeRO-Infinity: COMPARES_WITH 0.31"),
        describe("CUDA: Curves Under Drifting Axes", "Curves Under Drifting Axes (CUDA).",
                 "technique CUDA = Curves Under Drifting Axes: INTRODUCES"),
        describe("Acronyms", "Sparse Gate Routing (SGR).",
                 "technique Sparse Gate Routing = SGR: USES"),
        describe("Acronym", "SGR for ZeRO.", "technique SGR: USES", "technique ZeRO: BUILDS_ON"),
    ]  # fmt: skip
