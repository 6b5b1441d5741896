"""Connections: how many a client may have, and how long it may take to send and to receive."""

import asyncio
import socket
from ipaddress import IPv6Address, ip_address

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

_HEADER_TIMEOUT = 10.0
"""Seconds for the headers of a request, from the connection's beginning or their first byte."""
_SEND_TIMEOUT = 15.0
"""Seconds for each `_SENT_AT_LEAST` bytes of an answer."""
_SENT_AT_LEAST = 16 * 1024
_UNSENT_BYTES = 128 * 1024
"""Bytes that the system buffers for a client."""
_REFUSAL = b"Your address has half of all connections to this server: close some of them.\n"
_REFUSED = (
    b"HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\nretry-after: 5\r\n"
    b"content-type: text/plain; charset=utf-8\r\ncontent-length: %d\r\n\r\n%s"
) % (len(_REFUSAL), _REFUSAL)


class LimitedConnection(H11Protocol):
    """A connection that is closed where the client is too slow, or has too many of them.

    An address has at most half of all, so that nobody takes them all by opening them.

    The time for a body is bounded by `BodyLimit`, the one between two requests by uvicorn.
    """

    network: str
    """The address of the client, as far as it counts."""
    _header_timer: asyncio.TimerHandle | None = None
    _send_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count the connections of the client, and begin to wait for a request."""
        super().connection_made(transport)
        # `pause_writing` is then called for all that the system does not take at once. By default
        # that buffers megabytes, and then waits until a third of them are sent.
        transport.set_write_buffer_limits(0)
        if hasattr(socket, "TCP_NOTSENT_LOWAT"):  # Windows has none.
            client = transport.get_extra_info("socket")
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, _UNSENT_BYTES)
        self._wait_for_headers()
        peer = transport.get_extra_info("peername")
        self.network = network_of(peer[0]) if isinstance(peer, tuple) else ""
        of_client = sum(
            getattr(connection, "network", None) == self.network for connection in self.connections
        )
        if self.limit_concurrency and of_client > self.limit_concurrency // 2:
            transport.write(_REFUSED)
            transport.close()

    def data_received(self, data: bytes) -> None:
        """Take a part of a request."""
        super().data_received(data)
        self._wait_for_headers()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timers of the connection."""
        super().connection_lost(exc)
        for handle in (self._header_timer, self._send_timer):
            if handle:
                handle.cancel()

    def pause_writing(self) -> None:
        """Begin to wait until the client takes something."""
        super().pause_writing()
        self._wait_for_client()

    def resume_writing(self) -> None:
        """Stop the timer for sending: the client has taken all bytes."""
        super().resume_writing()
        if self._send_timer:
            self._send_timer.cancel()

    def _wait_for_headers(self) -> None:
        """Begin to wait for the end of the headers, go on, or be done with it."""
        waits = self.conn.their_state is h11.IDLE
        if waits and not self._header_timer:
            self._header_timer = self.loop.call_later(_HEADER_TIMEOUT, self.transport.abort)
        elif self._header_timer and not waits:
            self._header_timer.cancel()
            self._header_timer = None

    def _wait_for_client(self) -> None:
        left = self.transport.get_write_buffer_size()
        self._send_timer = self.loop.call_later(_SEND_TIMEOUT, self._go_on_unless_stuck, left)

    def _go_on_unless_stuck(self, left: int) -> None:
        if self.transport.get_write_buffer_size() > left - _SENT_AT_LEAST:
            self.transport.abort()
        else:
            self._wait_for_client()


def network_of(address: str) -> str:
    """Return the address of a client; of one in IPv6 the first half, for it has all the others."""
    try:
        known = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(known, IPv6Address) and not known.ipv4_mapped:
        return known.exploded[:19]
    return address
