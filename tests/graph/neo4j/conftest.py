"""A store in Neo4j, and two papers for it."""

from collections.abc import Callable, Iterator

import pytest

from stemma.graph import Store, open_store
from stemma.schema import Catalogue, Extraction


@pytest.fixture
def store(neo4j_url: str, catalogue: Catalogue) -> Iterator[Store]:
    with open_store(neo4j_url, catalogue=catalogue) as opened:
        yield opened


@pytest.fixture
def papers(describe: Callable[..., Extraction]) -> list[Extraction]:
    return [
        describe("Quill: a Store", "We present Quill. It runs on A100. Quill extends ZeRO.",
                 "framework Quill: INTRODUCES 0.95", "hardware A100: RUNS_ON",
                 "technique ZeRO: BUILDS_ON 0.8", published="2021-04"),
        describe("Nib: two", "Nib extends Quill. Nib beats Ink.", "model Nib: INTRODUCES",
                 "framework Quill: BUILDS_ON 0.5", "framework Ink: COMPARES_WITH"),
    ]  # fmt: skip
