"""What the place of a token tells the tagger, in one number and spelt out."""

from hypothesis import given
from hypothesis import strategies as st

from stemma.extract.document import Findings, Sentence
from stemma.extract.learned.corpus import CorpusStatistics
from stemma.extract.learned.document import CAPITAL_PATTERNS, Document, capital_pattern
from stemma.extract.learned.lexicon import KnownNames, Lexicon
from stemma.extract.learned.token_place import places, spelt

TITLE = "Kelp: Fast Sorting"
ABSTRACT = "We present Kelp (KP), which outperforms Moss. Sorting with Kelp is fast."
CORPUS = CorpusStatistics(0, {}, {}, {}, {}, {}, {}, {})


def features(names: KnownNames) -> dict[tuple[int, str], list[str]]:
    text = f"{TITLE}\n\n{ABSTRACT}"
    start, middle = len(TITLE) + 2, text.index("Sorting with")
    found = Findings(text, len(TITLE), start)
    found.sentences = [
        Sentence(0, len(TITLE), in_title=True),
        Sentence(start, middle - 1, in_title=False),
        Sentence(middle, len(text), in_title=False),
    ]
    document = Document.of(found)
    return {
        (s, word): spelt(place)
        for s, row in enumerate(places(document, CORPUS, names, Lexicon()))
        for word, place in zip(document.words[s], row, strict=True)
    }


def test_a_token_is_told_by_where_it_stands_and_what_stands_before_it() -> None:
    found = features(KnownNames({}, {}))
    assert found[0, "Kelp"] == ["T", "TCap", "wc=3Cap", "f:thead", "j=01", "w-1=#"]
    assert found[0, "Sorting"] == ["T", "TCap", "wc=2Cap", "j=00", "w1=#"]
    assert found[1, "Kelp"] == ["it", "wc=3Cap", "f:thead", "j=00", "cue=introc"]
    assert found[1, "KP"] == ["wc=1UP", "f:prop", "j=11", "cue=introc"]
    assert found[1, "Moss"] == ["wc=1Cap", "j=01", "cue=cmpc"]
    assert found[2, "is"] == ["last", "wc=1low", "j=00", "cue=use"]
    assert found[2, "."] == ["last", "wc=2sym", "j=10", "cue=usec", "w1=#"]


def test_a_known_name_marks_its_tokens() -> None:
    found = features(KnownNames({"moss": "framework"}, {"moss": "moss"}))
    assert found[1, "Moss"] == ["ct:Sframework", "ct:S", "wc=1Cap", "j=01", "cue=cmpc"]


@given(st.text(min_size=1))
def test_every_word_is_written_in_a_way_that_has_a_number(word: str) -> None:
    assert capital_pattern(word) in CAPITAL_PATTERNS
    assert len(CAPITAL_PATTERNS) <= 16
