"""Papers whose graph could hang on the order in which they come."""

from dataclasses import replace

import pytest

from stemma.schema import Extraction
from stemma.schema.paper import Author, Reference

Record = tuple[list[Author], list[Reference]]


@pytest.fixture
def papers(describe) -> list[Extraction]:
    """Papers whose names mean other things when other papers are there."""
    papers = [
        describe("Stripes: rings", "We propose stripe parallelism: chunks go around rings.",
                 "technique stripe parallelism: INTRODUCES", "framework CUDA: USES",
                 published="2021"),
        describe("Dropout", "We propose stripe parallelism: dropout beside tensors.",
                 "technique Stripe Parallelism = stripe parallelism: INTRODUCES",
                 "technique ZeRO: IMPROVES_ON", published="2022-05-06"),
        describe("Users", "Rings of chunks; stripe parallelism on A100 and Intel Zulu.",
                 "technique stripe parallelism: BUILDS_ON", "hardware A100: RUNS_ON",
                 "hardware Intel Zulu: RUNS_ON", published="XXXX-03-04"),
        describe("Zulu", "Zulu, and ZeRO-Infinity.", "hardware Zulu: RUNS_ON",
                 "framework ZeRO-Infinity: COMPARES_WITH 0.31"),
        describe("CUDA: Curves Under Drifting Axes", "Curves Under Drifting Axes (CUDA).",
                 "technique CUDA = Curves Under Drifting Axes: INTRODUCES"),
        describe("Acronyms", "Sparse Gate Routing (SGR).",
                 "technique Sparse Gate Routing = SGR: USES"),
        describe("Acronym", "SGR for ZeRO.", "technique SGR: USES", "technique ZeRO: BUILDS_ON"),
    ]  # fmt: skip
    records: dict[str, Record] = {
        "paper/stripes-rings": ([Author("Ada Quill", None, "Pen & Co"), Author("Bo Nib")], []),
        "paper/dropout": (
            [Author("Bo Nib"), Author("Ada Quill", "0000-0002-1825-0097")],
            [Reference(None, "Stripes: rings")],
        ),
        "paper/users": ([Author("A. Quill", "0000-0002-1825-0097"), Author("Cy Ink")], []),
        "paper/zulu": (
            [Author("Ada Quill"), Author("Cy Ink", id="s2:5")],
            [Reference(None, "Dropout"), Reference(None, "Gone"), Reference("doi:10.1000/USERS")],
        ),
        "paper/acronyms": ([Author("Ada Quill")], [Reference(None, "Acronym")]),
        "paper/acronym": ([Author("Ada Quill", "0000-0001-5109-3700")], []),
    }
    dois = {"paper/users": "10.1000/users"}
    return [
        replace(
            each,
            paper=replace(
                each.paper,
                authors=tuple(authors),
                references=tuple(references),
                doi=dois.get(each.paper.id),
                venue="Journal of Pens",
            ),
        )
        for each in papers
        for authors, references in [records.get(each.paper.id, ([], []))]
    ]
