"""Decisions in the browser: the same as `stemma decide` writes, where the server allows them."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import expect

from service import BROWSER
from stemma import Stemma
from stemma.schema import ChangeKind, Confirm, EntityKind, Merge, Reject, RelationType, Split
from stemma.server.settings import Settings

EDGE = "/evidence?child=entity/fuyou&parent=entity/zero-infinity"
PAPER = "paper/adding-nvme-ssds-to-enable-and-accelerate-100b-model-fine-tuning-on-a-single-gpu"
SENTENCE = "ZeRO-Infinity moves those states to NVMe SSDs"
CONFIRM = {
    "action": "confirm",
    "of": PAPER,
    "relation": "IMPROVES_ON",
    "entity": "entity/zero-infinity",
}


@pytest.fixture
def store(example_store, tmp_path) -> str:
    """The path of a store that a test may change."""
    shutil.copyfile(example_store, tmp_path / "stemma.db")
    return str(tmp_path / "stemma.db")


@pytest.fixture
def writable(store, serve) -> Iterator[str]:
    """The URL of a server that lets people decide about `store`."""
    with serve(store, allow_decisions=True) as url:
        yield url


@pytest.fixture
def visitor(writable) -> Iterator[httpx.Client]:
    """Somebody on this server, who has opened the page of an edge."""
    headers = {**BROWSER, "origin": writable}
    with httpx.Client(base_url=writable, headers=headers, timeout=60) as client:
        client.get(EDGE).raise_for_status()
        yield client


def send(visitor: httpx.Client, **form: str) -> httpx.Response:
    return visitor.post("/decisions", data={"back": EDGE, **form})


def decided(store: str) -> list[object]:
    with Stemma(store) as graph:
        return list(graph.decisions())


def test_without_leave_there_is_evidence_and_nothing_to_decide(server_url):
    page = httpx.get(server_url + EDGE, headers=BROWSER)
    assert page.status_code == 200
    assert SENTENCE in re.sub("<[^>]+>", "", page.text)
    entity = httpx.get(f"{server_url}/page/entity/fuyou", headers=BROWSER)
    assert "<form class" not in (page.text + entity.text).replace('<form class="find', "")
    assert "set-cookie" not in page.headers
    assert httpx.get(f"{server_url}/decisions", headers=BROWSER).status_code == 404
    assert httpx.post(f"{server_url}/decisions", data=CONFIRM).status_code == 404


@pytest.mark.parametrize(
    "open_to_others",
    [{"host": "0.0.0.0", "public": True}, {"public": True}, {"allow_host": ("graph.example",)}],
)
def test_others_may_decide_with_a_token_alone(open_to_others):
    with pytest.raises(ValueError, match="--token"):
        Settings(allow_decisions=True, **open_to_others)
    Settings(allow_decisions=True, token="0123456789abcdef", **open_to_others)


def test_forms_write_what_the_command_line_writes_and_undo_takes_it_back(visitor, store):
    forms = [
        CONFIRM,
        {**CONFIRM, "action": "reject", "note": "another machine"},
        {"action": "change_kind", "of": "entity/fuyou", "kind": "technique"},
        {"action": "split", "of": "ZeRO-Infinity", "papers": f"{PAPER}\r\n", "note": "another"},
        {"action": "merge", "of": "entity/fuyou", "into": "Smart-Infinity", "force": "true"},
    ]
    for number, form in enumerate(forms, start=1):
        done = send(visitor, **form)
        assert done.status_code == 303, done.text
        page = visitor.get(done.headers["location"])
        assert f"Decision {number}:" in page.text
    assert "merge “Fuyou” into “Smart-Infinity”" in page.text, "by the name that it had"
    statement = (PAPER, RelationType.IMPROVES_ON, "entity/zero-infinity")
    assert decided(store) == [
        Confirm(*statement),
        Reject(*statement, note="another machine"),
        ChangeKind("entity/fuyou", EntityKind.TECHNIQUE),
        Split("entity/zero-infinity", (PAPER,), note="another"),
        Merge(("entity/smart-infinity", "entity/fuyou")),
    ]
    for number in range(len(forms), 0, -1):
        assert send(visitor, action="undo", number=str(number)).status_code == 303
    assert decided(store) == []


def test_a_form_from_elsewhere_changes_nothing_and_none_leads_there(visitor, store):
    for headers in (
        *({"origin": each} for each in ("https://evil.example", "null", "")),
        *({"sec-fetch-site": each} for each in ("cross-site", "same-site")),
    ):
        assert visitor.post("/decisions", data=CONFIRM, headers=headers).status_code == 403
    origin = visitor.headers.pop("origin")
    assert visitor.post("/decisions", data=CONFIRM).status_code == 403, "no browser sent it"
    assert decided(store) == []
    visitor.headers["origin"] = origin
    for number, back in enumerate(("https://evil.example/", "//evil.example/", "/\\evil.example/")):
        form = {**CONFIRM, "action": ("confirm", "reject")[number % 2], "back": back}
        assert "evil" not in send(visitor, **form).headers["location"]


def test_what_makes_no_sense_is_refused_with_a_reason(visitor, store):
    renamed = {"action": "rename", "of": "entity/fuyou", "name": "ZeRO"}
    for form, status, reason in (
        ({"action": "paint"}, 400, "one of merge"),
        ({**CONFIRM, "entity": "<b>"}, 400, "&lt;b&gt;"),
        (renamed, 409, "entity/zero"),
        ({"action": "undo", "number": "x"}, 400, "no decision 0"),
    ):
        answer = send(visitor, **form)
        assert answer.status_code == status
        assert reason in answer.text
    assert decided(store) == []
    file = Path(f"{store}.decisions.toml")
    file.write_text("<<<<<<< HEAD")
    assert "is not TOML" in send(visitor, **CONFIRM).text
    file.write_text('[[decision]]\nrename = "Fuyou"\nname = "F"\n')
    assert "Apply it" in visitor.get("/decisions").text
    assert "Apply it" not in visitor.get(send(visitor, action="apply").headers["location"]).text


def test_without_scripts_one_decides_and_takes_it_back(browser, writable):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(writable + EDGE)
    card = page.locator(".cards > li").first.locator("blockquote, form, .abstract")
    shown = card.evaluate_all("all => all.map((each) => each.localName)")
    assert (shown[:2], shown[-1]) == (["blockquote", "form"], "p")
    page.get_by_role("button", name="Confirm").first.click()
    expect(page.get_by_role("status")).to_contain_text("Decision 1: confirm")
    page.get_by_role("link", name="Back").click()
    expect(page.get_by_text("confidence 1.00, confirmed").first).to_be_visible()
    page.goto(f"{writable}/page/entity/fuyou")
    page.get_by_text("Correct Fuyou").click()
    page.get_by_label("New name of Fuyou").fill("Fuyou 1")
    page.get_by_role("button", name="Rename").click()
    page.get_by_role("button", name="Undo 1").click()
    page.get_by_role("button", name="Undo 1").click()
    expect(page.get_by_text("There are no decisions yet")).to_be_visible()
    page.goto(f"{writable}/page/{PAPER}")
    page.get_by_role("link", name="confirm or reject").first.click()
    expect(page.get_by_role("button", name="Reject")).to_have_count(1)
    context.close()
