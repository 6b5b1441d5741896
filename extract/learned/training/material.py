"""What the model is trained on: annotated papers, and many abstracts without annotations."""

import os
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path

from spacy.language import Language

from stemma.extract.document import document_of, findings
from stemma.extract.evaluation import read_gold
from stemma.extract.evaluation.surface import surface_key
from stemma.extract.learned.corpus import CorpusStatistics
from stemma.extract.learned.training.annotation import Annotated
from stemma.extract.learned.training.clusters import clusters
from stemma.extract.learned.training.counting import count
from stemma.extract.pipeline import FAST, build_pipeline
from stemma.extract.reading import find, read_document
from stemma.schema import Paper

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
        """Return the annotated papers, each title once, with what the rules find in them."""
        texts = {surface_key(each.title): each for each in _papers(self.texts)}
        rules = _recognition()
        result: dict[str, Annotated] = {}
        for file in self.gold:
            annotations, problems = read_gold(file)
            if problems:
                raise ValueError(f"{file}: {problems[0]}")
            for each in annotations:
                if (paper := texts.get(each.key)) and each.key not in result:
                    doc = rules(document_of(rules, paper.title, paper.abstract))
                    result[each.key] = Annotated.read(paper, findings(doc), each)
        return list(result.values())

    @cached_property
    def corpus(self) -> CorpusStatistics:
        """Statistics of the abstracts, but for those of annotated papers."""
        annotated = {each.key for file in self.gold for each in read_gold(file)[0]}
        statistics, sentences = count(
            (each.title, each.abstract)
            for each in _papers([self.abstracts])
            if surface_key(each.title) not in annotated
        )
        statistics.clusters = clusters(sentences)
        return statistics

    def _file(self, name: str) -> Path:
        path = self.folder / name
        if not path.exists():
            raise MissingMaterialError(
                f"{path} is absent: training and cross-validation need the annotated papers; "
                f"set STEMMA_SHARED to the folder that holds them, or put it at {_BESIDE}"
            )
        return path


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
