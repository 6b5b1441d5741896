"""Events: a stream that says when the graph has changed, and what the last build changed.

Server-sent events: https://html.spec.whatwg.org/multipage/server-sent-events.html
"""

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Mapping
from http import HTTPStatus
from time import monotonic
from typing import Any

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from stemma.graph import Store, StoreError
from stemma.graph.added_edges import edges_added
from stemma.server.http.caching import NO_CACHE
from stemma.server.http.responses import error_response
from stemma.server.presentation.builds import build_json

SECONDS_BETWEEN_LOOKS = 1.0
_LOOKS_BETWEEN_SIGNS = 15
"""After which a comment is sent, so that no proxy closes the connection."""
_MOST = 20
"""Papers, entities and edges of a build that an event lists."""
_log = logging.getLogger(__name__)


class Events:
    """Streams changes of `store`: all clients share one look at it. `stopping` ends the streams.

    There are at most `most` at a time: they have no end, and others need connections too.
    """

    def __init__(self, store: Store, stopping: asyncio.Event, most: int) -> None:
        self._store, self._stopping = store, stopping
        self._most, self._open = most, set[Response]()
        self._looking = asyncio.Lock()
        self._looked = float("-inf")
        self._event: dict[str, Any] = {}

    def routes(self) -> list[Route]:
        return [Route("/changes/events", self._respond)]

    async def _respond(self, request: Request) -> Response:
        if len(self._open) >= self._most:
            full = "There are too many streams of events. Try again later."
            status = HTTPStatus.SERVICE_UNAVAILABLE
            return error_response(request, status, full, headers={"retry-after": "60"})
        known = request.headers.get("last-event-id")
        headers = {"cache-control": NO_CACHE, "x-accel-buffering": "no"}
        return _Stream(self._stream(known), headers, self._open)

    async def _stream(self, known: str | None) -> AsyncIterator[str]:
        """Yield an event for each change after the generation that a client knows, or from now."""
        known = known or (await self._latest()).get("generation")
        yield "retry: 5000\n\n"
        quiet = 0
        while not self._stopping.is_set():
            event = await self._latest()
            if event and event["generation"] != known:
                known, quiet = event["generation"], 0
                yield f"id: {known}\nevent: change\ndata: {json.dumps(event)}\n\n"
            elif (quiet := quiet + 1) % _LOOKS_BETWEEN_SIGNS == 0:
                yield ": still here\n\n"
            try:
                async with asyncio.timeout(SECONDS_BETWEEN_LOOKS):
                    await self._stopping.wait()
            except TimeoutError:
                continue

    async def _latest(self) -> dict[str, Any]:
        """Return the latest event; one client at a time looks at the store, and not too often."""
        async with self._looking:
            if monotonic() - self._looked >= SECONDS_BETWEEN_LOOKS / 2:
                try:
                    self._event = await asyncio.to_thread(self._look)
                except StoreError as error:  # It may be back at the next look.
                    _log.error("the store failed: %s", error)
                self._looked = monotonic()
            return self._event

    def _look(self) -> dict[str, Any]:
        with self._store.snapshot() as reader:
            if reader.generation == self._event.get("generation"):
                return self._event
            builds = reader.builds()[-1:]
            edges = edges_added(reader, builds, _MOST)
            return {
                "generation": reader.generation,
                "build": build_json(builds[0], edges, _MOST) if builds else None,
            }


class _Stream(StreamingResponse):
    """A stream of events; it is among those `open` from the first moment, before it waits."""

    def __init__(
        self, parts: AsyncIterator[str], headers: Mapping[str, str], open: set[Response]
    ) -> None:
        super().__init__(parts, 200, headers, "text/event-stream")
        self._open = open

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._open.add(self)
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._open.remove(self)
