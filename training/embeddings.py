"""The embeddings of pieces of words that the sentence encoder reads.

``python -m training.embeddings`` writes ``extract/sentence_encoder.npz``: by which matrix the
embeddings of the shipped encoder come nearest to those of all-MiniLM-L6-v2, and what then still
differs, in two bits a number. The sentence encoder begins from all-MiniLM-L6-v2; what the shipped
encoder has learned of papers moved its embeddings away from what words mean in everyday life.
"""

import numpy as np
from tokenizers import Tokenizer

from stemma.extract.encoder.trained_model import SHIPPED
from stemma.extract.sentence_encoder import EMBEDDINGS, LEVELS, vocabulary
from training.pretrained import Pretrained


def main() -> None:
    """Write the file, and print how like the embeddings are."""
    pretrained = Pretrained.installed()
    numbers = Tokenizer.from_file(str(pretrained.tokenizer)).get_vocab()
    table = pretrained.state()["piece.weight"].numpy().astype(np.float32)
    with np.load(SHIPPED / "embeddings.npz") as tables:
        own = tables["piece"].astype(np.float32) * tables["scale"][:, None]
    pieces = [(number, numbers[text]) for text, number in vocabulary().get_vocab().items()]
    wanted = np.zeros_like(own)
    wanted[[own for own, _ in pieces]] = table[[theirs for _, theirs in pieces]]
    matrix = np.linalg.lstsq(own, wanted, rcond=None)[0].astype(np.float16)
    left = wanted - own @ matrix.astype(np.float32)
    size = left.std(1, keepdims=True).astype(np.float16)
    steps = np.abs(left[..., None] / size[..., None] - LEVELS).argmin(-1).astype(np.uint8)
    packed = steps[:, ::4] | steps[:, 1::4] << 2 | steps[:, 2::4] << 4 | steps[:, 3::4] << 6
    np.savez(EMBEDDINGS, matrix=matrix, size=size, steps=packed)
    missed = left - LEVELS[steps] * size
    for name, error in (("as they are", wanted - own), ("by the matrix", left), ("both", missed)):
        print(f"{name}: {(error**2).sum() / (wanted**2).sum():.4f} of the squares are missed")


if __name__ == "__main__":
    main()
