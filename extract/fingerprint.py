"""The fingerprint of the extractor: it changes when the same paper could come out differently."""

from functools import lru_cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

from stemma.extract.encoder.trained_model import SHIPPED
from stemma.extract.encoder.trained_model import fingerprint as model_fingerprint
from stemma.schema import name
from stemma.schema.catalogue import fingerprint as catalogue_fingerprint

FOLDER = Path(__file__).parent
_NO_PART = (
    FOLDER / "evaluation",
    FOLDER / "fetching",
    FOLDER / "language_model",
    SHIPPED,
)
"""Folders that do not decide what is extracted. Language models and trained models have their own
hashes."""
_SHARED = ("comparison.py", "disjoint_sets.py", "general_wording.py", "name.py", "vendor.py")
"""The modules of the data model that decide what is extracted."""
_PARTS = {".py", ".cfg", ".toml", ".npz", ".json", ".onnx"}
_LIBRARIES = ("ahocorasick-rs", "onnxruntime", "spacy", "tokenizers")


@lru_cache(maxsize=16)
def extractor_fingerprint(
    catalogue: str | None = None, *, fast: bool = False, model: str | None = None
) -> str:
    """Return a hash of the components' code, their config, data and models, and the catalogue.

    `catalogue` and `model` are the fingerprints of others than the shipped ones, `fast` asks for
    rules alone. spaCy is not loaded.
    """
    digest = sha256((catalogue or catalogue_fingerprint()).encode())
    digest.update(("fast" if fast else model or model_fingerprint(SHIPPED)).encode())
    for library in _LIBRARIES:
        digest.update(f"{library} {version(library)}".encode())
    for module in _SHARED:
        digest.update(Path(name.__file__).with_name(module).read_bytes())
    for file in sorted(FOLDER.rglob("*")):
        is_part = not any(file.is_relative_to(folder) for folder in _NO_PART)
        if file.suffix in _PARTS and is_part and file.is_file():
            digest.update(file.relative_to(FOLDER).as_posix().encode())
            digest.update(file.read_bytes())
    return digest.hexdigest()[:16]
