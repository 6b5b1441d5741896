"""Disjoint sets: groups of keys, which are joined step by step."""


class DisjointSets:
    """Groups of keys; keys that were joined, directly or through others, are in one group."""

    def __init__(self) -> None:
        self._towards: dict[str, str] = {}

    def of(self, key: str) -> str:
        """Return the least key of the group of `key`."""
        towards = self._towards
        while key in towards:
            above = towards[key]
            # Long chains are shortened, so that they are followed only once.
            towards[key] = towards.get(above, above)
            key = above
        return key

    def join(self, a: str, b: str) -> None:
        """Make one group of the groups of `a` and `b`."""
        low, high = sorted((self.of(a), self.of(b)))
        if low != high:
            self._towards[high] = low
