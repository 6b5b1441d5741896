"""Apache Jena's parser, where it can be had."""

import os
from collections.abc import Callable

import pytest

import riot
from kept import UnavailableError
from maven import jars


@pytest.fixture(scope="session")
def riot_complains() -> Callable[..., str]:
    """What riot has to say against files; skip, or fail where it must be, if there is no riot."""
    try:
        jars(riot.POM)
    except UnavailableError as error:
        if os.environ.get("STEMMA_REQUIRE_JENA") == "1":
            pytest.fail(f"STEMMA_REQUIRE_JENA is set, and there is no Jena: {error}")
        pytest.skip(f"no Apache Jena: {error}")
    return riot.complaints
