"""Decisions in browsers: forms that write what `stemma decide` writes, and a page to undo them."""

import logging
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from http import HTTPStatus
from itertools import count
from urllib.parse import urlencode, urlsplit

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from stemma.graph import Reader, Store, StoreError
from stemma.graph.reader import spellings
from stemma.schema import Decision, DecisionError, RelationType
from stemma.schema.decision_file import from_json
from stemma.schema.name import entity_id
from stemma.server import deciding
from stemma.server.web import pages
from stemma.server.web.linked_data.responses import page_endpoint

_ID = re.compile(r"(?:entity|paper)/[a-z0-9-]+")
_RELATION = re.compile(rf"(?<= )(?:{'|'.join(RelationType)})(?= )")
_FORGED = "This form was not sent from a page of this server: open the page, and decide there."
_log = logging.getLogger(__name__)


def decision_routes(store: Store) -> list[Route]:
    """Return the routes by which visitors decide. To be served only where that is allowed."""

    def listed(request: Request, _: Reader) -> Response:
        return _page(store, request.query_params)

    async def decide(request: Request) -> Response:
        sent = QueryParams((await request.body()).decode("utf-8", "replace"))
        return await run_in_threadpool(_carry_out, store, sent, _is_from_here(request))

    return [
        Route("/decisions", page_endpoint(store, listed), methods=["GET"]),
        Route("/decisions", decide, methods=["POST"]),
    ]


def _carry_out(store: Store, sent: QueryParams, is_from_here: bool) -> Response:
    """Record what a form decides, and redirect to the page with the result."""
    if not is_from_here:
        return _page(store, sent, _FORGED, HTTPStatus.FORBIDDEN)
    try:
        made = {}
        if sent.get("action") == "undo":
            number = sent.get("number", "")
            undone = deciding.undo(store, int(number) if number.isdecimal() else 0)
            with store.snapshot() as reader:
                made["undone"] = in_words(reader, [undone.decision])[0]
        elif sent.get("action") == "apply":
            deciding.apply(store)
        else:
            with store.snapshot() as reader:
                decisions = _decisions(reader, sent)
            for decision in decisions:
                made["made"] = str(deciding.decide(store, decision).number)
    except deciding.DoubtfulError as error:
        return _page(store, sent, str(error), HTTPStatus.CONFLICT, again=sent)
    except (ValueError, LookupError) as error:
        return _page(store, sent, str(error), HTTPStatus.BAD_REQUEST)
    except StoreError as error:
        _log.error("a decision could not be written: %s", error)
        busy = "The graph cannot be written now. Try again later."
        return _page(store, sent, busy, HTTPStatus.SERVICE_UNAVAILABLE)
    query = urlencode({**made, "back": _back(sent.get("back", ""))}, safe="/")
    return RedirectResponse(f"/decisions?{query}", HTTPStatus.SEE_OTHER)


def _page(
    store: Store,
    asked: Mapping[str, str],
    problem: str = "",
    status: HTTPStatus = HTTPStatus.OK,
    again: Mapping[str, str] | None = None,
) -> Response:
    """Show the decisions, and a problem with one; `again` can be repeated by force."""
    try:
        decisions = store.decisions.read()
    except DecisionError as error:
        decisions, problem = (), str(error)
    with store.snapshot() as reader:
        words = in_words(reader, decisions)
    body = pages.render(
        "decisions.html",
        decisions=[*zip(count(1), words, decisions, strict=False)],
        is_outdated=store.lacks_decisions(),
        unapplied=store.unapplied(),
        made=asked.get("made", ""),
        undone=asked.get("undone", ""),
        back=_back(asked.get("back", "")),
        problem=problem,
        again=again,
    )
    return HTMLResponse(body, status, {"cache-control": "no-store"})


def _is_from_here(request: Request) -> bool:
    """Return whether a page of ours sent a form (CSRF): browsers say where requests come from."""
    # They send it to addresses that they trust: https, and this machine.
    site = request.headers.get("sec-fetch-site")
    if site is not None:
        return site == "same-origin"
    origin = request.headers.get("origin", "")
    return bool(origin) and urlsplit(origin).netloc == request.headers.get("host", "")


def _decisions(reader: Reader, form: Mapping[str, str]) -> list[Decision]:
    """Return what a form decides: it has the keys of the file, and in `of` what its verb is about.

    Raises LookupError, or ValueError as DecisionError is one.
    """
    texts = {name: text for name, value in form.items() if (text := value.strip())}
    others = {name: texts.pop(name, "") for name in ("action", "of", "into", "back", "force")}
    table: dict[str, object] = {**texts}
    if "papers" in texts:
        table["papers"] = [each for each in texts["papers"].splitlines() if each.strip()]
    verb, of = others["action"], others["of"]
    table[verb] = [others["into"], of] if verb == "merge" else of
    return deciding.resolved(reader, from_json(table), force=others["force"] == "true")


def _back(address: str) -> str:
    """Return an address of ours, or else none: no form leads elsewhere."""
    # Browsers read a backslash as a slash, and two as the beginning of a host.
    is_ours = address.startswith("/") and not address.startswith(("//", "/\\"))
    return address if is_ours and address.isprintable() else ""


def in_words(reader: Reader, decisions: Sequence[Decision]) -> list[str]:
    """Return what decisions say: "reject “Quill on silver” builds on “Ink”".

    Works are called as they were when they got their ids, as far as they still have the name.
    """
    texts = [
        _RELATION.sub(lambda match: RelationType(match[0]).words, str(decision))
        for decision in decisions
    ]

    @cache
    def named(id_: str) -> str:
        with suppress(LookupError):
            (work,) = reader.works([reader.resolve(id_)]).values()
            names = spellings(work)
            return next((each for each in names if entity_id(each) == id_), names[0])
        return id_.partition("/")[2].replace("-", " ")

    return [_ID.sub(lambda match: f"“{named(match[0])}”", text) for text in texts]
