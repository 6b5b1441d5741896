"""Persisted queries: Apollo's protocol, by GET and POST."""

import json
from hashlib import sha256
from http import HTTPStatus
from typing import Any

import httpx
import pytest
from strawberry.http import GraphQLRequestData

from stemma.server.graphql.persisted import PersistedQueries

QUERY = "query Count($name: String!) { statistics { papers } entity(name: $name) { id } }"


def by_hash(query: str) -> dict[str, Any]:
    return {"persistedQuery": {"version": 1, "sha256Hash": sha256(query.encode()).hexdigest()}}


def test_a_query_is_sent_once_and_then_its_hash(client: httpx.Client) -> None:
    asked = {"extensions": by_hash(QUERY), "variables": {"name": "Fuyou"}}
    first = client.post("/graphql", json=asked)
    assert first.status_code == HTTPStatus.OK
    (error,) = first.json()["errors"]
    assert error["message"] == "PersistedQueryNotFound"
    assert error["extensions"]["code"] == "PERSISTED_QUERY_NOT_FOUND"
    second = client.post("/graphql", json={**asked, "query": QUERY}).json()
    assert second["data"]["entity"] == {"id": "entity/fuyou"}
    assert client.post("/graphql", json=asked).json() == second
    in_address = {name: json.dumps(value) for name, value in asked.items()}
    third = client.get("/graphql", params=in_address)
    assert third.json() == second
    tag = {"if-none-match": third.headers["etag"]}
    kept = client.get("/graphql", params=in_address, headers=tag)
    assert kept.status_code == HTTPStatus.NOT_MODIFIED


def test_each_operation_of_a_batch_may_be_one(client: httpx.Client) -> None:
    query = "{ statistics { entities } }"
    client.post("/graphql", json={"query": query, "extensions": by_hash(query)})
    known, unknown = client.post(
        "/graphql", json=[{"extensions": by_hash(query)}, {"extensions": by_hash("{ x }")}]
    ).json()
    assert known["data"]["statistics"]["entities"] > 0
    assert unknown["errors"][0]["extensions"]["code"] == "PERSISTED_QUERY_NOT_FOUND"


def test_a_hash_of_another_query_is_refused(client: httpx.Client) -> None:
    response = client.post("/graphql", json={"query": QUERY, "extensions": by_hash("{ x }")})
    assert response.status_code == HTTPStatus.BAD_REQUEST
    assert "sha256Hash" in response.text


@pytest.mark.parametrize(
    "persisted", [None, 5, [], {}, {"version": 2, "sha256Hash": "x"}, {"version": 1}]
)
def test_an_invalid_hash_is_not_a_query(client: httpx.Client, persisted: object) -> None:
    response = client.post("/graphql", json={"extensions": {"persistedQuery": persisted}})
    assert response.status_code == HTTPStatus.BAD_REQUEST


def test_those_used_last_are_kept() -> None:
    persisted = PersistedQueries()

    def knows(query: str | None, hash_of: str) -> bool:
        data = GraphQLRequestData(query, None, None, by_hash(hash_of))
        persisted.resolve(data)
        return data.query is not None

    for number in range(1000):
        assert knows(f"{{ a{number} }}", f"{{ a{number} }}")
    assert knows(None, "{ a0 }")
    assert knows("{ new }", "{ new }")
    assert knows(None, "{ a0 }")
    assert not knows(None, "{ a1 }")
