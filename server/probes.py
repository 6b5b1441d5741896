"""Probes: whether the server lives, and whether it can answer.

``/health`` is for whoever would start a server anew that hangs: a lost store is no reason to, and
it does not look at it. ``/ready`` is for whoever sends it requests.
"""

import asyncio
from http import HTTPStatus

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from stemma.graph import Store, StoreError

HEALTH, READY = "/health", "/ready"
OPEN = frozenset({HEALTH, READY})
"""What anybody may ask, by any name of the server: whatever watches over it knows neither."""
_SECONDS = 5.0
_RETRY_AFTER = {"retry-after": "5"}
_NEVER_KEPT = {"cache-control": "no-store"}


def probes(store: Store) -> list[Route]:
    """Return the routes that tell how a server of `store` is."""

    async def health(request: Request) -> Response:
        return JSONResponse({"status": "ok"}, headers=_NEVER_KEPT)

    async def ready(request: Request) -> Response:
        try:
            async with asyncio.timeout(_SECONDS):
                counted = await asyncio.to_thread(store.statistics)
        except (StoreError, TimeoutError):
            # Why not may name hosts and databases, and this is told to anybody.
            said = {"status": "the store cannot be read"}
            headers = _NEVER_KEPT | _RETRY_AFTER
            return JSONResponse(said, HTTPStatus.SERVICE_UNAVAILABLE, headers)
        told = {
            "status": "ready",
            "papers": counted.papers,
            "entities": counted.entities,
            "statements": counted.statements,
            "generation": counted.generation,
        }
        return JSONResponse(told, headers=_NEVER_KEPT)

    return [Route(HEALTH, health), Route(READY, ready)]
