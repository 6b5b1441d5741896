"""Links to other knowledge bases: which records of their dumps are which works, and how sure."""

import csv
import gzip
import json
from pathlib import Path
from typing import Any

import pytest
import rdflib
from rdflib.namespace import OWL, SKOS
from typer.testing import CliRunner, Result

from stemma.server.cli.app import app

PAPERS = [
    {
        "title": "Quillon: A Serving Engine for Tides",
        "abstract": "We present Quillon, a serving engine. It uses Amberloss, on an A100 GPU.",
        "arxiv_id": "2401.00001",
    },
    {
        "title": "Amberloss: Training without Waves",
        "abstract": "We introduce Amberloss, a new loss function. We evaluate it on ImageNet.",
    },
]


@pytest.fixture(autouse=True)
def store(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    Path("papers.jsonl").write_text("\n".join(map(json.dumps, PAPERS)))
    assert run("build", "papers.jsonl", "--fast").exit_code == 0


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments, prog_name="stemma")


def linked(dump: object, *options: str) -> dict[tuple[str, str], tuple[float, str]]:
    """Write a dump as an array, match it, and return confidence and reason by work and record."""
    Path("dump.json").write_text(json.dumps(dump))
    result = run("link-out", "dump.json", "-o", "links.tsv", *options)
    assert result.exit_code == 0, result.output
    rows = [line for line in Path("links.tsv").read_text().splitlines() if line[0] != "#"]
    return {
        (each["subject_id"].partition("/id/")[2], each["object_id"].rpartition("/")[2]): (
            float(each["confidence"]),
            each["comment"],
        )
        for each in csv.DictReader(rows, dialect="excel-tab")
    }


def item(id_: str, name: str, description: str, *aliases: str, **claims: str) -> dict[str, Any]:
    """An item of Wikidata."""
    return {
        "id": id_,
        "labels": {"en": {"language": "en", "value": name}},
        "descriptions": {"en": {"language": "en", "value": description}},
        "aliases": {"en": [{"language": "en", "value": each} for each in aliases]},
        "claims": {
            property_: [{"mainsnak": {"datavalue": {"value": value, "type": "string"}}}]
            for property_, value in claims.items()
        },
    }


def test_items_of_wikidata_are_linked_by_name_and_kind() -> None:
    dump = [
        item("Q1", "Nvidia A100", "graphics processing unit by Nvidia", "A100"),
        item("Q2", "Quillon", "software framework for serving"),
        item("Q3", "Amberloss", "village in Norway"),
        {"id": "P1", "labels": {"en": {"language": "en", "value": "Quillon"}}},
    ]
    assert linked(dump) == {
        ("entity/nvidia-a100", "Q1"): (0.8, "an alias, and the same kind"),
        ("entity/quillon", "Q2"): (0.9, "same name and kind"),
    }


def test_papers_are_linked_by_arxiv_id_whatever_their_titles() -> None:
    dump = [
        item("Q5", "Quillon", "scholarly article", P818="2401.00001"),
        item("Q6", PAPERS[0]["title"], "scholarly article", P818="2401.99999"),
        {"id": "https://openalex.org/W7", "title": "Amberloss: training without waves"},
    ]
    assert linked(dump) == {
        ("paper/quillon-a-serving-engine-for-tides", "Q5"): (0.99, "same identifier"),
        ("paper/amberloss-training-without-waves", "W7"): (0.95, "same title"),
    }


def test_methods_of_papers_with_code_are_linked_by_the_paper_that_introduced_them() -> None:
    root = "https://paperswithcode.com"
    dump = [
        {
            "url": f"{root}/method/quillon",
            "name": "Quillon",
            "source_url": "https://arxiv.org/abs/2401.00001v3",
        },
        {
            "url": f"{root}/method/amberloss-2",
            "name": "Amberloss",
            "source_title": "Something Else",
        },
        {
            "url": f"{root}/method/amberloss",
            "name": "Amberloss",
            "source_title": PAPERS[1]["title"],
        },
        {"url": f"{root}/dataset/imagenet", "name": "ImageNet"},
    ]
    assert linked(dump) == {
        ("entity/quillon", "quillon"): (0.98, "same name, introduced by the same paper"),
        ("entity/amberloss", "amberloss"): (0.98, "same name, introduced by the same paper"),
        ("entity/imagenet", "imagenet"): (0.9, "same name and kind"),
    }


def test_records_of_one_name_that_nothing_distinguishes_are_half_as_sure() -> None:
    dump = [item("Q1", "Quillon", "software library"), item("Q2", "Quillon", "web server software")]
    assert linked(dump) == {}
    assert {each for each, _ in linked(dump, "--min-confidence", "0").values()} == {0.45}


def test_a_record_without_description_needs_a_name_that_is_like_no_common_word() -> None:
    dump = [
        {"id": "https://openalex.org/C1", "display_name": "Quillon"},
        {"id": "https://openalex.org/C2", "display_name": "ImageNet"},
    ]
    assert linked(dump) == {("entity/imagenet", "C2"): (0.6, "same name")}


def test_turtle_has_the_links_and_an_axiom_with_the_confidence_of_each() -> None:
    Path("dump.jsonl.gz").write_bytes(
        gzip.compress(json.dumps(item("Q2", "Quillon", "software framework")).encode())
    )
    assert run("link-out", "dump.jsonl.gz", "-o", "links.ttl").exit_code == 0
    graph = rdflib.Graph().parse("links.ttl")
    entity = rdflib.URIRef("https://w3id.org/stemma/id/entity/quillon")
    record = rdflib.URIRef("http://www.wikidata.org/entity/Q2")
    assert (entity, SKOS.exactMatch, record) in graph
    (axiom,) = graph.subjects(OWL.annotatedTarget, record)
    confidence = graph.value(axiom, rdflib.URIRef("https://w3id.org/sssom/confidence"))
    assert confidence is not None and float(confidence) == 0.9


def test_an_invalid_record_is_reported_and_the_rest_is_read() -> None:
    lines = [
        '{"title": "a paper of something else"}',
        '{"id": "Q9", "labels": {"en": ',
        json.dumps(item("Q2", "Quillon", "software framework")),
    ]
    Path("dump.jsonl").write_text("\n".join(lines))
    result = run("link-out", "dump.jsonl")
    assert result.exit_code == 0
    assert "Q2" in result.stdout
    assert "dump.jsonl:1: not a record of Wikidata, OpenAlex or Papers with Code" in result.stderr
    assert "dump.jsonl:2: not JSON" in result.stderr
    assert "1 record; 0 papers and 1 entity linked" in result.stderr


def test_a_dump_that_is_not_there_is_an_error() -> None:
    result = run("link-out", "nowhere.json")
    assert result.exit_code == 1
    assert "there is no file nowhere.json" in result.stderr


def test_a_dump_without_records_is_an_error_and_leaves_the_last_links() -> None:
    Path("links.tsv").write_text("the last links")
    Path("dump.jsonl").write_text('{"title": "a paper of something else"}')
    result = run("link-out", "dump.jsonl", "-o", "links.tsv")
    assert result.exit_code == 1
    assert result.stderr.endswith("error: no records could be read\n")
    assert Path("links.tsv").read_text() == "the last links"
