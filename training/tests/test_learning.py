"""What the network learns from, and how it learns to live with eight bits."""

# ruff: noqa: E402

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training is not installed: make .venv/model")

from torch.utils.data import DataLoader

from stemma.extract.encoder.grouping import Group
from stemma.extract.encoder.network import RELATIONS
from stemma.extract.encoder.paper_words import Vocabulary
from stemma.extract.encoder.trained_model import SHIPPED
from stemma.extract.evaluation.gold import AnnotatedEntity, AnnotatedRelation, Annotation
from stemma.schema import LINEAGE_RELATIONS, EntityKind, Paper, RelationType
from training.annotated import Annotated
from training.augmentation import MASK, Augmentation
from training.batch import Batch, Example, Targets
from training.guided import GuidedBatches, likely_names
from training.learning import (
    ForwardPass,
    Plan,
    Prompter,
    find_groups,
    learn,
    loss_of,
    read_words,
    relate,
)
from training.network import Int8Linear, RelativePlaces, StemmaNetwork
from training.papers import recognised
from training.standoff import Marked
from training.stored import Stored, write
from training.taught import Taught
from training.teaching import teach

pytestmark = pytest.mark.slow
TITLE = "Heron: Training with Less Memory"
ABSTRACT = "We present Heron, which extends Kelpie. Kelpie keeps Adam on a GPU."
BUILDS_ON = RELATIONS.index(RelationType.BUILDS_ON)
PLAN = Plan(epochs=2, rates=(1.5e-4, 8e-4))


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    return Vocabulary(SHIPPED / "vocabulary.json")


def example(
    vocabulary: Vocabulary,
    disputed: Any = (),
    abstract: str = ABSTRACT,
    judged: Any = None,
    weight: float = 1.0,
) -> Example:
    kinds = {"Heron": "framework", "Kelpie": "framework", "Adam": "technique", "GPU": "hardware"}
    entities = tuple(AnnotatedEntity(n, EntityKind(k), (n,)) for n, k in kinds.items())
    relations = (
        AnnotatedRelation(RelationType.INTRODUCES, "Heron", (ABSTRACT[:39],)),
        AnnotatedRelation(RelationType.BUILDS_ON, "Kelpie", (ABSTRACT[:39],)),
    )
    paper = Paper("paper/heron", TITLE, abstract)
    annotation = Annotation(TITLE, entities, relations)
    judges = None if judged is None else frozenset(judged)
    marked = Marked(paper, annotation, frozenset(disputed), judges, weight)
    annotated = Annotated.of(marked, recognised(paper))
    result = Example.of(annotated, vocabulary)
    assert result
    return result


@pytest.fixture(scope="module")
def network(vocabulary: Vocabulary) -> StemmaNetwork:
    torch.manual_seed(1)
    return StemmaNetwork(len(vocabulary), size=96, layers=1)


class Seen(NamedTuple):
    """What the network says where all annotated names are put among those it finds."""

    batch: Batch
    groups: list[list[Group]]
    targets: Targets
    said: ForwardPass

    @classmethod
    def by(cls, network: StemmaNetwork, *examples: Example) -> "Seen":
        batch = Batch.of(examples)
        words = read_words(network, batch)
        prompter = Prompter(1.0, random.Random(1))
        groups = find_groups(batch, words.likely, {}, prompter)
        targets = Targets.of(batch, groups)
        return cls(batch, groups, targets, relate(network, batch, words, targets.groups))

    def loss(self, **changed: torch.Tensor) -> torch.Tensor:
        return loss_of(self.said._replace(**changed), self.batch, self.targets)


def test_a_group_is_the_entity_that_its_spans_are_annotated_as(
    vocabulary: Vocabulary, network: StemmaNetwork
) -> None:
    one = example(vocabulary)
    seen = Seen.by(network, one)
    truth = seen.targets.truth
    kelpie = one.paper.matches(seen.groups[0]).index(1)
    assert truth.relations[0, kelpie].nonzero().flatten().tolist() == [BUILDS_ON]
    assert truth.evidence[0, kelpie, BUILDS_ON].nonzero().flatten().tolist() == [1]


def test_evidence_that_is_not_read_is_not_asked_for(
    vocabulary: Vocabulary, network: StemmaNetwork
) -> None:
    unread = "It is " + "very " * 460 + f"good. {ABSTRACT} GPU Adam Kelpie."
    long, short = example(vocabulary, abstract=unread), example(vocabulary)
    seen = Seen.by(network, long, short)
    assert not seen.targets.truth.evidence[0].any()
    assert seen.loss() < 100


