"""Traces by OpenTelemetry: a span for each request, and within it one for each read of the store.

This needs the extra ``telemetry``. Queries and their results are not recorded.
"""

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from functools import wraps
from inspect import isfunction
from typing import Any

from asgi_correlation_id import correlation_id
from opentelemetry.instrumentation.asgi import OpenTelemetryMiddleware
from opentelemetry.metrics import NoOpMeterProvider
from opentelemetry.sdk.resources import SERVICE_NAME, Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import Span, SpanKind, Tracer
from starlette.middleware import Middleware
from starlette.routing import Match
from starlette.types import Scope

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


def tracing(provider: TracerProvider) -> Middleware:
    """Return the middleware that traces requests, within the traces of their clients."""
    # The stable names of attributes; without this, those from before 2023.
    os.environ.setdefault("OTEL_SEMCONV_STABILITY_OPT_IN", "http")
    return Middleware(
        OpenTelemetryMiddleware,
        tracer_provider=provider,
        meter_provider=NoOpMeterProvider(),  # Prometheus has the metrics.
        default_span_details=_named_by_route,
        server_request_hook=_without_query,
        exclude_spans=["receive", "send"],
    )


def _named_by_route(scope: Scope) -> tuple[str, dict[str, str]]:
    """Return the name of the span of a request, and its attributes."""
    method, attributes = scope["method"], {"stemma.request_id": correlation_id.get() or ""}
    for route in scope["app"].routes:
        if route.matches(scope)[0] is Match.FULL:
            return f"{method} {route.path}", {**attributes, "http.route": route.path}
    return method, attributes


def _without_query(span: Span, scope: Scope) -> None:
    """Remove the query string, which may hold a question, from the attributes of a span."""
    for name, value in (getattr(span, "attributes", None) or {}).items():
        if name == "url.query":
            span.set_attribute(name, "")
        elif isinstance(value, str) and "?" in value:
            span.set_attribute(name, value.partition("?")[0])


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
