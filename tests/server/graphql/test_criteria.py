"""Papers and entities by what papers state, and the edges that lead there: arguments of GraphQL."""


def test_papers_meet_all_criteria_and_edges_say_by_what(data):
    query = """{ papers(all: [{entity: "GPU", relations: [RUNS_ON], includeNarrower: true}],
      first: 100) { totalCount edges { node { id }
        statements { relation subject { id } entity { id kind } } } } }"""
    found = data(query)["papers"]
    assert found["totalCount"] == len(found["edges"])
    said = [(edge, each) for edge in found["edges"] for each in edge["statements"]]
    assert {each["relation"] for _, each in said} == {"RUNS_ON"}
    assert {each["entity"]["kind"] for _, each in said} == {"HARDWARE"}
    assert len({each["entity"]["id"] for _, each in said}) > 1
    assert all(each["subject"] == edge["node"] for edge, each in said)


def test_a_criterion_may_exclude_papers_or_name_several_entities(data):
    found = data("""{ all: papers(first: 100) { nodes { id } }
      either: papers(all: [{entity: "NVIDIA A100", or: ["NVIDIA H100"]}], first: 100) {
        nodes { id } }
      neither: papers(all: [{entity: "NVIDIA A100", or: ["NVIDIA H100"], not: true}], first: 100) {
        nodes { id } } }""")
    ids = {name: {each["id"] for each in page["nodes"]} for name, page in found.items()}
    assert ids["either"] | ids["neither"] == ids["all"]
    assert not ids["either"] & ids["neither"]


def test_entities_are_found_by_what_papers_state_and_by_what_is_broader(data):
    found = data("""{
      entitiesWhere(all: [{entity: "LoRA", relations: [USES, BUILDS_ON]}], kinds: [MODEL],
        relations: [EVALUATED_ON], general: false) {
          totalCount edges { paperCount node { kind general } statements { paper { id } } } }
      gpus: entities(broader: "GPU", first: 100) { nodes { id broader { id } narrower { id } } }
      used: entitiesWhere(all: [], relations: [RUNS_ON], broader: "entity/gpu", first: 100) {
        nodes { id } } }""")
    stated = found["entitiesWhere"]
    assert stated["totalCount"] == len(stated["edges"]) > 0
    assert {tuple(edge["node"].values()) for edge in stated["edges"]} == {("MODEL", False)}
    for edge in stated["edges"]:
        assert edge["paperCount"] == len({each["paper"]["id"] for each in edge["statements"]})
    gpus = {each["id"] for each in found["gpus"]["nodes"]}
    assert {"entity/nvidia-a100", "entity/nvidia-gpu"} <= gpus
    assert not {"entity/gpu", "entity/tpu-v4"} & gpus
    for each in found["gpus"]["nodes"]:
        assert {above["id"] for above in each["broader"]} & {"entity/gpu", *gpus}
        assert {below["id"] for below in each["narrower"]} <= gpus
    assert set() < {each["id"] for each in found["used"]["nodes"]} < gpus
