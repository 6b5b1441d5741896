"""Learning: batches in, a network trained on them out; and what a network says."""

import math
import os
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn
from torch.utils.data import DataLoader

from stemma.extract.encoder.grouping import Group, group, likely_spans
from training.augmentation import Augmentation, varied_batches
from training.batch import Batch, Example, Targets
from training.guided import GuidedBatches
from training.network import Groups, StemmaNetwork

_WARMING = 0.06
_LEAST_RATE = 0.02
_AVERAGED = 0.5
"""The share of the steps after which the weights are averaged."""
_AVERAGE = 0.01
_PROMPTING = 0.6
_NEVER = -1e4
_WITHOUT_BFLOAT16 = {"DEFAULT", "NO AVX", "AVX2"}


def reduced_precision(device: torch.device) -> torch.autocast:
    """Compute in 16 bits where the processor can: without AVX-512, bfloat16 is emulated, and takes
    longer than 32 bits."""
    on_cpu = device.type == "cpu"
    can = not on_cpu or torch.backends.cpu.get_cpu_capability() not in _WITHOUT_BFLOAT16
    return torch.autocast(device.type, torch.bfloat16, enabled=can)


@dataclass(frozen=True, slots=True)
class Plan:
    """How long to learn and how: `rates` are the highest learning rates, of the pretrained part and
    of the rest; `size` is the number of papers of a step; papers are read in variants if there is
    an `augmentation`, and for the share `guided` of the epochs groups are those that teachers see.
    """

    epochs: float
    rates: tuple[float, float]
    size: int = 16
    seed: int = 1
    guided: float = 0
    augmentation: Augmentation | None = None

    def steps(self, papers: int) -> int:
        """Return how many steps it takes to learn from papers."""
        return math.ceil(papers / self.size * self.epochs)


class ForwardPass(NamedTuple):
    """The logits that a network gives to the spans and groups of a batch."""

    spans: Tensor
    entity: Tensor
    kind: Tensor
    relations: Tensor
    evidence: Tensor


class Prompter(NamedTuple):
    """Puts spans that are names among those that the network finds, a `share` of them."""

    share: float
    chance: random.Random

    def spans(self, example: Example) -> list[tuple[tuple[int, int], float]]:
        """Return the spans of true names to add, each with the probability 1."""
        known = set(example.spans())
        if example.taught:
            known |= set(example.taught.spans)
        return [(span, 1.0) for span in sorted(known) if self.chance.random() < self.share]


class Words(NamedTuple):
    """Words of a batch as a network reads them: (b, t, d) and (b, n, d); logits of spans."""

    pieces: Tensor
    first: Tensor
    last: Tensor
    spans: Tensor

    @property
    def likely(self) -> Tensor:
        """Probabilities of spans, (b, n, WIDEST, 1 + kinds)."""
        return torch.softmax(self.spans.detach(), -1)


def read_words(network: StemmaNetwork, batch: Batch) -> Words:
    """Read the words of a batch."""
    pieces = network.encoder(batch.pieces, batch.shapes, batch.tags, batch.mask)
    papers = torch.arange(len(batch.pieces), device=pieces.device)[:, None]
    first, last = pieces[papers, batch.first], pieces[papers, batch.last]
    return Words(pieces, first, last, network.spans(first, last))


def find_groups(
    batch: Batch, likely: Tensor, preferred: Mapping[str, str], prompter: Prompter | None = None
) -> list[list[Group]]:
    """Return the groups of the spans that are likely names."""
    names = (1 - likely[..., 0]).cpu().numpy()
    groups = []
    for b, example in enumerate(batch.examples):
        found = dict(likely_spans(names[b, : example.words], example.document.sentences))
        if prompter:
            found = dict(prompter.spans(example)) | found
        groups.append(group(example.document, sorted(found.items()), preferred))
    return groups


def relate(network: StemmaNetwork, batch: Batch, words: Words, groups: Groups) -> ForwardPass:
    """Return the logits that `network` gives to groups of mentions."""
    related = network.relater(
        words.pieces,
        words.first,
        words.last,
        words.likely,
        batch.sentences,
        groups,
        batch.mask[:, None, None, :],
    )
    return ForwardPass(words.spans, *related)


def loss_of(seen: ForwardPass, batch: Batch, targets: Targets) -> Tensor:
    """Return the loss: how far the network is from what is annotated and taught."""
    kinds, truth = targets.kinds * batch.allowed[..., None], targets.truth
    names = kinds[..., 1:].sum().clamp_min(1)
    spans = -(kinds * torch.log_softmax(seen.spans, -1)).sum()
    groups = truth.counts.sum().clamp_min(1)
    entity = functional.binary_cross_entropy_with_logits(
        seen.entity, truth.entity, truth.named, reduction="sum"
    )
    relations = functional.binary_cross_entropy_with_logits(
        seen.relations, truth.relations, truth.settled, reduction="sum"
    )
    kind = -(truth.kind * torch.log_softmax(seen.kind, -1)).sum()
    loss = spans / names + (entity + relations) / groups
    loss = loss + 0.5 * kind / truth.kind.sum().clamp_min(1)
    likely = torch.log_softmax(seen.evidence, -1).masked_fill(~truth.evidence, _NEVER)
    stated = truth.evidence.any(-1)
    shown = torch.where(stated, torch.logsumexp(likely, -1), 0).sum()
    return loss - 0.3 * shown / stated.sum().clamp_min(1)


