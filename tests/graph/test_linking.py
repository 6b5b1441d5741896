"""Which entity a name means, over all papers."""

import re

import pytest

from described import describe, described, rows
from stemma.graph.linking import link
from stemma.graph.linking.linked_entity import Links
from stemma.graph.linking.naming import content_words, names_of
from stemma.schema import Catalogue, Entity, EntityKind, Extraction


def linked(catalogue: Catalogue, *extractions: Extraction) -> Links:
    papers = {extraction.paper.id: extraction.paper for extraction in extractions}
    return link(
        map(names_of, extractions),
        catalogue,
        lambda id_: content_words(f"{papers[id_].title} {papers[id_].abstract}"),
    )


def means(catalogue: Catalogue, table: str) -> tuple[list[str], list[str]]:
    """Return what names mean in the papers of a table, and what they mean there.

    It is as `described` takes one, with arrows from what is stated to the entities that are meant.
    """
    papers, expected = described(re.sub(r"\s+-> \S+", "", table)), []
    for paper, (_, _, *stated) in zip(papers, rows(table), strict=True):
        for line, _, id_ in (each.partition(" -> ") for each in stated):
            if id_:
                expected.append((paper.paper.id, re.search(r" (.+?)(?: = |: )", line)[1], id_))
    links = linked(catalogue, *papers)
    meant = [links.ids[paper][name].removeprefix("entity/") for paper, name, _ in expected]
    return meant, [id_ for *_, id_ in expected]


