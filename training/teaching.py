"""Teaching: what several larger networks together say of papers."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np
import torch
from torch import Tensor

from training.batch import Batch, Example, batches, groups_of
from training.learning import find_groups, read_words, reduced_precision, relate
from training.network import StemmaNetwork
from training.taught import Taught

_PAPERS = 32


def teach(
    teachers: Sequence[StemmaNetwork], examples: Sequence[Example], preferred: Mapping[str, str]
) -> Iterator[tuple[Example, Taught]]:
    """Yield the papers, in no certain order, with the means of the teachers' probabilities.

    They agree on the spans first, so that all speak of the same groups.
    """
    for teacher in teachers:
        teacher.eval()
    device = next(teachers[0].parameters()).device
    for some in batches(examples, _PAPERS):
        batch = Batch.of(some).to(device)
        with torch.no_grad(), reduced_precision(device):
            words = [read_words(teacher, batch) for teacher in teachers]
            likely = torch.stack([word.likely for word in words]).mean(0)
            groups = find_groups(batch, likely, preferred)
            counted = groups_of(batch, groups).to(device)
            outputs = [
                relate(teacher, batch, read, counted)
                for teacher, read in zip(teachers, words, strict=True)
            ]
        entity = _mean(torch.sigmoid(each.entity) for each in outputs)
        kind = _mean(torch.softmax(each.kind, -1) for each in outputs)
        relations = _mean(torch.sigmoid(each.relations) for each in outputs)
        evidence = _mean(torch.softmax(each.evidence, -1) for each in outputs).argmax(-1)
        kinds = likely[..., 1:].cpu().numpy()
        for b, example in enumerate(some):
            count = len(groups[b])
            spans = {span: k for k, each in enumerate(groups[b]) for span in each}
            yield (
                example,
                Taught(
                    {(a, z): kinds[b, a, z - a - 1] for a, z in spans},
                    spans,
                    *(part[b, :count] for part in (entity, kind, relations, evidence)),
                ),
            )


def _mean(probabilities: Iterable[Tensor]) -> np.ndarray:
    result: np.ndarray = torch.stack(list(probabilities)).float().mean(0).cpu().numpy()
    return result
