"""What a network reads in annotated papers."""

from collections.abc import Sequence
from typing import NamedTuple

from stemma.extract.encoder.component import read_document
from stemma.extract.encoder.grouping import Group, preferred_forms
from stemma.extract.encoder.network import Network, RelationScores
from stemma.extract.encoder.training.annotation import Annotated
from stemma.schema import Catalogue


class Reading(NamedTuple):
    """What a network reads in a paper."""

    paper: Annotated
    groups: list[Group]
    related: RelationScores


def read(network: Network, papers: Sequence[Annotated]) -> list[Reading]:
    """Return what `network` reads in each of `papers`."""
    preferred = preferred_forms(Catalogue.shipped())
    return [Reading(each, *read_document(network, each.document, preferred)) for each in papers]
