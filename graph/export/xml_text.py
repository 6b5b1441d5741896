"""Texts in XML, which allows no control characters except tab and line breaks."""

_REPLACED = dict.fromkeys((*range(9), 11, 12, *range(14, 32), 0xFFFE, 0xFFFF), "�")


def fit_for_xml(text: str) -> str:
    """Replace the characters that XML cannot hold, however they are written."""
    return text.translate(_REPLACED)
