"""The report shows every error in its text, and needs nothing but itself."""

import re
from collections.abc import Callable, Iterator
from html import unescape
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from stemma.extract.evaluation import Annotation, Evaluation, evaluate, write_report
from stemma.extract.evaluation.report import highlighted, report
from stemma.schema import Extraction
from stemma.schema.paper import Field

ABSTRACT = "We present Nibbler <fast> on top of PyTorch. It beats SlowPoke on A100 GPUs."


@pytest.fixture(scope="module")
def evaluation(
    annotated: Callable[..., Annotation], extracted: Callable[..., Extraction]
) -> Evaluation:
    gold = [
        annotated(
            {"Nibbler": "framework", "PyTorch": "framework", "SlowPoke": "framework"},
            [
                ("INTRODUCES", "Nibbler", "We present Nibbler <fast> on top of PyTorch.", 1),
                ("BUILDS_ON", "PyTorch", "We present Nibbler <fast> on top of PyTorch.", 1),
                ("COMPARES_WITH", "SlowPoke", "It beats SlowPoke on A100 GPUs.", 1),
            ],
            title="Nibbler & Co",
        ),
        annotated({"GPU": "hardware"}, title="A Paper That Went Missing"),
        annotated({"LoRA": "technique"}, title="All Is Well Here"),
    ]
    predictions = [
        extracted(
            {"Nibbler": "technique", "PyTorch": "framework", "A100": "hardware"},
            [
                ("INTRODUCES", "Nibbler", "We present Nibbler <fast> on top of PyTorch.", 0.9),
                ("USES", "PyTorch", "We present Nibbler <fast> on top of PyTorch.", 0.6),
                ("RUNS_ON", "A100", "It beats SlowPoke on A100 GPUs.", 0.8),
            ],
            title="Nibbler & Co",
            abstract=ABSTRACT,
        ),
        extracted({"LoRA": "technique"}, title="All Is Well Here", abstract="LoRA works."),
    ]
    return evaluate(gold, predictions)


def test_names_are_highlighted_by_who_marked_them(evaluation: Evaluation) -> None:
    marked = highlighted(evaluation.papers[0], Field.ABSTRACT)
    found = re.findall(r'<mark class="([^"]+)"[^>]*>([^<]+)</mark>', marked)
    assert found == [
        ("both kind", "Nibbler"),
        ("both", "PyTorch"),
        ("gold", "SlowPoke"),
        ("predicted", "A100"),
    ]


def test_the_text_stays_as_it_is(evaluation: Evaluation) -> None:
    marked = highlighted(evaluation.papers[0], Field.ABSTRACT)
    assert unescape(re.sub(r"<[^>]+>", "", marked)) == ABSTRACT


def test_the_page_names_no_other_place(evaluation: Evaluation) -> None:
    page = report(evaluation)
    assert not re.search(r"""(?:src|href|url)\s*[=(]|@import|https?://""", page)


def test_a_paper_that_was_not_found_is_named(evaluation: Evaluation) -> None:
    page = report(evaluation)
    assert "papers that were not found: 1" in page
    assert "A Paper That Went Missing" in page


@pytest.fixture
def page(browser: Browser, evaluation: Evaluation, tmp_path: Path) -> Iterator[Page]:
    file = tmp_path / "report.html"
    write_report(evaluation, file)
    page = browser.new_page(viewport={"width": 390, "height": 844}, offline=True)
    page.goto(file.as_uri())
    yield page
    page.close()


def test_a_number_leads_to_its_errors(page: Page) -> None:
    page.locator('[data-filter="relation|BUILDS_ON|USES"]').click()
    expect(page.locator("#shown")).to_have_text("errors: 1, papers: 1")
    expect(page.locator(".errors li:visible")).to_have_count(1)
    expect(page.locator(".errors li:visible .label")).to_have_text("USES instead of BUILDS_ON")
    expect(page.locator(".errors li:visible blockquote.predicted")).to_contain_text("0.60")


@pytest.mark.long
def test_every_number_leads_to_as_many_errors(page: Page) -> None:
    for button in page.locator("[data-filter]").all():
        button.click()
        expect(page.locator(".errors li:visible")).to_have_count(int(button.inner_text()))


@pytest.mark.long
def test_words_find_papers(page: Page) -> None:
    page.locator("#words").fill("slowpoke")
    expect(page.locator(".paper:visible")).to_have_count(1)


def test_the_page_fits_a_phone(page: Page) -> None:
    page.locator("#open").check()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
