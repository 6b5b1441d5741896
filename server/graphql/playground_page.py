"""The page of GraphQL, where it is built: an installation builds it, a bare checkout has none."""

from pathlib import Path

FOLDER = Path(__file__).parents[1] / "playground" / "dist"


def index() -> Path:
    """Return where the page is."""
    return FOLDER / "index.html"


def assets() -> Path:
    """Return where the files are that the page loads."""
    return FOLDER / "assets"


def is_built() -> bool:
    """Return whether there is a page."""
    return index().is_file()