def test_a_disputed_relation_is_not_trained_on(
    vocabulary: Vocabulary, network: StemmaNetwork
) -> None:
    one = example(vocabulary, disputed=[("GPU", RelationType.BUILDS_ON)])
    seen = Seen.by(network, one)
    gpu = one.paper.matches(seen.groups[0]).index(3)
    changed = seen.said.relations.clone()
    changed[0, gpu, BUILDS_ON] += 5
    assert seen.loss(relations=changed) == seen.loss()
    changed[0, gpu, BUILDS_ON - 1] += 5
    assert seen.loss(relations=changed) != seen.loss()


def test_a_paper_judged_for_lineage_only_is_trained_on_nothing_else(
    vocabulary: Vocabulary, network: StemmaNetwork
) -> None:
    one = example(vocabulary, judged=[RelationType.BUILDS_ON, RelationType.IMPROVES_ON])
    seen = Seen.by(network, one)
    loss = seen.loss()
    for part in ("spans", "entity", "kind"):
        assert seen.loss(**{part: getattr(seen.said, part) + 5}) == loss, part
    for relation in RELATIONS:
        relations = seen.said.relations.clone()
        relations[..., RELATIONS.index(relation)] += 5
        learns = bool(seen.loss(relations=relations) != loss)
        assert learns == (relation in LINEAGE_RELATIONS), relation


def test_names_that_were_not_judged_teach_nothing(
    vocabulary: Vocabulary, network: StemmaNetwork
) -> None:
    one = example(vocabulary, judged=[RelationType.BUILDS_ON])
    seen = Seen.by(network, one)
    relations = seen.said.relations.clone()
    unknown = [g for g, k in enumerate(one.paper.matches(seen.groups[0])) if k is None]
    assert unknown
    relations[0, unknown] += 5
    assert seen.loss(relations=relations) == seen.loss()


OTHER = "We present Osprey, which extends TernNet. TernNet keeps Adam on a GPU."


def with_other_names(vocabulary: Vocabulary, one: Example) -> Example:
    """A variant in which as many names as possible are those of another paper."""
    annotation = Annotation(
        "Osprey", (AnnotatedEntity("TernNet", EntityKind.FRAMEWORK, ("TernNet",)),)
    )
    paper = Paper("paper/osprey", "Osprey", OTHER)
    other = Example.of(Annotated.of(Marked(paper, annotation), recognised(paper)), vocabulary)
    assert other
    (names,) = Augmentation.of([other], vocabulary).names.values()
    everything = Augmentation(
        dict.fromkeys(range(5), names), vocabulary, changed=1, replaced=1, masked=0
    )
    return everything.variant(one, random.Random(1))


def test_in_a_variant_another_name_stands_wherever_that_of_an_entity_stood(
    vocabulary: Vocabulary,
) -> None:
    one = example(vocabulary)
    variant = with_other_names(vocabulary, one)
    document, spans = variant.document, variant.spans()
    replaced = {k for span, k in spans.items() if document.surface(span) == "TernNet"}
    assert len(replaced) == 1, "one name cannot stand for two entities"
    assert list(spans.values()) == list(one.spans().values())
    for (new, k), old in zip(spans.items(), one.spans(), strict=True):
        text = "TernNet" if k in replaced else one.document.surface(old)
        assert document.surface(new) == text
        assert document.sentences[new[0]] == one.document.sentences[old[0]]
    assert variant.paper.relations is one.paper.relations
    assert variant.paper.names["ternnet"] in replaced
    window = vocabulary.windows(document)[0]
    assert variant.window.pieces == window.pieces
    assert variant.window.shapes == window.shapes
    assert (variant.window.first, variant.window.last) == (window.first, window.last)


def test_what_was_taught_moves_with_the_names(vocabulary: Vocabulary) -> None:
    one = example(vocabulary)
    spans = list(one.spans())
    part = (0, 2)
    one.taught = Taught(
        {span: np.eye(5)[1] for span in spans} | {part: np.full(5, 0.01)},
        {span: k for k, span in enumerate(spans)} | {part: len(spans)},
        np.ones(len(spans) + 1),
        np.eye(5)[[1] * (len(spans) + 1)],
        np.zeros((len(spans) + 1, len(RELATIONS))),
        np.zeros((len(spans) + 1, len(RELATIONS)), int),
    )
    variant = with_other_names(vocabulary, one)
    assert variant is not one
    assert variant.taught
    new = {k: span for span, k in variant.taught.groups.items()}
    assert new.keys() == set(range(len(spans) + 1))
    for k, span in enumerate(spans):
        text = variant.document.surface(new[k])
        assert text in {"TernNet", one.document.surface(span)}
        assert variant.taught.spans[new[k]].tolist() == np.eye(5)[1].tolist()


