"""Settings: how a store is served, and to whom."""

from dataclasses import dataclass, field

from stemma.server.graphql.limits import DEFAULT_LIMITS, QueryLimits
from stemma.server.sparql.limits import Limits


@dataclass(frozen=True, slots=True)
class Settings:
    """What a server is told when it is started."""

    query: QueryLimits = DEFAULT_LIMITS
    """What a GraphQL request may ask for."""
    sparql: Limits = field(default_factory=Limits)
    """What a SPARQL query may cost."""
    body: int = 256 * 1024
    """The largest request, in bytes."""
    token: str | None = field(default=None, repr=False)
    """What those who ask have to know; None where anybody may ask."""
    hosts: tuple[str, ...] | None = None
    """The names that the server answers to besides this machine's own; None for any."""
    origins: tuple[str, ...] = ()
    """Whose pages may ask GraphQL from a browser; ``*`` for all."""
    playground: bool = True
    """Whether GraphQL has a page."""
    traces: bool = False
    """Whether traces are sent by OpenTelemetry."""
