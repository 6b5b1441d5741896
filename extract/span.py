"""Spans of a Doc by characters."""

from spacy.tokens import Doc, Span


def whole_tokens(
    doc: Doc, start: int, end: int, *, label: str = "", kb_id: str = "", id_: str = ""
) -> Span:
    """Return the tokens in which characters `start` to `end` lie."""
    span = doc.char_span(start, end, label, kb_id, alignment_mode="expand", span_id=id_)
    if span is None:
        raise ValueError(f"characters {start} to {end} are not in a text of {len(doc.text)}")
    return span
