"""A server says whether it lives, and whether it can answer."""

import shutil

from asked import client_of


def test_without_its_store_it_lives_and_is_not_ready(example_store, tmp_path):
    store = tmp_path / "stemma.db"
    shutil.copyfile(example_store, store)
    client = client_of(str(store))
    assert client.get("/ready").json()["papers"] > 0

    away = store.rename(tmp_path / "away.db")
    lost = client.get("/ready")
    assert lost.status_code == 503
    assert lost.headers["retry-after"]
    assert str(tmp_path) not in lost.text
    assert client.get("/health").status_code == 200
    assert "stemma_store_up 0.0" in client.get("/metrics").text

    away.rename(store)
    assert client.get("/ready").json()["status"] == "ready"


def test_it_says_what_it_is_ready_to_answer_from(client):
    query = "{statistics{papers entities statements generation}}"
    found = client.get("/graphql", params={"query": query}).json()["data"]["statistics"]
    assert client.get("/ready").json() == {"status": "ready", **found}


def test_what_they_say_is_never_kept(client):
    for path in ("/health", "/ready", "/metrics"):
        assert client.get(path).headers["cache-control"] == "no-store"
