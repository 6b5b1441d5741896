"""Learning: batches in, a network that has learnt from them out; and what a network says."""

import math
import random
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from pathlib import Path
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

from stemma.extract.encoder.grouping import Group, group, likely_spans
from stemma.extract.encoder.network import RelationScores
from stemma.extract.encoder.training.batch import Batch, Example, Truth, batches, groups_of
from stemma.extract.encoder.training.torch_network import StemmaNetwork

_PAPERS = 16
_RATES = (1.5e-4, 8e-4)
"""Learning rates of the pretrained part and of the rest, at their highest."""
_WARMING = 0.06
_LEAST_RATE = 0.02
_AVERAGED = 0.5
"""The share of the steps after which the weights are averaged."""
_AVERAGE = 0.01
_TEACHING = 0.6
_NEVER = -1e4
_WITHOUT_BFLOAT16 = {"DEFAULT", "NO AVX", "AVX2"}


def _reduced_precision() -> torch.autocast:
    """Compute in 16 bits where the processor can: without AVX-512, bfloat16 is emulated, and takes
    longer than 32 bits."""
    can = torch.backends.cpu.get_cpu_capability() not in _WITHOUT_BFLOAT16
    return torch.autocast("cpu", torch.bfloat16, enabled=can)


class ForwardPass(NamedTuple):
    """What a network says of a batch: logits, and the groups that the later ones are about."""

    spans: Tensor
    groups: list[list[Group]]
    entity: Tensor
    kind: Tensor
    relations: Tensor
    evidence: Tensor


class Teacher(NamedTuple):
    """Puts annotated spans among those that the network finds, a `share` of them."""

    share: float
    chance: random.Random

    def spans(self, example: Example) -> list[tuple[tuple[int, int], float]]:
        """Return the spans that are put in."""
        marked = sorted(example.spans())
        return [(span, 1.0) for span in marked if self.chance.random() < self.share]


def forward(
    network: StemmaNetwork,
    batch: Batch,
    preferred: Mapping[str, str],
    teacher: Teacher | None = None,
) -> ForwardPass:
    """Return what `network` says of a batch."""
    pieces = network.encoder(batch.pieces, batch.shapes, batch.tags, batch.mask)
    papers = torch.arange(len(batch.examples))[:, None]
    first, last = pieces[papers, batch.first], pieces[papers, batch.last]
    spans = network.spans(first, last)
    likely = torch.softmax(spans.detach(), -1)
    names = (1 - likely[..., 0]).numpy()
    groups = []
    for b, example in enumerate(batch.examples):
        found = dict(likely_spans(names[b, : example.words], example.document.sentences))
        if teacher:
            found = dict(teacher.spans(example)) | found
        groups.append(group(example.document, sorted(found.items()), preferred))
    related = network.relater(
        pieces,
        first,
        last,
        likely,
        batch.sentences,
        groups_of(batch, groups),
        batch.mask[:, None, None, :],
    )
    return ForwardPass(spans, groups, *related)


def loss_of(seen: ForwardPass, batch: Batch) -> Tensor:
    """Return the loss: how far the network is from the annotations."""
    kinds = batch.kinds()[batch.allowed]
    names = (kinds > 0).sum().clamp_min(1)
    spans = functional.cross_entropy(seen.spans[batch.allowed], kinds, reduction="sum")
    truth = Truth.of(batch, seen.groups, seen.evidence.shape)
    groups = truth.counts.sum().clamp_min(1)
    entity = functional.binary_cross_entropy_with_logits(
        seen.entity, truth.entity, truth.named, reduction="sum"
    )
    relations = functional.binary_cross_entropy_with_logits(
        seen.relations, truth.relations, truth.settled, reduction="sum"
    )
    loss = spans / names + (entity + relations) / groups
    if (truth.kind >= 0).any():
        loss = loss + 0.5 * functional.cross_entropy(
            seen.kind.flatten(0, 1), truth.kind.flatten(), ignore_index=-100
        )
    if (stated := truth.evidence.any(-1)).any():
        likely = torch.log_softmax(seen.evidence, -1).masked_fill(~truth.evidence, _NEVER)
        loss = loss - 0.3 * torch.logsumexp(likely, -1)[stated].mean()
    return loss


