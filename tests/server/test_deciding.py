"""`stemma decide`: corrections that are written down, applied at once, and kept."""

import json
from pathlib import Path

import pytest

from command import refused, stemma
from described import describe
from filled import stored
from stemma import Stemma
from stemma.schema import EntityKind, RelationType
from stemma.schema.decision import ChangeKind, Confirm, DecisionError, Merge, Reject, Rename, Split
from stemma.schema.name import paper_id

PAPER = "Gnawer: Serving Large Models in Big Bites"
PAPERS = [
    describe(
        "Nibbler: Training Large Models in Small Bites",
        "We present Nibbler, a training framework built on top of PyTorch. "
        "Nibbler outperforms DeepSpeed by 1.4x on NVIDIA A100 GPUs.",
        "framework Nibbler: INTRODUCES",
        "hardware NVIDIA A100: RUNS_ON",
        "framework PyTorch: BUILDS_ON",
        "framework DeepSpeed: COMPARES_WITH",
    ),
    describe(
        PAPER,
        "We present Gnawer, a serving system. Gnawer extends Nibbler and outperforms vLLM by 2x.",
        "framework Gnawer: INTRODUCES",
        "framework Nibbler: BUILDS_ON",
        "framework vLLM: COMPARES_WITH",
    ),
]


@pytest.fixture
def folder(tmp_path) -> Path:
    """A folder with a store of two papers."""
    stored(tmp_path, *PAPERS)
    return tmp_path


def decide(folder: Path, *arguments: str) -> str:
    done = stemma("decide", *arguments, cwd=folder)
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    return done.stdout


def answer(folder: Path, *arguments: str):
    done = stemma(*arguments, "-f", "json", cwd=folder)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_each_verb_decides_about_ids_by_any_name_at_once(folder):
    told = decide(folder, "reject", "gnawer", "compares_with", "VLLM", "-n", "not so")
    assert "reject paper/gnawer-serving" in told
    assert "not so" in decide(folder, "list")
    decide(folder, "confirm", PAPER, "BUILDS_ON", "nibbler")
    decide(folder, "split", "Nibbler", "--paper", PAPER, "--name", "Nibbler 2")
    decide(folder, "kind", "nibbler", "technique")
    decide(folder, "merge", "nibbler", "pytorch", "--note", "for a test", "--force")
    decide(folder, "rename", "entity/pytorch", "vLLM", "--force")
    paper, nibbler = paper_id(PAPER), "entity/nibbler"
    with Stemma(str(folder / "stemma.db")) as graph:
        assert graph.decisions() == (
            Reject(paper, RelationType.COMPARES_WITH, "entity/vllm", "not so"),
            Confirm(paper, RelationType.BUILDS_ON, nibbler),
            Split(nibbler, (paper,), "Nibbler 2"),
            ChangeKind(nibbler, EntityKind.TECHNIQUE),
            Merge((nibbler, "entity/pytorch"), "for a test"),
            Rename(nibbler, "vLLM"),
        )
    assert answer(folder, "show", "PyTorch")["work"]["name"] == "vLLM"
    assert answer(folder, "show", "Nibbler 2")["work"]["id"].startswith("entity/nibbler-2--gnawer")
    assert "confirmed" in stemma("show", PAPER, cwd=folder).stdout
    assert answer(folder, "decide", "list")[4] == {
        "number": 5,
        "merge": [nibbler, "entity/pytorch"],
        "note": "for a test",
        "unapplied": None,
    }
    assert f"into {nibbler}" in decide(folder, "undo", "5")


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (["rename", "Nibbbler", "N"], 1, "Nibbler"),
        (["rename", PAPER, "N"], 1, "of an entity instead"),
        (["rename", "Gnawer", "nibbler"], 1, "merge them if they are the same"),
        (["merge", "Nibbler", "nibbler"], 1, "the same entity already"),
        (["merge", "Nibbler", "A100"], 1, "entity/nvidia-a100 (hardware). Use --force"),
        (["split", "Nibbler", "--paper", "Gnawer"], 1, "of a paper instead"),
        (["split", "PyTorch", "--paper", PAPER], 1, "is not named in"),
        (["reject", PAPER, "RUNS_ON", "vLLM"], 1, "its statements are COMPARES_WITH"),
        (["undo", "7"], 1, "no decision 7"),
        (["reject", "Nibbler", "EATS", "Gnawer"], 2, "EATS"),
    ],
)
def test_a_slip_is_reported_in_a_sentence_and_decides_nothing(folder, arguments, status, said):
    done = stemma("decide", *arguments, cwd=folder)
    assert done.returncode == status
    assert said in done.stderr
    assert not (folder / "stemma.db.decisions.toml").exists()


