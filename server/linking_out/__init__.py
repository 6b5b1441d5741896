"""Links from works of a graph to records of Wikidata, OpenAlex and Papers with Code."""

from enum import StrEnum


class MappingFormat(StrEnum):
    """How a mapping set is written."""

    SSSOM = "sssom"
    TURTLE = "turtle"
