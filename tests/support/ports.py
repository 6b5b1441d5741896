"""Ports for servers that are no part of Stemma."""

import socket


def free_port() -> int:
    """Return a port of this machine that nothing listens on."""
    with socket.socket() as any_port:
        any_port.bind(("127.0.0.1", 0))
        return int(any_port.getsockname()[1])
