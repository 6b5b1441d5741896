"""What papers call what people say in plain words."""

import re
from pathlib import Path

from stemma.server.asking import thesaurus
from stemma.server.asking.thesaurus import terms_in

FILE = Path(thesaurus.__file__).with_name("thesaurus.txt")


def terms(text):
    return {each for found in terms_in(text) for each in found}


def test_the_words_of_a_phrase_may_stand_apart_and_in_other_forms():
    assert "bipedal" in terms("machines that walked on two legs")
    assert "automated essay scoring" in terms("can it mark the long essays of my students")
    far_away = "of schools and of the towns and villages that they are in, and so on,"
    assert not terms(f"essays {far_away} leave no mark")


def test_a_phrase_of_common_words_has_to_stand_together():
    assert "distributed training" in terms("how to train large models at home")
    assert not terms("to train a model that is large")


def test_each_phrase_of_the_file_is_there_once_with_its_terms():
    _, *lines = FILE.read_text("utf-8").splitlines()
    form = re.compile(r'[^=|;]+(?: \| [^=|;]+)* = [^=|;"]+(?:; [^=|;"]+)*')
    assert not [each for each in lines if not form.fullmatch(each)]
    phrases = [one for each in lines for one in each.split(" = ")[0].split(" | ")]
    assert len({*phrases}) == len(phrases) > 2_000
