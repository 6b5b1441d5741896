"""Numbers of things, in words."""


def quantity(count: int, singular: str, plural: str = "") -> str:
    """Return "1 paper" or "2,345 papers"; `plural` is given where it is not just with an s."""
    return f"{count:,} {singular if count == 1 else plural or f'{singular}s'}"