def test_masked_words_keep_their_places(vocabulary: Vocabulary) -> None:
    one = example(vocabulary)
    variant = Augmentation({}, vocabulary, changed=1, replaced=0, masked=1).variant(
        one, random.Random(1)
    )
    words = {
        i
        for first, last in zip(one.window.first, one.window.last, strict=True)
        for i in range(first, last + 1)
    }
    for i, (piece, before) in enumerate(zip(variant.window.pieces, one.window.pieces, strict=True)):
        assert piece == (MASK if i in words else before)
    assert variant.document is one.document
    assert variant.spans() == one.spans()


def test_teachers_speak_of_the_same_groups_and_their_probabilities_are_averaged(
    vocabulary: Vocabulary, network: StemmaNetwork
) -> None:
    papers = [example(vocabulary), example(vocabulary, abstract="Kelpie is slow.")]
    torch.manual_seed(2)
    other = StemmaNetwork(len(vocabulary), size=96, layers=1)
    networks = [network.eval(), other.eval()]
    alone = [dict(_by_text(teach([each], papers, {}))) for each in networks]
    both = dict(_by_text(teach(networks, papers, {})))
    assert both.keys() == {one.paper.marked.paper.abstract for one in papers}
    for text, taught in both.items():
        shared = taught.spans.keys() & alone[0][text].spans.keys() & alone[1][text].spans.keys()
        for span in shared:
            mean = (alone[0][text].spans[span] + alone[1][text].spans[span]) / 2
            assert taught.spans[span] == pytest.approx(mean, abs=1e-5)
        assert set(taught.groups.values()) == set(range(len(taught.entity)))


def _by_text(taught: Any) -> Iterator[tuple[str, Taught]]:
    for one, each in taught:
        yield one.paper.marked.paper.abstract, each


def test_what_teachers_say_counts_beside_the_annotation_and_alone_without_one(
    vocabulary: Vocabulary, network: StemmaNetwork
) -> None:
    annotated, unannotated = example(vocabulary), example(vocabulary, judged=[])
    kelpie = next(span for span, k in annotated.paper.spans.items() if k == 1)
    taught = Taught(
        {kelpie: np.array([0.1, 0.5, 0.2, 0, 0])},
        {kelpie: 0},
        np.array([0.8]),
        np.array([[0, 0.9, 0.1, 0, 0]]),
        np.full((1, len(RELATIONS)), 0.4),
        np.zeros((1, len(RELATIONS)), int),
    )
    for one, share in (annotated, 0.85), (unannotated, 1.0):
        one.taught = taught
        seen = Seen.by(network, one)
        truth = seen.targets.truth
        group = one.paper.matches(seen.groups[0]).index(1)
        expected = share * 0.4 + (1 - share)
        assert truth.relations[0, group, BUILDS_ON].item() == pytest.approx(expected)
        assert truth.entity[0, group].item() == pytest.approx(share * 0.8 + (1 - share))
        assert truth.settled[0, group].all()
        begin, end = kelpie
        kinds = seen.targets.kinds[0, begin, end - begin - 1]
        assert kinds[2].item() == pytest.approx(share * 0.5 + (1 - share))
        assert kinds.sum().item() == pytest.approx(1)
        assert kinds.min() >= 0


def test_an_annotation_counts_by_its_weight_beside_teachers(vocabulary: Vocabulary) -> None:
    taught = Taught({}, {}, np.zeros(0), *(np.zeros((0, n)) for n in (5, 8, 8)))
    for weight, counts in (1.0, 0.15), (0.8, 0.12), (5.0, 0.75), (20.0, 1.0):
        one = example(vocabulary, weight=weight)
        assert one.taught_share == 0, "no teacher has read it"
        one.taught = taught
        assert 1 - one.taught_share == pytest.approx(counts)


def test_what_teachers_say_is_kept_by_paper(vocabulary: Vocabulary, tmp_path: Path) -> None:
    taught = Taught(
        {(0, 1): np.array([0, 0.2, 0, 0.8, 0]), (4, 6): np.array([1.0, 0, 0, 0, 0])},
        {(0, 1): 1, (4, 6): 0},
        np.array([0.6, 1.0]),
        np.eye(2, 5),
        np.full((2, len(RELATIONS)), 0.2),
        np.ones((2, len(RELATIONS)), int),
    )
    nothing = Taught({}, {}, np.zeros(0), np.zeros((0, 5)), np.zeros((0, 8)), np.zeros((0, 8), int))
    file = tmp_path / "taught.npz"
    heron, kelpie, changed = (
        example(vocabulary, abstract=text).paper for text in (ABSTRACT, "Kelpie.", "It rains now.")
    )
    write(((heron, taught.arrays()), (kelpie, nothing.arrays())), file)
    held = Stored(file)
    arrays = held.get(heron)
    assert arrays
    again = Taught.of(arrays)
    assert again.groups == taught.groups
    for span, likely in taught.spans.items():
        assert again.spans[span] == pytest.approx(likely, abs=0.002)
    assert again.relations == pytest.approx(taught.relations, abs=0.002)
    assert again.evidence.tolist() == taught.evidence.tolist()
    empty = held.get(kelpie)
    assert empty
    assert Taught.of(empty).spans == {}
    assert held.get(changed) is None, "it has other words"


