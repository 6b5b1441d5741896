"""Full texts, from files to answers: what sections say is shown with its section."""

import json
from pathlib import Path

import pytest

from asked import client_of
from command import answer, stemma
from full_texts import FOLDER
from stemma.graph import open_store
from stemma.schema import Paper
from stemma.schema.name import paper_id

CAIRN = "Cairn: Pretraining on the Marks that Walkers Leave"
ID = paper_id(CAIRN)
CITED = """---
title: Snapping Tracks to Paths
authors: [Ann Ridge, Bo Col]
date: 2021-05-01
---

Walkers stray from paths. We present Pathsnap, a technique that snaps tracks to
the paths of a map.
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> tuple[str, set[str]]:
    store = str(tmp_path_factory.mktemp("full-texts") / "stemma.db")
    cairn = FOLDER / "cairn.tei.xml"
    answer("build", str(cairn), "--store", store)
    with open_store(store) as graph, graph.snapshot() as reader:
        before = {each.entity for each in reader.statements([ID])[ID]}
    cited = Path(store).parent / "cited.md"
    cited.write_text(CITED)
    answer("build", str(cited), "--store", store)
    return store, before


def test_a_cited_work_goes_by_its_title_until_the_graph_has_it(built):
    store, before = built
    assert "entity/snapping-tracks-to-paths" in before
    with open_store(store) as graph, graph.snapshot() as reader:
        statements = reader.statements([ID])[ID]
    entities = {each.entity for each in statements}
    assert "entity/pathsnap" in entities
    assert "entity/snapping-tracks-to-paths" not in entities


def test_the_command_line_and_pages_show_the_section_beside_the_sentence(built):
    shown = answer("lineage", "Pathsnap", "--store", built[0])
    assert "Ridge and Col (2021)" in shown
    assert f"— {CAIRN}, method" in " ".join(shown.split()).replace("│ ", "")
    page = client_of(built[0]).get(f"/page/{ID}", headers={"accept": "text/html"}).text
    assert "From the method</summary>" in page
    assert 'id="method-' in page


@pytest.fixture
def configured(tmp_path) -> Path:
    """A configuration with another table of what sections state."""
    (tmp_path / "sections.toml").write_text('[BUILDS_ON]\nleast = 0.9\n"ours method" = 9.0\n')
    table = json.dumps(str(tmp_path / "sections.toml"))
    (tmp_path / "stemma.toml").write_text(f"[build]\nsections = {table}\n")
    return tmp_path / "stemma.toml"


def test_abstracts_alone_and_other_tables_of_sections(configured, monkeypatch):
    cairn = str(FOLDER / "cairn.tei.xml")

    def fields(*options: str) -> set[str]:
        lines = answer("extract", cairn, *options).splitlines()
        return {
            evidence["field"]
            for line in lines
            for relation in json.loads(line)["relations"]
            for evidence in relation["evidence"]
        }

    assert fields("--abstracts-only") <= {"title", "abstract"}
    assert "experiments" in fields()
    monkeypatch.setenv("STEMMA_CONFIG", str(configured))
    assert fields() <= {"title", "abstract", "method"}
    configured.with_name("sections.toml").write_text("[preface]\n")
    refused = stemma("extract", cairn)
    assert refused.returncode == 2 and "preface" in refused.stderr


@pytest.fixture
def of_sections(tmp_path):
    """What sections state in a store, after paths were built or loaded into it one by one."""

    def read(name: str, *paths: Path, command: str = "build") -> dict[tuple[str, str], list[str]]:
        store, extracted = str(tmp_path / name), str(tmp_path / "extracted.jsonl")
        for path in paths:
            if command == "load":
                answer("extract", str(path), "-o", extracted)
                answer("load", extracted, "--store", store)
            else:
                answer("build", str(path), "--store", store)
        with open_store(store) as graph, graph.snapshot() as reader:
            return {
                (each.relation, each.entity): [one.text for one in each.evidence if one.section]
                for each in reader.statements([ID])[ID]
                if any(one.section for one in each.evidence)
            }

    return read


@pytest.fixture
def longer(tmp_path) -> Path:
    """Another record of the paper, with a longer abstract."""
    record = {"title": CAIRN, "abstract": "We pretrain Cairn, a model of tracks. " * 30}
    (tmp_path / "longer.json").write_text(json.dumps(record))
    return tmp_path / "longer.json"


@pytest.mark.parametrize(("command", "order"), [("build", 1), ("load", -1)], ids=str)
def test_a_longer_abstract_from_elsewhere_leaves_what_sections_say(
    of_sections, longer, tmp_path, command, order
):
    before = of_sections("whole.db", cairn := FOLDER / "cairn.tei.xml")
    paths = (cairn, longer)[::order]
    assert before and of_sections("longer.db", *paths, command=command) == before
    with open_store(str(tmp_path / "longer.db")) as graph, graph.snapshot() as reader:
        paper = reader.works([ID])[ID]
        assert isinstance(paper, Paper) and len(paper.abstract) > 1000
    assert of_sections("longer.db", cairn, command=command).keys() == before.keys()


def test_a_full_text_is_read_again_once_it_is_there(of_sections, longer, configured, monkeypatch):
    cairn = FOLDER / "cairn.tei.xml"
    with monkeypatch.context() as patch:
        patch.setenv("STEMMA_CONFIG", str(configured))
        old = of_sections("stemma.db", cairn)
    assert of_sections("stemma.db", longer).keys() == old.keys()
    now = of_sections("stemma.db", cairn)
    assert now.keys() > old.keys() and now == of_sections("new.db", longer, cairn)
