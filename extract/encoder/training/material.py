"""The annotated papers that the network learns from.

The gold is annotated by hand, and alone counts in figures. The other annotations are training
data: `annotations.jsonl` marks abstracts whose texts are elsewhere, as do `systems.jsonl`,
`more_systems.jsonl` and `judged.jsonl` with papers on language models and their systems, the last
of them lineage alone; `systems_again.jsonl` has 2,700 of them as another reader annotated them, so
that what the two see alike counts twice; `invented.jsonl` has its own texts, on fictional systems.

`held_out.jsonl` and `held_out_again.jsonl` are what two readers annotated in the same papers of the
listings. Nothing is trained, or set, on them.
"""

import os
from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache
from itertools import chain
from pathlib import Path

from spacy.language import Language
from spacy.tokens import Doc

from stemma.extract.document import document_of
from stemma.extract.encoder.training.annotation import Annotated
from stemma.extract.encoder.training.standoff import Marked, own_texts, read_standoff
from stemma.extract.evaluation import Annotation, read_gold
from stemma.extract.evaluation.annotation_key import annotation_key
from stemma.extract.formats import find, read_document
from stemma.extract.pipeline import load
from stemma.schema import Paper

CONFERENCES = Path(__file__).with_name("annotations.jsonl")
SYSTEMS = Path(__file__).with_name("systems.jsonl")
MORE_SYSTEMS = Path(__file__).with_name("more_systems.jsonl")
JUDGED = Path(__file__).with_name("judged.jsonl")
SYSTEMS_AGAIN = Path(__file__).with_name("systems_again.jsonl")
HELD_OUT = tuple(map(Path(__file__).with_name, ("held_out.jsonl", "held_out_again.jsonl")))
INVENTED = Path(__file__).with_name("invented.jsonl")
_CONFERENCE_TEXTS = "corpora/abstracts-20k.jsonl.gz"
_SYSTEMS_TEXTS = "corpora/abstracts-llm.jsonl.gz"
_LISTINGS = "seeds"
_CHECKOUT = Path(__file__).resolve().parents[3]
_BESIDE = _CHECKOUT.parent / "shared"
_DECIDING = ("stemma_cues", "stemma_comparisons")
"""Components of the rules that come after recognition."""


class MissingMaterialError(FileNotFoundError):
    """A file of the training material is absent; the message says where it was looked for."""


class Material:
    """The folder with gold annotations, their papers, and the abstracts that others mark."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.gold = [self._file("gold/dev.jsonl"), self._file("gold/dev-conferences.jsonl")]
        self.texts = [self._file(_LISTINGS), self._file("corpora/dev-conferences.jsonl.gz")]

    @classmethod
    def default(cls) -> "Material":
        """Return the material in STEMMA_SHARED, or in the folder `shared` beside the checkout."""
        return cls(Path(os.environ.get("STEMMA_SHARED") or _BESIDE))

    def papers(self) -> list[Annotated]:
        """Return the papers of the gold, each title once, with what the rules find in them."""
        texts = papers_by_title(self.texts)
        result: dict[str, Marked] = {}
        for each in self._annotations:
            if paper := texts.get(each.key):
                result.setdefault(each.key, Marked(paper, each))
        return _read(result.values())

    def more_papers(self) -> list[Annotated]:
        """Return the annotated papers of conferences, and those that were invented."""
        invented = read_standoff(INVENTED, own_texts(INVENTED))
        return self._others(chain(self._marked_conferences, invented))

    def systems_papers(self) -> list[Annotated]:
        """Return the annotated papers on language models and their systems."""
        return self._others(self._marked_systems)

    def unannotated_papers(self) -> list[Annotated]:
        """Return the papers without annotations: only teachers say what is in them."""
        marked = chain(self._marked_conferences, self._marked_systems)
        annotated = {each.annotation.key for each in marked}
        return self._others(
            Marked(paper, Annotation(paper.title), judged=frozenset())
            for key, paper in {**self._conference_texts, **self._systems_texts}.items()
            if key not in annotated and paper.abstract
        )

    def held_out(self) -> list[list[Annotated]]:
        """Return the papers that nothing was trained on, as each of two readers annotated them."""
        texts = papers_by_title([self._file(_LISTINGS)])
        return [self._others(read_standoff(file, texts)) for file in HELD_OUT]

    def _others(self, papers: Iterable[Marked]) -> list[Annotated]:
        """Return those that are not of the gold."""
        gold = {each.key for each in self._annotations}
        return _read(each for each in papers if each.annotation.key not in gold)

    @cached_property
    def _conference_texts(self) -> dict[str, Paper]:
        return papers_by_title([self._file(_CONFERENCE_TEXTS)])

    @cached_property
    def _systems_texts(self) -> dict[str, Paper]:
        return papers_by_title([self._file(_SYSTEMS_TEXTS)])

    @cached_property
    def _marked_conferences(self) -> list[Marked]:
        return list(read_standoff(CONFERENCES, self._conference_texts))

    @cached_property
    def _marked_systems(self) -> list[Marked]:
        files = (SYSTEMS, MORE_SYSTEMS, JUDGED, SYSTEMS_AGAIN)
        return [each for file in files for each in read_standoff(file, self._systems_texts)]

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
                f"{path} not found: training and measuring need the annotated papers; "
                f"set STEMMA_SHARED to the folder that holds them, or put it at {_BESIDE}"
            )
        return path


def _read(papers: Iterable[Marked]) -> list[Annotated]:
    return [
        Annotated.read(
            each.paper, recognised(each.paper), each.annotation, each.disputed, each.judged
        )
        for each in papers
    ]


def recognised(paper: Paper) -> Doc:
    """Return a paper with the entities that the rules find."""
    nlp = _recognition()
    return nlp(document_of(nlp, paper.title, paper.abstract))


def papers_by_title(paths: Iterable[Path]) -> dict[str, Paper]:
    """Return the papers in files and folders: surface key of the title -> paper."""
    return {annotation_key(each.title): each for each in _papers(paths)}


def _papers(paths: Iterable[Path]) -> Iterator[Paper]:
    documents, _ = find(paths)
    for document in documents:
        yield from (each for each in read_document(document) if isinstance(each, Paper))


@lru_cache(maxsize=1)
def _recognition() -> Language:
    """Return the rules up to the entities."""
    nlp = load(fast=True)
    for name in _DECIDING:
        nlp.remove_pipe(name)
    return nlp
