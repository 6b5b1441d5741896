"""What networks read in annotated papers, and a file that keeps it.

The shipped network was trained on all of the gold. `readings.npz` holds what networks that were
trained on other parts of it read in each of its papers, so that it can be measured.
"""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from stemma.extract.encoder.component import read_document
from stemma.extract.encoder.document import KINDS
from stemma.extract.encoder.grouping import Group, preferred_forms
from stemma.extract.encoder.network import RELATIONS, Network, RelationScores
from stemma.extract.encoder.training.annotation import Annotated
from stemma.extract.encoder.training.taught import STEPS, hashed_title, rounded
from stemma.extract.evaluation.annotation_key import annotation_key
from stemma.schema import Catalogue

FILE = Path(__file__).with_name("readings.npz")


class Reading(NamedTuple):
    """What a network reads in a paper."""

    paper: Annotated
    groups: list[Group]
    related: RelationScores


def read(network: Network, papers: Sequence[Annotated]) -> list[Reading]:
    """Return what `network` reads in each of `papers`."""
    preferred = preferred_forms(Catalogue.shipped())
    return [Reading(each, *read_document(network, each.document, preferred)) for each in papers]


def write_readings(readings: Iterable[Reading], file: Path = FILE) -> None:
    """Write what was read; of the papers themselves, a hash of the title and how many words and
    sentences there are."""
    every = list(readings)
    spans = [
        (begin, end, k, round(likely * STEPS))
        for each in every
        for k, group in enumerate(each.groups)
        for (begin, end), likely in group.spans.items()
    ]
    np.savez_compressed(
        file,
        papers=np.array([_key(each.paper) for each in every], np.uint64),
        words=np.array([len(each.paper.document.words) for each in every], np.uint16),
        sentences_of=np.array([each.related.evidence.shape[2] for each in every], np.uint16),
        spans_of=np.array([sum(len(g.spans) for g in each.groups) for each in every], np.uint16),
        groups_of=np.array([len(each.groups) for each in every], np.uint16),
        spans=np.array(spans, np.uint16),
        entity=_joined(each.related.entity for each in every),
        kind=_joined(each.related.kind for each in every),
        relations=_joined(each.related.relations for each in every),
        evidence=_joined(each.related.evidence for each in every),
    )


def kept_readings(papers: Iterable[Annotated], file: Path = FILE) -> Iterator[Reading]:
    """Yield what was read in papers, in their order, except for those that have other words now."""
    with np.load(file) as opened:
        held = dict(opened)
    rows = {
        key: row
        for row, key in enumerate(zip(held["papers"].tolist(), held["words"].tolist(), strict=True))
    }
    groups_of = held["groups_of"].astype(int)
    first_span = np.cumsum([0, *held["spans_of"]])
    first_group = np.cumsum([0, *groups_of])
    first_evidence = np.cumsum([0, *groups_of * held["sentences_of"] * len(RELATIONS)])
    for paper in papers:
        row = rows.get((_key(paper), len(paper.document.words)))
        if row is None:
            continue
        count, some = groups_of[row], slice(*first_group[row : row + 2])
        groups = [Group({}) for _ in range(count)]
        for begin, end, k, likely in held["spans"][slice(*first_span[row : row + 2])].tolist():
            groups[k].spans[begin, end] = likely / STEPS
        entity = held["entity"][some] / STEPS
        kind = held["kind"].reshape(-1, len(KINDS))[some] / STEPS
        relations = held["relations"].reshape(-1, len(RELATIONS))[some] / STEPS
        stating = held["evidence"][slice(*first_evidence[row : row + 2])] / STEPS
        evidence = stating.reshape(count, len(RELATIONS), int(held["sentences_of"][row]))
        yield Reading(paper, groups, RelationScores(entity, kind, relations, evidence))


def _key(paper: Annotated) -> int:
    return hashed_title(annotation_key(paper.paper.title))


def _joined(parts: Iterable[np.ndarray]) -> np.ndarray:
    return rounded(np.concatenate([each.ravel() for each in parts]))
