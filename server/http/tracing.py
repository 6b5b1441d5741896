"""Traces by OpenTelemetry: a span for each request, and within it one for each read of the store.

This needs the extra ``telemetry``. Queries and their results are not recorded: that is why
OpenTelemetry's own ASGI instrumentation, which records the query string, is not used.
"""

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from functools import wraps
from inspect import isfunction
from typing import Any

from asgi_correlation_id import correlation_id
from opentelemetry import propagate
from opentelemetry.sdk.resources import SERVICE_NAME, Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import SpanKind, StatusCode, Tracer
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from stemma.graph import Reader
from stemma.graph.neo4j.reader import Neo4jReader
from stemma.graph.sqlite.reader import SqliteReader

_NAME = "stemma"
_SHUTDOWN_TIMEOUT = 3
"""Seconds that the last traces may take to be sent."""
_READS = [name for name, member in vars(Reader).items() if isfunction(member) and name[0] != "_"]


def otlp_provider() -> TracerProvider:
    """Return a provider that sends traces by OTLP over HTTP, as the variables OTEL_… say."""
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import (  # noqa: PLC0415
        OTLPSpanExporter,
    )

    named = {} if os.environ.get("OTEL_SERVICE_NAME") else {SERVICE_NAME: _NAME}
    provider = TracerProvider(resource=Resource.create(named))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    return provider


class Tracing:
    """Traces requests, within the traces of their clients (W3C Trace Context)."""

    def __init__(self, app: ASGIApp, provider: TracerProvider) -> None:
        self._app = app
        self._tracer = provider.get_tracer(_NAME)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        method = scope["method"]
        attributes = {
            "http.request.method": method,
            "url.path": scope["path"],
            "url.scheme": scope["scheme"],
            "stemma.request_id": correlation_id.get() or "",
        }
        context = propagate.extract(dict(Headers(scope=scope)))
        with self._tracer.start_as_current_span(
            method, context, SpanKind.SERVER, attributes
        ) as span:

            async def send_and_note(message: Message) -> None:
                if message["type"] == "http.response.start":
                    span.set_attribute("http.response.status_code", message["status"])
                    if message["status"] >= 500:
                        span.set_status(StatusCode.ERROR)
                await send(message)

            try:
                await self._app(scope, receive, send_and_note)
            finally:
                if route := getattr(scope.get("route"), "path", None):
                    span.update_name(f"{method} {route}")
                    span.set_attribute("http.route", route)


@asynccontextmanager
async def trace_reads(provider: TracerProvider) -> AsyncIterator[None]:
    """Trace all reads of stores, and send the last traces at the end."""
    tracer = provider.get_tracer(_NAME)
    readers: tuple[type[Reader], ...] = (SqliteReader, Neo4jReader)
    plain = [(reader, name, getattr(reader, name)) for reader in readers for name in _READS]
    for reader, name, read in plain:
        setattr(reader, name, _traced(read, tracer, f"{reader.__name__}.{name}"))
    try:
        yield
    finally:
        for reader, name, read in plain:
            setattr(reader, name, read)
        with suppress(TimeoutError):
            async with asyncio.timeout(_SHUTDOWN_TIMEOUT):
                await asyncio.to_thread(provider.shutdown)


def _traced(read: Callable[..., Any], tracer: Tracer, name: str) -> Callable[..., Any]:
    @wraps(read)
    def read_traced(*arguments: Any, **keywords: Any) -> Any:
        with tracer.start_as_current_span(name, kind=SpanKind.CLIENT):
            return read(*arguments, **keywords)

    return read_traced
