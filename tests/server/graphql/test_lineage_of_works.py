"""What hangs on a work, as a connection of the work itself."""

import pytest

STEP = "cursor depth confidence relations statements { id } node { id name }"


def ids(connection: dict) -> list[str]:
    return [edge["node"]["id"] for edge in connection["edges"]]


def test_descendants_are_the_works_of_the_lineage_with_the_edge_towards_it(data) -> None:
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


def test_ancestors_go_the_other_way(data) -> None:
    found = data(
        """{ entity(name: "Fuyou") { ancestors { edges { node { id } child { id } } } } }"""
    )
    edges = found["entity"]["ancestors"]["edges"]
    assert {"node": {"id": "entity/zero-infinity"}, "child": {"id": "entity/fuyou"}} in edges


@pytest.mark.parametrize("direction", ["descendants", "ancestors"])
def test_pages_follow_each_other(data, direction: str) -> None:
    def page(first: int, after: str | None = None) -> dict:
        query = f"""query ($first: Int!, $after: String) {{ entity(name: "ZeRO") {{
          found: {direction}(first: $first, after: $after) {{ edges {{ {STEP} }}
            pageInfo {{ hasNextPage endCursor }} }} }} }}"""
        return data(query, first=first, after=after)["entity"]["found"]

    whole, walked, after = page(100)["edges"], [], None
    while True:
        found = page(1, after)
        walked += found["edges"]
        after = found["pageInfo"]["endCursor"]
        if not found["pageInfo"]["hasNextPage"]:
            break
    assert walked == whole


def test_one_request_goes_from_papers_to_what_builds_on_them(data) -> None:
    found = data("""{ papers(entity: "LoRA", relations: [INTRODUCES]) { nodes { title
      introduces { name descendants(first: 3, maxDepth: 1) { nodes { name } } }
      descendants(first: 3, maxDepth: 1) { nodes { name } } } } }""")
    (paper,) = found["papers"]["nodes"]
    (lora,) = (each for each in paper["introduces"] if each["name"] == "LoRA")
    assert lora["descendants"]["nodes"]
    assert paper["descendants"] == lora["descendants"]  # A paper stands for what it introduces.


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ("first: 101", "BAD_ARGUMENT"),
        ("maxDepth: 99", "BAD_ARGUMENT"),
        ('after: "x"', "BAD_CURSOR"),
    ],
)
def test_what_makes_no_sense_is_refused(error, arguments: str, code: str) -> None:
    query = f'{{ entity(name: "LoRA") {{ descendants({arguments}) {{ totalCount }} }} }}'
    assert error(query)["code"] == code


def test_edges_and_statements_are_found_by_their_ids(data) -> None:
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


@pytest.mark.parametrize(
    "query",
    [
        'node(id: "statement/paper/x/uses/entity/y")',
        'node(id: "statement/x")',
        'node(id: "edge/entity/fuyou/entity/lora")',
        'node(id: "edge/entity/fuyou/entity/zero-infinity?nothing=1")',
        'node(id: "author/nobody")',
        'author(id: "author/nobody")',
        'entity(name: "no such thing")',
        'paper(title: "LoRA")',
        'entity(name: "Adding NVMe SSDs to Enable and Accelerate 100B Model Fine-tuning on a '
        'Single GPU")',
    ],
)
def test_what_is_unknown_is_null_with_an_error(ask_anything, query: str) -> None:
    answer = ask_anything(f"{{ found: {query} {{ id }} }}")
    assert answer["data"] == {"found": None}
    (failed,) = answer["errors"]
    assert failed["extensions"]["code"] == "UNKNOWN_NAME"
    assert "nearest" in failed["extensions"]
