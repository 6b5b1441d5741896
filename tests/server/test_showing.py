"""`stemma show`: all that is known of one work."""

import json
import re
from typing import Any

import pytest

from command import answer
from stemma import Stemma


def show(store: str, *arguments: str) -> str:
    return answer("show", *arguments, "-s", store)


def data(store: str, name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(show(store, name, "-f", "json"))
    return found


def names(listed: list[dict[str, str]]) -> set[str]:
    return {each["name"] for each in listed}


def test_an_entity_has_its_lineage_both_ways_and_what_its_paper_names(example_store):
    found = data(example_store, "ZeRO-Infinity")
    with Stemma(example_store) as graph:
        for field, direction in (("builtOnBy", "descendants"), ("buildsOn", "ancestors")):
            edges = graph.lineage("ZeRO-Infinity", direction, max_depth=1).edges
            ends = {(each.child.id, each.parent.id) for each in edges}
            near = {pair for pair in ends if "entity/zero-infinity" in pair}
            assert near
            assert {(each["child"]["id"], each["parent"]["id"]) for each in found[field]} == near
        assert found["work"]["published"] == str(
            graph.paper(found["introducedBy"][0]["id"]).published
        )
        papers = {each["id"] for each in found["introducedBy"]}
        of_papers = [said for paper in papers for said in graph.statements(paper)]
    hardware = {each.entity.name for each in of_papers if each.relation == "RUNS_ON"}
    assert hardware <= names(found["hardware"])
    baselines = {each.entity.name for each in of_papers if each.relation == "COMPARES_WITH"}
    assert names(found["baselines"]) == baselines


@pytest.mark.parametrize("name", ["Fuyou", "FlashAttention-3"])
def test_what_is_known_is_printed(example_store, name):
    found, shown = data(example_store, name), show(example_store, name, "--all")
    printed = " ".join(shown.split())
    for part in ("introducedBy", "hardware", "datasets", "baselines", "techniques"):
        for each in names(found[part]):
            assert each in printed
    assert f"{name} (" in printed
    assert found["work"]["published"] in printed
    assert re.search(r"^builds on +\w.*: ", shown, re.M)


def test_statements_come_page_by_page(example_store):
    total = len(data(example_store, "GPU")["statements"])
    assert total > 20
    assert f"20 of {total} statements; there are more (--after 20" in show(example_store, "GPU")
    last = show(example_store, "GPU", "--after", str(total - 1))
    assert last.count("  “") <= 1
    assert "there are more" not in last
    assert "there are more" not in show(example_store, "GPU", "--all")


def test_a_mere_mention_has_no_confidence(example_store):
    with Stemma(example_store) as graph:
        said = [each for paper in graph.papers() for each in graph.statements(paper.id)]
    mention = next(each for each in said if each.relation == "MENTIONS")
    printed = " ".join(show(example_store, mention.subject.id).split())
    assert f" mentions {mention.entity} “" in printed
    other = next(each for each in said if each.relation == "USES")
    printed = " ".join(show(example_store, other.subject.id).split())
    assert f" uses {other.entity} {other.confidence:.2f} “" in printed
