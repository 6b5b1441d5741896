"""Decisions in browsers: forms that write what `stemma decide` writes, and a page to undo them."""

import logging
import re
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from urllib.parse import parse_qsl, urlencode

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from stemma.graph import Reader, Store, StoreError
from stemma.schema import Decision, DecisionError, EntityKind, RelationType
from stemma.server import deciding
from stemma.server.http.forgery import FIELD, form_token, is_forged, remember
from stemma.server.sparql.format import content_type
from stemma.server.web import pages
from stemma.server.web.linked_data.responses import PAGE, page_endpoint

_MOST_FIELDS = 20
_ID = re.compile(r"(?:entity|paper)/([a-z0-9-]+)")
_RELATION = re.compile(rf" ({'|'.join(RelationType)}) ")
_log = logging.getLogger(__name__)
Form = Mapping[str, str]


class Decisions:
    """Lets visitors decide about `store`. To be served only where that is allowed."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def routes(self) -> list[Route]:
        return [
            Route("/decisions", page_endpoint(self._store, self._list), methods=["GET"]),
            Route("/decisions", self._decide, methods=["POST"]),
        ]

    def _list(self, request: Request, reader: Reader) -> Response:
        """List all decisions, each with a button that undoes it."""
        return self._page(request)

    async def _decide(self, request: Request) -> Response:
        body = (await request.body()).decode("utf-8", "replace")
        try:
            form = dict(parse_qsl(body, keep_blank_values=True, max_num_fields=_MOST_FIELDS))
        except ValueError as error:
            return self._page(request, str(error), status=HTTPStatus.BAD_REQUEST)
        return await run_in_threadpool(self._carry_out, request, form)

    def _carry_out(self, request: Request, form: Form) -> Response:
        """Record what a form decides, and redirect to the page with the result."""
        if is_forged(request, form.get(FIELD, "")):
            refused = (
                "This form was not sent from a page of this server, or its cookie is missing. "
                "Open the page again and repeat the decision."
            )
            return self._page(request, refused, form, status=HTTPStatus.FORBIDDEN)
        try:
            if form.get("action") == "undo":
                undone = deciding.undo(self._store, _number(form))
                with self._store.snapshot() as reader:
                    made = {"undone": in_words(reader, [undone.decision])[0]}
            else:
                with self._store.snapshot() as reader:
                    decision = _decision(reader, form)
                made = {"made": str(deciding.decide(self._store, decision).number)}
        except deciding.DoubtfulError as error:
            return self._page(request, str(error), form, True, HTTPStatus.CONFLICT)
        except (DecisionError, LookupError) as error:
            return self._page(request, str(error), form, status=HTTPStatus.BAD_REQUEST)
        except StoreError as error:
            _log.error("a decision could not be written: %s", error)
            busy = "The graph cannot be written now. Try again later."
            return self._page(request, busy, form, status=HTTPStatus.SERVICE_UNAVAILABLE)
        query = urlencode({**made, "back": _back(form.get("back", ""))}, safe="/")
        return RedirectResponse(f"/decisions?{query}", HTTPStatus.SEE_OTHER)

    def _page(
        self,
        request: Request,
        problem: str = "",
        form: Form | None = None,
        is_doubtful: bool = False,
        status: HTTPStatus = HTTPStatus.OK,
    ) -> Response:
        """Show the decisions, and a problem with one; a doubtful one can be repeated by force."""
        asked = request.query_params
        made = asked.get("made", "")
        token = form_token(request)
        decisions = self._store.decisions.read()
        with self._store.snapshot() as reader:
            words = in_words(reader, decisions)
        body = pages.render(
            "decisions.html",
            decisions=[
                (number, *each)
                for number, each in enumerate(zip(words, decisions, strict=True), start=1)
            ],
            unapplied=self._store.unapplied(),
            made=int(made) if made.isascii() and made.isdigit() else 0,
            undone=asked.get("undone", ""),
            back=_back((form or asked).get("back", "")),
            problem=problem,
            again={k: v for k, v in (form or {}).items() if k != FIELD} if is_doubtful else None,
            token=token,
        )
        response = Response(body, status, {"cache-control": "no-store"}, content_type(PAGE))
        remember(request, response, token)
        return response


def _decision(reader: Reader, form: Form) -> Decision:
    """Return the decision of a form. Raises LookupError or DecisionError."""
    note = form.get("note", "").strip() or None
    entity = form.get("entity", "")
    forced = form.get("force") == "true"
    match form.get("action"):
        case "confirm":
            return deciding.confirm(reader, form.get("subject", ""), _relation(form), entity, note)
        case "reject":
            return deciding.reject(reader, form.get("subject", ""), _relation(form), entity, note)
        case "merge":
            return deciding.merge(reader, [form.get("into", ""), entity], note, forced)
        case "rename":
            return deciding.rename(reader, entity, form.get("name", "").strip(), note, forced)
        case "kind":
            return deciding.change_kind(reader, entity, _kind(form), note)
        case other:
            raise DecisionError(f"there is no decision {other!r}")


def _relation(form: Form) -> RelationType:
    given = form.get("relation", "")
    if given not in RelationType.__members__:
        raise DecisionError(f"there is no relation {given!r}")
    return RelationType[given]


def _kind(form: Form) -> EntityKind:
    given = form.get("kind", "")
    if given not in [*EntityKind]:
        raise DecisionError(f"there is no kind {given!r}; there are {', '.join(EntityKind)}")
    return EntityKind(given)


def _number(form: Form) -> int:
    given = form.get("number", "")
    if not (given.isascii() and given.isdigit() and len(given) < 9):
        raise DecisionError(f"{given!r} is not the number of a decision")
    return int(given)


def _back(address: str) -> str:
    """Return an address of ours, or else none: no form leads elsewhere."""
    # Browsers read a backslash as a slash, and two as the beginning of a host.
    is_ours = address.startswith("/") and not address.startswith(("//", "/\\"))
    return address if is_ours and address.isprintable() else ""


def in_words(reader: Reader, decisions: Sequence[Decision]) -> list[str]:
    """Return what decisions say: "reject “Quill on silver” builds on “Ink”".

    Works that are not there any more, such as those that were merged, are called as in their ids.
    """
    texts = [str(each) for each in decisions]
    works = reader.works({found[0] for each in texts for found in _ID.finditer(each)})

    def named(found: re.Match[str]) -> str:
        work = works.get(found[0])
        return f"“{work.name if work else found[1].replace('-', ' ')}”"

    def said(found: re.Match[str]) -> str:
        return f" {RelationType(found[1]).words} "

    return [_ID.sub(named, _RELATION.sub(said, each)) for each in texts]
