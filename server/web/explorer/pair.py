"""Views of two works ask for those that the address leaves out."""

from dataclasses import dataclass
from http import HTTPStatus
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from stemma.graph import AmbiguousNameError, Reader, UnknownNameError, Work
from stemma.graph.searching import works_called
from stemma.server.views.notes import asked_as
from stemma.server.web import pages
from stemma.server.web.linked_data.responses import PAGE, preferred_type

_TITLES = {"compare": "Compare two works", "path": "The path between two works"}


@dataclass(frozen=True, slots=True)
class Misnamed:
    """A name that does not lead to one work, and works that may be meant, with what asks for them.

    `problem` says why it does not.
    """

    problem: str
    instead: list[tuple[str, Work]]


def choose_pair(
    request: Request, reader: Reader, view: str, names: tuple[str, str]
) -> tuple[str, str] | Response:
    """Return the ids of two works, or a page that asks for those that are not given or not known.

    `names` are those of the parameters. Raises UnknownNameError or AmbiguousNameError where no page
    is asked for.
    """
    given = {name: request.query_params.get(name, "").strip() for name in names}
    ids: dict[str, str] = {}
    misnamed = list[Misnamed]()
    status = HTTPStatus.OK
    for name, text in given.items():
        if not text:
            continue
        try:
            ids[name] = reader.resolve(text)
        except (UnknownNameError, AmbiguousNameError) as error:
            if request.url.path != f"/{view}" or preferred_type(request, page=True) != PAGE:
                raise
            misnamed.append(_misnamed(request, reader, name, error))
            status = HTTPStatus.NOT_FOUND
    if len(ids) == len(names):
        return ids[names[0]], ids[names[1]]
    works = reader.works(ids.values())
    body = pages.render(
        "pair.html",
        title=_TITLES[view],
        action=f"/{view}",
        names=names,
        chosen=given | {name: asked_as(reader, works[id_]) for name, id_ in ids.items()},
        misnamed=misnamed,
    )
    return HTMLResponse(body, status)


def _misnamed(
    request: Request, reader: Reader, name: str, error: UnknownNameError | AmbiguousNameError
) -> Misnamed:
    if isinstance(error, AmbiguousNameError):
        problem, works = f"{error.name} is the name of several works.", list(error.candidates)
    else:
        problem = f"Nothing in this graph is called “{error.name}”."
        works = works_called(reader, error.nearest)
    others = dict(request.query_params)
    asked = ({**others, name: asked_as(reader, each)} for each in works)
    return Misnamed(
        problem, [(urlencode(one, safe="/"), work) for one, work in zip(asked, works, strict=True)]
    )
