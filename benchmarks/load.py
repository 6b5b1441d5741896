"""Load: requests that are sent to a server as fast as it answers, by wrk or by this script."""

import asyncio
import math
import re
import subprocess
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self
from urllib.parse import urlsplit

_SCRIPT = """
local bodies, number = %s, 0
wrk.method = "POST"
wrk.headers["content-type"] = "%s"
function request()
  number = number %% #bodies + 1
  return wrk.format(nil, nil, nil, bodies[number])
end
function done(summary, latency, requests)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  io.write(string.format("measured %%d %%d %%d %%d %%d\\n", summary.requests, summary.duration,
    latency:percentile(50), latency:percentile(99), failed))
end
"""


@dataclass(frozen=True, slots=True)
class Speed:
    """Answers per second, and the milliseconds within which half and 99% of them came."""

    rate: float
    p50: float
    p99: float

    @classmethod
    def of(cls, times: Sequence[float], seconds: float) -> Self:
        """Make it of the seconds that each answer took, and that all took together."""
        ordered = sorted(times)

        def percentile(share: float) -> float:
            return 1000 * ordered[math.ceil(share * len(ordered)) - 1]

        return cls(len(ordered) / seconds, percentile(0.5), percentile(0.99))


def by_wrk(
    url: str,
    bodies: Sequence[bytes],
    seconds: float,
    connections: int,
    media_type: str = "application/json",
) -> Speed:
    """Post bodies in turn to an address with wrk."""
    listed = ", ".join(_quoted(body) for body in bodies)
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as script:
        script.write(_SCRIPT % (f"{{{listed}}}", media_type))
        script.flush()
        command = ["wrk", "-t1", f"-c{connections}", f"-d{math.ceil(seconds)}s", "--timeout", "30s"]
        done = subprocess.run(
            [*command, "-s", script.name, url], check=True, capture_output=True, text=True
        )
    _, _, measured = done.stdout.partition("measured ")
    answers, microseconds, p50, p99, failed = map(int, measured.split())
    if failed:
        raise SystemExit(f"{failed} requests failed:\n{done.stdout}")
    return Speed(answers / microseconds * 1e6, p50 / 1000, p99 / 1000)


def _quoted(text: bytes) -> str:
    """Return a string of Lua."""
    return '"' + "".join(f"\\{byte:03}" for byte in text) + '"'


def by_script(url: str, bodies: Sequence[bytes], seconds: float, connections: int) -> Speed:
    """Post JSON in turn to an address, without any tool."""
    address = urlsplit(url)
    assert address.hostname
    assert address.port
    requests = [_request(address.netloc, address.path, body) for body in bodies]
    times: list[float] = []
    start = time.perf_counter()
    asyncio.run(_all(address.hostname, address.port, requests, start + seconds, connections, times))
    return Speed.of(times, time.perf_counter() - start)


def _request(host: str, path: str, body: bytes) -> bytes:
    head = (
        f"POST {path} HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/json\r\n"
        f"content-length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


async def _all(
    host: str,
    port: int,
    requests: Sequence[bytes],
    end: float,
    connections: int,
    times: list[float],
) -> None:
    await asyncio.gather(
        *(_one(host, port, requests, end, first, times) for first in range(connections))
    )


async def _one(
    host: str, port: int, requests: Sequence[bytes], end: float, first: int, times: list[float]
) -> None:
    """Ask over one connection, one request after the other."""
    reader, writer = await asyncio.open_connection(host, port)
    number = first
    while (start := time.perf_counter()) < end:
        writer.write(requests[number % len(requests)])
        head = await reader.readuntil(b"\r\n\r\n")
        length = re.search(rb"(?i)content-length: (\d+)", head)
        if not (head.startswith(b"HTTP/1.1 200 ") and length):
            raise SystemExit(f"a request failed:\n{head.decode()}")
        await reader.readexactly(int(length[1]))
        times.append(time.perf_counter() - start)
        number += 1
    writer.close()
