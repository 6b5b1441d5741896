"""Connected components on a cluster are those that networkx finds."""

import random

import networkx
import pytest

pytestmark = pytest.mark.spark


def graphs() -> list[networkx.Graph]:
    """Graphs of all shapes: long paths, stars, cliques, trees, and such as chance makes them."""
    chance = random.Random(3)
    fixed = [
        networkx.path_graph(70),
        networkx.cycle_graph(33),
        networkx.star_graph(100),
        networkx.complete_graph(20),
        networkx.balanced_tree(2, 7),
        networkx.grid_2d_graph(9, 9),
    ]
    by_chance = [
        networkx.gnp_random_graph(60, chance.choice([0.01, 0.02, 0.05]), seed=seed)
        for seed in range(12)
    ]
    return fixed + by_chance


def test_components_are_those_of_networkx(spark) -> None:
    from stemma.server.spark.components import connected_components  # noqa: PLC0415 - an extra

    whole, chance = networkx.Graph(), random.Random(5)
    for number, graph in enumerate(graphs()):
        # Their order says nothing about how nodes are connected.
        labels = {node: f"{chance.random():.9f} {number} δ" for node in graph}
        whole.add_edges_from(networkx.relabel_nodes(graph, labels).edges)
    edges = [chance.choice([edge, edge[::-1]]) for edge in whole.edges]
    edges += chance.sample(edges, 50)
    edges += [("alone", "alone"), (edges[0][0], edges[0][0])]
    found = connected_components(spark.sparkContext.parallelize(edges, 2)).collect()
    assert len(dict(found)) == len(found)
    expected = {
        node: min(component)
        for component in networkx.connected_components(whole)
        for node in component
    }
    assert dict(found) == expected


@pytest.mark.long
def test_no_edges_have_no_components(spark) -> None:
    from stemma.server.spark.components import connected_components  # noqa: PLC0415 - an extra

    assert connected_components(spark.sparkContext.parallelize([], 2)).collect() == []
