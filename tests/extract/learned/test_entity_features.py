"""What tells of a group of proposals whether it is an entity."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from stemma.extract.document import Findings, Sentence
from stemma.extract.learned.corpus import CorpusStatistics
from stemma.extract.learned.document import Document
from stemma.extract.learned.entity_features import EntityFeatures
from stemma.extract.learned.grouping import Group
from stemma.extract.learned.lexicon import KINDS, KnownNames, Lexicon
from stemma.extract.learned.proposal import Proposal

CORPUS = CorpusStatistics(0, {}, {}, {}, {}, {}, {}, {})
FORMS = ["alder", "birch", "cedar", "elm", "fir", "hazel", "larch", "maple", "oak", "pine"]


def numbers(kinds: dict[str, str]) -> list[float]:
    """What tells of a name whose forms were marked with these kinds, each in one paper."""
    text = "Alder grows."
    document = Document.of(Findings(text, 0, 0, [Sentence(0, len(text), in_title=False)]))
    proposal = Proposal((0, 0, 1), [0.2] * len(KINDS), 1.0, 1.0, 1.0)
    group = Group("alder", [proposal], set(kinds), [], proposal)
    lexicon = Lexicon(
        {form: Counter([kind]) for form, kind in kinds.items()}, dict.fromkeys(kinds, 1)
    )
    marginals = [np.zeros((3, 1 + 2 * len(KINDS)))]
    reader = EntityFeatures(document, [group], marginals, CORPUS, KnownNames({}, {}), lexicon)
    return reader.numbers(group)


@pytest.mark.parametrize(("first", "second"), list(pairwise(FORMS)))
def test_of_forms_marked_as_often_the_first_in_order_decides(first: str, second: str) -> None:
    tied = numbers({first: "model", second: "dataset"})
    assert tied == numbers({second: "model", first: "model"})
    assert tied != numbers({first: "dataset", second: "dataset"})
