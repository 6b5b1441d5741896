"""What the command line finds and shows: searches, all of one work, and an analysis of all."""

import json

from asked import by_graphql
from command import answer, stemma
from requested import requested_fields
from stemma import Stemma
from stemma.graph.searching import search
from stemma.graph.selection import Selection
from stemma.schema import EntityKind
from stemma.server.views.analysis import AnalysisView


def names(listed: list[dict[str, str]]) -> set[str]:
    return {each["name"] for each in listed}


def test_an_entity_has_its_lineage_both_ways_and_what_its_paper_names(example_store):
    found = json.loads(answer("show", "ZeRO-Infinity", "-s", example_store, "-f", "json"))
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


# Searches page by page, and names that are misspelt.


def test_where_nothing_matches_what_is_spelt_alike_is_found(reader):
    found = search(reader, "zero infnity")
    assert found.alike
    assert found.items[0].name == "ZeRO-Infinity"
    for text, selection in (
        *((each, Selection()) for each in ("nope", "zzzzzz", "Microsft Research", "?")),
        ("zero infnity", Selection(kinds=(EntityKind.HARDWARE,))),
    ):
        found = search(reader, text, selection)
        assert (found.items, found.total) == ((), 0), text


def test_the_command_line_and_python_page_through_what_is_found(graph, example_store):
    found = graph.search("attention", first=3)
    rest = graph.search("attention", first=1000, after=found.end_cursor)
    assert found.total_count == len(found) + len(rest) == 3 + len(rest)
    assert rest.end_cursor is None
    command = ("search", "attention", "-s", example_store)
    printed = stemma(*command, "--first", "3").stderr
    assert f"3 of {found.total_count}" in printed
    assert f"--after {found.end_cursor}" in printed
    data = json.loads(answer(*command, "--all", "-f", "json"))
    assert len(data["nodes"]) == found.total_count


def test_named_works_and_general_terms_are_sought_apart(graph, example_store):
    for option, general in (("--general", True), ("--works", False)):
        command = ("search", "attention", option, "--all", "-f", "json", "-s", example_store)
        works = json.loads(answer(*command))["nodes"]
        assert {each["general"] for each in works} == {general}
        found = graph.search("attention", first=1000, general=general)
        assert [each.id for each in found] == [each["id"] for each in works]
    command = ("search", "--kind", "dataset", "--since", "2018", "-f", "json", "-s", example_store)
    assert {each["kind"] for each in json.loads(answer(*command))["nodes"]} == {"DATASET"}


def test_people_and_programs_get_the_same_analysis(example_store, client, graph):
    command = ("analyse", "-s", example_store, "--no-catalogue")
    found = json.loads(answer(*command, "-f", "json"))
    query = f"{{ analysis(includeCatalogue: false) {requested_fields(AnalysisView)} }}"
    analysed = graph.analyse(include_catalogue=False).to_json()
    assert by_graphql(client, query)["analysis"] == analysed == found
    page = " ".join(answer(*command).split())
    for heading in ("Most influential", "Longest lines", "Communities", "Year by year"):
        assert heading in page
    assert found["influential"][0]["work"]["name"] in page
    assert " → ".join(step[0]["name"] for step in found["linesOfDescent"][0]["steps"]) in page