def test_what_was_written_into_the_file_by_hand_is_applied(tmp_path):
    papers = [{"title": each.paper.title, "abstract": each.paper.abstract} for each in PAPERS]
    (tmp_path / "papers.jsonl").write_text("".join(json.dumps(each) + "\n" for each in papers))
    build = ("build", "papers.jsonl")
    assert stemma(*build, cwd=tmp_path).returncode == 0
    file = tmp_path / "stemma.db.decisions.toml"
    file.write_text(
        '[[decision]]\nrename = "nibbler"\nname = "NIB"\n\n'
        '[[decision]]\nchange_kind = "entity/nowhere"\nkind = "model"\n'
    )
    assert "applies it" in stemma("decide", "list", cwd=tmp_path).stderr
    applied = stemma("decide", "apply", cwd=tmp_path)
    assert "Applied: 2 decisions" in applied.stdout
    assert "decision 2" in applied.stderr, "what applies to nothing is told"
    assert answer(tmp_path, "show", "NIB")["work"]["id"] == "entity/nibbler"
    generation = answer(tmp_path, "show")["generation"]
    again = stemma(*build, cwd=tmp_path)
    assert "Nothing new" in again.stdout
    assert f"{file.name}: decision 2" in again.stderr
    assert answer(tmp_path, "show")["generation"] == generation
    file.write_text("[[decision]]\nrename = 'nibbler'\n")
    assert "decision 1: 'name' is missing" in refused(*build, cwd=tmp_path)


def test_an_edge_is_rejected_with_all_that_states_it_or_for_one_id_alone(tmp_path):
    lines = "framework ZeRO-Infinity: INTRODUCES", "technique ZeRO: BUILDS_ON"
    stored(tmp_path, describe("Infinity", "We build ZeRO-Infinity on ZeRO.", *lines))
    subjects = "entity/zero-infinity", "paper/infinity"
    decided = [f"reject {each} BUILDS_ON entity/zero" for each in subjects]
    assert decide(tmp_path, "reject", "ZeRO-Infinity", "BUILDS_ON", "ZeRO").count(" reject ") == 2
    assert answer(tmp_path, "lineage", "ZeRO-Infinity", "--direction", "ancestors")["edges"] == []
    for each in decided:
        decide(tmp_path, "undo", "1")
        assert each in decide(tmp_path, *each.split())
    done = stemma("decide", "confirm", "ZeRO-Infinity", "BUILDS_ON", "ZeRO", cwd=tmp_path)
    assert done.stdout.count(" confirm ") == 2
    assert "decision 3 overrides it" in done.stderr


def test_python_decides_and_takes_back(folder):
    with Stemma(str(folder / "stemma.db")) as graph:
        outcome = graph.decide(Merge(("Nibbler", "Gnawer")))
        assert (outcome.number, outcome.unapplied) == (1, [])
        assert {each.after for each in outcome.changes.relinked} == {"entity/nibbler"}
        with pytest.raises(DecisionError, match="no effect: there is no entity called 'Chewer'"):
            graph.decide(Rename("Chewer", "C"))
        graph.decide(Split("entity/gnawer", (PAPERS[0].paper.id,)))
        assert "entity/gnawer is not named in" in graph.undo(1).unapplied[0].reason
        assert graph.entity("Gnawer").id == "entity/gnawer"
