"""Two works side by side, on a real store."""

import pytest

from described import described
from filled import put
from latest import latest
from stemma.graph import Reader, Store
from stemma.graph.comparing import Aspect, compare
from stemma.schema import RelationType


@pytest.fixture(scope="module")
def rivals(store_of_module: Store) -> Reader:
    """Quill and Nib, of which Nib builds on Quill and is measured against it."""
    put(
        store_of_module,
        *described("""
            Quill: one (2020) | Quill uses Ink on Gaudi and beats Chisel.
                | framework Quill: INTRODUCES | technique Ink: USES | hardware Gaudi: RUNS_ON
                | technique Chisel: COMPARES_WITH
            Nib: two (2021) | Nib extends Quill. Nib beats Quill and Chisel with Ink, on A100s.
                | framework Nib: INTRODUCES | framework Quill: BUILDS_ON 0.8
                | framework Quill: COMPARES_WITH 0.9 | technique Ink: USES
                | technique Chisel: COMPARES_WITH | hardware A100: RUNS_ON [entity/nvidia-a100]
            Reed: three | Reed beats Quill and Nib. | framework Reed: INTRODUCES
                | framework Quill: COMPARES_WITH | framework Nib: COMPARES_WITH
            Wax: four | We present Wax. | framework Wax: INTRODUCES
        """),
    )
    return latest(store_of_module)


def named(entities) -> list[str]:
    return [entity.name for entity in entities]


def test_what_both_have_is_separate_from_what_one_has(rivals):
    found = compare(rivals, "entity/quill", "entity/nib")
    hardware = found.aspects[Aspect.HARDWARE]
    assert (named(hardware.left), named(hardware.right)) == (["Gaudi"], ["NVIDIA A100"])
    assert named(found.aspects[Aspect.TECHNIQUES].shared) == ["Chisel", "Ink"]
    baselines = found.aspects[Aspect.BASELINES]
    assert named(baselines.shared) == ["Chisel"]
    assert named(baselines.right) == ["Quill"]
    assert not found.aspects[Aspect.DATASETS]


def test_lineage_and_statements_tie_them_and_each_has_its_papers(rivals):
    found = compare(rivals, "entity/quill", "entity/nib")
    assert [(edge.child, edge.parent) for edge in found.lineage.edges] == [
        ("entity/nib", "entity/quill")
    ]
    assert [each.relation for each in found.statements] == [
        RelationType.COMPARES_WITH,
        RelationType.BUILDS_ON,
    ]
    assert [paper.title for paper in found.compared_by] == ["Reed: three"]
    assert [paper.title for paper in found.left.papers] == ["Quill: one"]
    assert (str(found.left.published), str(found.right.published)) == ("2020", "2021")


def test_a_paper_speaks_for_itself(rivals):
    found = compare(rivals, "paper/nib-two", "entity/wax")
    assert [paper.title for paper in found.left.papers] == ["Nib: two"]
    assert named(found.aspects[Aspect.HARDWARE].left) == ["NVIDIA A100"]
    assert found.statements == found.lineage.edges == ()
