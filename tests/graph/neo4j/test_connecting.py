"""Connections to Neo4j: addresses, and what is said where one cannot be made."""

import ssl

import neo4j
import pytest
from neo4j.exceptions import ServiceUnavailable

from ports import free_port
from stemma.graph import StoreError, open_store
from stemma.graph.neo4j import Address
from stemma.graph.neo4j import connection as connections


def test_user_password_and_database_come_from_url_or_environment(monkeypatch) -> None:
    for name in ("USERNAME", "PASSWORD", "DATABASE"):
        monkeypatch.delenv(f"NEO4J_{name}", raising=False)
    address = Address.parse("neo4j+s://ada:p%40ss%2F1@graph.example.org:7777/papers")
    assert address == Address("neo4j+s://graph.example.org:7777", "ada", "p@ss/1", "papers")
    assert str(address) == "neo4j+s://graph.example.org:7777/papers"
    assert Address.parse("bolt://[::1]:7687").server == "bolt://[::1]:7687"
    monkeypatch.setenv("NEO4J_USERNAME", "bob")
    monkeypatch.setenv("NEO4J_PASSWORD", "secret")
    monkeypatch.setenv("NEO4J_DATABASE", "other")
    assert Address.parse("bolt://localhost") == Address(
        "bolt://localhost", "bob", "secret", "other"
    )
    assert Address.parse("bolt://localhost/given").database == "given"


@pytest.mark.parametrize("url", ["neo4j://", "bolt://host:port", "bolt+x://h", "bolt://u:a#b@host"])
def test_an_invalid_address_is_rejected(url) -> None:
    with pytest.raises(StoreError, match="write"):
        open_store(url)


def test_what_a_server_refuses(neo4j_url, monkeypatch) -> None:
    monkeypatch.delenv("NEO4J_PASSWORD", raising=False)
    scheme, at = Address.parse(neo4j_url).server.split("://")
    for url, told in (
        (f"{scheme}://neo4j:wrong-password@{at}", "does not accept user neo4j"),
        (f"{scheme}://{at}", "NEO4J_PASSWORD"),
        (f"{neo4j_url}/nowhere", "no database 'nowhere'"),
        (f"{scheme}+s://{at}", "TLS"),
    ):
        with pytest.raises(StoreError, match=told):
            open_store(url).statistics()


def test_a_server_that_is_not_there() -> None:
    with pytest.raises(StoreError, match=r"No Neo4j server answers at bolt://127.0.0.1:\d+"):
        open_store(f"bolt://neo4j:x@127.0.0.1:{free_port()}").statistics()


def test_a_certificate_that_cannot_be_verified(monkeypatch) -> None:
    untrusted = ssl.SSLCertVerificationError()
    untrusted.verify_message = "self-signed certificate"

    def refuse(*_: object, **__: object) -> None:
        raise ServiceUnavailable from untrusted

    monkeypatch.setattr(neo4j.GraphDatabase, "driver", refuse)
    with pytest.raises(StoreError, match=r"self-signed certificate\. For .*\+ssc"):
        open_store("bolt+s://neo4j:x@127.0.0.1").statistics()


@pytest.mark.parametrize("agent", ["Neo4j/5.12.0", "Memgraph/2", "Neo4j/dev"])
def test_a_server_of_another_version(agent) -> None:
    with pytest.raises(StoreError, match=r"needs Neo4j 5\.26 or later"):
        connections._check_version(agent, Address("bolt://host", None, None, None))
