"""Specimens: files of good papers, with the place of each, in all forms that are read."""

import gzip
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import accumulate, pairwise

from stemma.extract import Extractor
from stemma.schema import Extraction, Paper, Source, interchange
from stemma.schema.name import paper_id

_TEXTS = (
    ("Kettle: Boiling Large Models", "We present Kettle, a training framework on top of PyTorch. "
     "Kettle outperforms DeepSpeed by 1.4x on NVIDIA A100 GPUs, and it is café-proof."),
    ("Sieve Attention", "Attention is slow where sequences are long. Sieve Attention, which builds "
     "on FlashAttention, drops what hardly counts. It is evaluated on MMLU and on GSM8K."),
    ("A Study of Ladles", "Which ladle serves best? We compare vLLM with TensorRT-LLM on H100 "
     "GPUs, over three months, and find “no difference” above 40 requests a second."),
    ("Spoon-2", "Spoon-2 is a language model of 7B parameters. It improves on LLaMA-2 and uses "
     "LoRA for fine-tuning."),
    ("Broth", "We introduce Broth, a data set of 9,000 recipes with their outcomes, and measure "
     "GPT-4 and Mixtral with it."),
)  # fmt: skip


@dataclass(frozen=True)
class Specimen:
    """A file; `places` are those of its papers, by title. `near` counts the neighbours on either
    side that may be read differently where a paper is damaged."""

    name: str
    data: bytes
    places: dict[str, tuple[int, int]]
    near: int = 0
    compress: bool = False


def _papers(number: int) -> list[tuple[str, str]]:
    return [
        (f"{title}, number {number * len(_TEXTS) + i:06}", abstract)
        for i, (title, abstract) in enumerate(_TEXTS)
    ]


def _made(
    name: str,
    number: int,
    begin: str,
    records: list[str],
    between: str,
    end: str,
    near: int = 0,
    compress: bool = False,
) -> Specimen:
    """Put a file together. A record's place has what separates it from the next."""
    parts = [begin, *(record + between for record in records[:-1]), records[-1] + end]
    ends = list(accumulate(len(part.encode()) for part in parts))
    titles = [title for title, _ in _papers(number)]
    places = dict(zip(titles, pairwise(ends), strict=False))
    return Specimen(name, "".join(parts).encode(), places, near, compress)


def _objects(number: int, indent: int | None = None) -> list[str]:
    return [
        json.dumps(
            {"title": title, "abstract": abstract, "year": 2024, "authors": [{"name": "A. Cook"}]},
            ensure_ascii=number % 2 == 0,
            indent=indent,
        )
        for title, abstract in _papers(number)
    ]


def json_lines(number: int) -> Specimen:
    """An object a line, plain or compressed."""
    compress = number % 3 == 0
    name = f"{number:06}.jsonl{'.gz' * compress}"
    return _made(name, number, "", _objects(number), "\n", "\n", compress=compress)


def json_array(number: int) -> Specimen:
    """One array, on a line or on many."""
    indent = (None, 1)[number // 2 % 2]
    between = ",\n" if indent else ", "
    return _made(f"{number:06}.json", number, "[", _objects(number, indent), between, "]")


def listing(number: int) -> Specimen:
    """A saved page; what belongs to which paper depends on what stands around it."""
    begin = "Get trending papers in your email inbox!\n\nSubscribe\n\nDaily Papers\n\nMar 9\n\n"
    records = [
        f"{title}\n\n{abstract}\n\n  • 3 authors\n·\nFeb 3, 2024\n\n"
        for title, abstract in _papers(number)
    ]
    return _made(f"{number:06}.txt", number, begin, records, "", "", near=1)


class Extracted:
    """Makes specimens of what `stemma extract` writes."""

    def __init__(self) -> None:
        papers = (
            Paper(paper_id(title), title, abstract, sources=(Source("made.txt", "ab" * 32, 1),))
            for title, abstract in _papers(0)
        )
        found = Extractor(fast=True).extract(papers)
        self._lines = [interchange.dump(each) for each in found if isinstance(each, Extraction)]

    def __call__(self, number: int) -> Specimen:
        """Return a file of extractions, whose titles are all as long."""
        records = [
            line.replace(f"number {i:06}", f"number {number * len(_TEXTS) + i:06}")
            for i, line in enumerate(self._lines)
        ]
        compress = number % 3 == 0
        name = f"{number:06}.jsonl{'.gz' * compress}"
        return _made(name, number, "", records, "\n", "\n", compress=compress)


Maker = Callable[[int], Specimen]


def several(make: Maker, count: int, first: int) -> Iterator[Specimen]:
    """Make specimens of which no two have a paper in common."""
    return (make(first + i) for i in range(count))


def packed(specimen: Specimen, data: bytes) -> bytes:
    """Return the bytes of a file, compressed where its name says so."""
    return gzip.compress(data, compresslevel=1, mtime=0) if specimen.compress else data
