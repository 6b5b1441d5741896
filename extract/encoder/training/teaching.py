"""Teaching: what several networks together say of papers."""

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np
import torch
from torch import Tensor

from stemma.extract.encoder.training.batch import Batch, Example, batches, groups_of
from stemma.extract.encoder.training.learning import (
    ForwardPass,
    find_groups,
    read_words,
    reduced_precision,
    relate,
)
from stemma.extract.encoder.training.taught import Taught
from stemma.extract.encoder.training.torch_network import StemmaNetwork

_PAPERS = 32


def teach(
    teachers: Sequence[StemmaNetwork], examples: Sequence[Example], preferred: Mapping[str, str]
) -> Iterator[tuple[Example, Taught]]:
    """Yield the papers, in no certain order, each with the means of the teachers' probabilities.

    They agree on the spans first, so that all speak of the same groups.
    """
    for each in teachers:
        each.eval()
    device = next(teachers[0].parameters()).device
    for some in batches(examples, _PAPERS):
        batch = Batch.of(some).to(device)
        with torch.no_grad(), reduced_precision(device):
            words = [read_words(each, batch) for each in teachers]
            likely = torch.stack([each.likely for each in words]).mean(0)
            groups = find_groups(batch, likely, preferred)
            counted = groups_of(batch, groups).to(device)
            seen = [
                relate(each, batch, its, counted) for each, its in zip(teachers, words, strict=True)
            ]
        entity = _mean(seen, lambda each: torch.sigmoid(each.entity))
        kind = _mean(seen, lambda each: torch.softmax(each.kind, -1))
        relations = _mean(seen, lambda each: torch.sigmoid(each.relations))
        evidence = _mean(seen, lambda each: torch.softmax(each.evidence, -1)).argmax(-1)
        kinds = likely[..., 1:].cpu().numpy()
        for b, example in enumerate(some):
            count = len(groups[b])
            spans = {span: k for k, each in enumerate(groups[b]) for span in each.spans}
            yield (
                example,
                Taught(
                    {(a, z): kinds[b, a, z - a - 1] for a, z in spans},
                    spans,
                    *(part[b, :count] for part in (entity, kind, relations, evidence)),
                ),
            )


def _mean(seen: Sequence[ForwardPass], part: Callable[[ForwardPass], Tensor]) -> np.ndarray:
    result: np.ndarray = torch.stack([part(each) for each in seen]).float().mean(0).cpu().numpy()
    return result
