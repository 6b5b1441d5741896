"""Real listings, as a user saved them: read, linked, and asked what they are asked most."""

import pytest

from latest import latest
from stemma import Stemma
from stemma.graph import AmbiguousNameError, WorkType
from stemma.schema import Field, Paper, RelationType

pytestmark = pytest.mark.long  # That names are linked so is tested with papers written by hand.


@pytest.fixture(scope="module")
def graph(seed_store: str) -> Stemma:
    return Stemma(seed_store)


def introducers(graph: Stemma, name: str) -> set[str]:
    return {each.subject.id for each in graph.statements(name, [RelationType.INTRODUCES])}


def test_every_paper_is_there_once_with_its_sources_and_date(graph: Stemma) -> None:
    page = latest(graph.store).page(WorkType.PAPER, first=1000)
    papers = [work for work in page.works if isinstance(work, Paper)]
    assert len(papers) == page.total == 212
    assert sum(len(paper.sources) > 1 for paper in papers) == 50
    dates = [paper.published for paper in papers if paper.published]
    assert len(dates) == 127
    assert all(date.year for date in dates)


@pytest.mark.parametrize("spelling", ["ZeRO-Infinity", "zero infinity"])
def test_what_builds_on_zero_infinity_is_listed_with_its_sentence(
    graph: Stemma, spelling: str
) -> None:
    edges = graph.lineage(spelling, include_catalogue=False).edges
    (edge,) = [each for each in edges if each.child.id == "entity/fuyou"]
    assert "suffers from" in edge.statements[0].evidence[0].text


def test_evidence_stands_where_it_says(graph: Stemma) -> None:
    for work in latest(graph.store).page(WorkType.PAPER, first=1000).works:
        assert isinstance(work, Paper)
        for statement in graph.statements(work.id):
            for evidence in statement.evidence:
                found = work.text(Field(evidence.field))[evidence.start : evidence.end]
                assert found == evidence.text


def test_one_thing_that_two_papers_introduce_is_one_entity(graph: Stemma) -> None:
    assert len(introducers(graph, "PyTorch-Direct")) == 2


def test_one_name_for_two_things_is_two_entities(graph: Stemma) -> None:
    with pytest.raises(AmbiguousNameError) as raised:
        graph.work("Sequence Parallelism")
    assert len(raised.value.candidates) == 2
    unlearnable = graph.entity("Convolution-based Unlearnable Datasets")
    assert unlearnable.id != graph.entity("CUDA").id == "entity/cuda"


def test_a_new_version_is_another_work(graph: Stemma) -> None:
    assert graph.entity("FlashAttention-2").id != graph.entity("FlashAttention").id
    assert "entity/flashattention" in graph.entity("FlashAttention-2").broader


def test_a_series_is_the_family(graph: Stemma) -> None:
    paper = graph.paper("FastAttention: Extend FlashAttention2 to NPUs and Low-resource GPUs")
    said = graph.statements(paper.id, [RelationType.BUILDS_ON])
    assert "entity/flashattention" in {each.entity.id for each in said}