def learn(
    network: StemmaNetwork,
    examples: Sequence[Example],
    preferred: Mapping[str, str],
    *,
    epochs: float,
    rate: float = 1.0,
    seed: int = 1,
    checkpoint: Path | None = None,
    progress: Callable[[str], None] = lambda text: None,
) -> StemmaNetwork:
    """Return a network that goes on from `network` and learns from `examples`.

    `rate` scales the learning rates. The weights returned are averages over the second half.
    After each epoch all that is needed to resume is written to `checkpoint`; a run that finds
    the file continues from it.
    """
    torch.manual_seed(seed)
    chance = random.Random(seed)
    network = deepcopy(network)
    steps = math.ceil(len(examples) / _PAPERS * epochs)
    pretrained = list(network.encoder.parameters())
    others = [each for name, each in network.named_parameters() if not name.startswith("encoder.")]
    rates = [each * rate for each in _RATES]
    optimizer = torch.optim.AdamW(
        [
            {"params": part, "lr": each}
            for part, each in zip((pretrained, others), rates, strict=True)
        ],
        weight_decay=0.01,
        fused=True,
    )
    averaged: StemmaNetwork | None = None
    step = 0
    if checkpoint and checkpoint.exists():
        kept = torch.load(checkpoint, weights_only=False)
        network.load_state_dict(kept["network"])
        optimizer.load_state_dict(kept["optimizer"])
        if kept["averaged"]:
            averaged = deepcopy(network)
            averaged.load_state_dict(kept["averaged"])
        step = kept["step"]
        chance.setstate(kept["chance"])
        torch.set_rng_state(kept["torch"])
        progress(f"resumed after step {step} of {steps}")
    network.train()
    while step < steps:
        for some in batches(examples, _PAPERS, chance):
            if step == steps:
                break
            share = min(1, step / (_WARMING * steps)) * max(_LEAST_RATE, 1 - step / steps)
            for part, each in zip(optimizer.param_groups, rates, strict=True):
                part["lr"] = each * share
            batch = Batch.of(some)
            with _reduced_precision():
                teacher = Teacher(1 - _TEACHING * step / steps, chance)
                seen = forward(network, batch, preferred, teacher)
            loss = loss_of(seen, batch)
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimizer.step()
            step += 1
            if step >= _AVERAGED * steps:
                averaged = _average(averaged, network)
            if step % 50 == 0 or step == steps:
                progress(f"step {step} of {steps}, loss {loss.item():.2f}")
        if checkpoint:
            state = {
                "network": network.state_dict(),
                "optimizer": optimizer.state_dict(),
                "averaged": averaged and averaged.state_dict(),
                "step": step,
                "chance": chance.getstate(),
                "torch": torch.get_rng_state(),
            }
            partial = checkpoint.with_suffix(".part")
            torch.save(state, partial)
            partial.rename(checkpoint)
    return averaged or network


def _average(averaged: StemmaNetwork | None, network: StemmaNetwork) -> StemmaNetwork:
    if averaged is None:
        return deepcopy(network)
    with torch.no_grad():
        for mean, each in zip(averaged.parameters(), network.parameters(), strict=True):
            mean.lerp_(each, _AVERAGE)
    return averaged


class Reading(NamedTuple):
    """What a network reads in a paper."""

    example: Example
    groups: list[Group]
    related: RelationScores


def read(
    network: StemmaNetwork, examples: Sequence[Example], preferred: Mapping[str, str]
) -> list[Reading]:
    """Return what `network` reads in each of `examples`, in no certain order."""
    network.eval()
    result = []
    for some in batches(examples, _PAPERS):
        with torch.no_grad(), _reduced_precision():
            seen = forward(network, Batch.of(some), preferred)
        entity, relations = torch.sigmoid(seen.entity), torch.sigmoid(seen.relations)
        kind, evidence = torch.softmax(seen.kind, -1), torch.softmax(seen.evidence, -1)
        for b, example in enumerate(some):
            count = len(seen.groups[b])
            parts = (entity, kind, relations, evidence)
            related = RelationScores(*(part[b, :count].numpy() for part in parts))
            result.append(Reading(example, seen.groups[b], related))
    return result
