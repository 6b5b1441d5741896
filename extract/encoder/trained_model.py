"""A trained model: the folder of a network, as it is shipped or as `training/` writes it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from stemma.distribution import version

SHIPPED = Path(__file__).with_name("model")
"""The shipped model; `make model` writes it."""
DESCRIPTION = "model.json"
"""What the network reads and says, and how it was trained. It does not decide what is extracted."""
_SLOW = ["SkipLayerNormFusion"]
"""Optimisations that make graphs slower: fused, the sum and the norm take five times as long."""
FILES = ("calibration.json", "embeddings.npz", "reader.onnx", "relater.onnx", "vocabulary.json")


class ModelError(LookupError):
    """A folder that is no trained model, or none for this version; the message says why."""


@dataclass(frozen=True, slots=True)
class TrainedModel:
    """A trained model in the folder `path`; the `fingerprint` is a hash of what is in it."""

    path: Path
    fingerprint: str

    @classmethod
    def read(cls, path: str | Path) -> "TrainedModel":
        """Return the model in a folder. Raises ModelError."""
        folder = Path(path).resolve()
        if not folder.is_dir():
            raise ModelError(f"{path} is not a folder, so not a trained model")
        if absent := [each for each in (DESCRIPTION, *FILES) if not (folder / each).is_file()]:
            raise ModelError(f"{path} is not a trained model: it has no {absent[0]}")
        try:
            description = json.loads((folder / DESCRIPTION).read_bytes())
            network, made_by = description["network"], description["stemma"]
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise ModelError(f"{path} is not a trained model: {DESCRIPTION} is damaged") from error
        expected = _network()
        if differing := [name for name in expected if network.get(name) != expected[name]]:
            raise ModelError(
                f"{path} was trained with Stemma {made_by}, whose networks differ from those of "
                f"this version ({', '.join(differing)}): train it again"
            )
        return cls(folder, fingerprint(folder))


def session(file: Path, threads: int = 1) -> Any:
    """Return what runs a graph on so many processors, an InferenceSession of onnxruntime."""
    import onnxruntime  # noqa: PLC0415 - for those that only read the fingerprint

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
    return onnxruntime.InferenceSession(
        file, options, providers=["CPUExecutionProvider"], disabled_optimizers=_SLOW
    )


def fingerprint(folder: Path) -> str:
    """Return a hash of the files that decide what a model extracts."""
    digest = sha256()
    for name in FILES:
        digest.update(f"{name} {sha256((folder / name).read_bytes()).hexdigest()}\n".encode())
    return digest.hexdigest()[:16]


def save_description(folder: Path, training: Mapping[str, Any] | None = None) -> None:
    """Write the description of a network of this version, and how it was trained."""
    record = {"stemma": version(), "network": _network()}
    if training:
        record["training"] = training
    text = json.dumps(record, indent=1)
    (folder / DESCRIPTION).write_text(text + "\n", encoding="utf-8")


def _network() -> dict[str, Any]:
    """Return what networks of this version read and say: one of another version cannot be used
    where this differs."""
    from stemma.extract.encoder import network, paper_words  # noqa: PLC0415 (they load spaCy)

    return {
        "kinds": list(paper_words.KINDS),
        "relations": list(network.RELATIONS),
        "words of a name": network.WIDEST,
        "pieces of a window": paper_words.MOST_PIECES,
        "features": list(network.Features._fields),
        "cases": list(paper_words.CASES),
        "tags": paper_words.TAGS,
    }
