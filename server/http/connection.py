"""Connections: how long a client may take to say what it wants, and to take its answer."""

import asyncio
import socket

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

_TO_ASK = 10.0
"""Seconds for the headers of a request, from the connection's beginning or their first byte."""
_TO_TAKE = 15.0
"""Seconds for each `_LEAST` bytes of an answer."""
_LEAST = 16 * 1024
_KEPT = 128 * 1024
"""Bytes that the system keeps of what a client has not been sent."""


class Connection(H11Protocol):
    """A connection that is given up with a client too slow to be of any use.

    The time for a body is bounded by `BodyLimit`, the one between two requests by uvicorn.
    """

    _asking: asyncio.TimerHandle | None = None
    _taking: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a request."""
        super().connection_made(transport)
        # `pause_writing` is told of whatever the system does not take. Left to itself that takes
        # megabytes, and then no more until a third of them are gone, whoever is slow meanwhile.
        transport.set_write_buffer_limits(0)
        if hasattr(socket, "TCP_NOTSENT_LOWAT"):  # Windows has none.
            client = transport.get_extra_info("socket")
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, _KEPT)
        self._wait_for_headers()

    def data_received(self, data: bytes) -> None:
        """Take a part of a request."""
        super().data_received(data)
        self._wait_for_headers()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing any more."""
        super().connection_lost(exc)
        for each in (self._asking, self._taking):
            if each:
                each.cancel()

    def pause_writing(self) -> None:
        """Begin to wait until the client takes something."""
        super().pause_writing()
        self._wait_for_client()

    def resume_writing(self) -> None:
        """Go on: the client has taken it all."""
        super().resume_writing()
        if self._taking:
            self._taking.cancel()

    def _wait_for_headers(self) -> None:
        """Begin to wait for the end of the headers, go on, or be done with it."""
        waits = self.conn.their_state is h11.IDLE
        if waits and not self._asking:
            self._asking = self.loop.call_later(_TO_ASK, self.transport.abort)
        elif self._asking and not waits:
            self._asking.cancel()
            self._asking = None

    def _wait_for_client(self) -> None:
        left = self.transport.get_write_buffer_size()
        self._taking = self.loop.call_later(_TO_TAKE, self._go_on_unless_stuck, left)

    def _go_on_unless_stuck(self, left: int) -> None:
        if self.transport.get_write_buffer_size() > left - _LEAST:
            self.transport.abort()
        else:
            self._wait_for_client()
