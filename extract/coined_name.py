"""Coined names: what a paper calls its own contribution."""

from spacy.language import Language
from spacy.tokens import Doc

from stemma.extract.acronym import Span
from stemma.extract.document import Candidate, Recognition, recognition, sentences_of
from stemma.extract.introduced_name import is_presented, named_by, named_by_title
from stemma.extract.kind import kind_in_text
from stemma.extract.name_pattern import places_of, variants_of


@Language.factory("stemma_coined_names", default_config={"title_score": 0.95, "text_score": 0.85})
def coined_name_finder(
    nlp: Language, name: str, title_score: float, text_score: float
) -> "CoinedNameFinder":
    return CoinedNameFinder(title_score, text_score)


class CoinedNameFinder:
    """Finds the names that a paper introduces, and all other places where it uses them."""

    def __init__(self, title_score: float, text_score: float) -> None:
        self.title_score = title_score
        self.text_score = text_score

    def __call__(self, doc: Doc) -> Doc:
        """Add candidates that are marked as introduced."""
        found = recognition(doc)
        text = found.text
        title = text[: found.title_end]
        coined: dict[str, float] = {}
        if named := named_by_title(title, text[found.abstract_start :]):
            coined[named] = self.title_score
        for sentence in sentences_of(doc):
            if sentence.in_title:
                continue
            for name in named_by(text[sentence.start : sentence.end]):
                coined.setdefault(name, self.text_score)
        for long, short in found.synonyms:
            if _is_introduced(found, long, short):
                coined.setdefault(text[slice(*short)], self.text_score)
                coined.setdefault(text[slice(*long)], self.text_score)
        for variant, name in variants_of(coined, text).items():
            coined.setdefault(variant, coined[name])
        for name, places in places_of(coined, text).items():
            kind = kind_in_text(places, text)
            for start, end in places:
                if found.in_one_field(start, end):
                    found.candidates.append(
                        Candidate(start, end, kind, "coined", coined[name], introduced=True)
                    )
        return doc


def _is_introduced(found: Recognition, long: Span, short: Span) -> bool:
    """Return whether the text presents what a long form and its acronym name: We propose … (X)."""
    if not found.in_one_field(long[0], short[1]):
        return False
    sentence = found.sentences[found.sentence_at(long[0])]
    return is_presented(found.text[sentence.start : long[0]], found.text[short[1] : sentence.end])
