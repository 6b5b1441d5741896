"""What networks read in the gold is kept, so that the shipped one can be measured."""

from pathlib import Path

import pytest

from stemma.extract.encoder.network import Network
from stemma.extract.evaluation import Annotation
from stemma.schema import Paper
from training.annotated import Annotated
from training.papers import recognised
from training.reading import kept_readings, read, write_readings
from training.standoff import Marked

TEXTS = {
    "Heron": "We present Heron, which extends Kelpie on GPUs. Kelpie needs more memory.",
    "Nothing": "It rains.",
    "Osprey": "Osprey is faster than Tern on ImageNet.",
}


def annotated(title: str, abstract: str) -> Annotated:
    paper = Paper(f"paper/{title.lower()}", title, abstract)
    return Annotated.of(Marked(paper, Annotation(title)), recognised(paper))


def test_readings_are_kept_with_the_words_that_they_are_of(tmp_path: Path) -> None:
    papers = [annotated(title, text) for title, text in TEXTS.items()]
    readings = read(Network.shipped(1), papers)
    assert len(readings[0].groups) > 1
    file = tmp_path / "readings.npz"
    write_readings(readings, file)
    kept = list(kept_readings(papers[::-1], file))[::-1]
    assert [each.paper for each in kept] == papers
    for before, after in zip(readings, kept, strict=True):
        spans = [list(group) for group in before.groups]
        assert [list(group) for group in after.groups] == spans
        for scores, again in zip(before.related, after.related, strict=True):
            assert again == pytest.approx(scores, abs=0.002) or scores.size == 0


def test_a_paper_that_has_other_words_now_was_not_read(tmp_path: Path) -> None:
    papers = [annotated(title, text) for title, text in TEXTS.items()]
    file = tmp_path / "readings.npz"
    write_readings(read(Network.shipped(1), papers), file)
    changed = annotated("Heron", TEXTS["Heron"] + " It is fast.")
    unknown = annotated("Tern", TEXTS["Heron"])
    kept = kept_readings([changed, unknown, papers[2]], file)
    assert [each.paper for each in kept] == [papers[2]]
