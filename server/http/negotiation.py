"""Content negotiation: which of several media types a client would rather have."""

from collections.abc import Sequence
from dataclasses import dataclass

from starlette.requests import Request


def accepted(request: Request) -> str:
    """Return the Accept headers of a request as one."""
    return ",".join(request.headers.getlist("accept"))


@dataclass(frozen=True, slots=True)
class _Range:
    type: str
    subtype: str
    quality: float

    def fits(self, type: str, subtype: str) -> bool:
        return self.type in (type, "*") and self.subtype in (subtype, "*")

    @property
    def precision(self) -> int:
        return (self.type != "*") + (self.subtype != "*")


def preferred(accept: str, offers: Sequence[str]) -> str | None:
    """Return the offer that an Accept header (RFC 9110, 12.5.1) likes best, None if it likes none.

    `offers` are media types without parameters; where the header likes several equally, the first
    of them is returned. An empty header takes anything.
    """
    ranges = _ranges(accept) or [_Range("*", "*", 1.0)]
    qualities = {offer: _quality(ranges, offer) for offer in offers}
    best = max(qualities, key=lambda offer: qualities[offer], default=None)
    return best if best is not None and qualities[best] > 0 else None


def _quality(ranges: Sequence[_Range], offer: str) -> float:
    """Return what the most precise range that fits says of an offer."""
    type_, _, subtype = offer.partition("/")
    fitting = [each for each in ranges if each.fits(type_, subtype)]
    return max(fitting, key=lambda each: each.precision).quality if fitting else 0.0


def _ranges(accept: str) -> list[_Range]:
    """Read an Accept header; what is not well-formed in it is ignored."""
    ranges = []
    for part in accept.lower().split(","):
        media_range, *parameters = (each.strip() for each in part.split(";"))
        type_, slash, subtype = media_range.partition("/")
        if not (type_ and slash and subtype):
            continue
        quality = 1.0
        for parameter in parameters:
            name, _, value = parameter.partition("=")
            if name.strip() == "q":
                quality = _number(value)
        ranges.append(_Range(type_, subtype, quality))
    return ranges


def _number(text: str) -> float:
    try:
        return min(max(float(text), 0.0), 1.0)
    except ValueError:
        return 0.0