MEANINGS = {
    "a certain concept is taken at its word": """
    One | Redundancy goes. | technique Redundancy: USES [entity/zero] -> zero
    """,
    "a concept that the catalogue lacks is no concept": """
    One | Redundancy goes. | technique Redundancy: USES [entity/nowhere] -> redundancy
    """,
    "a version given as another form does not swallow the first": """
    New | Wombat-2, or Wombat. | model Wombat-2 = Wombat: INTRODUCES -> wombat-2
    Old | Wombat is old. | model Wombat: USES -> wombat
    """,
    "an acronym goes with what it is short for": """
    One | Sparse Gate Routing (SGR). | technique Sparse Gate Routing = SGR: INTRODUCES
    Two | We use SGR. | technique SGR: USES -> sparse-gate-routing
    Three | SGR. | technique sparse gate routes = SGR: USES -> sparse-gate-routing
    """,
    "a name with an acronym in brackets is known by both forms": """
    One | Sparse gate (SG) routing. | technique Sparse gate (SG) routing: INTRODUCES
         -> sparse-gate-sg-routing
    Two | We use SG routing. | technique SG routing: USES -> sparse-gate-sg-routing
    """,
    "an acronym that is short for two things is tied to neither": """
    One | Sparse Gate Routing. | technique Sparse Gate Routing = SGR: USES
    Two | Soft Graph Rewiring. | technique Soft Graph Rewiring = SGR: USES
    Three | We use SGR. | technique SGR: USES -> sgr
    """,
    "a compound is not what its part is short for": """
    One | A GPU-CPU link. | hardware GPU = GPU-CPU: RUNS_ON -> gpu
    """,
    "vendors fold where both forms occur as one kind": """
    One | Intel Zulu runs. | hardware Intel Zulu: RUNS_ON -> zulu
    Two | Zulu runs. | hardware Zulu: RUNS_ON -> zulu
    """,
    "vendors stay where the bare form does not occur": """
    One | Intel Zulu runs. | hardware Intel Zulu: RUNS_ON -> intel-zulu
    """,
    "vendors stay where the bare form is of another kind": """
    One | Intel Zulu runs. | hardware Intel Zulu: RUNS_ON -> intel-zulu
    Two | Zulu is a text. | dataset Zulu: USES -> zulu
    """,
    "vendors fold into the catalogue, as articles do": """
    One | On Intel Gaudi. | hardware Intel Gaudi: RUNS_ON -> gaudi
    Two | On the Gaudi. | hardware the Gaudi: RUNS_ON -> gaudi
    """,
    "vendors are part of the name of what several of them make": """
    One | An AMD GPU, an NVIDIA GPU. | hardware AMD GPU: RUNS_ON -> amd-gpu
         | hardware NVIDIA GPU: RUNS_ON -> nvidia-gpu
    """,
    "a known name that a paper coins again is another thing": """
    CUDA: Curves Under Drifting Axes
         | We propose Curves Under Drifting Axes (CUDA) against data poisoning of images.
         | technique CUDA = Curves Under Drifting Axes: INTRODUCES
         -> cuda--cuda-curves-under-drifting-axes
    Kernels | We write kernels in CUDA. | framework CUDA: USES -> cuda
    Poison | Unlike CUDA, we cure poisoned images of data.
         | technique CUDA: USES -> cuda--cuda-curves-under-drifting-axes
    """,
    "a description that two papers coin is two things, without context that introduced first": """
    Ring (2021) | We propose stripe parallelism, which passes chunks of attention around a ring.
         | technique stripe parallelism: INTRODUCES -> stripe-parallelism--ring
    Less recomputation (2022)
         | We present stripe parallelism for layer normalisation and dropout beside tensors.
         | technique stripe parallelism: INTRODUCES -> stripe-parallelism--less-recomputation
    Rings | Passing chunks around rings, as stripe parallelism does, is quick.
         | technique stripe parallelism: BUILDS_ON -> stripe-parallelism--ring
    Dropout | With stripe parallelism, dropout and normalisation are cheap.
         | technique Stripe Parallelism = stripe parallelism: USES
         -> stripe-parallelism--less-recomputation
    Else |  | technique stripe parallelism: MENTIONS -> stripe-parallelism--ring
    """,
    "papers titled with one name mean one thing where one is a version of the other": """
    ReGrip: grasping | Robots grasp cups with learnt fingers and touch sensors.
         | model ReGrip: INTRODUCES -> regrip
    ReGrip: grasp more | Robots grasp bowls with learnt fingers and touch sensors.
         | model ReGrip: INTRODUCES -> regrip
    """,
    "else they mean two": """
    ReGrip: grasping | Robots grasp cups with learnt fingers and touch sensors.
         | model ReGrip: INTRODUCES -> regrip--regrip-grasping
    ReGrip: prices | Robots grasp nothing; markets are forecast from learnt prices.
         | model ReGrip: INTRODUCES -> regrip--regrip-prices
    """,
    "what a paper years older calls by a name is not what a later one introduces": """
    Fruit counting (2014) | Robots count apples on trees. We evaluate on the SALT images of trees.
         | dataset SALT: EVALUATED_ON -> salt--dataset
    SALT: learning (2021) | We present SALT, which adapts translation to new languages.
         | model SALT: INTRODUCES -> salt
    Harvest (2023) | Apples on trees, as in SALT. | dataset SALT: USES -> salt--dataset
    Subtitles (2023) | SALT translates to new languages. | model SALT: BUILDS_ON -> salt
    Only a year before (2020) | SALT is awaited. | model SALT: MENTIONS -> salt
    Whenever | SALT is used. | model SALT: USES -> salt
    """,
    "an acronym that a paper about something else leaves unexplained is another": """
    Robots | Gripping robots fold laundry of cotton, wool and linen with Soft Arm Tracks (SAT):
         cameras watch creases while fingers pull sleeves, collars and pockets over padded tables.
         | technique Soft Arm Tracks = SAT: INTRODUCES -> sat
    Solvers | Formulas of circuits become clauses, and a solver for SAT learns conflicts, restarts,
         forgets lemmas and proves adders, multipliers, shifters and comparators equal, as do
         engineers by hand in factories of chips. | technique SAT: USES -> sat--technique
    Tables | Robots with padded fingers fold sleeves and collars of cotton, as SAT does, while
         cameras watch creases of laundry; wool and linen need another hour of training.
         | technique SAT: USES -> sat
    Title alone |  | technique SAT: USES -> sat
    """,
    "what is evaluated on, or run on, is no method of that name": """
    Robots | We present Wren. | technique Wren: INTRODUCES -> wren
    Birds | On the data of Wren. | dataset Wren: EVALUATED_ON -> wren--dataset
    Songs | On the data of Wren. | dataset Wren: EVALUATED_ON -> wren--dataset
    Boards | On a Wren board. | hardware Wren: RUNS_ON -> wren--hardware
    Hands | We use Wren. | model Wren: USES -> wren
    """,
    "names of networks are often chosen twice": """
    Surfaces | We present FFNet.
         It reconstructs surfaces of buildings from sparse laser scans and camera images.
         | model FFNet: INTRODUCES -> ffnet--surfaces
    Vessels | We present FFNet.
         It segments vessels of retinas in camera images, with noise from sparse labels.
         | model FFNet: INTRODUCES -> ffnet--vessels
    """,
    "names of two words in one are hardly chosen twice": """
    Surfaces | We present TorchDirect.
         It reconstructs surfaces of buildings from sparse laser scans and camera images.
         | model TorchDirect: INTRODUCES -> torchdirect
    Vessels | We present TorchDirect.
         It segments vessels of retinas in camera images, with noise from sparse labels.
         | model TorchDirect: INTRODUCES -> torchdirect
    """,
    "nor those of several words, whenever they are used": """
    Old (2010) | Walking Ant Robot (WAR) and Blue Heron are here.
         | framework Walking Ant Robot = WAR: USES -> walking-ant-robot
         | framework Blue Heron: USES -> blue-heron
    Own (2020) | Walking Ant Robot (WAR) and Blue Heron are here.
         | framework Walking Ant Robot = WAR: INTRODUCES -> walking-ant-robot
         | framework Blue Heron: INTRODUCES -> blue-heron
    """,
    "a general term that is older than what is introduced by its name keeps the id": """
    Old (2010) | Weight folding is common. | technique weight folding: USES -> weight-folding
    Own (2020) | We propose weight folding, which folds weights.
         | technique weight folding: INTRODUCES -> weight-folding--own
    """,
    "a name that is short for other words is not what was introduced": """
    One | Sparse Gate Routing (SGR) it is. | technique SGR = Sparse Gate Routing: INTRODUCES -> sgr
    Two | Soft Graph Rewiring (SGR) it is. | technique SGR = Soft Graph Rewiring: USES
         -> sgr--technique
    Three | sparse routing of gates (SGR) it is. | technique SGR = sparse routing of gates: USES
         -> sgr
    """,
    "a name coined for another kind of thing is another entity": """
    Triton and Adam: A Chip | Adam is a chip.
         | hardware Adam: INTRODUCES -> adam--triton-and-adam-a-chip
    Training | Adam converges. | technique Adam: USES [entity/adam] -> adam
    """,
}


