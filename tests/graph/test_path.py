"""How two works are related, and what they have in common, on a real store."""

import pytest

from described import describe, described
from filled import put
from latest import latest
from stemma.graph import Reader, Store, UnknownNameError
from stemma.graph.comparing import Aspect, compare
from stemma.graph.path import find_path
from stemma.graph.selection import Selection
from stemma.schema import RelationType

SURE = Selection(min_confidence=0.5)


@pytest.fixture
def family(store: Store) -> Reader:
    """Ink; Quill (surely) and Nib (perhaps) on Ink; Vellum on both; Reed, which is compared only;
    and Wax, which has to do with none."""
    put(store, *described("""
        Ink: one | We present Ink. | framework Ink: INTRODUCES
        Quill: two | Quill extends Ink. | framework Quill: INTRODUCES
            | framework Ink: BUILDS_ON 0.9
        Nib: three | Nib extends Ink. | framework Nib: INTRODUCES | framework Ink: BUILDS_ON 0.3
        Vellum: four | Vellum combines Quill and Nib. | framework Vellum: INTRODUCES
            | framework Quill: BUILDS_ON 0.8 | framework Nib: BUILDS_ON 0.8
        Reed: five | Reed is compared with Vellum. | framework Reed: INTRODUCES
            | framework Vellum: COMPARES_WITH 0.7
        Straw: six | Straw is compared with Reed. | framework Straw: INTRODUCES
            | framework Reed: COMPARES_WITH 0.7
        Wax: seven | We present Wax. | framework Wax: INTRODUCES
    """))  # fmt: skip
    return latest(store)


def steps(path) -> str:
    ends = ((edge.child, edge.parent) for edge in path.edges)
    return ", ".join(" -> ".join(id_.removeprefix("entity/") for id_ in each) for each in ends)


def test_of_equally_short_ways_the_surest_is_taken(family):
    path = find_path(family, "entity/vellum", "entity/ink")
    assert path.works == ["entity/vellum", "entity/quill", "entity/ink"]
    assert steps(path) == "vellum -> quill, quill -> ink"
    assert path.edges[1].statements[0].evidence[0].text == "Quill extends Ink."


@pytest.mark.parametrize(
    ("source", "target", "options", "expected"),
    [
        ("ink", "vellum", {}, "quill -> ink, vellum -> quill"),
        ("quill", "nib", {}, "vellum -> quill, vellum -> nib"),
        ("nib", "ink", {"selection": SURE}, "vellum -> nib, vellum -> quill, quill -> ink"),
        ("wax", "ink", {}, ""),
        ("ink", "ink", {}, ""),
        ("vellum", "ink", {"max_length": 1}, ""),
        ("straw", "quill", {"comparisons": False}, ""),
    ],
    ids=[
        *("either direction", "down and up", "surely", "none", "no way to itself", "too long"),
        "without comparisons",
    ],
)
def test_lineage_is_followed(family, source, target, options, expected):
    assert steps(find_path(family, f"entity/{source}", f"entity/{target}", **options)) == expected


def test_where_no_lineage_leads_comparisons_do_and_say_so(family):
    path = find_path(family, "entity/straw", "entity/quill")
    assert steps(path) == "straw -> reed, reed -> vellum, vellum -> quill"
    compared = (RelationType.COMPARES_WITH,)
    assert [edge.relations for edge in path.edges] == [compared] * 2 + [(RelationType.BUILDS_ON,)]
    assert path.edges[0].confidence == pytest.approx(0.7)
    assert path.edges[0].statements[0].evidence[0].text == "Straw is compared with Reed."


def test_what_makes_no_sense_is_refused(family):
    with pytest.raises(UnknownNameError):
        find_path(family, "entity/ink", "entity/nothing")
    with pytest.raises(ValueError, match="between 1 and"):
        find_path(family, "entity/ink", "entity/nib", max_length=0)


def test_a_crowd_between_two_works_is_searched_from_both_ends(store: Store):
    """A hub with many children stands between: what is fetched are levels, not works."""
    crowd = [
        describe(f"Leaf{n}: of many", f"Leaf{n} extends Trunk.", f"framework Leaf{n}: INTRODUCES",
                 "framework Trunk: BUILDS_ON")
        for n in range(200)
    ]  # fmt: skip
    put(store, *crowd)
    calls = []

    class Counting:
        def __getattr__(self, name: str):
            calls.append(name)
            return getattr(latest(store), name)

    assert len(find_path(Counting(), "entity/leaf1", "entity/leaf199").edges) == 2
    assert len(calls) < 12


@pytest.fixture(scope="module")
def rivals(store_of_module: Store) -> Reader:
    """Quill and Nib, of which Nib builds on Quill and is measured against it."""
    put(store_of_module, *described("""
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
    """))  # fmt: skip
    return latest(store_of_module)


def named(entities) -> list[str]:
    return [entity.name for entity in entities]


def test_what_both_have_is_separate_from_what_one_has(rivals):
    comparison = compare(rivals, "entity/quill", "entity/nib")
    hardware = comparison.aspects[Aspect.HARDWARE]
    assert (named(hardware.left), named(hardware.right)) == (["Gaudi"], ["NVIDIA A100"])
    assert named(comparison.aspects[Aspect.TECHNIQUES].shared) == ["Chisel", "Ink"]
    baselines = comparison.aspects[Aspect.BASELINES]
    assert named(baselines.shared) == ["Chisel"]
    assert named(baselines.right) == ["Quill"]
    assert not comparison.aspects[Aspect.DATASETS]


def test_lineage_and_statements_tie_them_and_each_has_its_papers(rivals):
    comparison = compare(rivals, "entity/quill", "entity/nib")
    assert [(edge.child, edge.parent) for edge in comparison.lineage.edges] == [
        ("entity/nib", "entity/quill")
    ]
    assert [statement.relation for statement in comparison.statements] == [
        RelationType.COMPARES_WITH,
        RelationType.BUILDS_ON,
    ]
    assert [paper.title for paper in comparison.compared_by] == ["Reed: three"]
    assert [paper.title for paper in comparison.left.papers] == ["Quill: one"]
    assert (str(comparison.left.published), str(comparison.right.published)) == ("2020", "2021")


def test_a_paper_speaks_for_itself(rivals):
    comparison = compare(rivals, "paper/nib-two", "entity/wax")
    assert [paper.title for paper in comparison.left.papers] == ["Nib: two"]
    assert named(comparison.aspects[Aspect.HARDWARE].left) == ["NVIDIA A100"]
    assert comparison.statements == comparison.lineage.edges == ()
