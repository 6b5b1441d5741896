"""Disjoint sets: keys in groups, which grow as keys are joined."""


class DisjointSets:
    """Keys that were joined, directly or by others, are of one group: its least key."""

    def __init__(self) -> None:
        self._towards: dict[str, str] = {}

    def of(self, key: str) -> str:
        """Return the least key of the group of `key`."""
        towards = self._towards
        while key in towards:
            above = towards[key]
            # Long chains are shortened, so that they are not walked again.
            towards[key] = towards.get(above, above)
            key = above
        return key

    def join(self, a: str, b: str) -> None:
        """Make one group of those of `a` and `b`."""
        low, high = sorted((self.of(a), self.of(b)))
        if low != high:
            self._towards[high] = low
