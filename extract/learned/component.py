"""The components: entities and relations as the trained model sees them, what rules say included.

`stemma_learned_entities` weighs the rules' candidates with its own and puts its entities in place
of theirs; cues and verdicts then speak of these, and `stemma_learned_relations` weighs what they
say.
"""

from functools import cached_property

from spacy.language import Language
from spacy.tokens import Doc

from stemma.extract.document import findings
from stemma.extract.learned.document import Document
from stemma.extract.learned.entity import Entity
from stemma.extract.learned.lexicon import KnownNames
from stemma.extract.learned.model import FILE, Model
from stemma.extract.learned.naming import named
from stemma.extract.learned.ruling import rulings
from stemma.extract.learned.verdicts import verdicts
from stemma.schema import Catalogue

Read = tuple[Document, list[Entity]]

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


class _Learned:
    """A component that runs the model, which knows the names of `catalogue`."""

    def __init__(self, catalogue: Catalogue | None = None) -> None:
        self.catalogue = catalogue

    @cached_property
    def model(self) -> Model:
        """The model, loaded when it is first needed."""
        if self.catalogue is None:
            return Model.shipped()
        return Model.load(FILE, KnownNames.of(self.catalogue))


class LearnedRecogniser(_Learned):
    """Chooses among all candidates, groups them, and decides on kinds."""

    def __call__(self, doc: Doc) -> Doc:
        """Put the entities in place of those of the rules, in the order of the text."""
        found = findings(doc)
        document = Document.of(found)
        entities = self.model.recogniser.entities(document)
        found.entities = named(document, entities, found)
        doc._.learned = (document, entities)
        return doc


class LearnedRelater(_Learned):
    """Decides on relations and their evidence; its confidences are calibrated."""

    def __call__(self, doc: Doc) -> Doc:
        """Put the verdicts in place of those of the rules, in the order of the entities."""
        found = findings(doc)
        read: Read | None = doc._.learned
        if read is not None:
            document, entities = read
            tagger = self.model.recogniser.tagger
            relations = self.model.relater.relations(
                document, entities, rulings(document, found), tagger.corpus, tagger.names
            )
            found.verdicts = verdicts(document, relations)
        return doc
