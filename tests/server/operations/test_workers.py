"""Several processes serve one store: they answer alike, and count together."""

import os
import shutil
import signal
import threading
import time
from collections import Counter
from pathlib import Path

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from patience import PATIENCE
from stemma import Stemma

EXAMPLES = Path(__file__).parents[3] / "examples"
QUESTION = {
    "query": "{first:statistics{papers generation} papers{totalCount} "
    "again:statistics{papers generation}}"
}


@pytest.fixture
def papers(tmp_path):
    folder = tmp_path / "papers"
    folder.mkdir()
    shutil.copy(EXAMPLES / "finetuning.txt", folder)
    return folder


def ask(server) -> dict:
    """Ask by a connection of its own, which any of the processes may take."""
    answer = httpx.post(f"{server.url}/graphql", json=QUESTION, timeout=PATIENCE)
    assert answer.status_code == 200
    assert "errors" not in answer.json()
    return answer.json()["data"]


def processes(server) -> set[int]:
    return {each["process"] for each in server.requests()}


def answered_by_both(server, eventually) -> list[dict]:
    """Ask until each of two processes has answered; what they said."""
    before, answers = len(server.requests()), []

    def both() -> bool:
        answers.append(ask(server))
        return len({each["process"] for each in server.requests()[before:]}) == 2

    eventually(both)
    return answers


@pytest.mark.long  # As the one process of other tests sees it.
def test_a_build_is_seen_by_all_whole_and_within_seconds(start, papers, tmp_path, eventually):
    answers, done = [], threading.Event()
    with Stemma(str(tmp_path / "stemma.db")) as graph:
        graph.build(papers, fast=True)
        options = ("--workers", "2", "--log-format", "json")
        with start(str(tmp_path / "stemma.db"), *options) as server:

            def keep_asking() -> None:
                while not done.is_set():
                    answers.append(ask(server))
                    time.sleep(0.02)

            asking = [threading.Thread(target=keep_asking) for _ in range(2)]
            for each in asking:
                each.start()
            for example in ("serving.txt", "training.txt"):
                shutil.copy(EXAMPLES / example, papers)
                graph.build(papers, fast=True)
            built = graph.store.statistics().papers
            eventually(lambda: answers[-1]["first"]["papers"] == built)
            done.set()
            for each in asking:
                each.join()
            after = answered_by_both(server, eventually)
    assert {each["first"]["papers"] for each in after} == {built}
    sizes = {}
    for each in answers:
        assert each["first"] == each["again"]
        assert each["papers"]["totalCount"] == each["first"]["papers"]
        sizes.setdefault(each["first"]["generation"], set()).add(each["first"]["papers"])
    assert len(sizes) >= 2
    assert all(len(found) == 1 for found in sizes.values())


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
        asked = len(answered_by_both(server, eventually))
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
