"""Views of two works ask for those that the address leaves out."""

from starlette.responses import HTMLResponse, Response

from stemma.graph import Reader
from stemma.server import pages
from stemma.server.presentation.notes import asked_as

_TITLES = {"compare": "Compare two works", "path": "The path between two works"}


def choose_pair(
    reader: Reader, one: str | None, other: str | None, view: str, names: tuple[str, str]
) -> tuple[str, str] | Response:
    """Return the ids of two works, or where one of them is not given a page that asks for it.

    Raises UnknownNameError or AmbiguousNameError.
    """
    if one and other:
        return reader.resolve(one), reader.resolve(other)
    chosen = {
        name: asked_as(reader, reader.works([id_])[id_])
        for name, text in zip(names, (one, other), strict=True)
        if text and (id_ := reader.resolve(text))
    }
    body = pages.render(
        "pair.html",
        title=_TITLES[view],
        action=f"/{view}",
        names=names,
        chosen=chosen,
    )
    return HTMLResponse(body)
