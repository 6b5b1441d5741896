"""The annotated papers that the network learns from, and those that it is measured on.

The gold is annotated by hand, and alone counts in figures. README.md describes the files of `data`.
Their texts are elsewhere: in the folder that STEMMA_SHARED names, or in `shared` beside the
checkout.
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property, lru_cache
from itertools import chain
from pathlib import Path

from spacy.language import Language
from spacy.tokens import Doc
from spacy.util import load_model_from_config
from thinc.api import Config

from stemma.extract.evaluation import Annotation, read_gold
from stemma.extract.evaluation.gold import annotation_key
from stemma.extract.formats import find, read_document
from stemma.extract.pipeline import CONFIG
from stemma.extract.recognition import document_of
from stemma.schema import EntityKind, Paper
from training.annotated import Annotated
from training.standoff import Marked, read_standoff, records

DATA = Path(__file__).with_name("data")
CONFERENCES, INVENTED = DATA / "annotations.jsonl", DATA / "invented.jsonl"
SYSTEMS = tuple(DATA / f"{name}.jsonl" for name in ("systems", "more_systems", "judged"))
READ_AGAIN = (DATA / "systems_again.jsonl",)
"""Papers of SYSTEMS that careful readers read again: what they say replaces what was there."""
HELD_OUT = (DATA / "held_out.jsonl", DATA / "held_out_again.jsonl")
"""What two readers annotated in the same papers. Nothing is trained, or set, on them."""
WEIGHT_OF_READ_AGAIN = 5.0
"""How much they count, as a multiple of other annotations: 0.75 beside teachers' 0.25."""
_LISTINGS = "seeds"
_CHECKOUT = Path(__file__).resolve().parents[1]
_DECIDING = ("stemma_encoder", "stemma_comparisons")
"""Components of the pipeline that come after recognition."""


class MissingPapersError(FileNotFoundError):
    """A file with annotated papers is absent; the message says where it was looked for."""


class Papers:
    """The papers of a folder with gold annotations and texts."""

    def __init__(self, folder: Path | None = None) -> None:
        beside = _CHECKOUT.parent / "shared"
        self.folder = folder or Path(os.environ.get("STEMMA_SHARED") or beside)

    def gold(self) -> list[Annotated]:
        """Return the papers of the gold, each title once."""
        texts = papers_by_title(map(self.file, (_LISTINGS, "corpora/dev-conferences.jsonl.gz")))
        return annotated(Marked(texts[key], gold) for key, gold in self._gold.items())

    def conferences(self) -> list[Annotated]:
        """Return the annotated papers of conferences, and those that were invented."""
        invented = (Paper(r["title"], r["title"], r["abstract"]) for r in records(INVENTED))
        texts = {annotation_key(each.title): each for each in invented}
        return self._others(chain(self._marked_conferences, read_standoff(INVENTED, texts)))

    def systems(self) -> list[Annotated]:
        """Return the annotated papers on language models and their systems."""
        return self._others(self._marked_systems)

    def unannotated(self) -> list[Annotated]:
        """Return the papers without annotations: only teachers say what is in them."""
        marked = (*self._marked_conferences, *self._marked_systems)
        known = {each.annotation.key for each in marked}
        return self._others(
            Marked(paper, Annotation(paper.title), judged=frozenset())
            for key, paper in {**self._conference_texts, **self._systems_texts}.items()
            if key not in known and paper.abstract
        )

    def held_out(self) -> list[list[Annotated]]:
        """Return the papers that nothing was trained on, as two readers annotated them."""
        texts = papers_by_title([self.file(_LISTINGS)])
        return [self._others(read_standoff(file, texts)) for file in HELD_OUT]

    def _others(self, papers: Iterable[Marked]) -> list[Annotated]:
        return annotated(paper for paper in papers if paper.annotation.key not in self._gold)

    @cached_property
    def _gold(self) -> dict[str, Annotation]:
        result: dict[str, Annotation] = {}
        for file in map(self.file, ("gold/dev.jsonl", "gold/dev-conferences.jsonl")):
            annotations, problems = read_gold(file)
            if problems:
                raise ValueError(f"{file}: {problems[0]}")
            for annotation in annotations:
                result.setdefault(annotation.key, annotation)
        return result

    @cached_property
    def _conference_texts(self) -> dict[str, Paper]:
        return papers_by_title([self.file("corpora/abstracts-20k.jsonl.gz")])

    @cached_property
    def _systems_texts(self) -> dict[str, Paper]:
        return papers_by_title([self.file("corpora/abstracts-llm.jsonl.gz")])

    @cached_property
    def _marked_conferences(self) -> list[Marked]:
        return list(read_standoff(CONFERENCES, self._conference_texts))

    @cached_property
    def _marked_systems(self) -> list[Marked]:
        return read_again(SYSTEMS, READ_AGAIN, self._systems_texts)

    def file(self, name: str) -> Path:
        """Return a file or folder of them. Raises MissingPapersError."""
        path = self.folder / name
        if not path.exists():
            raise MissingPapersError(
                f"{path} not found: training and measuring need the annotated papers; set "
                f"STEMMA_SHARED to the folder that holds them, or put it beside {_CHECKOUT}"
            )
        return path


def read_again(
    files: Iterable[Path], again: Iterable[Path], texts: Mapping[str, Paper]
) -> list[Marked]:
    """Return the annotated papers of `files`, except that the annotations in `again` replace those
    of the same papers, and count more.

    An older annotation counts less if its file marks fewer techniques than `again` in the papers
    that both have: what it leaves out is taken for no entity.
    """
    new = {each.annotation.key: each for file in again for each in read_standoff(file, texts)}
    result = [replace(each, weight=WEIGHT_OF_READ_AGAIN) for each in new.values()]
    for file in files:
        old = {each.annotation.key: each for each in read_standoff(file, texts)}
        weight = _density(old, new)
        result += [replace(each, weight=weight) for key, each in old.items() if key not in new]
    return result


def _density(old: Mapping[str, Marked], new: Mapping[str, Marked]) -> float:
    """Return the techniques that are marked in `old` for each in `new`, of the papers of both."""
    both = [key for key in old if key in new and old[key].judged is None]
    counts = [sum(_techniques(marks[key]) for key in both) for marks in (old, new)]
    return min(1.0, counts[0] / counts[1]) if counts[1] else 1.0


def _techniques(marked: Marked) -> int:
    return sum(entity.kind is EntityKind.TECHNIQUE for entity in marked.annotation.entities)


def annotated(papers: Iterable[Marked]) -> list[Annotated]:
    """Return papers with the entities that the rules recognise."""
    return [Annotated.of(paper, recognised(paper.paper)) for paper in papers]


def recognised(paper: Paper) -> Doc:
    """Return a paper with the entities that the rules recognise."""
    nlp = _recognition()
    return nlp(document_of(nlp, paper.title, paper.abstract))


def papers_by_title(paths: Iterable[Path]) -> dict[str, Paper]:
    """Return the papers in files and folders: key of the title -> paper."""
    return {annotation_key(each.title): each for each in read_papers(paths)}


def read_papers(paths: Iterable[Path]) -> Iterator[Paper]:
    """Yield the papers in files and folders."""
    documents, _ = find(paths)
    for document in documents:
        yield from (each for each in read_document(document) if isinstance(each, Paper))


@lru_cache(maxsize=1)
def _recognition() -> Language:
    return load_model_from_config(Config().from_disk(CONFIG), auto_fill=True, exclude=_DECIDING)
