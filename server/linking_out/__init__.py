"""Links from works of a graph to records of Wikidata, OpenAlex and Papers with Code."""

from stemma.server.linking_out.mapping_set import MappingFormat, write
from stemma.server.linking_out.matching import Matcher
from stemma.server.linking_out.records import records

__all__ = ["MappingFormat", "Matcher", "records", "write"]
