"""A server has so many connections at a time, and no more."""

import socket
from contextlib import ExitStack

import httpx


def test_who_comes_when_all_connections_are_taken_is_reported(serve, example_store, eventually):
    with serve(example_store, connections=3) as url:

        def health() -> int:
            return httpx.get(f"{url}/health").status_code

        assert health() == 200
        with ExitStack() as taken:
            for _ in range(3):
                taken.enter_context(socket.create_connection(("127.0.0.1", httpx.URL(url).port)))
            assert health() == 503
        eventually(lambda: health() == 200)
