"""What networks read in annotated papers, and a file that keeps it.

The shipped network was trained on all of the gold. `readings.npz` holds what networks that were
trained on other parts of it read in its papers, so that the network can be measured.
"""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from stemma.extract.encoder.component import read_document
from stemma.extract.encoder.grouping import Group, preferred_forms
from stemma.extract.encoder.network import Network, RelationScores
from stemma.schema import Catalogue
from training import stored
from training.annotated import Annotated
from training.papers import DATA

FILE = DATA / "readings.npz"


class Reading(NamedTuple):
    """The reading of a paper by a network: spans, groups and their probabilities."""

    paper: Annotated
    groups: list[Group]
    related: RelationScores


def read(network: Network, papers: Sequence[Annotated]) -> list[Reading]:
    """Return the readings of papers by `network`."""
    preferred = preferred_forms(Catalogue.shipped())
    return [Reading(paper, *read_document(network, paper.document, preferred)) for paper in papers]


def write_readings(readings: Iterable[Reading], file: Path = FILE) -> None:
    """Write readings to a file."""
    stored.write(((each.paper, _arrays(each)) for each in readings), file)


def kept_readings(papers: Iterable[Annotated], file: Path = FILE) -> Iterator[Reading]:
    """Yield the readings of papers in a file, in the order of the papers.

    Papers that have other words now than when they were read are left out.
    """
    kept = stored.Stored(file)
    for paper in papers:
        if arrays := kept.get(paper):
            groups: list[Group] = [{} for _ in arrays["entity"]]
            spans = zip(arrays["spans"].tolist(), arrays["likely"].tolist(), strict=True)
            for (begin, end, k), likely in spans:
                groups[k][begin, end] = likely
            scores = (arrays[name] for name in RelationScores._fields)
            yield Reading(paper, groups, RelationScores(*scores))


def _arrays(reading: Reading) -> stored.Arrays:
    spans = [
        (begin, end, k, likely)
        for k, group in enumerate(reading.groups)
        for (begin, end), likely in group.items()
    ]
    rows = np.array(spans, float).reshape(-1, 4)
    return {"spans": rows[:, :3].astype(int), "likely": rows[:, 3], **reading.related._asdict()}
