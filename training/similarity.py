"""The vectors of pieces of words by which a search knows papers that say a topic in other words.

``python -m training.similarity [--write]`` makes them in about a quarter of an hour on two cores;
with ``--write`` they become ``server/asking/similarity.npz``. It prints how high titles find their
own abstracts, of 1,500 papers that nothing is learned from.

all-MiniLM-L6-v2 says how like words, pairs of words, titles and sentences are; the sums of vectors
learn to be as like (as in Model2Vec's distillation), and each title to be most like the abstract of
its own paper. The vectors are then turned to the 96 directions that say most, in four bits.
"""

import random
import re
import sys
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn import functional

from stemma.extract.encoder.trained_model import SHIPPED
from stemma.server.asking.similarity import ENDS, VECTORS
from training.network import Encoder
from training.papers import Papers, papers_by_title
from training.pretrained import Pretrained
from training.questions import packed

_DIMENSIONS, _KEPT, _EPOCHS, _BATCH, _PAIRS, _HELD_OUT = 128, 96, 6, 512, 256, 1_500
_RATE, _LIKE_TEACHER, _LIKE_OWN, _SHARPNESS = 2e-3, 10.0, 0.3, 20.0
_LEAST_WORD, _LEAST_PAIR, _MOST_PAIRS, _SENTENCES, _LONGEST = 6, 12, 20_000, 18_000, 64
_WORD = re.compile(r"[a-z][a-z\-]+")


def texts_of(papers: Sequence[tuple[str, str]]) -> list[str]:
    """Return words, pairs of words, titles and sentences of papers (title, abstract)."""
    chance = random.Random(1)
    whole = [f"{title}. {abstract}".lower() for title, abstract in papers]
    words = Counter(each for text in whole for each in {*_WORD.findall(text)})
    # What most texts have, as "of the", says nothing.
    common = {each for each, number in words.items() if number > len(papers) / 6}
    parts = (_WORD.findall(part) for text in whole for part in re.split(r"[.,;:!?()]", text))
    pairs = Counter(" ".join(e) for part in parts for e in pairwise(part) if not common & {*e})
    sentences = [sentence_of(abstract, chance) for _, abstract in papers]
    return [
        *(each for each, number in words.items() if number >= _LEAST_WORD),
        *(each for each, number in pairs.most_common(_MOST_PAIRS) if number >= _LEAST_PAIR),
        *(title for title, _ in papers),
        *chance.sample(sentences, min(_SENTENCES, len(sentences))),
    ]


def sentence_of(abstract: str, chance: random.Random) -> str:
    """Return a sentence of an abstract by chance."""
    return chance.choice(ENDS.split(abstract))


def taught(texts: Sequence[str]) -> Tensor:
    """Return what the sentence encoder makes of texts: (texts, 384), of length 1."""
    pretrained = Pretrained.installed()
    state = pretrained.state()
    pieces, size = state["piece.weight"].shape
    encoder = Encoder(pieces, size, 6, relative=False)
    encoder.load_pretrained(state)
    encoder.eval()
    tokenizer = Tokenizer.from_file(str(pretrained.tokenizer))
    tokenizer.enable_truncation(_LONGEST)
    tokenizer.no_padding()
    read = [torch.tensor(each.ids) for each in tokenizer.encode_batch(list(texts))]
    found = torch.zeros(len(texts), size)
    order = sorted(range(len(texts)), key=lambda each: len(read[each]))
    with torch.inference_mode():
        for start in range(0, len(order), 128):
            own = order[start : start + 128]
            batch = nn.utils.rnn.pad_sequence([read[n] for n in own], True, padding_value=-1)
            mask = batch >= 0
            embedded = encoder.piece(batch.clamp_min(0)) + encoder.place.weight[: batch.shape[1]]
            x = encoder.contextual(embedded, mask[:, None, None, :])
            found[own] = functional.normalize((x * mask[..., None]).sum(1), dim=-1)
            if start % 12_800 == 0:
                print(f"{start:,} of {len(order):,} texts are encoded", flush=True)
    return found


