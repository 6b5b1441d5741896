"""From the trained network to what is shipped: two ONNX graphs in int8, tables, a vocabulary."""

import json
import logging
import tempfile
import warnings
from ast import literal_eval
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import asdict
from pathlib import Path

import numpy as np
import onnx
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from onnxruntime.quantization.matmul_nbits_quantizer import MatMulNBitsQuantizer
from tokenizers import Tokenizer
from torch import Tensor, nn

from stemma.extract.encoder.network import FEATURES, WIDEST, Calibration
from stemma.extract.encoder.paper_words import MOST_PIECES, SHAPES
from stemma.extract.encoder.trained_model import save_description
from training.network import Groups, Int8Linear, StemmaNetwork

_SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")


class _Reader(nn.Module):
    """The encoder and the span scorer, for one paper, from embedded pieces on."""

    def __init__(self, network: StemmaNetwork) -> None:
        super().__init__()
        self.network = network

    def forward(
        self, embedded: Tensor, first: Tensor, last: Tensor
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        pieces = self.network.encoder.contextual(embedded[None], None)
        begin, end = pieces[:, first], pieces[:, last]
        spans = torch.softmax(self.network.spans(begin, end), -1)
        return pieces[0], begin[0], end[0], spans[0]


class _Relater(nn.Module):
    """The relater, for one paper."""

    def __init__(self, network: StemmaNetwork) -> None:
        super().__init__()
        self.relater = network.relater

    def forward(
        self,
        pieces: Tensor,
        first: Tensor,
        last: Tensor,
        spans: Tensor,
        sentences: Tensor,
        begin: Tensor,
        end: Tensor,
        group: Tensor,
        features: Tensor,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        present = torch.ones_like(features[None, :, 0]) > 0
        groups = Groups(begin[None], end[None], group[None], features[None], present)
        entity, kind, relations, evidence = self.relater(
            pieces[None], first[None], last[None], spans[None], sentences[None], groups
        )
        return (
            torch.sigmoid(entity)[0],
            torch.softmax(kind, -1)[0],
            torch.sigmoid(relations)[0],
            torch.softmax(evidence, -1)[0],
        )


def export(network: StemmaNetwork, kept: Sequence[int], folder: Path) -> None:
    """Write what `Network` reads into `folder`, but vocabulary and calibration.

    `kept`: the numbers of the pieces that the vocabulary has.
    """
    folder.mkdir(parents=True, exist_ok=True)
    network = deepcopy(network).cpu().eval()
    network.round_to_int8(rounds=False)  # The graph is rounded by its own operators.
    _save_tables(network, kept, folder / "embeddings.npz")
    with _silence():
        _save_graphs(network, folder)
    save_description(folder)


@contextmanager
def _silence() -> Iterator[None]:
    """Keep libraries from reporting each node that they leave as it is."""
    logging.disable(logging.WARNING)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(logging.NOTSET)


def save_calibration(calibration: Calibration, folder: Path) -> None:
    """Write the calibration that `Network` reads into `folder`."""
    text = json.dumps(asdict(calibration), indent=1)
    (folder / "calibration.json").write_text(text + "\n", encoding="utf-8")


def cut_vocabulary(tokenizer: Path, words: Iterable[str], folder: Path) -> list[int]:
    """Write the tokenizer of the pretrained encoder with the pieces of `words` and single
    characters alone, and return their former numbers."""
    whole = Tokenizer.from_file(str(tokenizer))
    whole.no_truncation()
    pieces = whole.get_vocab(with_added_tokens=True)
    kept = {pieces[each] for each in _SPECIAL}
    kept |= {number for piece, number in pieces.items() if len(piece.removeprefix("##")) == 1}
    encoding = whole.encode(sorted(set(words)), is_pretokenized=True, add_special_tokens=False)
    kept |= set(encoding.ids)
    numbers = sorted(kept)
    fewer = {number: k for k, number in enumerate(numbers)}
    record = json.loads(tokenizer.read_bytes())
    record["model"]["vocab"] = {
        piece: fewer[number]
        for piece, number in sorted(pieces.items(), key=lambda item: item[1])
        if number in kept
    }
    record["added_tokens"] = [
        each | {"id": fewer[each["id"]]} for each in record["added_tokens"] if each["id"] in kept
    ]
    record |= {"truncation": None, "padding": None, "post_processor": None}
    text = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
    (folder / "vocabulary.json").write_text(text, encoding="utf-8")
    return numbers


def _save_tables(network: StemmaNetwork, kept: Sequence[int], file: Path) -> None:
    encoder = network.encoder
    piece = encoder.piece.weight.detach().numpy()[list(kept)]
    scale = np.abs(piece).max(axis=1) / 127
    np.savez(
        file,
        piece=np.round(piece / scale[:, None]).astype(np.int8),
        scale=scale.astype(np.float32),
        place=encoder.place.weight.detach().numpy()[:MOST_PIECES],
        shape=encoder.shape.weight.detach().numpy()[:SHAPES],
        tag=encoder.tag.weight.detach().numpy(),
    )


def _save_graphs(network: StemmaNetwork, folder: Path) -> None:
    size = network.encoder.piece.embedding_dim
    pieces, words, mentions, groups = 23, 17, 9, 5
    embedded = torch.randn(pieces, size)
    first = torch.arange(words)
    _save_graph(
        _Reader(network),
        {
            "embedded": (embedded, {0: "pieces"}),
            "first": (first, {0: "words"}),
            "last": (first + 2, {0: "words"}),
        },
        ["pieces", "first_pieces", "last_pieces", "spans"],
        folder / "reader.onnx",
    )
    states = torch.randn(words, size)
    spans = torch.rand(words, WIDEST, network.spans.width.shape[1] + 1)
    begin = torch.arange(mentions)
    _save_graph(
        _Relater(network),
        {
            "pieces": (embedded, {0: "pieces"}),
            "first": (states, {0: "words"}),
            "last": (states + 1, {0: "words"}),
            "spans": (spans, {0: "words"}),
            "sentences": (torch.eye(3)[torch.arange(words) // 6], {0: "words", 1: "sentences"}),
            "begin": (begin, {0: "mentions"}),
            "end": (begin + 1, {0: "mentions"}),
            "group": (begin % groups, {0: "mentions"}),
            "features": (torch.rand(groups, FEATURES), {0: "groups"}),
        },
        ["entity", "kind", "relations", "evidence"],
        folder / "relater.onnx",
    )


def _save_graph(
    module: nn.Module,
    inputs: dict[str, tuple[Tensor, dict[int, str]]],
    outputs: list[str],
    file: Path,
) -> None:
    sizes = {
        name: torch.export.Dim(name, min=2) for _, axes in inputs.values() for name in axes.values()
    }
    with tempfile.TemporaryDirectory() as temporary:
        whole = Path(temporary, "whole.onnx")
        torch.onnx.export(
            module.eval(),
            tuple(example for example, _ in inputs.values()),
            whole,
            input_names=list(inputs),
            output_names=outputs,
            dynamic_shapes=tuple(
                {axis: sizes[name] for axis, name in axes.items()} for _, axes in inputs.values()
            ),
            dynamo=True,
            external_data=False,
            verbose=False,
        )
        _quantize(onnx.load(whole), module, file)


def _quantize(model: onnx.ModelProto, module: nn.Module, file: Path) -> None:
    """Write `model` with weights of eight bits.

    Where the network was trained with rounded numbers, activations are rounded too, a paper at a
    time: twice as fast as blocks. The other matrices are few and small; blocks of 32 weights and
    activations lose nothing that can be measured.
    """
    learnt = {name for name, each in module.named_modules() if isinstance(each, Int8Linear)}
    constant = {each.name for each in model.graph.initializer}
    rounded = [
        node.name
        for node in model.graph.node
        if node.op_type == "MatMul" and node.input[1] in constant and _module(node) in learnt
    ]
    if len(rounded) != len(learnt):
        raise ValueError(f"expected {len(learnt)} quantized matrices, found {len(rounded)}")
    blocks = MatMulNBitsQuantizer(
        model, bits=8, block_size=32, is_symmetric=True, accuracy_level=4, nodes_to_exclude=rounded
    )
    blocks.process()
    if not rounded:
        blocks.model.save_model_to_file(str(file))
        return
    with tempfile.TemporaryDirectory() as temporary:
        half = Path(temporary, "half.onnx")
        blocks.model.save_model_to_file(str(half))
        quantize_dynamic(
            half,
            file,
            op_types_to_quantize=["MatMul"],
            nodes_to_quantize=rounded,
            per_channel=True,
            reduce_range=True,
            weight_type=QuantType.QInt8,
        )


def _module(node: onnx.NodeProto) -> str:
    """Return the name of the module that a node comes from."""
    for each in node.metadata_props:
        if each.key == "pkg.torch.onnx.name_scopes":
            return str(literal_eval(each.value)[-2])
    return ""
