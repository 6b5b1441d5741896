"""Probes: whether the server is alive, and whether it can answer.

``/health`` is for a supervisor that restarts a server that hangs: as a lost store is no reason to,
it does not look at the store. ``/ready`` is for a load balancer.
"""

import asyncio
from http import HTTPStatus

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from stemma.graph import Store, StoreError

HEALTH, READY = "/health", "/ready"
PROBES = frozenset({HEALTH, READY})
"""Answered without a token and under any name: a monitor knows neither."""
_TIMEOUT = 5.0
_RETRY_AFTER = {"retry-after": "5"}
_NO_STORE = {"cache-control": "no-store"}


def probes(store: Store) -> list[Route]:
    """Return the routes that report the state of a server of `store`."""

    async def health(request: Request) -> Response:
        return JSONResponse({"status": "ok"}, headers=_NO_STORE)

    async def readiness(request: Request) -> Response:
        try:
            async with asyncio.timeout(_TIMEOUT):
                statistics = await asyncio.to_thread(store.statistics)
        except (StoreError, TimeoutError):
            # The reason may name hosts and databases, and anybody may read this.
            unready = {"status": "the store cannot be read"}
            headers = _NO_STORE | _RETRY_AFTER
            return JSONResponse(unready, HTTPStatus.SERVICE_UNAVAILABLE, headers)
        ready = {
            "status": "ready",
            "papers": statistics.papers,
            "entities": statistics.entities,
            "statements": statistics.statements,
            "generation": statistics.generation,
        }
        return JSONResponse(ready, headers=_NO_STORE)

    return [Route(HEALTH, health), Route(READY, readiness)]
