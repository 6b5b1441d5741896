"""Failures: what a driver's errors mean, in a sentence that says what to do."""

import ssl
from collections.abc import Iterator
from contextlib import contextmanager

from neo4j.exceptions import (
    AuthError,
    DriverError,
    Neo4jError,
    ServiceUnavailable,
    SessionExpired,
    TransientError,
    UnsupportedServerProduct,
)

from stemma.graph.neo4j.address import Address
from stemma.graph.store import StoreError
from stemma.schema import DecisionError

_READ_ONLY = frozenset(
    {
        "Neo.ClientError.General.ForbiddenOnReadOnlyDatabase",
        "Neo.ClientError.General.WriteOnReadOnlyAccessDatabase",
        "Neo.ClientError.Cluster.NotALeader",
    }
)
_NO_DATABASE = frozenset(
    {
        "Neo.ClientError.Database.DatabaseNotFound",
        "Neo.ClientError.Database.IllegalDatabaseName",
    }
)
TOO_SLOW = frozenset(
    {
        "Neo.ClientError.Transaction.TransactionTimedOut",
        "Neo.ClientError.Transaction.TransactionTimedOutClientConfiguration",
        "Neo.ClientError.Transaction.LockClientStopped",  # It waited for a lock for too long.
    }
)


@contextmanager
def store_errors(address: Address) -> Iterator[None]:
    """Turn what a driver raises into StoreError."""
    try:
        yield
    except (Neo4jError, DriverError) as error:
        raise StoreError(_sentence(error, address)) from error
    except (ValueError, OSError) as error:
        if isinstance(error, UnicodeError | DecisionError):
            raise
        raise StoreError(f"{address} cannot be reached: {error}") from error


def _sentence(error: Neo4jError | DriverError, address: Address) -> str:
    if isinstance(error, AuthError):
        return _unauthorised(error, address)
    if isinstance(error, Neo4jError):
        return _refused(error, address)
    if isinstance(error, UnsupportedServerProduct):
        return f"{address} is not a Neo4j server that Stemma supports: {error}"
    if isinstance(error, ServiceUnavailable | SessionExpired):
        return _unavailable(error, address)
    return f"{address} cannot be used: {error}"


def _refused(error: Neo4jError, address: Address) -> str:
    code = error.code or ""
    if code in _NO_DATABASE:
        return (
            f"The server at {address.server} has no database {address.database!r}. Community has "
            "one, neo4j: leave out --database and NEO4J_DATABASE."
        )
    if code in _READ_ONLY or "read-only" in (error.message or ""):
        return (
            f"The database at {address} is read-only: write to another one, or have its "
            "administrator allow it (server.databases.read_only, "
            "server.databases.default_to_read_only)."
        )
    if code in TOO_SLOW:
        return f"{address} took too long: {error.message}"
    if "Security" in code:
        return f"{address} does not allow this to the user {address.user}: {error.message}"
    if isinstance(error, TransientError):
        return f"{address} failed, even after several attempts: {error.message}"
    return f"{address} answers: {error.message} ({code})"


def _unauthorised(error: AuthError, address: Address) -> str:
    if (error.code or "").endswith("AuthenticationRateLimit"):
        return f"{address} was sent too many wrong passwords: wait a few seconds, then try again."
    if (error.code or "").endswith("CredentialsExpired"):
        return f"The password of {address.user} at {address} has expired: choose a new one first."
    if not address.user or not address.password:
        return (
            f"{address} requires a user and a password: set NEO4J_USERNAME and NEO4J_PASSWORD, "
            "or write them into the URL, as in neo4j://user:password@host:7687."
        )
    return f"{address} does not accept user {address.user} with this password."


def _unavailable(error: BaseException, address: Address) -> str:
    reason: BaseException | None = error
    while reason:
        if isinstance(reason, ssl.SSLCertVerificationError):
            return (
                f"The certificate of {address} cannot be verified: {reason.verify_message}. For "
                "a self-signed certificate, write neo4j+ssc:// or bolt+ssc://."
            )
        if isinstance(reason, ssl.SSLError):
            return (
                f"{address} does not use TLS: write neo4j:// or bolt://, or enable TLS there "
                "(server.bolt.tls_level)."
            )
        reason = reason.__cause__ or reason.__context__
    first = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
    return f"No Neo4j server answers at {address}: start it, or check the address. ({first})"
