"""Speed of extraction, beside spaCy's own matcher of phrases on the same abstracts.

Usage: python benchmarks/extraction.py CORPUS.jsonl[.gz] [--abstracts N]

The baseline tokenises and looks up the catalogue's names with spaCy's PhraseMatcher, and no more;
ours finds new names, kinds, relations and evidence besides. One process each, in the same run.
Then the time for texts of many new names, eight times as long each: it should grow no faster.
"""

import argparse
import time
from collections.abc import Callable
from itertools import islice, product
from pathlib import Path
from string import ascii_lowercase

import spacy
from spacy.matcher import PhraseMatcher

from stemma.extract import Extractor, reading
from stemma.schema import Catalogue, Paper


def main() -> None:
    """Print abstracts a second of each, and the ratio to the baseline."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--abstracts", type=int, default=2000)
    arguments = parser.parse_args()
    read = reading.read(arguments.corpus, arguments.corpus.name)
    papers = list(islice((each for each in read if isinstance(each, Paper)), arguments.abstracts))
    warm, papers = papers[: len(papers) // 10], papers[len(papers) // 10 :]
    extractor, rules, matcher = Extractor(), Extractor(fast=True), phrase_matcher()
    rates = {}
    for name, run in (
        ("spaCy tokens and PhraseMatcher", lambda some: [matcher(paper) for paper in some]),
        ("Stemma", lambda some: list(extractor.extract(some))),
        ("Stemma --fast", lambda some: list(rules.extract(some))),
    ):
        run(warm)
        rates[name] = rate(run, papers)
        ratio = rates[name] / next(iter(rates.values()))
        print(f"{name:32}{rates[name]:8.0f} abstracts/s{ratio:8.2f}")
    for name, each in (("Stemma", extractor), ("Stemma --fast", rules)):
        short, long = (seconds(each, characters) for characters in (60_000, 480_000))
        print(f"{name:14}60 KB of names{short:8.2f} s, 480 KB{long:8.2f} s{long / short:8.1f}")


def phrase_matcher() -> Callable[[Paper], object]:
    """Return the baseline."""
    nlp = spacy.blank("en")
    matcher = PhraseMatcher(nlp.vocab, attr="LOWER")
    for concept in Catalogue.shipped().concepts.values():
        matcher.add(concept.id, [nlp.make_doc(name) for name in (concept.name, *concept.aliases)])
    return lambda paper: matcher(nlp.make_doc(f"{paper.title}\n\n{paper.abstract}"))


def rate(run: Callable[[list[Paper]], object], papers: list[Paper]) -> float:
    """Return papers a second."""
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
