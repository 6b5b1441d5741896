"""Quotations: whether two texts quote the same sentence."""

from difflib import SequenceMatcher


def quotes_the_same(one: str, other: str) -> bool:
    """Return whether the longest stretch that both share is half of the shorter one, or more.

    Whitespace counts as a single space; an empty text quotes nothing.
    """
    one, other = " ".join(one.split()), " ".join(other.split())
    shorter, longer = sorted((one, other), key=len)
    if not shorter:
        return False
    if shorter in longer:
        return True
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    return 2 * matcher.find_longest_match().size >= len(shorter)
