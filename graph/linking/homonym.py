"""Homonyms: whether two papers that introduce the same name mean one thing."""

import re
from dataclasses import dataclass
from functools import lru_cache

from stemma.schema import EntityKind
from stemma.schema.name import match_key

_WORD = re.compile(r"[^\W\d_]{3,}")
_LONGEST_ACRONYM = 5
_INTERCHANGEABLE = frozenset({EntityKind.FRAMEWORK, EntityKind.TECHNIQUE, EntityKind.MODEL})
_FUNCTION_WORDS = frozenset(
    re.findall(
        r"\w+",
        """
    about above achieve achieved achieves across additional address addresses all allow allowing
    allows along already also although among and another any approach approaches are available
    based because become been before being best better between both but can cannot challenge
    challenges code compared comparable consider could current currently demonstrate demonstrated
    demonstrates demonstrating design designed despite develop developed different does due during
    each effective effectively efficiency efficient efficiently either enable enables enabling
    especially establish evaluate evaluated evaluation even existing experiment experimental
    experiments explore extensive finally first focus for four from full fully further furthermore
    generally github given good great had has have having help here high higher highly how however
    https identify implementation implemented important improve improved improvement improvements
    improves improving include includes including increase increased increases increasing
    increasingly instead into introduce introduced introduces introducing investigate issue issues
    its itself just key known lack large larger lead leading leads less like limit limitation
    limitations limited limits low lower main mainly make makes making many may mean means method
    methods more moreover most much multiple must namely need needed needs new not novel number
    numerous obtain observe offer offers often one ones only open order other others our out over
    overall own paper papers particular perform performance performing performs possible potential
    practical present presented presents previous previously prior problem problems propose
    proposed proposes provide provided provides providing publicly range rather recent recently
    reduce reduced reduces reducing related remain remains require required requires research
    respectively result resulting results several show showed showing shown shows significant
    significantly similar simple simply since small some source specific specifically state still
    studies study such superior support supports task tasks technique techniques than that the
    their them then there therefore these they this those three through thus time times together
    towards two type types under unlike use used uses useful user users using usually variety
    various very via was way ways well were what when where whether which while who whose wide
    widely will with within without work works would yet you your
""",
    )
)
_ENDINGS = re.findall(
    r"\w+", "izations ization isation ations ation ings ing ies ied ors ers ed es or er al s y e"
)
# Of 3,000 pairs of papers of one field, half share a tenth of their words, one in ten 0.17, and
# versions of one paper 0.97. A system and the thesis that retells it share 0.2, and so do papers
# that call different things sequence parallelism; of 88 pairs of papers that head their titles
# with one name and are not versions of one paper, none shares more than 0.25.
_VERSIONS_OF_ONE = 0.45
_ABOUT_ONE_COINAGE = 0.15
_A_SENTENCE = 8


@dataclass(frozen=True, slots=True)
class Introduction:
    """A name as a paper introduces it: its kind, its forms, and the content words of the paper.

    `titled` means that it is in the title.
    """

    name: str
    kind: EntityKind
    forms: tuple[str, ...]
    titled: bool
    context: frozenset[str]


def content_words(text: str) -> frozenset[str]:
    """Return the stems of the content words of `text`."""
    return frozenset(
        _stem(word) for word in _WORD.findall(text.casefold()) if word not in _FUNCTION_WORDS
    )


def could_be_one_kind(a: EntityKind, b: EntityKind) -> bool:
    """Return whether one thing may be taken for either: a system for a method, not for a chip."""
    return a == b or {a, b} <= _INTERCHANGEABLE


LongFormWords = tuple[frozenset[str], ...]
"""The words of long forms."""


@lru_cache(maxsize=65536)
def written_out(forms: tuple[str, ...]) -> LongFormWords:
    """Return the words of those `forms` that another of them is an acronym of."""
    return tuple(
        content_words(long) for long in forms if any(spells_out(short, long) for short in forms)
    )


def long_forms_agree(a: LongFormWords, b: LongFormWords) -> bool:
    """Return whether any two long forms share half of their words: neural, or network, search."""
    return any(2 * len(one & other) >= min(len(one), len(other)) > 0 for one in a for other in b)


def mean_one_thing(a: Introduction, b: Introduction) -> bool:
    """Decide whether two papers that introduce one name mean one thing.

    What the name is short for decides; else things of different kinds differ. Else two papers
    that share most of their words are versions of one. Of other papers, two mean one thing only
    by a name that is hardly chosen by accident (PyTorch-Direct, not Sequence Parallelism), if not
    both are titled with it, and if their introductions share some words.
    """
    spelt_a, spelt_b = written_out(a.forms), written_out(b.forms)
    if spelt_a and spelt_b:
        return long_forms_agree(spelt_a, spelt_b)
    if not could_be_one_kind(a.kind, b.kind):
        return False
    own_words = content_words(" ".join((*a.forms, *b.forms)))
    shared = shared_context(a.context - own_words, b.context - own_words)
    if shared >= _VERSIONS_OF_ONE:
        return True
    accidental = not (_is_coinage(a.name) or _is_coinage(b.name)) or (a.titled and b.titled)
    return not accidental and shared >= _ABOUT_ONE_COINAGE


def shared_context(a: frozenset[str], b: frozenset[str]) -> float:
    """Return the share, from 0 to 1, of the smaller set of words that the other has too.

    A handful of words says little: fewer than a sentence has are counted as if others lacked.
    """
    return len(a & b) / max(min(len(a), len(b)), _A_SENTENCE)


def spells_out(short: str, form: str) -> bool:
    """Return whether `form` has several words whose letters hold those of `short` in order."""
    short = match_key(short)
    words = re.findall(r"[^\W_]+", form.casefold())
    if len(short) < 2 or len(words) < 2 or short in words:
        return False
    if sum(map(len, words)) < 2 * len(short):
        return False
    letters = iter("".join(words))
    return words[0][0] == short[0] and all(letter in letters for letter in short)


def is_common(name: str) -> bool:
    """Return whether a name may well be given to several things: it is an acronym or one word
    (SUN, Nomad), or general (pre-training, weight sharing). Those with numbers (T5) rarely are."""
    if _is_coinage(name) or any(map(str.isdigit, name)):
        return False
    return name.islower() or " " not in name


def _is_coinage(name: str) -> bool:
    """Return whether a name is made up (PyTorch-Direct), not plain words or an acronym (CUDA).

    Names of networks (FFNet, MapNet) are often chosen twice.
    """
    for word in re.findall(r"[^\W_]+", name):
        letters = word.removesuffix("s")
        if letters.endswith("Net"):
            continue
        capitals = sum(map(str.isupper, letters))
        if capitals >= 2 and (capitals < len(letters) or capitals > _LONGEST_ACRONYM):
            return True
    return False


@lru_cache(maxsize=65536)
def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word.removesuffix(ending)
    return word
