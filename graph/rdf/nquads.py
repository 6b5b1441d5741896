"""N-Quads: one line a statement, which Oxigraph reads faster than it is handed objects."""

from stemma.schema import PartialDate
from stemma.schema.namespace import XSD

_ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r"})


def iri(value: str) -> str:
    """Write an IRI. Ids, and terms of vocabularies, hold no character that needs escaping."""
    return f"<{value}>"


def text(value: str) -> str:
    """Write a plain literal."""
    return f'"{value.translate(_ESCAPES)}"'


def english(value: str) -> str:
    """Write a literal in English."""
    return f"{text(value)}@en"


def typed(value: object, datatype: str) -> str:
    """Write a literal of an XML Schema datatype, such as ``integer``."""
    return f"{text(str(value))}^^<{XSD}{datatype}>"


def date(value: PartialDate) -> str:
    """Write a date with the datatype that has its precision, from ``gYear`` to ``date``."""
    edtf = str(value)
    if value.year is None:
        return typed(f"-{edtf[4:]}", "gMonthDay" if value.day else "gMonth")
    return typed(edtf, {4: "gYear", 7: "gYearMonth", 10: "date"}[len(edtf)])
