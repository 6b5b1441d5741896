"""Metrics for Prometheus: requests, GraphQL errors by their codes, and the size of the graph.

Where several processes serve one store, they count into one folder, named by the variable
PROMETHEUS_MULTIPROC_DIR, and each of them exposes the sum of all.
"""

import os
from collections.abc import Iterable
from contextlib import suppress

import prometheus_client as prometheus
from prometheus_client import multiprocess
from prometheus_client.core import GaugeMetricFamily, InfoMetricFamily, Metric
from prometheus_client.registry import Collector
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Scope

from stemma import __version__
from stemma.graph import Store, StoreError

FOLDER = "PROMETHEUS_MULTIPROC_DIR"
_METHODS = frozenset({"GET", "HEAD", "POST", "OPTIONS"})
_UNKNOWN = "other"
_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)


class Metrics:
    """The metrics of a server of `store`."""

    def __init__(self, store: Store) -> None:
        self._store = _StoreCollector(store)
        self._own = prometheus.CollectorRegistry()
        self.requests = prometheus.Counter(
            "stemma_http_requests",
            "Number of requests.",
            ("route", "method", "status"),
            registry=self._own,
        )
        self.seconds = prometheus.Histogram(
            "stemma_http_request_duration_seconds",
            "Duration of requests, up to the last byte of the response.",
            ("route", "method"),
            buckets=_SECONDS,
            registry=self._own,
        )
        self.errors = prometheus.Counter(
            "stemma_graphql_errors",
            "Number of errors in GraphQL responses.",
            ("code",),
            registry=self._own,
        )
        if FOLDER not in os.environ:
            # They describe one process: of several, another one each time.
            prometheus.ProcessCollector(registry=self._own)
        self._own.register(self._store)

    def observe(self, scope: Scope, status: int, seconds: float) -> None:
        """Count a request that was answered with `status`, or not at all (0)."""
        # No label has a value that clients choose: each takes memory for ever.
        route = getattr(scope.get("route"), "path", _UNKNOWN)
        method = scope["method"] if scope["method"] in _METHODS else _UNKNOWN
        self.requests.labels(route, method, str(status or _UNKNOWN)).inc()
        self.seconds.labels(route, method).observe(seconds)

    def expose(self, request: Request) -> Response:
        """Return all metrics in the format of Prometheus."""
        registry = self._own
        if FOLDER in os.environ:
            registry = prometheus.CollectorRegistry()
            multiprocess.MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
            registry.register(self._store)
        body = prometheus.generate_latest(registry)
        headers = {"content-type": prometheus.CONTENT_TYPE_LATEST, "cache-control": "no-store"}
        return Response(body, headers=headers)


class _StoreCollector(Collector):
    """Collects the size of a graph."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def collect(self) -> Iterable[Metric]:
        """Yield the metrics of the store; without sizes if it cannot be read."""
        info = InfoMetricFamily("stemma", "The version of Stemma, and the generation of the graph.")
        up = GaugeMetricFamily("stemma_store_up", "Whether the store can be read.")
        version, statistics = {"version": __version__}, None
        with suppress(StoreError):
            statistics = self._store.statistics()
            version["generation"] = statistics.generation
        info.add_metric((), version)
        up.add_metric((), int(statistics is not None))
        yield from (info, up)
        for name in ("papers", "entities", "statements", "lineage_edges"):
            what = name.replace("_", " ")
            if statistics:
                size = getattr(statistics, name)
                yield GaugeMetricFamily(f"stemma_{name}", f"How many {what} there are.", value=size)
