"""An HTTP client that identifies itself, pauses between requests, and waits if asked to."""

import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from time import sleep
from typing import Any, TypeVar

import httpx

from stemma.distribution import version

ATTEMPTS = 5
LONGEST_WAIT = 300.0
"""Seconds; a service that asks for a longer pause is not asked again."""
LARGEST_ANSWER = 64 * 1024 * 1024
_SECONDS = 30.0
_REDIRECTS = 3
_TRY_AGAIN = {408, 425, 429, 500, 502, 503, 504}
_STOP = {401, 403}

T = TypeVar("T")


class RefusedError(Exception):
    """This request will never be answered; others may be."""


class UnavailableError(Exception):
    """A service does not answer, or does not want to."""


class _FaultError(Exception):
    """An answer to ask for again, perhaps after `wait` seconds."""

    def __init__(self, reason: str, wait: float | None = None) -> None:
        super().__init__(reason)
        self.wait = wait


class Client:
    """Sends requests, with `pause` seconds between an answer and the next request."""

    def __init__(self, pause: float, mailto: str | None, headers: Mapping[str, str]) -> None:
        contact = f" (mailto:{mailto})" if mailto else ""
        agent = {"User-Agent": f"Stemma/{version()}{contact}"}
        self._http = httpx.Client(
            headers={**agent, **headers},
            timeout=_SECONDS,
            follow_redirects=True,
            max_redirects=_REDIRECTS,
            event_hooks={"response": [_expect_same_server]},
        )
        self._pause, self._next = pause, 0.0

    def close(self) -> None:
        """Close the connection."""
        self._http.close()

    def ask(self, url: str, parse: Callable[[bytes], T], **request: Any) -> T:
        """Return what `parse` makes of the answer; where it raises ValueError, ask again.

        Raises RefusedError for this request, UnavailableError for all.
        """
        for attempt in range(1, ATTEMPTS + 1):
            if (wait := self._next - time.monotonic()) > 0:
                sleep(wait)
            try:
                with self._http.stream(
                    "POST" if "json" in request else "GET", url, **request
                ) as each:
                    return parse(_body(each))
            except httpx.TooManyRedirects as error:
                raise RefusedError("too many redirects") from error
            except (_FaultError, httpx.TransportError, httpx.DecodingError, ValueError) as error:
                reason = str(error) or type(error).__name__
                wait = getattr(error, "wait", None) or max(self._pause, 1.0) * 2 ** (attempt - 1)
                if attempt == ATTEMPTS or wait > LONGEST_WAIT:
                    pause = (
                        f", and asks for a pause of {wait:,.0f} s" if wait > LONGEST_WAIT else ""
                    )
                    raise UnavailableError(f"{reason}{pause}") from error
                sleep(wait)
            finally:
                self._next = time.monotonic() + self._pause
        raise AssertionError


def _expect_same_server(response: httpx.Response) -> None:
    """Raise RefusedError for a redirection: keys and addresses are meant for this service alone."""
    if response.has_redirect_location:
        asked, to = response.url, response.url.join(response.headers["Location"])
        if (to.scheme, to.host) != (asked.scheme, asked.host):
            raise RefusedError(f"redirected to another server, {to.host}")


def _body(response: httpx.Response) -> bytes:
    status = f"{response.status_code} {response.reason_phrase}".strip()
    if response.status_code in _TRY_AGAIN:
        raise _FaultError(status, _retry_after(response.headers.get("Retry-After", "")))
    if response.status_code in _STOP:
        raise UnavailableError(status)
    if not response.is_success:
        raise RefusedError("not found" if response.status_code in (404, 410) else status)
    body = bytearray()
    for chunk in response.iter_bytes():
        body += chunk
        if len(body) > LARGEST_ANSWER:
            raise RefusedError(f"response exceeds {LARGEST_ANSWER >> 20} MiB")
    return bytes(body)


def _retry_after(value: str) -> float | None:
    """Read a number of seconds, or a date."""
    if value.strip().isdecimal():
        return float(value)
    try:
        at = parsedate_to_datetime(value)
    except ValueError:
        return None
    at = at if at.tzinfo else at.replace(tzinfo=UTC)
    return max(0.0, (at - datetime.now(UTC)).total_seconds())
