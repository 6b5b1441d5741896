"""The buffer gives back what it was given."""

from dataclasses import replace

import pytest

from stemma.graph.extraction_buffer import ExtractionBuffer
from stemma.schema import Comparison, Direction, Source
from stemma.schema.paper import Author, Reference


@pytest.fixture
def buffer():
    opened = ExtractionBuffer()
    yield opened
    opened.close()


def test_gives_back_all_that_was_found(buffer, describe):
    found = describe(
        "Quill: a Store", "Quill is 2x faster than Ink.",
        "framework Quill: INTRODUCES 0.95", "framework Ink: COMPARES_WITH [entity/ink]",
    )  # fmt: skip
    paper = replace(
        found.paper,
        author_count=3,
        organization="Ada & Sons",
        links=("https://example.org/quill",),
        authors=(Author("Ada Quill", "0000-0002-1825-0097", "Ada & Sons"), Author("Bo Nib")),
        venue="Journal of Pens",
        doi="10.1000/quill",
        arxiv_id="2104.07857v2",
        references=(Reference("doi:10.1000/nib", "A Nib"),),
        sources=(Source("a.txt", "0" * 64, 7, "XXXX-04", 2021), Source("b.txt", "1" * 64, 1)),
    )
    comparison = Comparison(factor=2.0, metric="speed", direction=Direction.BETTER)
    relations = tuple(replace(each, comparison=comparison) for each in found.relations)
    found = replace(found, paper=paper, relations=relations, extractor="rules 1")
    place = buffer.put(found)
    assert buffer.get(place) == found


def test_gives_back_in_any_order_and_takes_more_in_between(buffer, describe):
    found = [describe(f"Tool{number}", f"Tool{number} is new.") for number in range(3)]
    first, second = buffer.put(found[0]), buffer.put(found[1])
    assert buffer.get(second) == found[1]
    third = buffer.put(found[2])
    assert [buffer.get(each) for each in (third, first, second)] == [found[2], found[0], found[1]]