@pytest.mark.parametrize("case", MEANINGS)
def test_what_names_mean(catalogue: Catalogue, case: str) -> None:
    meant, expected = means(catalogue, MEANINGS[case])
    assert meant == expected != []


DATED = (
    Entity("entity/mamba", "Mamba", EntityKind.MODEL, year=2023),
    Entity("entity/gqa", "grouped-query attention", EntityKind.TECHNIQUE, ("GQA",), year=2023),
    Entity("entity/gqa-dataset", "GQA dataset", EntityKind.DATASET, year=2019),
    Entity("entity/torchdirect", "TorchDirect", EntityKind.FRAMEWORK, year=2023),
    Entity("entity/lime", "LIME", EntityKind.TECHNIQUE, year=2016),
    Entity("entity/gan", "GAN", EntityKind.MODEL, ("generative adversarial network",),
           general=True, year=2014),
    Entity("entity/julia", "Julia", EntityKind.FRAMEWORK, year=2012),
    Entity("entity/glassdirect", "GlassDirect", EntityKind.TECHNIQUE, year=2016),
    Entity("entity/saga", "SAGA", EntityKind.TECHNIQUE, year=2014),
    Entity("entity/adam", "Adam", EntityKind.TECHNIQUE, year=2014),
    Entity("entity/wren-corpus", "Wren corpus", EntityKind.DATASET),
)  # fmt: skip
OF_DATED = {
    "a paper that is older than a concept means something else by its name": """
    A robot like a snake (2012) | Mamba crawls.
         | model Mamba: USES [entity/mamba] -> mamba--model
    """,
    "but not one of the year before, or without a date": """
    On text (2022) | Mamba reads. | model Mamba: USES [entity/mamba] -> mamba
    Whenever | Mamba reads. | model Mamba: USES [entity/mamba] -> mamba
    """,
    "a data set is not the model of that name": """
    On snakes (2025) | Of the Mamba images. | dataset Mamba: USES [entity/mamba] -> mamba--dataset
    """,
    "a data set is known without that word": """
    On birds (2025) | Of GQA images. | dataset GQA: USES [entity/gqa] -> gqa-dataset
    On songs (2025) | Of Wren songs. | dataset Wren: USES -> wren-corpus
    """,
    "nor where not all concepts of the name are younger": """
    On images (2020) | GQA has questions. | dataset GQA: USES -> gqa-dataset
    """,
    "nor by a name that is hardly chosen twice": """
    Odd (2012) | TorchDirect. | framework TorchDirect: USES -> torchdirect
    """,
    "what a paper introduces years after a concept is something else": """
    Stones (2018) | We propose LIME. | technique LIME: INTRODUCES [entity/lime] -> lime--stones
    """,
    "but not a year after, since that may be the year of a preprint": """
    Soon (2017) | We propose LIME. | technique LIME: INTRODUCES [entity/lime] -> lime
    """,
    "nor where it is a general term, which was misread": """
    Repairs (2018) | We present generative adversarial networks (GANs) for repairs.
         | model generative adversarial networks = GANs: INTRODUCES -> gan
    Steps (2018) | We present the Stepwise GAN (GAN).
         | model Stepwise GAN = GAN: INTRODUCES -> stepwise-gan
    """,
    "nor software, which is older than its paper": """
    Julia (2017) | We present Julia. | framework Julia: INTRODUCES -> julia
    """,
    "nor what has a name that is hardly chosen twice": """
    A thesis (2024) | GlassDirect is ours. | technique GlassDirect: INTRODUCES -> glassdirect
    """,
    "an undated paper is as old as what it names": """
    Segments | We present SAGA, after Mamba. | technique SAGA: INTRODUCES -> saga--segments
         | model Mamba: BUILDS_ON
    """,
    "and perhaps no older than that": """
    Gradients | We present SAGA, after Adam. | technique SAGA: INTRODUCES -> saga
         | technique Adam: BUILDS_ON
    States | We present Mamba, after Adam. | model Mamba: INTRODUCES -> mamba
         | technique Adam: USES
    """,
}


