"""Traces: a span for each request, with what it read of the store, and nothing of what it asked."""

import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler

import httpx
import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from starlette.testclient import TestClient

from local_server import local_server
from stemma.graph import open_store
from stemma.graph.sqlite.reader import SqliteReader
from stemma.server.app import make_app

SECRET = "unspeakable"
TRACE, PARENT = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"


@pytest.fixture(scope="module")
def spans(example_store) -> list[ReadableSpan]:
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    query = """query($name:String!) { lineage(of: $name) { nodes { depth } } statistics { papers }
      entity(name: "LoRA") { papers { nodes { id } } } }"""
    asked = {"query": query, "variables": f'{{"name":"{SECRET}"}}'}
    headers = {"traceparent": f"00-{TRACE}-{PARENT}-01", "x-request-id": "call-1"}
    headers["authorization"] = "Bearer unspeakable too"
    app = make_app(open_store(example_store), traces=provider)
    with TestClient(app, "http://localhost") as client:
        client.get("/graphql", params=asked, headers=headers)
        client.get("/page/entity/lora")
    assert not hasattr(SqliteReader.works, "__wrapped__"), "reads are as they were"
    return list(exporter.get_finished_spans())


def test_a_request_is_a_span_named_by_its_route_within_what_the_client_traces(spans):
    served = {span.name: span for span in spans if span.kind.name == "SERVER"}
    assert set(served) == {"GET /graphql", "GET /page/{local:path}"}
    span = served["GET /graphql"]
    told = dict(span.attributes or {})
    assert told["http.response.status_code"] == 200
    assert told["http.route"] == told["url.path"] == "/graphql"
    assert told["stemma.request_id"] == "call-1"
    assert f"{span.context.trace_id:032x}" == TRACE
    assert span.parent and f"{span.parent.span_id:016x}" == PARENT
    shown = [each.to_json() for each in served.values()]
    assert not any(hidden in each for each in shown for hidden in (SECRET, "lineage", "?"))


def test_what_it_reads_of_the_store_is_within_it(spans):
    ids = {span.context.span_id: span.name for span in spans}
    reads = {span.name: span for span in spans if span.name.startswith("SqliteReader.")}
    expected = {"resolve", "statistics", "papers_naming", "works"}
    assert {f"SqliteReader.{name}" for name in expected} <= set(reads)
    resolved = reads["SqliteReader.resolve"]
    assert resolved.parent.span_id in ids


@pytest.fixture
def collector() -> Iterator[tuple[str, list[str]]]:
    """What takes traces by OTLP, and the names of the spans that it received."""
    names: list[str] = []

    class Collector(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            told = ExportTraceServiceRequest.FromString(body)
            for resource in told.resource_spans:
                for scope in resource.scope_spans:
                    names.extend(span.name for span in scope.spans)
            self.send_response(200)
            self.end_headers()

    with local_server(Collector, names) as url:
        yield url, names


def test_a_server_sends_them_to_a_collector(start, example_store, collector, monkeypatch):
    url, names = collector
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", url)
    with start(example_store, configured={"traces": True}) as server:
        httpx.get(f"{server.url}/page")
    assert "GET /page" in names


@pytest.mark.process
def test_where_it_is_not_asked_for_nothing_of_it_is_loaded():
    program = "import sys, stemma.server.app; sys.exit('opentelemetry' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