def test_places_count_by_their_distance_in_the_larger_encoder() -> None:
    near = RelativePlaces(2)
    bias = near(6, torch.ones(1, 1, 1, 6).bool())
    assert bias.shape == (1, 2, 6, 6)
    assert torch.equal(bias[0, 0].diagonal(1), bias[0, 0, 0, 1].expand(5))
    assert bias[0, 0, 0, 1] != bias[0, 0, 1, 0], "before and behind are told apart"
    far = near(300, torch.ones(1, 1, 1, 300).bool())
    assert far[0, 0, 0, 200] == far[0, 0, 0, 299], "all that is far is one"
    masked = near(6, torch.tensor([True] * 5 + [False])[None, None, None])
    assert (masked[..., 5] < -1000).all()


def test_a_training_resumes_from_its_checkpoint(
    vocabulary: Vocabulary, network: StemmaNetwork, tmp_path: Path
) -> None:
    papers = [example(vocabulary)] * 32
    checkpoint = tmp_path / "stage.checkpoint"
    whole = learn(network, papers, {}, PLAN)

    class StoppedError(Exception): ...

    def stop_in_second(text: str) -> None:
        if checkpoint.exists():
            raise StoppedError

    with pytest.raises(StoppedError):
        learn(network, papers, {}, PLAN, checkpoint, stop_in_second)
    resumed = learn(network, papers, {}, PLAN, checkpoint)
    for name, weight in whole.state_dict().items():
        assert torch.equal(weight, resumed.state_dict()[name]), name


def test_groups_of_teachers_guide_most_of_a_training(
    vocabulary: Vocabulary, network: StemmaNetwork
) -> None:
    one = example(vocabulary)
    kelpie = next(span for span, k in one.paper.spans.items() if k == 1)
    unlikely = (kelpie[0], kelpie[1] + 1)
    taught = np.zeros((1, 5)), np.full((1, len(RELATIONS)), 0.4), np.zeros((1, len(RELATIONS)), int)
    spans = {kelpie: np.full(5, 0.199), unlikely: np.full(5, 0.001)}
    one.taught = Taught(spans, dict.fromkeys(spans, 0), np.array([0.8]), *taught)
    found = [dict(likely_names(one, random.Random(seed))) for seed in range(100)]
    assert all(kelpie in each for each in found)
    assert 0 < sum(unlikely in each for each in found) < 30
    learnt = learn(network, [one] * 48, {}, replace(PLAN, epochs=4, guided=0.75))
    before, after = Seen.by(network, one).loss(), Seen.by(learnt.eval(), one).loss()
    assert after < before


def test_each_paper_is_prepared_once_by_all_processes_together(vocabulary: Vocabulary) -> None:
    papers = [example(vocabulary, abstract=ABSTRACT + " Yes." * k) for k in range(9)]
    guided = GuidedBatches(papers, {}, 2, 1, None)
    lengths = [
        int(paper.sum())
        for batch, _ in DataLoader(guided, None, num_workers=2)
        for paper in batch.mask
    ]
    assert sorted(lengths) == sorted(len(each.window.pieces) for each in papers)


def test_weights_and_activations_are_rounded_as_the_runtime_does() -> None:
    torch.manual_seed(1)
    layer = Int8Linear(8, 4)
    layer.rounds = True
    x = torch.randn(2, 5, 8)
    for rows, outputs in zip(x, layer(x), strict=True):
        weight = layer.weight.detach()
        scale = weight.abs().amax(1, keepdim=True) / 64
        weights = torch.round(weight / scale) * scale
        least, most = min(0.0, rows.min().item()), max(0.0, rows.max().item())
        step = (most - least) / 255
        zero = round(-least / step)
        steps = torch.clamp(torch.round(rows / step) + zero, 0, 255)
        expected = ((steps - zero) * step) @ weights.T + layer.bias
        assert torch.allclose(outputs, expected, atol=1e-4)


def test_gradients_pass_as_if_nothing_were_rounded() -> None:
    layer = Int8Linear(8, 4)
    x = torch.randn(2, 5, 8)
    layer(x).sum().backward()
    exact = layer.bias.grad.clone()
    layer.zero_grad()
    layer.rounds = True
    layer(x).sum().backward()
    assert torch.equal(layer.bias.grad, exact)
    assert layer.weight.grad.abs().sum() > 0
