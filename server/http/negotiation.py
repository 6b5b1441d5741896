"""Content negotiation: which of several media types a client would rather have."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import lru_cache

from starlette.requests import Request


def accepted(request: Request) -> str:
    """Return the Accept headers of a request as one."""
    return ",".join(request.headers.getlist("accept"))


def preferred(accept: str, offers: Sequence[str]) -> str | None:
    """Return the offer that an Accept header (RFC 9110, 12.5.1) likes best, None if it likes none.

    `offers` are media types without parameters; where the header likes several equally, the first
    of them is returned. An empty header takes anything.
    """
    qualities = _qualities(accept) or {"*/*": 1.0}

    def quality(offer: str) -> float:
        """Return what the most precise range that fits says of an offer."""
        ranges = (offer, f"{offer.partition('/')[0]}/*", "*/*")
        return next((qualities[each] for each in ranges if each in qualities), 0.0)

    best = max(offers, key=quality, default=None)
    return best if best is not None and quality(best) > 0 else None


@lru_cache(maxsize=64)
def _qualities(accept: str) -> Mapping[str, float]:
    """Read an Accept header: the quality of each range. What is not well-formed is ignored."""
    found: dict[str, float] = {}
    for part in accept.lower().split(","):
        media_range, *parameters = (each.strip() for each in part.split(";"))
        if not all(media_range.partition("/")):
            continue
        given = {name.strip(): value for name, _, value in (e.partition("=") for e in parameters)}
        found[media_range] = 0.0
        with suppress(ValueError):
            found[media_range] = min(max(float(given.get("q", 1.0)), 0.0), 1.0)
    return found