def learn(
    network: StemmaNetwork,
    examples: Sequence[Example],
    preferred: Mapping[str, str],
    plan: Plan,
    checkpoint: Path | None = None,
    progress: Callable[[str], None] = lambda text: None,
) -> StemmaNetwork:
    """Return a network that goes on from `network` and learns from `examples`.

    Its weights are averages over the second half. After every epoch all that is needed to resume is
    written to `checkpoint`; a run that finds the file continues from it.
    """
    torch.manual_seed(plan.seed)
    device = next(network.parameters()).device
    network = deepcopy(network)
    optimizer = _optimizer(network, plan)
    averaged = AveragedModel(network, multi_avg_fn=get_ema_multi_avg_fn(1 - _AVERAGE))
    chance, step, steps = random.Random(plan.seed), 0, plan.steps(len(examples))
    if checkpoint and checkpoint.exists():
        kept = torch.load(checkpoint, weights_only=False)
        for part, state in zip((network, averaged, optimizer), kept["states"], strict=True):
            part.load_state_dict(state)
        step = kept["step"]
        chance.setstate(kept["chance"])
        torch.set_rng_state(kept["torch"])
        torch.cuda.set_rng_state_all(kept["cuda"])
        progress(f"resumed after step {step} of {steps}")
    network.train()
    while step < steps:
        papers: Iterable[tuple[Batch, Targets | None]]
        if step < plan.guided * steps:
            epoch = chance.randrange(1 << 32)
            prepared = GuidedBatches(examples, preferred, plan.size, epoch, plan.augmentation)
            papers = DataLoader(prepared, batch_size=None, num_workers=_workers(device))
        else:
            varied = varied_batches(examples, plan.size, chance, plan.augmentation)
            papers = ((Batch.of(some), None) for some in varied)
        for batch, targets in islice(papers, steps - step):
            _set_rates(optimizer, plan.rates, step / steps)
            prompter = Prompter(1 - _PROMPTING * step / steps, chance)
            loss = _loss(network, batch, targets, preferred, prompter)
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimizer.step()
            step += 1
            if step >= _AVERAGED * steps:
                averaged.update_parameters(network)
            if step % 50 == 0 or step == steps:
                progress(f"step {step} of {steps}, loss {loss.item():.2f}")
        if checkpoint:
            state = {
                "states": [each.state_dict() for each in (network, averaged, optimizer)],
                "step": step,
                "chance": chance.getstate(),
                "torch": torch.get_rng_state(),
                "cuda": torch.cuda.get_rng_state_all(),
            }
            save(state, checkpoint)
    result: StemmaNetwork = averaged.module
    return result


def save(state: object, file: Path) -> None:
    """Write a state to a file, which appears when it is complete."""
    partial = file.with_suffix(".part")
    torch.save(state, partial)
    partial.rename(file)


def _optimizer(network: StemmaNetwork, plan: Plan) -> torch.optim.Optimizer:
    pretrained = list(network.encoder.parameters())
    others = [each for name, each in network.named_parameters() if not name.startswith("encoder.")]
    parts = zip((pretrained, others), plan.rates, strict=True)
    groups = [{"params": part, "lr": rate} for part, rate in parts]
    return torch.optim.AdamW(groups, weight_decay=0.01, fused=True)


def _set_rates(optimizer: torch.optim.Optimizer, rates: tuple[float, float], done: float) -> None:
    share = min(1, done / _WARMING) * max(_LEAST_RATE, 1 - done)
    for part, rate in zip(optimizer.param_groups, rates, strict=True):
        part["lr"] = rate * share


def _loss(
    network: StemmaNetwork,
    papers: Batch,
    targets: Targets | None,
    preferred: Mapping[str, str],
    prompter: Prompter,
) -> Tensor:
    """Return the loss of papers. Without targets they are those of the groups that are found."""
    device = next(network.parameters()).device
    batch = papers.to(device)
    with reduced_precision(device):
        words = read_words(network, batch)
        if targets is None:
            groups = find_groups(batch, words.likely, preferred, prompter)
            targets = Targets.of(papers, groups)
        targets = targets.to(device)
        seen = relate(network, batch, words, targets.groups)
    return loss_of(seen, batch, targets)


def _workers(device: torch.device) -> int:
    """Return how many processes prepare batches: none beside a network on the processor."""
    return 0 if device.type == "cpu" else max(1, (os.cpu_count() or 1) - 2)
