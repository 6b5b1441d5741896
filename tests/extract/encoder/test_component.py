"""The shipped network, through the component that runs it."""

import os
import subprocess
import sys

import pytest
from spacy.tokens import Doc

import pipelines
from stemma.extract import extractor_fingerprint
from stemma.extract.encoder.component import consistent, likely_relations
from stemma.extract.encoder.network import RELATIONS, Calibration
from stemma.extract.encoder.trained_model import SHIPPED
from stemma.extract.recognition import document_of, found_in
from stemma.schema import EntityKind, RelationType

MOST_BYTES = 25_000_000
TITLE = "Kelpie: Fine-Tuning Large Models from Flash"
ABSTRACT = (
    "Existing systems such as ZeRO-Infinity suffer from idle GPUs. We present Kelpie, a framework "
    "that keeps the states of Adam in flash memory. On one RTX 4090, Kelpie is 2.1x faster than "
    "DeepSpeed when it fine-tunes LLaMA-7B on the Alpaca dataset."
)


def read(title: str, abstract: str) -> Doc:
    nlp = pipelines.shipped()
    return nlp(document_of(nlp, title, abstract))


def test_the_network_is_small_enough_to_ship() -> None:
    assert 0 < sum(file.stat().st_size for file in SHIPPED.iterdir()) <= MOST_BYTES


def test_how_an_address_spells_a_name_does_not_count() -> None:
    abstract = "We present KelpieGS, a renderer. KelpieGS uses CUDA. See https://kelp.io/kelpie-gs"
    entities, _ = found_in(read("KelpieGS: A Renderer", abstract))
    (own,) = (entity for entity in entities if entity.name == "KelpieGS")
    assert {mention.text for mention in own.mentions} == {"KelpieGS"}


@pytest.mark.parametrize(
    ("likely", "expected"),
    [
        ({"BUILDS_ON": 0.3, "IMPROVES_ON": 0.4}, ["IMPROVES_ON"]),
        ({"BUILDS_ON": 0.4, "IMPROVES_ON": 0.3, "USES": 0.6}, ["USES", "BUILDS_ON"]),
        ({"BUILDS_ON": 0.6, "IMPROVES_ON": 0.4}, ["BUILDS_ON"]),
    ],
)
def test_lineage_is_stated_where_it_is_likely_but_not_which_of_the_two(likely, expected):
    calibration = Calibration(0.5, dict.fromkeys(RELATIONS, 0.5), {})
    probabilities = {relation: likely.get(relation.value, 0.0) for relation in RELATIONS}
    assert likely_relations(EntityKind.TECHNIQUE, probabilities, calibration) == expected


CODE = """
import sys
sys.modules |= dict.fromkeys(["torch", "onnx", "sklearn", "scipy"])
import stemma.server.build
from stemma.extract import Extractor, extractor_fingerprint
print(extractor_fingerprint(), Extractor().fingerprint)
assert "spacy" not in sys.modules
print(Extractor().find([(sys.argv[1], sys.argv[2])]))
assert "spacy.cli" not in sys.modules
import spacy
assert spacy.info(silent=True)
"""


@pytest.mark.process
def test_another_process_finds_the_same_with_little_imported_and_reports_to_nobody(tmp_path):
    """It imports nothing that trains the network, spaCy when it is needed, and not its commands.

    The library that runs the network begins its reports with a file in the folder for temporary
    files, even without a connection.
    """
    seed = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"  # Not that of this process.
    done = subprocess.run(
        [sys.executable, "-c", CODE, TITLE, ABSTRACT],
        env=os.environ | {"PYTHONHASHSEED": seed, "TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    fingerprint, found = extractor_fingerprint(), pipelines.extractor().find([(TITLE, ABSTRACT)])
    assert done.stdout == f"{fingerprint} {fingerprint}\n{found}\n"
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_what_is_found_in_a_paper_does_not_depend_on_those_read_with_it() -> None:
    papers = [(TITLE, ABSTRACT), ("…", ""), ("", ""), ("On Reefs", ABSTRACT[:90]), (TITLE, "")]
    nlp = pipelines.shipped()
    docs = [document_of(nlp, *paper) for paper in papers * 2]
    together = [found_in(doc) for doc in nlp.pipe(docs, batch_size=7)]
    assert together == [found_in(read(*paper)) for paper in papers] * 2


@pytest.mark.parametrize(
    ("sure", "left"),
    [
        ({"BUILDS_ON": 0.6, "USES": 0.5}, ["BUILDS_ON"]),
        ({"BUILDS_ON": 0.5, "USES": 0.6}, ["BUILDS_ON", "USES"]),
        ({"INTRODUCES": 0.9, "IMPROVES_ON": 0.9, "USES": 0.9}, ["INTRODUCES"]),
        ({"INTRODUCES": 0.9, "EVALUATED_ON": 0.9}, ["INTRODUCES", "EVALUATED_ON"]),
    ],
)
def test_a_work_is_built_on_or_used_whichever_is_likelier_and_not_introduced(sure, left):
    of_types = {RelationType(each): likely for each, likely in sure.items()}
    assert [each.value for each in consistent(list(of_types), of_types)] == left


def test_a_work_is_called_what_the_title_coins() -> None:
    abstract = (
        "We propose Kept Lines in Pages (KELP), a memory manager that keeps lines in pages. "
        "KELP runs on one GPU."
    )
    doc = read("KELP: Memory for Large Models", abstract)
    introduced = {e.name: {m.text for m in e.mentions} for e in found_in(doc)[0]}
    assert introduced["KELP"] >= {"KELP", "Kept Lines in Pages"}


def test_an_acronym_that_is_spelt_out_is_not_what_the_catalogue_knows_by_it() -> None:
    abstract = "We present belief space planning (BSP), which plans on maps. BSP is fast there."
    concepts = {span.text: span.kb_id_ for span in read("On Maps", abstract).ents}
    assert concepts["BSP"] == "", "not bulk synchronous parallelism"


def test_what_a_sentence_improves_on_by_name_is_not_built_on() -> None:
    abstract = "We present FooServe. FooServe builds on vLLM and improves on Orca."
    relations = {each.entity: each.type.value for each in read("FooServe", abstract)._.relations}
    assert relations == {"FooServe": "INTRODUCES", "vLLM": "BUILDS_ON", "Orca": "IMPROVES_ON"}
