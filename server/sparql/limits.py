"""Limits: what a query from outside may cost."""

from dataclasses import dataclass

MEGABYTE = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """`workers` queries run at once and `queue` more wait; half of either is for one client.

    A query has `seconds`, its time to wait among them. An answer has at most `rows` rows (or
    triples) and `megabytes`; finding it may take `memory` megabytes. None of them is exceeded in
    silence: the client is told.
    """

    workers: int = 2
    queue: int = 32
    seconds: float = 30.0
    rows: int = 100_000
    megabytes: int = 32
    memory: int = 1024
