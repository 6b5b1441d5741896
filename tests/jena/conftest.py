"""Apache Jena's parser, where it can be had."""

from collections.abc import Callable

import pytest

import riot
from kept import needed
from maven import jars


@pytest.fixture(scope="session")
def riot_complains() -> Callable[..., str]:
    """What riot has to say against files; skip, or fail where it must be, if there is no riot."""
    with needed("JENA"):
        jars(riot.POM)
    return riot.complaints
