"""Requests by HTTP: what is no request at all, and time."""

import gc
import json
from typing import Any

import pytest

from stemma.server.graphql.objects import Placed

STATISTICS = {"query": "{ statistics { papers } }"}


def test_what_an_answer_shows_does_not_wait_for_the_garbage_collector(client):
    query = """{ lineage(of: "LoRA") { nodes { work { id published } }
      edges { child { id } statements { paper { id } evidence { text } } } } }"""
    gc.collect()
    gc.disable()
    try:
        answer = client.post("/graphql", json={"query": query}).json()
        left = [each for each in gc.get_objects() if issubclass(type(each), Placed)]
    finally:
        gc.enable()
    assert answer["data"]["lineage"]["edges"]
    assert left == []


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"", "JSON"),
        (b"{", "JSON"),
        (b'{"query": "\xc3\x28"}', "JSON"),
        (b'{"query": "{ __typename }"}}', "JSON"),
        (b"[" * 100_000, "JSON"),
        (b'{"variables": {"a": ' + b"9" * 10_000 + b"}}", "JSON"),
        (b"null", "object"),
        (b"[]", "Batching"),
        (b'{"query": 5}', "`query`"),
        (b'{"query": "{ __typename }", "variables": []}', "`variables`"),
        (b'{"query": "{ __typename }", "operationName": {}}', "`operationName`"),
        (b'{"query": "{ __typename }", "extensions": "none"}', "`extensions`"),
        (b"{}", "no query"),
        (b'{"extensions": {"persistedQuery": {}}}', "PersistedQueryNotSupported"),
        (json.dumps([STATISTICS] * 2).encode(), "Batching"),
        (b'{"query": "query a { __typename }", "operationName": "b"}', ""),
        (b'{"query": "query a { __typename } query b { __typename }"}', "`operationName`"),
        (b'{"query": "mutation { __typename }"}', "`stemma decide`"),
        (b'{"query": "subscription { __typename }"}', "`changes`"),
        (b'{"query": "fragment a on Query { __typename }"}', ""),
    ],
)
def test_an_invalid_request_is_reported(client, body, reason):
    response = client.post("/graphql", content=body, headers={"content-type": "application/json"})
    errors: list[dict[str, Any]] = response.json()["errors"]
    assert response.status_code in (200, 400)
    assert reason in errors[0]["message"]
    assert errors[0]["extensions"]["code"]


def test_clients_learn_that_they_have_to_send_a_persisted_query(client):
    answer = client.get("/graphql", params={"extensions": '{"persistedQuery": {}}'}).json()
    assert answer["errors"][0]["extensions"]["code"] == "PERSISTED_QUERY_NOT_SUPPORTED"


def test_of_several_operations_the_named_one_is_answered(client):
    request = {"query": "query a { one: __typename } query b { two: __typename }"}
    answer = client.post("/graphql", json={**request, "operationName": "b"}).json()
    assert answer == {"data": {"two": "Query"}}


def test_a_query_that_fails_in_part_has_status_200_and_one_that_is_invalid_400(client):
    def ask(query, accept="application/graphql-response+json"):
        return client.get("/graphql", params={"query": query}, headers={"accept": accept})

    partly = ask('{ statistics { papers } lineage(of: "Nowhere") { totalCount } }')
    assert (partly.status_code, partly.json()["data"]["lineage"]) == (200, None)
    invalid = ask("{ nothing }")
    assert (invalid.status_code, "data" in invalid.json()) == (400, False)
    # As it always was, for clients that do not know the new media type.
    assert ask("{ nothing }", "application/json").status_code == 200
