"""Searches page by page, and names that are misspelt."""

import json

from command import answer, stemma
from stemma.graph.searching import nearest_works, search
from stemma.graph.selection import Selection
from stemma.schema import EntityKind


def test_where_nothing_matches_what_is_spelt_alike_is_found(reader):
    found = search(reader, "zero infnity")
    assert found.alike
    assert found.works[0].name == "ZeRO-Infinity"
    assert search(reader, "zero infnity", Selection(kinds=(EntityKind.HARDWARE,))).works == ()
    assert [work.name for work in nearest_works(reader, "zero infinity")] == ["ZeRO-Infinity"]


def test_where_nothing_is_near_nothing_is_found(reader):
    for text in ("nope", "zzzzzz", "best", "Microsft Research", "?", ""):
        found = search(reader, text)
        assert (found.works, found.total) == ((), 0), text


def test_the_command_line_and_python_page_through_what_is_found(graph, example_store):
    found = graph.search("attention", first=3)
    rest = graph.search("attention", first=1000, after=found.end_cursor)
    assert len(found) == 3
    assert found.total_count == 3 + len(rest)
    assert rest.end_cursor is None
    assert graph.search("zero infnity").alike
    command = ("search", "attention", "-s", example_store)
    printed = stemma(*command, "--first", "3").stderr
    assert f"3 of {found.total_count}" in printed
    assert f"--after {found.end_cursor}" in printed
    data = json.loads(answer(*command, "--all", "-f", "json"))
    assert len(data["nodes"]) == found.total_count
    lineage = stemma("lineage", "Transformer", "-s", example_store, "--first", "3").stderr
    end = graph.lineage("Transformer", first=3).end_cursor
    assert f"--after {end}" in lineage
    every = answer("lineage", "Transformer", "-s", example_store, "--all", "-f", "json")
    assert json.loads(every)["endCursor"] is None


def test_named_works_and_general_terms_are_sought_apart(graph, example_store):
    for option, general in (("--general", True), ("--works", False)):
        command = ("search", "attention", option, "--all", "-f", "json", "-s", example_store)
        works = json.loads(answer(*command))["nodes"]
        assert {each["general"] for each in works} == {general}
        found = graph.search("attention", first=1000, general=general)
        assert [each.id for each in found] == [each["id"] for each in works]
