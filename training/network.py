"""The network in PyTorch, as it is trained.

A BERT encoder reads pieces of words, to which two embeddings are added: how the word is written,
and what the rules take it for. Names are spans, scored by their first piece, their last piece and
the words in them. Groups of spans that name one thing then become queries of a small decoder, which
reads the whole paper once more and says of each group whether it is an entity, of which kind, how
the paper relates to it, and which sentence says so.

Shapes: b papers, t pieces, n words, m mentions, g groups, s sentences, d the size of the encoder.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Self

import torch
from torch import Tensor, nn
from torch.nn import functional

from stemma.extract.encoder.network import FEATURES, RELATIONS, WIDEST
from stemma.extract.encoder.paper_words import KINDS, SHAPES, TAGS

_DROPOUT = 0.1
_NEVER = -1e4


class Int8Linear(nn.Linear):
    """A linear layer that can learn to live with eight bits.

    With `rounds` set it rounds as the runtime will: the activations of a paper to 256 steps between
    their least and their greatest, weights to 128 steps by output (seven bits: on processors
    without VNNI the products of eight saturate). Gradients pass as if nothing were rounded.
    """

    rounds = False

    def forward(self, x: Tensor) -> Tensor:
        """Return the outputs for inputs of shape (b, …, inputs)."""
        if not self.rounds:
            return super().forward(x)
        return functional.linear(_rounded(x), _rounded_weight(self.weight), self.bias)


class _Rounded(torch.autograd.Function):
    """The activations of each paper in steps: (b, …), `step` and `zero` (b,)."""

    @staticmethod
    def forward(ctx: object, x: Tensor, step: Tensor, zero: Tensor) -> Tensor:
        step, zero = (each.view(-1, *[1] * (x.ndim - 1)) for each in (step, zero))
        return ((torch.round(x.float() / step + zero) - zero) * step).to(x.dtype)

    @staticmethod
    def backward(ctx: object, *gradients: Tensor) -> tuple[Tensor, None, None]:
        return gradients[0], None, None


class _RoundedWeight(torch.autograd.Function):
    """A weight in steps, one size for each output."""

    @staticmethod
    def forward(ctx: object, weight: Tensor) -> Tensor:
        step = (weight.abs().amax(1, keepdim=True) / 64).clamp_min(1e-8)
        return torch.round(weight / step) * step

    @staticmethod
    def backward(ctx: object, *gradients: Tensor) -> Tensor:
        return gradients[0]


def _rounded(x: Tensor) -> Tensor:
    exact = x.detach().flatten(1)
    least = exact.amin(1).float().clamp_max(0)
    step = ((exact.amax(1).float().clamp_min(0) - least) / 255).clamp_min(1e-8)
    result: Tensor = _Rounded.apply(x, step, torch.round(-least / step))
    return result


def _rounded_weight(weight: Tensor) -> Tensor:
    result: Tensor = _RoundedWeight.apply(weight)
    return result


class Layer(nn.Module):
    """A layer of BERT: attention, then a feed-forward part, each with its norm behind it."""

    def __init__(self, size: int, heads: int, inner: int) -> None:
        super().__init__()
        self.heads = heads
        self.attention = Int8Linear(size, 3 * size)
        self.attended = Int8Linear(size, size)
        self.attention_norm = nn.LayerNorm(size, 1e-12)
        self.up = Int8Linear(size, inner)
        self.down = Int8Linear(inner, size)
        self.norm = nn.LayerNorm(size, 1e-12)
        self.dropout = nn.Dropout(_DROPOUT)

    def forward(self, x: Tensor, mask: Tensor | None) -> Tensor:
        """Read pieces (b, t, d); `mask` (b, 1, 1, t) is true where there are any, or is what is
        added to attention, (b, heads, t, t)."""
        query, key, value = self.attention(x).chunk(3, -1)
        attended = _attend(query, key, value, self.heads, mask)
        x = self.attention_norm(x + self.dropout(self.attended(attended)))
        return self.norm(x + self.dropout(self.down(functional.gelu(self.up(x)))))


def _attend(query: Tensor, key: Tensor, value: Tensor, heads: int, mask: Tensor | None) -> Tensor:
    def split(x: Tensor) -> Tensor:
        return x.unflatten(-1, (heads, -1)).transpose(1, 2)

    if mask is not None and mask.dtype != torch.bool:
        mask = mask.to(query.dtype)
    attended = functional.scaled_dot_product_attention(
        split(query), split(key), split(value), attn_mask=mask
    )
    return attended.transpose(1, 2).flatten(2)


class RelativePlaces(nn.Module):
    """How far apart two pieces are, as MPNet and T5 see it: each head has a bias for each distance,
    those far apart share one."""

    def __init__(self, heads: int, buckets: int = 32, farthest: int = 128) -> None:
        super().__init__()
        self.bias = nn.Embedding(buckets, heads)
        # Accelerators compute attention several times as fast where its bias is not learned.
        self.bias.weight.requires_grad_(False)
        self.farthest = farthest

    def forward(self, pieces: int, mask: Tensor) -> Tensor:
        """Return the bias to add to attention, (b, heads, pieces, pieces)."""
        half = self.bias.num_embeddings // 2
        exact = half // 2
        place = torch.arange(pieces, device=mask.device)
        ahead = place[None, :] - place[:, None]
        far = ahead.abs()
        scale = (half - exact) / math.log(self.farthest / exact)
        shared = exact + ((far.clamp_min(1) / exact).log() * scale).long()
        bucket = torch.where(far < exact, far, shared.clamp_max(half - 1)) + half * (ahead > 0)
        bias = self.bias(bucket).permute(2, 0, 1)[None]
        return bias.masked_fill(~mask, _NEVER)


class Encoder(nn.Module):
    """The pretrained encoder, with embeddings of shapes and tags beside those of pieces."""

    def __init__(self, pieces: int, size: int, layers: int, *, relative: bool) -> None:
        super().__init__()
        heads, inner = 12, 4 * size
        self.piece = nn.Embedding(pieces, size)
        self.place = nn.Embedding(512, size)
        self.shape = nn.Embedding(SHAPES, size)
        self.tag = nn.Embedding(TAGS, size)
        for table in (self.shape, self.tag):
            nn.init.normal_(table.weight, std=0.01)
        self.norm = nn.LayerNorm(size, 1e-12)
        self.layers = nn.ModuleList(Layer(size, heads, inner) for _ in range(layers))
        self.relative = RelativePlaces(heads) if relative else None
        self.dropout = nn.Dropout(_DROPOUT)

    def forward(self, pieces: Tensor, shapes: Tensor, tags: Tensor, mask: Tensor) -> Tensor:
        """Return a vector for each piece (b, t) in its context, (b, t, d)."""
        embedded = self.piece(pieces) + self.place.weight[: pieces.shape[1]]
        embedded = embedded + self.shape(shapes) + self.tag(tags)
        return self.contextual(embedded, mask[:, None, None, :])

    def load_pretrained(self, state: Mapping[str, Tensor]) -> None:
        """Take pretrained weights. Raises ValueError if they do not fit."""
        missing, unexpected = self.load_state_dict(state, strict=False)
        if unexpected or set(missing) != {"shape.weight", "tag.weight"}:
            raise ValueError(f"the pretrained weights do not fit: {missing} {unexpected}")

    def contextual(self, embedded: Tensor, mask: Tensor | None) -> Tensor:
        """Return the same of pieces that are embedded already, (b, t, d)."""
        x = self.dropout(self.norm(embedded))
        if self.relative is not None and mask is not None:
            mask = self.relative(x.shape[1], mask)
        for layer in self.layers:
            x = layer(x, mask)
        return x


def _windows(x: Tensor, words: int) -> Tensor:
    """Return (b, n, WIDEST, k) of `x` (b, n, k): for each word itself and those behind it."""
    padded = functional.pad(x, (0, 0, 0, WIDEST - 1))
    return torch.stack([padded[:, w : w + words] for w in range(WIDEST)], 2)


class SpanScorer(nn.Module):
    """Scores every span of up to WIDEST words as the name of an entity of each kind."""

    def __init__(self, size: int, inner: int = 160) -> None:
        super().__init__()
        kinds = len(KINDS)
        self.begin = nn.Linear(size, inner)
        self.end = nn.Linear(size, inner)
        self.pair = nn.Parameter(torch.randn(kinds, inner, inner) * 0.02)
        self.begins = nn.Linear(inner, kinds, bias=False)
        self.ends = nn.Linear(inner, kinds, bias=False)
        self.inside = nn.Linear(size, kinds)
        self.width = nn.Parameter(torch.full((WIDEST, kinds), -5.0))

    def forward(self, first: Tensor, last: Tensor) -> Tensor:
        """Return logits (b, n, WIDEST, 1 + kinds) of `first` and `last` pieces of words (b, n, d);
        that of no name is 0."""
        words = first.shape[1]
        begin = functional.gelu(self.begin(first))
        end = functional.gelu(self.end(last))
        paired = torch.einsum("bnh,khg->bngk", begin, self.pair)
        ends = _windows(torch.cat([end, self.ends(end)], -1), words)
        logits = (ends[..., : end.shape[-1]] @ paired).float()
        logits = logits + self.begins(begin)[:, :, None] + ends[..., end.shape[-1] :]
        sums = functional.pad(self.inside(first).float().cumsum(1), (0, 0, 1, 0))
        inside = _windows(sums[:, 1:], words) - sums[:, :-1, None]
        widths = torch.arange(1, WIDEST + 1, device=first.device)[:, None]
        logits = logits + self.width + inside / widths
        return torch.cat([torch.zeros_like(logits[..., :1]), logits], -1)


class DecoderLayer(nn.Module):
    """Groups look at each other, then at the paper."""

    def __init__(self, size: int, memory: int, heads: int = 4) -> None:
        super().__init__()
        self.heads = heads
        self.own = nn.Linear(size, 3 * size)
        self.own_out = nn.Linear(size, size)
        self.query = nn.Linear(size, size)
        self.memory = nn.Linear(memory, 2 * size)
        self.memory_out = nn.Linear(size, size)
        self.up = nn.Linear(size, 2 * size)
        self.down = nn.Linear(2 * size, size)
        self.norms = nn.ModuleList(nn.LayerNorm(size) for _ in range(3))
        self.dropout = nn.Dropout(_DROPOUT)

    def forward(
        self, x: Tensor, mask: Tensor | None, pieces: Tensor, piece_mask: Tensor | None
    ) -> Tensor:
        """Return groups (b, g, size), having read `pieces` (b, t, d)."""
        own, cross, inner = self.norms
        query, key, value = self.own(own(x)).chunk(3, -1)
        attended = _attend(query, key, value, self.heads, mask)
        x = x + self.dropout(self.own_out(attended))
        key, value = self.memory(pieces).chunk(2, -1)
        attended = _attend(self.query(cross(x)), key, value, self.heads, piece_mask)
        x = x + self.dropout(self.memory_out(attended))
        return x + self.dropout(self.down(functional.gelu(self.up(inner(x)))))


@dataclass(slots=True)
class OnDevice:
    """Tensors that go to a device together."""

    def to(self, device: torch.device) -> Self:
        """Return the same tensors on a device."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        there = {
            name: value.to(device)
            for name, value in values.items()
            if isinstance(value, (Tensor, OnDevice))
        }
        return replace(self, **there)


