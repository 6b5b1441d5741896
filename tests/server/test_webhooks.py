"""Webhooks: what a build changed is posted, signed, and sent again until it is accepted."""

import hmac
import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from stemma.server.cli.app import app
from webhook_receiver import Receiver, webhook_receiver

OLD = {"title": "Sparing", "abstract": "We present Sparing, which builds on LoRA."}
NEW = {"title": "Thrifty", "abstract": "We present Thrifty, which builds on LoRA."}


@pytest.fixture
def receiver(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Receiver]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("STEMMA_WEBHOOK_SECRET", raising=False)
    monkeypatch.setattr("stemma.extract.fetching.client.sleep", lambda seconds: None)
    with webhook_receiver() as state:
        yield state


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments, prog_name="stemma")


def build(paper: dict[str, str], *options: str) -> Result:
    Path("papers.jsonl").write_text(json.dumps(paper))
    told = run("build", "papers.jsonl", "--fast", *options)
    assert told.exit_code == 0, told.output
    return told


def test_what_a_build_added_is_posted_with_its_sentences(receiver: Receiver) -> None:
    build(OLD)
    build(NEW, "--webhook", receiver.url)
    (posted,) = map(json.loads, receiver.bodies)
    (made,) = posted["builds"]
    assert made["papers"]["added"]["some"][0]["name"] == "Thrifty"
    text = json.dumps(made["edges"])
    assert "We present Thrifty, which builds on LoRA." in text
    assert posted == json.loads(run("changes", "--since", "1", "--format", "json").stdout)
    assert receiver.headers[0]["X-Stemma-Event"] == "build"
    assert "X-Stemma-Signature-256" not in receiver.headers[0]


def test_a_secret_signs_the_body(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STEMMA_WEBHOOK_SECRET", "only for us")
    build(OLD, "--webhook", receiver.url)
    digest = hmac.new(b"only for us", receiver.bodies[0], sha256).hexdigest()
    assert receiver.headers[0]["X-Stemma-Signature-256"] == f"sha256={digest}"


def test_a_build_that_changes_nothing_posts_nothing(receiver: Receiver) -> None:
    build(OLD)
    build(OLD, "--webhook", receiver.url)
    assert not receiver.bodies


def test_it_is_sent_again_until_it_is_accepted(receiver: Receiver) -> None:
    receiver.statuses = [503, 500, 202]
    build(OLD, "--webhook", receiver.url)
    assert len({*receiver.bodies}) == 1
    assert len(receiver.bodies) == 3
    assert len({each["X-Stemma-Delivery"] for each in receiver.headers}) == 1


def test_a_build_is_done_even_without_a_receiver(receiver: Receiver) -> None:
    receiver.statuses = [410]
    told = build(OLD, "--webhook", receiver.url)
    assert "1 paper added" in told.stdout
    assert "was not delivered: not found; `stemma changes --webhook` sends it again" in told.stderr
    again = run("changes", "--webhook", receiver.url)
    assert again.exit_code == 0, again.output
    assert receiver.bodies[0] == receiver.bodies[1]


def test_changes_that_are_not_delivered_are_an_error(receiver: Receiver) -> None:
    build(OLD)
    receiver.statuses = [403]
    told = run("changes", "--webhook", receiver.url)
    assert told.exit_code == 1
    assert "the webhook at 127.0.0.1 was not delivered: 403 Forbidden" in told.stderr
    assert "/hook" not in told.stderr, "the address may be a secret"


def test_it_follows_only_redirects_that_keep_what_is_posted(receiver: Receiver) -> None:
    build(OLD)
    receiver.statuses = [307]
    assert run("changes", "--webhook", receiver.url).exit_code == 0
    assert len(receiver.bodies) == 2
    assert receiver.bodies[0] == receiver.bodies[1]
    receiver.statuses = [302]
    told = run("changes", "--webhook", receiver.url)
    assert told.exit_code == 1
    assert "was not delivered: redirected (302) without the content" in told.stderr


def test_an_address_of_another_kind_is_refused() -> None:
    told = run("changes", "--webhook", "example.org/hook")
    assert told.exit_code == 2
    assert "does not begin with http://" in " ".join(told.stderr.replace("│", " ").split())