@pytest.mark.parametrize("case", OF_DATED)
def test_dates_tell_names_apart(case: str) -> None:
    catalogue = Catalogue({concept.id: concept for concept in DATED}, (), "dated")
    meant, expected = means(catalogue, OF_DATED[case])
    assert meant == expected != []


def test_the_preferred_name_is_the_most_frequent_one_and_the_kind_the_best_supported(catalogue):
    papers = described("""
        One | Tensor swap. | technique Tensor swap: USES
        Two | Tensor-Swap. | framework Tensor-Swap: USES
        Three | Tensor-Swap. | technique Tensor-Swap: USES
    """)
    (entity,) = linked(catalogue, *papers).entities.values()
    assert entity == Entity("entity/tensor-swap", "Tensor-Swap", EntityKind.TECHNIQUE, general=True)


@pytest.mark.parametrize(
    ("first", "general"),
    [("Tensor Swaps: USES", True), ("tensor swaps: INTRODUCES", False)],
    ids=["papers vote by how they write a name", "an introduction outweighs others"],
)
def test_a_general_term_is_told_from_a_work_that_somebody_named(catalogue, first, general):
    papers = described(f"""
        One | Of {first.partition(":")[0]}. | technique {first}
        Two | We use tensor swaps. | technique tensor swaps: USES
        Three | Tensor swaps help. | technique Tensor swaps: USES
    """)
    (entity,) = linked(catalogue, *papers).entities.values()
    assert entity.general == general


def test_the_catalogue_gives_name_kind_and_broader_and_papers_give_aliases(catalogue):
    line = "framework a100s = Ampere A100 = GPU: RUNS_ON"  # Which the catalogue knows otherwise.
    paper = describe("One", "An Ampere A100 card, a GPU.", line)
    links = linked(catalogue, paper)
    entity = links.entities["entity/nvidia-a100"]
    assert (entity.name, entity.kind) == ("NVIDIA A100", EntityKind.HARDWARE)
    assert entity.aliases == ("A100", "Ampere A100")
    assert "entity/gpu" in links.entities, "what is broader is held as well"
    assert "entity/zero" not in links.entities, "what nobody mentions is not"


def test_brackets_are_an_alias_only_where_they_hold_an_acronym(catalogue):
    aside = describe("Three", "Gates (eight) are used.", "technique Gates (eight): USES")
    assert linked(catalogue, aside).entities["entity/gates-eight"].aliases == ()
    line = "technique Sparse Gate Routing = SGR: INTRODUCES"
    both = describe("One", "Sparse Gate Routing (SGR).", line)
    assert linked(catalogue, both).entities["entity/sparse-gate-routing"].aliases == ("SGR",)


def test_an_article_counts_no_more_than_a_vendor_but_makes_no_other_kind(catalogue):
    heap = Entity("entity/the-heap", "The Heap", EntityKind.DATASET)
    known = Catalogue({**catalogue.concepts, heap.id: heap}, catalogue.facts, "with an article")
    for table in (
        "One | On Heap. | dataset Heap: EVALUATED_ON -> the-heap\n"
        "Two | On The Heap. | dataset The Heap: EVALUATED_ON -> the-heap",
        "Three | A heap sorts. | technique heap: USES -> heap",
    ):
        found, expected = means(known, table)
        assert found == expected


def test_a_possessive_is_no_part_of_a_name_and_no_alias(catalogue):
    links = linked(
        catalogue,
        describe("One", "Kelp's scheduler.", "framework Kelp's: INTRODUCES"),
        describe("Two", "Kelp and Kelp's cache; a GPU's.", "framework Kelp = Kelp's: USES",
                 "hardware GPU = GPU's: RUNS_ON"),
    )  # fmt: skip
    assert links.entities["entity/kelp"] == Entity("entity/kelp", "Kelp", EntityKind.FRAMEWORK)
    assert links.entities["entity/gpu"] == catalogue.concepts["entity/gpu"]
