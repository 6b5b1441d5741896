"""The analysis of a graph's lineage: small graphs with known answers, and what never changes."""

import random
from collections import defaultdict

import networkx as nx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from described import describe
from examples import scaled
from filled import put
from stemma.graph.analysis import Analysis, Community, LineOfDescent, analyse, page_rank
from stemma.graph.sqlite import SqliteStore

LINE = [("Ink", "Quill"), ("Quill", "Reed"), ("Reed", "Clay")]
STAR = [(f"Ray {number}", "Sun") for number in range(4)]
CIRCLE = [("Egg", "Hen"), ("Hen", "Egg"), ("Omelette", "Egg"), ("Hen", "Dinosaur")]


@pytest.fixture
def analysed(catalogue, tmp_path_factory):
    """Analyse the lineage of papers that introduce one thing each and build on others."""

    def _analysed(edges, dates=(), seed=None, include_catalogue=True) -> Analysis:
        dates, parents = dict(dates), defaultdict(dict)
        for child, parent, *confidence in edges:
            parents[child][parent] = confidence[0] if confidence else 0.9
        papers = [
            describe(
                f"{child}: a new thing",
                f"We present {child}. It extends {', '.join(parents[child])}.",
                f"framework {child}: INTRODUCES",
                *(f"framework {each}: BUILDS_ON {sure}" for each, sure in parents[child].items()),
                published=dates.get(child),
            )
            for child in {**parents, **dates}
        ]
        if seed is not None:
            random.Random(seed).shuffle(papers)
        path = tmp_path_factory.mktemp("analysed") / "stemma.db"
        with SqliteStore(path, catalogue=catalogue) as store:
            put(store, *papers)
            with store.snapshot() as reader, store.snapshot() as other:
                made = analyse(reader, include_catalogue)
                assert analyse(other, include_catalogue) is made
                return made

    return _analysed


def everything(analysis: Analysis) -> list[object]:
    first = (analysis.lines_of_descent, analysis.communities)
    return [analysis.influential(), *(ask(100) for ask in first), analysis.years()]


def test_descendants_are_counted_over_any_number_of_steps(analysed):
    counts = {node.work: node.descendants for node in analysed(LINE).influential()}
    assert [*counts.values()] == [3, 2, 1, 0]
    assert [*counts] == ["entity/clay", "entity/reed", "entity/quill", "entity/ink"]


def test_the_longest_line_of_descent_begins_with_the_oldest_and_a_circle_is_one_step(analysed):
    (line,) = analysed([*LINE, ("Biro", "Quill")]).lines_of_descent(1)
    assert line.steps[:3] == (("entity/clay",), ("entity/reed",), ("entity/quill",))
    assert len(line.steps) == 4
    (line,) = analysed(CIRCLE).lines_of_descent()
    egg = ("entity/egg", "entity/hen")
    assert line == LineOfDescent((("entity/dinosaur",), egg, ("entity/omelette",)))


def test_connected_works_are_a_community_named_by_the_most_influential(analysed):
    star, line = analysed([*STAR, *LINE]).communities()
    assert star.works == ("entity/sun", *(f"entity/ray-{number}" for number in range(4)))
    assert star.named_by == star.works[:3]
    assert set(line.works) == {"entity/clay", "entity/reed", "entity/quill", "entity/ink"}
    weakly = [*STAR, *((f"Wave {number}", "Sea") for number in range(4)), ("Sea", "Sun", 0.05)]
    assert [len(community.works) for community in analysed(weakly).communities()] == [5, 5]


def test_each_year_has_what_was_new_and_what_was_built_on(analysed):
    dates = {"Reed": "1999", "Quill": "2001-05", "Ink": "2001-06-07", "Nib": "XXXX-01-01"}
    first, second = analysed(LINE, dates).years()
    assert (first.year, first.papers, first.entities, first.edges) == (1999, 1, 1, 1)
    assert (first.new, first.built_on) == (("entity/reed",), ("entity/clay",))
    assert (second.year, second.papers, second.entities, second.edges) == (2001, 2, 2, 2)
    assert second.new == ("entity/quill",)
    assert set(second.built_on) == {"entity/quill", "entity/reed"}
    (year,) = analysed([], {"Ink": "2020"}).years()
    assert (year.papers, year.edges, year.new, year.built_on) == (1, 0, (), ()), "without lineage"


def test_what_only_the_catalogue_says_can_be_left_out(analysed):
    edges, fact = (
        [("Ink", "ZeRO-Infinity"), ("Ink", "ZeRO")],
        ("entity/zero-infinity", "entity/zero"),
    )
    for included in (True, False):
        assert analysed(edges, include_catalogue=included).lineage.has_edge(*fact) is included


def test_a_graph_without_lineage_has_nothing_to_tell(analysed):
    assert everything(analysed([], {"Ink": None})) == [[], [], [], []]


_NAMES = [f"{letter}ox" for letter in "ABCDEF"]


@settings(max_examples=scaled(12), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    edges=st.lists(
        st.tuples(st.sampled_from(_NAMES), st.sampled_from(_NAMES)).filter(
            lambda edge: edge[0] != edge[1]
        ),
        min_size=1,
        unique=True,
    ),
    seed=st.integers(0, 1000),
)
def test_the_order_of_papers_changes_nothing(edges, seed, analysed):
    dates = {name: str(2000 + number // 2) for number, name in enumerate(_NAMES)}
    one, other = analysed(edges, dates), analysed(edges, dates, seed)
    assert everything(one) == everything(other)
    assert sum(one.shares.values()) == pytest.approx(1)
    assert sum(year.papers for year in one.years()) == len(_NAMES)
    members = [work for community in one.communities(100) for work in community.works]
    assert sorted(members) == sorted(one.lineage)
    for line in one.lines_of_descent(100):
        for older, younger in zip(line.steps, line.steps[1:], strict=False):
            assert any(one.lineage.has_edge(child, parent) for child in younger for parent in older)
    assert isinstance(one.communities()[0], Community)


@given(
    st.dictionaries(
        st.tuples(st.integers(0, 12), st.integers(0, 12)), st.floats(0.01, 1.0), max_size=40
    )
)
def test_influence_is_the_page_rank_of_networkx(edges: dict[tuple[int, int], float]) -> None:
    lineage: nx.DiGraph = nx.DiGraph()
    lineage.add_weighted_edges_from(
        ((str(a), str(b), weight) for (a, b), weight in edges.items()), weight="confidence"
    )
    assert page_rank(lineage) == pytest.approx(nx.pagerank(lineage, weight="confidence"), abs=1e-9)
