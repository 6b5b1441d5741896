"""What hangs on a work, as a connection of the work itself."""

STEP = "cursor depth confidence relations statements { id } node { id name }"


def ids(connection: dict) -> list[str]:
    return [edge["node"]["id"] for edge in connection["edges"]]


def test_descendants_are_the_works_of_the_lineage_with_the_edge_towards_it(data):
    found = data(f"""{{
      entity(name: "ZeRO-Infinity") {{ descendants(first: 20) {{ totalCount edges {{ {STEP}
        child {{ id }} parent {{ id }} }} nodes {{ id }} pageInfo {{ hasNextPage }} }} }}
      lineage(of: "ZeRO-Infinity") {{ totalCount nodes {{ depth work {{ id }} }}
        edges {{ child {{ id }} parent {{ id }} confidence relations statements {{ id }} }} }}
    }}""")
    descendants, lineage = found["entity"]["descendants"], found["lineage"]
    assert ids(descendants) == [each["work"]["id"] for each in lineage["nodes"]]
    assert [each["id"] for each in descendants["nodes"]] == ids(descendants)
    assert descendants["totalCount"] == lineage["totalCount"]
    assert descendants["pageInfo"]["hasNextPage"] is False
    depths = {each["work"]["id"]: each["depth"] for each in lineage["nodes"]}
    depths["entity/zero-infinity"] = 0
    for step in descendants["edges"]:
        assert step["child"]["id"] == step["node"]["id"]
        assert depths[step["parent"]["id"]] == step["depth"] - 1
        edge = {name: step[name] for name in lineage["edges"][0]}
        assert edge in lineage["edges"]


def test_ancestors_go_the_other_way(data):
    found = data(
        """{ entity(name: "Fuyou") { ancestors { edges { node { id } child { id } } } } }"""
    )
    edges = found["entity"]["ancestors"]["edges"]
    assert {"node": {"id": "entity/zero-infinity"}, "child": {"id": "entity/fuyou"}} in edges


def test_one_request_goes_from_papers_to_what_builds_on_them(data):
    found = data("""{ papers(entity: "LoRA", relations: [INTRODUCES]) { nodes { title
      introduces { name descendants(first: 3, maxDepth: 1) { nodes { name } } }
      descendants(first: 3, maxDepth: 1) { nodes { name } } } } }""")
    (paper,) = found["papers"]["nodes"]
    (lora,) = (each for each in paper["introduces"] if each["name"] == "LoRA")
    assert lora["descendants"]["nodes"]
    assert paper["descendants"] == lora["descendants"]  # A paper stands for what it introduces.


def test_edges_and_statements_are_found_by_their_ids(data):
    found = data("""{ lineage(of: "ZeRO-Infinity", minConfidence: 0.3) {
      edges { id confidence statements { id confidence } } }
      path(from: "vLLM", to: "FlexGen") { id confidence } }""")
    edges = [*found["lineage"]["edges"], *found["path"]]
    for known in [
        *edges,
        *(each for edge in found["lineage"]["edges"] for each in edge["statements"]),
    ]:
        query = """query ($id: ID!) { node(id: $id) { id
          ... on LineageEdge { confidence } ... on Statement { confidence } } }"""
        assert data(query, id=known["id"])["node"] == {
            "id": known["id"],
            "confidence": known["confidence"],
        }
