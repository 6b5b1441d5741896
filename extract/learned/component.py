"""The components: entities and relations as the trained model sees them, what rules say included.

`stemma_learned_entities` weighs the rules' candidates with its own and puts its entities in place
of theirs; cues and verdicts then speak of these, and `stemma_learned_relations` weighs what they
say.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import islice

from spacy.language import Language
from spacy.tokens import Doc

from stemma.extract.document import findings
from stemma.extract.learned.document import Document
from stemma.extract.learned.lexicon import KnownNames
from stemma.extract.learned.model import FILE, Model
from stemma.extract.learned.naming import named
from stemma.extract.learned.ruling import rulings
from stemma.extract.learned.verdicts import verdicts
from stemma.schema import Catalogue

_BATCH = 16

if not Doc.has_extension("learned"):
    Doc.set_extension("learned", default=None)


@Language.factory("stemma_learned_entities")
def learned_recogniser(nlp: Language, name: str) -> "LearnedRecogniser":
    """Return the component, with the shipped model and catalogue."""
    return LearnedRecogniser()


@Language.factory("stemma_learned_relations")
def learned_relater(nlp: Language, name: str) -> "LearnedRelater":
    """Return the component, with the shipped model and catalogue."""
    return LearnedRelater()


class _Learned(ABC):
    """A component that runs the model, which knows the names of `catalogue`."""

    def __init__(self, catalogue: Catalogue | None = None) -> None:
        self.catalogue = catalogue

    @cached_property
    def model(self) -> Model:
        """The model, loaded when it is first needed."""
        if self.catalogue is None:
            return Model.shipped()
        return Model.load(FILE, KnownNames.of(self.catalogue))

    def __call__(self, doc: Doc) -> Doc:
        """Add to the findings of one Doc."""
        return self._together([doc])[0]

    def pipe(self, stream: Iterable[Doc], batch_size: int = _BATCH) -> Iterator[Doc]:
        """Do the same for many Docs, which takes less time together than one by one."""
        remaining = iter(stream)
        while docs := list(islice(remaining, batch_size)):
            yield from self._together(docs)

    @abstractmethod
    def _together(self, docs: list[Doc]) -> list[Doc]:
        """Run the model on all of them at once."""


class LearnedRecogniser(_Learned):
    """Chooses among all candidates, groups them, and decides on kinds.

    Its entities take the place of those of the rules, in the order of the text.
    """

    def _together(self, docs: list[Doc]) -> list[Doc]:
        documents = [Document.of(findings(doc)) for doc in docs]
        recognised = self.model.recogniser.entities_of(documents)
        for doc, document, entities in zip(docs, documents, recognised, strict=True):
            found = findings(doc)
            found.entities = named(document, entities, found)
            doc._.learned = (document, entities)
        return docs


class LearnedRelater(_Learned):
    """Decides on relations and their evidence; its confidences are calibrated.

    Its verdicts take the place of those of the rules, in the order of the entities.
    """

    def _together(self, docs: list[Doc]) -> list[Doc]:
        read = [(findings(doc), *doc._.learned) for doc in docs if doc._.learned is not None]
        papers = [
            (document, entities, rulings(document, found)) for found, document, entities in read
        ]
        tagger = self.model.recogniser.tagger
        related = self.model.relater.relations(papers, tagger.corpus, tagger.names)
        for (found, document, _), relations in zip(read, related, strict=True):
            found.verdicts = verdicts(document, relations)
        return docs
