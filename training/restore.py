"""From what is shipped back to a network that can be trained: the inverse of `export`.

The graphs hold weights in steps, and which of the values in a step a weight had is lost. If all
lay in the middle of theirs, the small changes of a fine-tuning would be lost as well: few would
leave their step, and rounding would undo all others: three epochs on 400 papers changed 0.05% of
the encoder's weights. So each is placed in its step by chance; then 6% changed. What is exported
again from there is the same.
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper

from stemma.extract.encoder.network import RELATIONS
from stemma.extract.encoder.trained_model import ModelError
from training.network import StemmaNetwork

_MATRICES = {"MatMulInteger", "MatMulNBits"}
_ZERO = 128
"""What stands for 0 where weights are stored in blocks."""
_WITHIN = 0.49
"""How far from the middle of its step a weight may be placed, in steps."""
_WITHOUT_BIAS = {
    "network.spans.begin": "network.spans.begins",
    "network.spans.end": "network.spans.ends",
}
"""Matrices without a bias, by the layer in front of them."""


def restore(folder: Path, seed: int = 1) -> StemmaNetwork:
    """Return the network that was exported into `folder`. Raises ModelError if its graphs are not
    those that `export` writes."""
    chance = np.random.default_rng(seed)
    tables = dict(np.load(folder / "embeddings.npz"))
    pieces, size = tables["piece"].shape
    network = StemmaNetwork(pieces, size)
    state = {f"encoder.{name}.weight": tables[name] for name in ("place", "shape", "tag")}
    state["encoder.piece.weight"] = _dequantized(tables["piece"], tables["scale"][:, None], chance)
    try:
        for name in ("reader", "relater"):
            graph = onnx.load(folder / f"{name}.onnx").graph
            state |= dict(_weights(graph, chance))
        # Places behind the longest window are not exported.
        places = np.zeros(network.encoder.place.weight.shape, np.float32)
        places[: len(tables["place"])] = state["encoder.place.weight"]
        state["encoder.place.weight"] = places
        network.load_state_dict({name: torch.tensor(each) for name, each in state.items()})
    except (KeyError, RuntimeError, ValueError) as error:
        raise ModelError(f"the networks in {folder} cannot be trained: {error}") from error
    network.round_to_int8()
    return network


def _weights(
    graph: onnx.GraphProto, chance: np.random.Generator
) -> Iterator[tuple[str, np.ndarray]]:
    """Yield the parameters of a graph by their names."""
    held = {each.name: numpy_helper.to_array(each) for each in graph.initializer}
    made = {output: node for node in graph.node for output in node.output}
    for name, value in held.items():
        if name.startswith(("network.", "relater.")):
            yield name.removeprefix("network."), value
        elif value.shape == (len(RELATIONS), 1) and value.dtype == np.float32:
            yield "relater.names_it", value[:, 0]
    names: dict[str, str] = {}
    for node in graph.node:
        biases = [each for each in node.input if each.endswith(".bias") and each in held]
        if node.op_type == "Add" and biases:
            (behind,) = set(node.input) - set(biases)
            names[_matrix(behind, made).name] = biases[0].removesuffix(".bias")
    for node in graph.node:
        if node.op_type in _MATRICES:
            if node.name not in names:
                names[node.name] = _WITHOUT_BIAS[names[_matrix(node.input[0], made).name]]
            name = names[node.name].removeprefix("network.")
            yield f"{name}.weight", _weight(node, held, chance)


def _matrix(value: str, made: dict[str, onnx.NodeProto]) -> onnx.NodeProto:
    """Return the multiplication that a value comes from."""
    node = made[value]
    while node.op_type not in _MATRICES:
        node = made[node.input[0]]
    return node


def _weight(
    node: onnx.NodeProto, held: dict[str, np.ndarray], chance: np.random.Generator
) -> np.ndarray:
    stored = held[node.input[1]]
    if node.op_type == "MatMulInteger":
        scale = held[node.input[1].removesuffix("_quantized") + "_scale"]
        return _dequantized(stored.T, scale[:, None], chance)
    scales = held[node.input[2]].reshape(*stored.shape[:2], 1)
    blocks = _dequantized(stored.astype(np.int16) - _ZERO, scales, chance)
    inputs = next(each.i for each in node.attribute if each.name == "K")
    return blocks.reshape(len(stored), -1)[:, :inputs]


def _dequantized(steps: np.ndarray, scale: np.ndarray, chance: np.random.Generator) -> np.ndarray:
    """Return weights that round to `steps`. The greatest of each row decides the size of its
    steps, and stays where it is."""
    size = np.abs(steps.astype(np.float32))
    moved = chance.uniform(-_WITHIN, _WITHIN, steps.shape).astype(np.float32)
    moved[size == size.max(-1, keepdims=True)] = 0
    return np.asarray((steps + moved) * scale, np.float32)