class Course:
    """The training of vectors on texts, and on papers (title, abstract)."""

    def __init__(self, texts: Sequence[str], papers: Sequence[tuple[str, str]]) -> None:
        torch.manual_seed(0)
        self.chance = random.Random(0)
        self.tokenizer = Tokenizer.from_file(str(SHIPPED / "vocabulary.json"))
        self.texts, self.wanted = self._pieces(texts), taught(texts)
        pairs = zip(*(self._pieces(each) for each in zip(*papers, strict=True)), strict=True)
        self.pairs = [(title, abstract) for title, abstract in pairs if title and abstract]
        self.held_out = [self.pairs.pop() for _ in range(min(_HELD_OUT, len(self.pairs) // 2))]
        with np.load(SHIPPED / "embeddings.npz") as tables:
            embedded = torch.tensor(tables["piece"] * tables["scale"][:, None]).float()
        embedded -= embedded.mean(0)
        self.vectors = nn.Parameter(embedded @ directions(embedded, _DIMENSIONS))
        self.weights = nn.Parameter(torch.zeros(len(embedded)))

    def _pieces(self, texts: Sequence[str]) -> list[list[int]]:
        read = self.tokenizer.encode_batch(list(texts), add_special_tokens=False)
        return [each.ids for each in read]

    def table(self) -> Tensor:
        """Return the vectors of the pieces, as long as they count."""
        return self.vectors * self.weights.exp()[:, None]

    def run(self) -> None:
        """Train for some epochs."""
        numbers = [n for n, each in enumerate(self.texts) if each]
        steps = _EPOCHS * (len(numbers) // _BATCH)
        optimizer = torch.optim.Adam([self.vectors, self.weights], _RATE)
        schedule = torch.optim.lr_scheduler.LinearLR(optimizer, 1, 0.02, steps)
        for epoch in range(_EPOCHS):
            self.chance.shuffle(numbers)
            for start in range(0, len(numbers) - _BATCH + 1, _BATCH):
                loss = self._loss(numbers[start : start + _BATCH])
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
                schedule.step()
            print(f"epoch {epoch + 1}: {self.measure():.3f}", flush=True)

    def _loss(self, numbers: Sequence[int]) -> Tensor:
        table, wanted = self.table(), self.wanted[numbers]
        found = _summed(table, [self.texts[each] for each in numbers])
        off = (found @ found.T - wanted @ wanted.T).square().mean()
        titles, abstracts = zip(*self.chance.sample(self.pairs, _PAIRS), strict=True)
        like = _SHARPNESS * _summed(table, titles) @ _summed(table, abstracts).T
        own = torch.arange(_PAIRS)
        of_own = functional.cross_entropy(like, own) + functional.cross_entropy(like.T, own)
        return _LIKE_TEACHER * off + _LIKE_OWN * of_own

    def measure(self) -> float:
        """Return the mean of 1 / the place at which a title finds its own abstract."""
        with torch.no_grad():
            titles, abstracts = (
                _summed(self.table(), each) for each in zip(*self.held_out, strict=True)
            )
            like = titles @ abstracts.T
            places = (like >= like.diagonal()[:, None]).sum(1)
            return float((1 / places).mean())

    def finish(self) -> dict[str, np.ndarray]:
        """Return the vectors in four bits, in the directions that say most."""
        table = self.table().detach()
        return packed("pieces", table @ directions(table, _KEPT))


def directions(vectors: Tensor, number: int) -> Tensor:
    """Return the directions that say most of vectors, (dimensions, number)."""
    return torch.linalg.svd(vectors, full_matrices=False)[2][:number].T


def _summed(table: Tensor, texts: Sequence[Sequence[int]]) -> Tensor:
    """Return the sums of vectors of texts, (texts, dimensions), of length 1."""
    starts = np.cumsum([0, *map(len, texts)])[:-1]
    pieces = torch.tensor([piece for text in texts for piece in text])
    added = functional.embedding_bag(pieces, table, torch.tensor(starts), mode="sum")
    return functional.normalize(added, dim=-1)


def main(write: bool) -> None:
    """Train, measure, and write the vectors if asked to."""
    names = ("abstracts-20k", "abstracts-llm", "dev-conferences")
    files = [Papers().file(f"corpora/{name}.jsonl.gz") for name in names]
    read = papers_by_title(files).values()
    papers = [(each.title, each.abstract) for each in read if each.abstract]
    random.Random(1).shuffle(papers)
    course = Course(texts_of(papers), papers)
    course.run()
    if write:
        np.savez_compressed(VECTORS, **course.finish())  # type: ignore[arg-type]


if __name__ == "__main__":
    main("--write" in sys.argv)
