"""What tests of all rooms share."""

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def shared() -> Path:
    """Listings, corpora and gold annotations that are not part of the project."""
    beside = Path(__file__).resolve().parents[2] / "shared"
    folder = Path(os.environ.get("STEMMA_SHARED") or beside)
    if not folder.is_dir():
        pytest.skip(f"no shared data: set STEMMA_SHARED, or put it at {beside}")
    return folder
