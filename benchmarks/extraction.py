"""Speed of extraction on one thread, beside what it could not do without.

Usage: python benchmarks/extraction.py CORPUS.jsonl[.gz] [--abstracts N]

On the same abstracts, in the same run:
- spaCy's tokenizer with its PhraseMatcher for the catalogue's names, the baseline;
- the matrix products of the encoder's layers alone, in 32 bits, by numpy;
- the encoder's graph alone, in the 8 bits in which it is shipped;
- Stemma.

Then the time for texts of many new names, eight times as long each: it should grow no faster.
"""

import os

os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1"

import argparse
import time
from collections.abc import Callable
from itertools import islice, product
from pathlib import Path
from string import ascii_lowercase

import figures
import numpy as np
import spacy
from spacy.language import Language
from spacy.matcher import PhraseMatcher

from stemma.extract import Extractor, formats
from stemma.extract.encoder.network import Network
from stemma.extract.encoder.paper_words import PaperWords, PieceWindow
from stemma.extract.recognition import document_of
from stemma.schema import Catalogue, Paper

_BASELINE = "spaCy tokens and PhraseMatcher"
LAYERS, SIZE, HEADS = 6, 384, 12
"""Those of the encoder; its inner layer is four times as wide."""


def main() -> None:
    """Print abstracts per second of each, and the ratio to the baseline."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--abstracts", type=int, default=2000)
    arguments = parser.parse_args()
    read = formats.read(arguments.corpus, arguments.corpus.name)
    papers = list(islice((each for each in read if isinstance(each, Paper)), arguments.abstracts))
    warm, papers = papers[: len(papers) // 10], papers[len(papers) // 10 :]
    extractor = Extractor()
    matcher, network = phrase_matcher(), Network()
    windows = {each.id: windows_of(each, extractor.pipeline, network) for each in (*warm, *papers)}
    multiply = multiplier()
    rates = {}
    for name, run in (
        (_BASELINE, lambda some: [matcher(paper) for paper in some]),
        ("matrix products in fp32", lambda some: [multiply(windows[each.id]) for each in some]),
        ("encoder's graph", lambda some: [network.read(windows[each.id]) for each in some]),
        ("Stemma", lambda some: list(extractor.extract(some))),
    ):
        run(warm)
        rates[name] = rate(run, papers)
        ratio = rates[name] / next(iter(rates.values()))
        print(f"{name:32}{rates[name]:8.1f} abstracts/s{ratio:9.3f}")
    own, baseline = rates["Stemma"], "encoder's graph"
    ratio = own / rates[baseline]
    figures.keep("extraction, one thread: Stemma", own, "abstracts/s", baseline, ratio)
    short, long = (seconds(extractor, characters) for characters in (60_000, 480_000))
    print(f"60 KB of names{short:8.2f} s, 480 KB{long:8.2f} s{long / short:8.1f}")


def phrase_matcher() -> Callable[[Paper], object]:
    """Return the baseline."""
    nlp = spacy.blank("en")
    matcher = PhraseMatcher(nlp.vocab, attr="LOWER")
    for concept in Catalogue.shipped().concepts.values():
        matcher.add(concept.id, [nlp.make_doc(name) for name in (concept.name, *concept.aliases)])
    return lambda paper: matcher(nlp.make_doc(f"{paper.title}\n\n{paper.abstract}"))


def windows_of(paper: Paper, nlp: Language, network: Network) -> list[PieceWindow]:
    """Return the pieces of words that the encoder reads of a paper."""
    with nlp.select_pipes(disable=["stemma_encoder", "stemma_comparisons"]):
        doc = nlp(document_of(nlp, paper.title, paper.abstract))
    return network.vocabulary.windows(PaperWords.of(doc))


def multiplier() -> Callable[[list[PieceWindow]], None]:
    """Return what multiplies matrices of the shapes that the layers have for windows."""
    chance = np.random.default_rng(1)
    widths = ((SIZE, 3 * SIZE), (SIZE, SIZE), (SIZE, 4 * SIZE), (4 * SIZE, SIZE))
    weights = [chance.random(shape, np.float32) for shape in widths]

    def multiply(windows: list[PieceWindow]) -> None:
        for window in windows:
            count = len(window.pieces)
            inputs = {width: chance.random((count, width), np.float32) for width, _ in widths}
            heads = chance.random((HEADS, count, SIZE // HEADS), np.float32)
            for _ in range(LAYERS):
                for each in weights:
                    inputs[len(each)] @ each
                heads @ heads.swapaxes(1, 2) @ heads

    return multiply


def rate(run: Callable[[list[Paper]], object], papers: list[Paper]) -> float:
    """Return papers per second."""
    start = time.perf_counter()
    run(papers)
    return len(papers) / (time.perf_counter() - start)


def seconds(extractor: Extractor, characters: int) -> float:
    """Return the time that one abstract takes in which every name is new."""
    words = map("".join, product(ascii_lowercase, repeat=4))
    sentences = (
        f"We propose {word.title()}Net, faster than {word.title()}CUDA. " for word in words
    )
    abstract = "".join(islice(sentences, characters // 40))[:characters]
    start = time.perf_counter()
    extractor.find([("On many names", abstract)])
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
