"""`stemma fetch`, with a stand-in for the services on the web."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from typer.testing import CliRunner, Result

from paper_services import BROKEN, PaperServices, paper_services
from stemma.extract import web_services
from stemma.extract.formats import read
from stemma.schema import Paper
from stemma.server.cli.app import app

Run = Callable[..., Result]


@pytest.fixture
def web() -> Iterator[PaperServices]:
    with paper_services() as state:
        yield state


@pytest.fixture
def run(tmp_path, monkeypatch, web) -> Run:
    monkeypatch.chdir(tmp_path)
    return lambda *arguments: CliRunner().invoke(app, ["fetch", *arguments], prog_name="stemma")


def status(code: int, **headers: str) -> httpx.Response:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return httpx.Response(code, headers=named)


def papers(path: str) -> list[Paper]:
    found = list(read(Path(path), path))
    assert all(isinstance(each, Paper) for each in found), found
    return [each for each in found if isinstance(each, Paper)]


def test_papers_are_fetched_by_their_ids_and_read(run, web):
    told = run("arxiv:2104.07857v1", "10.1000/A", "https://arxiv.org/abs/2104.00001")
    assert told.exit_code == 0, told.output
    assert told.stdout == "3 fetched: fetched.jsonl\n"
    assert [each.identifiers for each in papers("fetched.jsonl")] == [
        ("arxiv:2104.07857",),
        ("arxiv:2104.00001",),
        ("doi:10.1000/a",),
    ]
    assert web.addresses == ["export.arxiv.org/api/query", "api.openalex.org/works/doi:10.1000/a"]
    assert all(each.headers["User-Agent"].startswith("Stemma/") for each in web.asked)
    lines = [json.loads(line) for line in Path("fetched.jsonl").read_text().splitlines()]
    assert "<arxiv:comment>8 pages</arxiv:comment>" in lines[0]["record"], "nothing is left out"
    assert lines[2]["record"]["unread"] == [1]


def test_services_get_the_address_and_the_key_of_who_asks(run, web, monkeypatch):
    monkeypatch.setenv("OPENALEX_API_KEY", "secret")
    told = run("10.1000/a", "10.1000/404", "10.1000/b(1)<2>", "--mailto", "ann@example.org")
    assert told.exit_code == 0, told.output
    assert told.stdout == "2 fetched, 1 not found: fetched.jsonl\n"
    assert "doi:10.1000/404: not found" in told.stderr
    assert [each.doi for each in papers("fetched.jsonl")] == ["10.1000/a", "10.1000/b(1)<2>"]
    assert "mailto:ann@example.org" in web.asked[0].headers["User-Agent"]
    assert "api_key=secret" in str(web.asked[0].url)


def test_what_is_there_is_not_fetched_again(run, web):
    Path("ids.txt").write_text("eprint={2104.00001},\n- [a](https://doi.org/10.1000/a): nothing\n")
    run("2104.00001")
    with Path("fetched.jsonl").open("ab") as file:
        file.write(b'{"fetched":"doi:10.1000/a","record":{"ti')  # it was killed here
    web.asked.clear()
    told = run("--ids", "ids.txt")
    assert told.stdout == "1 fetched, 1 already there: fetched.jsonl\n"
    assert told.stderr == "2 arXiv ids and DOIs in ids.txt\n"
    assert web.addresses == ["api.openalex.org/works/doi:10.1000/a"]
    assert len(papers("fetched.jsonl")) == 2
    assert run("--ids", "ids.txt").stdout == "0 fetched, 2 already there: fetched.jsonl\n"
    assert len(web.asked) == 1


def test_another_file_is_left_as_it_is(run):
    for text in ("@article{a, title={A}}", '{"title": "A"}\n'):
        Path("fetched.jsonl").write_text(text)
        told = run("2104.00001")
        assert told.exit_code == 2
        assert "was not written by `stemma fetch`" in told.stderr
        assert Path("fetched.jsonl").read_text() == text


def test_a_search_leaves_out_what_is_there(run, web):
    web.found = 250
    search = ("--search", "ti:kiln", "-o", "kilns.jsonl", "--max")
    assert run(*search, "120").stdout == "120 fetched: kilns.jsonl\n"
    assert max(web.waits) == pytest.approx(3, abs=0.5), "arXiv asks for three seconds"
    web.faults = [status(400)]
    told = run(*search, "130")
    assert told.exit_code == 1
    assert told.stdout == "0 fetched, 130 remaining: kilns.jsonl\n"
    assert run(*search, "1000").stdout == "130 fetched, 120 already there: kilns.jsonl\n"
    assert len({each.arxiv_id for each in papers("kilns.jsonl")}) == 250


def test_a_busy_service_is_asked_again_after_the_pause_that_it_asks_for(run, web):
    web.faults = [
        status(429, retry_after="17"),
        status(503),
        httpx.RemoteProtocolError("cut"),
        httpx.Response(200, content=BROKEN),
    ]
    told = run("2104.00001", "2104.00404")
    assert told.stdout == "1 fetched, 1 not found: fetched.jsonl\n"
    assert 17.0 in web.waits
    assert len(web.asked) == 5
    web.faults = [status(503, retry_after="86400")]
    told = run("2104.00002")
    assert told.exit_code == 1
    assert "503 Service Unavailable, and asks for a pause of" in told.stderr
    assert "1 remaining" in told.stdout
    assert len(web.asked) == 6


def test_a_service_that_does_not_answer_leaves_the_others(run, web):
    web.faults = [httpx.Response(200, content=BROKEN) for _ in range(web_services.ATTEMPTS)]
    told = run("2104.00001", "2104.00002", "10.1000/a")
    assert told.exit_code == 1
    assert told.stdout == "1 fetched, 2 remaining: fetched.jsonl\n"
    assert "export.arxiv.org: no usable response: the response is truncated" in told.stderr
    assert [each.doi for each in papers("fetched.jsonl")] == ["10.1000/a"]
    assert run("2104.00001", "2104.00002").exit_code == 0


def test_answers_are_bounded_and_stay_on_their_server(run, web, monkeypatch):
    monkeypatch.setattr(web_services, "LARGEST_ANSWER", 1 << 16)
    endless = httpx.Response(200, content=b" " * (1 << 20))
    elsewhere = status(302, location="http://localhost:1/works")
    web.faults = [endless, elsewhere, status(302, location="/works/doi:10.1000/z")]
    told = run("10.1000/a", "10.1000/b", "10.1000/c")
    assert told.stdout == "1 fetched, 2 not found: fetched.jsonl\n"
    assert "response exceeds" in told.stderr
    assert "redirected to another server, localhost" in told.stderr


def test_ctrl_c_keeps_what_was_fetched(run, web):
    def interrupt(seconds: float) -> None:
        raise KeyboardInterrupt

    run("10.1000/a")
    web.faults = [status(503)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("stemma.extract.web_services.sleep", interrupt)
        told = run("10.1000/a", "10.1000/b", "10.1000/c")
    assert told.exit_code == 1
    assert told.stdout == "0 fetched, 1 already there, 2 remaining: fetched.jsonl\n"
    assert "run the same command again to resume" in told.stderr
    assert len(papers("fetched.jsonl")) == 1


def test_what_cannot_be_fetched_is_refused(run):
    assert "neither an arXiv id nor a DOI: kiln" in run("kiln").stderr.replace("\n", " ")
