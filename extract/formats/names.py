"""Names of authors in a text that lists them."""

import re

_BETWEEN = re.compile(r",\s*(?:and\b|&)?|\band\b|(?<=\s)&(?=\s)")
_IN_BRACKETS = re.compile(r"\s*\([^()]*\)")


def split_names(names: str) -> list[str]:
    """Return the names in a text, which commas, semicolons or "and" separate.

    With semicolons a comma is within a name: ``Potter, A.; Smith, B.``
    """
    if ";" in names:
        return [each.strip() for each in names.split(";") if each.strip()]
    plain = " ".join(names.split())
    for _ in range(3):  # affiliations, which may have brackets of their own
        plain = _IN_BRACKETS.sub("", plain)
    return [each.strip() for each in _BETWEEN.split(plain) if each.strip()]
