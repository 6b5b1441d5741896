"""The bounds on what one GraphQL request may ask for."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class QueryLimits:
    """What one request may ask for; whatever asks for more is refused with a reason.

    Raises ValueError where a bound makes no sense.
    """

    seconds: float = 30.0
    """The time for one request, all operations of a batch together."""
    depth: int = 12
    """How many fields may stand within each other."""
    cost: int = 200_000
    """How many values an answer may hold, as page sizes and the schema's `@listSize` tell."""
    aliases: int = 30
    """How many fields of an operation may have another name in the answer."""
    tokens: int = 2000
    """How many words and signs the text of a query may have."""
    page: int = 100
    """How many works one page may hold; a lineage or timeline may always have 2000."""
    batch: int = 10
    """How many operations one request may hold; 1 means that there are no batches."""
    introspection: bool = True
    """Whether the schema may be asked for."""

    def __post_init__(self) -> None:
        if not self.seconds > 0:
            raise ValueError(f"the limit `seconds` is {self.seconds}; it must be more than 0")
        for name, least in _LEAST.items():
            value = getattr(self, name)
            if value < least:
                raise ValueError(f"the limit `{name}` is {value}; it must be {least} or more")


_LEAST = {"depth": 1, "cost": 1, "aliases": 0, "tokens": 1, "page": 1, "batch": 1}
DEFAULT_LIMITS = QueryLimits()
