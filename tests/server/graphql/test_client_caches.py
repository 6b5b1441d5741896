"""What clients keep answers by: stable ids, and IRIs."""


def test_a_statement_has_one_id_in_every_answer(data):
    found = data("""{
      lineage(of: "ZeRO-Infinity") { edges { statements { id paper { id } relation } } }
      entity(name: "Fuyou") { introducedBy { id statements { nodes { id } } } }
    }""")
    (paper,) = found["entity"]["introducedBy"]
    of_edges = [each for edge in found["lineage"]["edges"] for each in edge["statements"]]
    fuyou = [each for each in of_edges if each["paper"] == {"id": paper["id"]}]
    assert fuyou
    for each in fuyou:
        relation = each["relation"].lower().replace("_", "-")
        assert each["id"] == f"statement/{each['paper']['id']}/{relation}/entity/zero-infinity"
        assert {"id": each["id"]} in paper["statements"]["nodes"]


def test_an_edge_that_is_filtered_is_another_edge(data):
    found = data("""{
      whole: lineage(of: "ZeRO-Infinity") { edges { id child { id } parent { id } } }
      sure: lineage(of: "ZeRO-Infinity", minConfidence: 0.5) { edges { id } }
      path(from: "Fuyou", to: "ZeRO-Infinity") { id }
    }""")
    whole = [each["id"] for each in found["whole"]["edges"]]
    assert "edge/entity/fuyou/entity/zero-infinity" in whole
    assert len(whole) == len(set(whole))
    assert found["path"] == [{"id": "edge/entity/fuyou/entity/zero-infinity"}]
    assert {"id": "edge/entity/fuyou/entity/zero-infinity?minConfidence=0.5"} in found["sure"][
        "edges"
    ]


def test_works_have_an_iri_and_a_date(data, reader):
    found = data("""{ lineage(of: "ZeRO-Infinity") {
      root { id iri published } nodes { work { published } } } }""")["lineage"]
    base = reader.dataset.base
    assert found["root"]["iri"] == f"{base}entity/zero-infinity"
    assert found["root"]["published"].startswith("2021")
    assert all(each["work"]["published"] for each in found["nodes"])
