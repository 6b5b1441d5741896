"""What the model is trained on: annotated papers, and many abstracts without annotations.

Three sorts of papers are annotated: the gold, by hand, which alone counts in figures; those of
`annotations.jsonl`, whose texts are among the abstracts; and those of `invented.jsonl`, which were
written for learning and tell of systems that nobody built. The latter two add to what is learnt.
"""

import os
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property
from itertools import chain
from pathlib import Path

from spacy.language import Language

from stemma.extract.document import document_of, findings
from stemma.extract.evaluation import Annotation, read_gold
from stemma.extract.evaluation.surface import surface_key
from stemma.extract.learned.corpus import CorpusStatistics
from stemma.extract.learned.training.annotation import Annotated
from stemma.extract.learned.training.clusters import clusters
from stemma.extract.learned.training.counting import count
from stemma.extract.learned.training.standoff import annotated_titles, own_texts, read_standoff
from stemma.extract.pipeline import FAST, build_pipeline
from stemma.extract.reading import find, read_document
from stemma.schema import Paper

ADDED = Path(__file__).with_name("annotations.jsonl")
INVENTED = Path(__file__).with_name("invented.jsonl")
_CHECKOUT = Path(__file__).resolve().parents[3]
_BESIDE = _CHECKOUT.parent / "shared"
_DECIDING = ("stemma_cues", "stemma_verdicts", "stemma_comparisons")
"""Components of the rules that come after recognition."""


class MissingMaterialError(FileNotFoundError):
    """A file of the training material is absent; the message says where it was looked for."""


class Material:
    """The folder with gold annotations, their papers, and a corpus of abstracts."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.gold = [self._file("gold/dev.jsonl"), self._file("gold/dev-conferences.jsonl")]
        self.texts = [self._file("seeds"), self._file("corpora/dev-conferences.jsonl.gz")]
        self.abstracts = self._file("corpora/abstracts-20k.jsonl.gz")

    @classmethod
    def default(cls) -> "Material":
        """Return the material in STEMMA_SHARED, or in the folder `shared` beside the checkout."""
        return cls(Path(os.environ.get("STEMMA_SHARED") or _BESIDE))

    def papers(self) -> list[Annotated]:
        """Return the papers of the gold, each title once, with what the rules find in them."""
        texts = {surface_key(each.title): each for each in _papers(self.texts)}
        result: dict[str, tuple[Paper, Annotation]] = {}
        for each in self._annotations:
            if paper := texts.get(each.key):
                result.setdefault(each.key, (paper, each))
        return _read(result.values())

    def more_papers(self) -> list[Annotated]:
        """Return the other annotated papers: none of the gold's."""
        gold = {each.key for each in self._annotations}
        texts = {surface_key(each.title): each for each in _papers([self.abstracts])}
        added = chain(read_standoff(ADDED, texts), read_standoff(INVENTED, own_texts(INVENTED)))
        return _read(each for each in added if each[1].key not in gold)

    @cached_property
    def corpus(self) -> CorpusStatistics:
        """Statistics of the abstracts, but for those of the gold.

        What a single paper says of its own names, their writing and their acronyms, is counted
        only of papers that nothing is learnt from, lest it look like common knowledge there.
        """
        gold = {each.key for each in self._annotations}
        papers = [each for each in _papers([self.abstracts]) if surface_key(each.title) not in gold]
        statistics, sentences = count((each.title, each.abstract) for each in papers)
        learnt = annotated_titles(ADDED)
        others, _ = count(
            (each.title, each.abstract) for each in papers if surface_key(each.title) not in learnt
        )
        return replace(
            statistics,
            clusters=clusters(sentences),
            lower=others.lower,
            upper=others.upper,
            long_forms=others.long_forms,
            short_forms=others.short_forms,
        )

    @cached_property
    def _annotations(self) -> list[Annotation]:
        result: list[Annotation] = []
        for file in self.gold:
            annotations, problems = read_gold(file)
            if problems:
                raise ValueError(f"{file}: {problems[0]}")
            result += annotations
        return result

    def _file(self, name: str) -> Path:
        path = self.folder / name
        if not path.exists():
            raise MissingMaterialError(
                f"{path} is absent: training and cross-validation need the annotated papers; "
                f"set STEMMA_SHARED to the folder that holds them, or put it at {_BESIDE}"
            )
        return path


def _read(papers: Iterable[tuple[Paper, Annotation]]) -> list[Annotated]:
    rules = _recognition()
    return [
        Annotated.read(
            paper, findings(rules(document_of(rules, paper.title, paper.abstract))), annotation
        )
        for paper, annotation in papers
    ]


def _papers(paths: Iterable[Path]) -> Iterator[Paper]:
    documents, _ = find(paths)
    for document in documents:
        yield from (each for each in read_document(document) if isinstance(each, Paper))


def _recognition() -> Language:
    """Return the rules up to the entities."""
    nlp = build_pipeline(config=FAST)
    for name in _DECIDING:
        nlp.remove_pipe(name)
    return nlp
