"""A lineage by year, on a real store."""

import pytest

from latest import latest
from stemma.graph import LineageDirection, Reader, Store
from stemma.graph.filters import Years
from stemma.graph.timeline import draw_timeline
from stemma.schema import EntityKind

pytestmark = pytest.mark.same_everywhere


@pytest.fixture(scope="module")
def family(store_of_module: Store, describe) -> Reader:
    """Ink of 2019; of 2021 Quill on Ink and Vellum on Quill; Nib on Ink, undated; Reed of 2020."""
    with store_of_module.writer() as writer:
        writer.put(
            [
                describe("Ink: one", "We present Ink.", "framework Ink: INTRODUCES",
                         published="2019"),
                describe("Quill: two", "Quill extends Ink.", "technique Quill: INTRODUCES",
                         "framework Ink: BUILDS_ON", published="2021-03"),
                describe("Vellum: three", "Vellum extends Quill.", "framework Vellum: INTRODUCES",
                         "technique Quill: BUILDS_ON", published="2021-01"),
                describe("Nib: four", "Nib extends Ink.", "framework Nib: INTRODUCES",
                         "framework Ink: BUILDS_ON"),
                describe("Reed: five", "Reed extends Vellum.", "framework Reed: INTRODUCES",
                         "framework Vellum: BUILDS_ON", published="2020"),
            ],
            "hand",
        )  # fmt: skip
        writer.commit()
    return latest(store_of_module)


def by_year(timeline) -> list[tuple[int | None, list[str]]]:
    return [(year.year, [node.work.name for node in year.nodes]) for year in timeline.years]


def test_works_are_in_their_years_and_the_undated_last(family):
    timeline = draw_timeline(family, "entity/ink")
    assert by_year(timeline) == [(2020, ["Reed"]), (2021, ["Vellum", "Quill"]), (None, ["Nib"])]
    assert str(timeline.root.published) == "2019"
    assert timeline.root.depth == 0
    assert not timeline.truncated


def test_years_and_kinds_choose_what_is_shown_not_what_leads_there(family):
    assert by_year(draw_timeline(family, "entity/ink", years=Years(2021))) == [
        (2021, ["Vellum", "Quill"])
    ]
    assert by_year(draw_timeline(family, "entity/ink", years=Years(None, 2020))) == [
        (2020, ["Reed"])
    ]
    frameworks = draw_timeline(family, "entity/ink", kinds=[EntityKind.FRAMEWORK])
    assert by_year(frameworks) == [(2020, ["Reed"]), (2021, ["Vellum"]), (None, ["Nib"])]


def test_the_oldest_are_returned_if_there_are_too_many(family):
    timeline = draw_timeline(family, "entity/ink", first=2)
    assert by_year(timeline) == [(2020, ["Reed"]), (2021, ["Vellum"])]
    assert timeline.truncated
    within = {"entity/ink", *(node.work.id for node in timeline.nodes)}
    assert all({edge.child, edge.parent} <= within for edge in timeline.edges)


def test_ancestors_have_a_timeline_too(family):
    timeline = draw_timeline(family, "entity/vellum", LineageDirection.ANCESTORS)
    assert by_year(timeline) == [(2019, ["Ink"]), (2021, ["Quill"])]
    assert {(edge.child, edge.parent) for edge in timeline.edges} == {
        ("entity/vellum", "entity/quill"),
        ("entity/quill", "entity/ink"),
    }
