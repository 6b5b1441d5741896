"""Views of two works ask for those that the address leaves out."""

from functools import partial

from starlette.responses import HTMLResponse, Response

from stemma.graph import LineageDirection, Reader
from stemma.server import pages
from stemma.server.presentation.notes import asked_as, count_papers

_EXAMPLES, _LOOKED_AT = 6, 20
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
        examples=_examples(reader),
    )
    return HTMLResponse(body)


def _examples(reader: Reader) -> list[list[tuple[str, str]]]:
    """Return works that many build on, after the one of these that most papers name, as far as
    they are looked at: how each is asked for, its name."""
    parents = list(reader.most_derived(_EXAMPLES))
    children = reader.neighbours(parents, LineageDirection.DESCENDANTS)
    pairs = [
        (max(children[each][:_LOOKED_AT], key=partial(count_papers, reader)), each)
        for each in parents
        if children.get(each)
    ]
    works = reader.works({id_ for pair in pairs for id_ in pair})
    return [[(asked_as(reader, works[id_]), works[id_].name) for id_ in pair] for pair in pairs]
