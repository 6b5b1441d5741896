"""Progress in lines, for logs: rarely, and less often the longer it takes."""

from collections.abc import Callable
from time import monotonic

from stemma.schema.quantity import quantity


class SparseProgress:
    """Reports how far things are: after some seconds, then at growing intervals.

    `report` gets how many are done, of how many, and how many a second, where these are known.
    """

    def __init__(
        self,
        report: Callable[[int, int | None, float | None], None],
        clock: Callable[[], float] = monotonic,
        first_after: float = 10.0,
        longest_pause: float = 300.0,
    ) -> None:
        self._report, self._clock = report, clock
        self._begun = clock()
        self._pause, self._longest_pause = first_after, longest_pause
        self._next = self._begun + self._pause
        self._first: tuple[float, int] | None = None

    def __call__(self, done: int, total: int | None = None, /) -> None:
        """Take note of how many are done, and of how many where that is known."""
        now = self._clock()
        if done and self._first is None:  # What was loaded before does not count for the rate.
            self._first = (now, done)
        if now < self._next:
            return
        self._pause = min(2 * self._pause, self._longest_pause)
        self._next = now + self._pause
        self._report(done, total, self._rate(now, done))

    def _rate(self, now: float, done: int) -> float | None:
        if self._first is None or now <= self._first[0]:
            return None
        started, first = self._first
        return (done - first) / (now - started)


def how_far(done: int, total: int | None, unit: str, rate: float | None, faults: int = 0) -> str:
    """Say how many are done of how many, how many a second, the time that is left, and faults."""
    parts = [f"{done:,} of {total:,} {unit}" if total else f"{done:,} {unit}"]
    if rate:
        parts.append(f"{rate:,.0f}/s" if rate >= 10 else f"{rate:.1f}/s")
        if total:
            parts.append(f"{_clock_time(max(0, total - done) / rate)} left")
    if faults:
        parts.append(quantity(faults, "problem"))
    return ", ".join(parts)


def _clock_time(seconds: float) -> str:
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
