"""The stream of events: each change of the graph, with what the build changed."""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import httpx
import pytest

from stemma import Stemma

OLD = {"title": "Sparing", "abstract": "We present Sparing, which builds on LoRA."}
NEW = {"title": "Thrifty", "abstract": "We present Thrifty, which builds on LoRA."}
Serve = Callable[..., AbstractContextManager[str]]


def build(folder: Path, name: str, paper: dict[str, str]) -> None:
    (folder / f"{name}.jsonl").write_text(json.dumps(paper), "utf-8")
    Stemma(folder / "stemma.db").build(folder / f"{name}.jsonl", fast=True)


def events(lines: Iterator[str]) -> Iterator[dict[str, Any]]:
    """Read events as browsers do."""
    fields: dict[str, str] = {}
    for line in lines:
        name, colon, value = line.partition(": ")
        if name and colon:
            fields[name] = value
        elif not line:
            if "data" in fields:
                yield {**fields, "data": json.loads(fields["data"])}
            fields = {}


@pytest.mark.process
def test_a_build_is_an_event_with_its_sentences(tmp_path: Path, serve: Serve) -> None:
    build(tmp_path, "old", OLD)
    with serve(str(tmp_path / "stemma.db")) as url, httpx.Client(base_url=url, timeout=30) as web:
        with web.stream("GET", "/changes/events", headers={"accept-encoding": "gzip"}) as answer:
            assert answer.headers["content-type"].startswith("text/event-stream")
            assert "content-encoding" not in answer.headers
            lines = answer.iter_lines()
            assert next(lines) == "retry: 5000"
            build(tmp_path, "new", NEW)
            event = next(events(lines))
        assert event["event"] == "change"
        assert event["id"] == event["data"]["generation"]
        made = event["data"]["build"]
        assert made["papers"]["added"]["some"][0]["name"] == "Thrifty"
        assert "We present Thrifty, which builds on LoRA." in json.dumps(made["edges"])
        # Whoever was away gets what they missed at once, and whoever knows it nothing.
        missed = {"last-event-id": "an older one"}
        with web.stream("GET", "/changes/events", headers=missed) as answer:
            assert next(events(answer.iter_lines())) == event
        known = {"last-event-id": event["id"]}
        with web.stream("GET", "/changes/events", headers=known) as answer:
            lines = answer.iter_lines()
            next(lines)
            build(tmp_path, "third", {**NEW, "title": "Third"})
            assert next(events(lines))["id"] != event["id"]


@pytest.mark.process
def test_streams_do_not_delay_the_end_of_the_server(example_store: str, serve: Serve) -> None:
    with httpx.Client(timeout=30) as web:
        with serve(example_store, grace=60) as url:
            stream = web.stream("GET", f"{url}/changes/events")
            answer = stream.__enter__()
            lines = answer.iter_lines()
            next(lines)
            stopped = time.monotonic()
        assert time.monotonic() - stopped < 30, "it did not wait for the stream to end"
        assert not list(events(lines)), "the stream has ended"