@dataclass(slots=True)
class Groups(OnDevice):
    """Mentions of papers, and what is counted of their groups.

    `begin`, `end`, `group`: first word, last word and group of each mention, (b, m); the group of
    what only fills up is g. `features`: (b, g, FEATURES). `present`: (b, g), which are groups.
    """

    begin: Tensor
    end: Tensor
    group: Tensor
    features: Tensor
    present: Tensor


class Relater(nn.Module):
    """Reads groups of mentions: entity or not, kind, relations, evidence."""

    def __init__(self, memory: int, size: int = 256, layers: int = 2, sides: int = 64) -> None:
        super().__init__()
        self.sides = sides
        kinds, relations = len(KINDS), len(RELATIONS)
        self.mention = nn.Linear(2 * memory + 1 + kinds, size)
        self.sentence = nn.Linear(memory, size)
        self.pooled = nn.Linear(3 * size, size)
        self.features = nn.Linear(FEATURES, size)
        self.layers = nn.ModuleList(DecoderLayer(size, memory) for _ in range(layers))
        self.norm = nn.LayerNorm(size)
        self.entity = nn.Linear(size, 1)
        self.kind = nn.Linear(size, kinds)
        self.relation = nn.Linear(size, relations)
        self.stated = nn.Linear(size, relations * sides)
        self.states = nn.Linear(memory, sides)
        self.names_it = nn.Parameter(torch.full((relations,), 2.0))
        self.near = nn.Sequential(
            nn.Linear(2 * size, size), nn.GELU(), nn.Dropout(_DROPOUT), nn.Linear(size, relations)
        )

    def forward(
        self,
        pieces: Tensor,
        first: Tensor,
        last: Tensor,
        spans: Tensor,
        sentences: Tensor,
        groups: Groups,
        piece_mask: Tensor | None = None,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Return logits: entity (b, g), kind (b, g, kinds), relations (b, g, relations), evidence
        (b, g, relations, s).

        `spans` are probabilities (b, n, WIDEST, 1 + kinds); `sentences` (b, n, s) is 1 where a word
        is in a sentence.
        """
        count = groups.features.shape[1]
        sizes = sentences.sum(1)
        states = sentences.transpose(1, 2).to(first.dtype) @ first
        states = states / sizes[..., None].clamp_min(1).to(first.dtype)
        papers = torch.arange(first.shape[0], device=first.device)[:, None]
        likely = spans[papers, groups.begin, groups.end - groups.begin].to(first.dtype)
        mention = functional.gelu(
            self.mention(
                torch.cat([first[papers, groups.begin], last[papers, groups.end], likely], -1)
            )
        )
        named = sentences[papers, groups.begin]
        around = named.to(first.dtype) @ self.sentence(states)

        def mean(x: Tensor) -> Tensor:
            total = _scattered(x, groups.group, count, "sum")
            times = _scattered(torch.ones_like(x[..., :1]), groups.group, count, "sum")
            return total / times.clamp_min(1)

        def highest(x: Tensor) -> Tensor:
            return _scattered(x, groups.group, count, "amax").clamp_min(-10)

        pooled = [mean(mention), highest(mention), mean(functional.gelu(around))]
        x = self.pooled(torch.cat(pooled, -1)) + self.features(groups.features.to(first.dtype))
        mask = groups.present[:, None, None, :]
        for layer in self.layers:
            x = layer(x, mask, pieces, piece_mask)
        x = self.norm(x)
        near = highest(self.near(torch.cat([mention, around], -1)).float())
        asked = self.stated(x).unflatten(-1, (len(RELATIONS), self.sides))
        evidence = torch.einsum("bgrk,bsk->bgrs", asked, self.states(states)).float()
        evidence = evidence / 8 + self.names_it[:, None] * highest(named).clamp_min(0)[:, :, None]
        return (
            self.entity(x).squeeze(-1).float(),
            self.kind(x).float(),
            self.relation(x).float() + near,
            evidence.masked_fill(sizes[:, None, None, :] == 0, _NEVER),
        )


def _scattered(x: Tensor, group: Tensor, count: int, how: str) -> Tensor:
    """Return `x` (b, m, k) summed or maximised by group, (b, count, k)."""
    empty = torch.full(
        (x.shape[0], count + 1, x.shape[2]),
        0.0 if how == "sum" else _NEVER,
        dtype=x.dtype,
        device=x.device,
    )
    index = group[..., None].expand(-1, -1, x.shape[2])
    return empty.scatter_reduce(1, index, x, how)[:, :count]


class StemmaNetwork(nn.Module):
    """The whole network: encoder, span scorer and relater.

    `size`, `layers` and `relative` are those of the pretrained encoder.
    """

    def __init__(
        self, pieces: int = 30522, size: int = 384, layers: int = 6, *, relative: bool = False
    ) -> None:
        super().__init__()
        self.encoder = Encoder(pieces, size, layers, relative=relative)
        self.spans = SpanScorer(size)
        self.relater = Relater(size)

    def round_to_int8(self, *, rounds: bool = True) -> None:
        """From now on compute as the runtime does, in eight bits, or not."""
        for each in self.modules():
            if isinstance(each, Int8Linear):
                each.rounds = rounds
