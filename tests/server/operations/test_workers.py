"""Several processes serve one store: they count together, and one that dies is replaced."""

import os
import signal
from collections import Counter

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from patience import PATIENCE


def ask(server) -> None:
    """Ask by a connection of its own, which any of the processes may take."""
    question = {"query": "{statistics{papers}}"}
    answer = httpx.post(f"{server.url}/graphql", json=question, timeout=PATIENCE)
    assert answer.json()["data"]["statistics"]["papers"] > 0


def processes(server) -> set[int]:
    return {each["process"] for each in server.requests()}


def counted(server) -> Counter:
    text = httpx.get(f"{server.url}/metrics").text
    found = Counter()
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            if sample.labels.get("route") == "/graphql" or not sample.labels:
                found[sample.name] += sample.value
    return found


def test_they_count_together_and_one_that_dies_is_replaced(start, example_store, eventually):
    options = ("--workers", "2", "--log-format", "json")
    with start(example_store, *options) as server:
        asked = 0

        def both_answered() -> bool:
            nonlocal asked
            ask(server)
            asked += 1
            return len(processes(server)) == 2

        eventually(both_answered)
        eventually(lambda: counted(server)["stemma_http_requests_total"] == asked)
        for _ in range(4):
            assert counted(server)["stemma_http_requests_total"] == asked

        killed = next(iter(processes(server)))
        os.kill(killed, signal.SIGKILL)
        known = processes(server)

        def somebody_new() -> bool:
            try:
                ask(server)
            except httpx.HTTPError:
                return False
            return bool(processes(server) - known)

        eventually(somebody_new)
        found = counted(server)
        assert found["stemma_http_requests_total"] > asked
        assert found["stemma_http_requests_in_progress"] == 1


def test_what_cannot_be_started_is_reported(start, tmp_path):
    with (
        pytest.raises(AssertionError, match="There is no graph"),
        start(str(tmp_path / "none.db"), "--workers", "2"),
    ):
        pass
