"""Which entity a name means, over all papers."""

from hypothesis import given
from hypothesis import strategies as st

from stemma.graph.linking import link
from stemma.graph.linking.homonym import content_words
from stemma.graph.linking.links import Links
from stemma.graph.linking.naming import Name, PaperNames, names_of
from stemma.schema import Catalogue, Entity, EntityKind, Extraction


def linked(catalogue: Catalogue, *extractions: Extraction) -> Links:
    papers = {each.paper.id: each.paper for each in extractions}
    return link(
        map(names_of, extractions),
        catalogue,
        lambda id_: content_words(f"{papers[id_].title} {papers[id_].abstract}"),
    )


def meaning(links: Links, extraction: Extraction, name: str) -> str:
    return links.ids[extraction.paper.id][name]


def test_the_preferred_name_is_the_most_frequent_one_and_the_kind_the_best_supported(
    catalogue, describe
):
    papers = [
        describe("One", "Tensor swap.", "technique Tensor swap: USES"),
        describe("Two", "Tensor-Swap.", "framework Tensor-Swap: USES"),
        describe("Three", "Tensor-Swap.", "technique Tensor-Swap: USES"),
    ]
    (entity,) = linked(catalogue, *papers).entities.values()
    assert entity == Entity("entity/tensor-swap", "Tensor-Swap", EntityKind.TECHNIQUE, general=True)


class TestGenerality:
    """Whether an entity is a general term, or a work that somebody made and named."""

    def general(self, catalogue, *papers) -> dict[str, bool]:
        return {each.name: each.general for each in linked(catalogue, *papers).entities.values()}

    def test_papers_vote_by_how_they_write_a_name(self, catalogue, describe):
        papers = [
            describe("One", "We use Tensor Swaps here.", "technique Tensor Swaps: USES"),
            describe("Two", "We use tensor swaps.", "technique tensor swaps: USES"),
            describe("Three", "Tensor swaps help.", "technique Tensor swaps: USES"),
        ]
        assert list(self.general(catalogue, *papers).values()) == [True]

    def test_an_introduction_outweighs_others_that_write_it_in_lower_case(
        self, catalogue, describe
    ):
        papers = [
            describe("One", "We present Tensor Swap.", "technique Tensor Swap: INTRODUCES"),
            describe("Two", "We use tensor swap.", "technique tensor swap: USES"),
            describe("Three", "We use tensor swap.", "technique tensor swap: USES"),
        ]
        assert list(self.general(catalogue, *papers).values()) == [False]


def test_a_certain_concept_is_taken_at_its_word(catalogue, describe):
    paper = describe("One", "Redundancy goes.", "technique Redundancy: USES [entity/zero]")
    assert meaning(linked(catalogue, paper), paper, "Redundancy") == "entity/zero"


def test_a_concept_that_the_catalogue_lacks_is_no_concept(catalogue, describe):
    paper = describe("One", "Redundancy goes.", "technique Redundancy: USES [entity/nowhere]")
    assert meaning(linked(catalogue, paper), paper, "Redundancy") == "entity/redundancy"


def test_the_catalogue_is_known_by_every_name_and_gives_name_kind_and_broader(catalogue, describe):
    paper = describe("One", "On a100s we run.", "framework a100s: RUNS_ON")
    links = linked(catalogue, paper)
    assert meaning(links, paper, "a100s") == "entity/nvidia-a100"
    assert links.entities["entity/nvidia-a100"].name == "NVIDIA A100"
    assert links.entities["entity/nvidia-a100"].kind is EntityKind.HARDWARE
    assert "entity/gpu" in links.entities, "what is broader is held as well"
    assert "entity/zero" not in links.entities, "what nobody mentions is not"


def test_names_that_papers_add_to_a_concept_become_aliases(catalogue, describe):
    paper = describe("One", "An Ampere A100 card.", "hardware A100 = Ampere A100: RUNS_ON")
    entity = linked(catalogue, paper).entities["entity/nvidia-a100"]
    assert entity.aliases == ("A100", "Ampere A100")


def test_a_version_given_as_another_form_does_not_swallow_the_first(catalogue, describe):
    new = describe("New", "Wombat-2, or Wombat.", "model Wombat-2 = Wombat: INTRODUCES")
    old = describe("Old", "Wombat is old.", "model Wombat: USES")
    links = linked(catalogue, new, old)
    assert meaning(links, old, "Wombat") == "entity/wombat"


def test_an_acronym_goes_with_what_it_is_short_for(catalogue, describe):
    told = describe(
        "One", "Sparse Gate Routing (SGR).", "technique Sparse Gate Routing = SGR: INTRODUCES"
    )
    short = describe("Two", "We use SGR.", "technique SGR: USES")
    links = linked(catalogue, told, short)
    assert meaning(links, short, "SGR") == "entity/sparse-gate-routing"
    assert links.entities["entity/sparse-gate-routing"].aliases == ("SGR",)


def test_a_name_with_an_acronym_in_brackets_is_known_by_both_forms(catalogue, describe):
    both = describe(
        "One", "Sparse gate (SG) routing.", "technique Sparse gate (SG) routing: INTRODUCES"
    )
    short = describe("Two", "We use SG routing.", "technique SG routing: USES")
    links = linked(catalogue, both, short)
    assert meaning(links, both, "Sparse gate (SG) routing") == meaning(links, short, "SG routing")
    aside = describe("Three", "Gates (eight) are used.", "technique Gates (eight): USES")
    assert linked(catalogue, aside).entities["entity/gates-eight"].aliases == ()


def test_an_acronym_that_is_short_for_two_things_is_tied_to_neither(catalogue, describe):
    one = describe("One", "Sparse Gate Routing.", "technique Sparse Gate Routing = SGR: USES")
    two = describe("Two", "Soft Graph Rewiring.", "technique Soft Graph Rewiring = SGR: USES")
    short = describe("Three", "We use SGR.", "technique SGR: USES")
    assert meaning(linked(catalogue, one, two, short), short, "SGR") == "entity/sgr"


def test_a_compound_is_not_what_its_part_is_short_for(catalogue, describe):
    paper = describe("One", "A GPU-CPU link.", "hardware GPU = GPU-CPU: RUNS_ON")
    assert meaning(linked(catalogue, paper), paper, "GPU") == "entity/gpu"


class TestVendors:
    def test_fold_where_both_forms_occur_as_one_kind(self, catalogue, describe):
        long = describe("One", "Intel Zulu runs.", "hardware Intel Zulu: RUNS_ON")
        short = describe("Two", "Zulu runs.", "hardware Zulu: RUNS_ON")
        links = linked(catalogue, long, short)
        assert meaning(links, long, "Intel Zulu") == meaning(links, short, "Zulu")

    def test_stay_where_the_bare_form_does_not_occur_or_is_of_another_kind(
        self, catalogue, describe
    ):
        long = describe("One", "Intel Zulu runs.", "hardware Intel Zulu: RUNS_ON")
        other = describe("Two", "Zulu is a text.", "dataset Zulu: USES")
        assert meaning(linked(catalogue, long), long, "Intel Zulu") == "entity/intel-zulu"
        links = linked(catalogue, long, other)
        assert meaning(links, long, "Intel Zulu") != meaning(links, other, "Zulu")

    def test_fold_into_the_catalogue(self, catalogue, describe):
        paper = describe("One", "On Intel Gaudi.", "hardware Intel Gaudi: RUNS_ON")
        assert meaning(linked(catalogue, paper), paper, "Intel Gaudi") == "entity/gaudi"

    def test_count_no_more_than_an_article(self, catalogue, describe):
        heap = Entity("entity/the-heap", "The Heap", EntityKind.DATASET)
        known = Catalogue({**catalogue.concepts, heap.id: heap}, catalogue.facts, "with an article")
        papers = [
            describe("One", "On Heap.", "dataset Heap: EVALUATED_ON"),
            describe("Two", "On The Heap.", "dataset The Heap: EVALUATED_ON"),
        ]
        assert set(linked(known, *papers).entities) == {"entity/the-heap"}
        other = describe("Three", "A heap sorts.", "technique heap: USES")
        assert meaning(linked(known, other), other, "heap") == "entity/heap"
        gpus = describe("Four", "On the Gaudi.", "hardware the Gaudi: RUNS_ON")
        intel = describe("Five", "On Intel Gaudi.", "hardware Intel Gaudi: RUNS_ON")
        assert set(linked(known, gpus, intel).entities) == {"entity/gaudi"}

    def test_are_part_of_the_name_of_what_several_of_them_make(self, catalogue, describe):
        paper = describe(
            "One",
            "An AMD GPU, an NVIDIA GPU.",
            "hardware AMD GPU: RUNS_ON",
            "hardware NVIDIA GPU: RUNS_ON",
        )
        assert set(linked(catalogue, paper).entities) == {"entity/amd-gpu", "entity/nvidia-gpu"}


class TestHomonyms:
    def test_a_known_name_that_a_paper_coins_again_is_another_thing(self, catalogue, describe):
        coined = describe(
            "CUDA: Curves Under Drifting Axes",
            "We propose Curves Under Drifting Axes (CUDA) against data poisoning of images.",
            "technique CUDA = Curves Under Drifting Axes: INTRODUCES",
        )
        platform = describe("Kernels", "We write kernels in CUDA.", "framework CUDA: USES")
        rival = describe(
            "Poison", "Unlike CUDA, we cure poisoned images of data.", "technique CUDA: USES"
        )
        links = linked(catalogue, coined, platform, rival)
        own = "entity/cuda--cuda-curves-under-drifting-axes"
        assert meaning(links, coined, "CUDA") == own
        assert meaning(links, platform, "CUDA") == "entity/cuda"
        assert meaning(links, rival, "CUDA") == own

    def test_a_description_that_two_papers_coin_is_two_things(self, catalogue, describe):
        ring = describe(
            "Stripe parallelism: long inputs on a ring",
            "We propose stripe parallelism, which passes chunks of attention around a ring.",
            "technique stripe parallelism: INTRODUCES",
            published="2021",
        )
        norm = describe(
            "Less recomputation",
            "We present stripe parallelism for layer normalisation and dropout beside tensors.",
            "technique stripe parallelism: INTRODUCES",
            published="2022",
        )
        of_ring = describe(
            "Rings",
            "Passing chunks around rings, as stripe parallelism does, is quick.",
            "technique stripe parallelism: BUILDS_ON",
        )
        of_norm = describe(
            "Dropout",
            "With stripe parallelism, dropout and normalisation are cheap.",
            "technique Stripe Parallelism = stripe parallelism: USES",
        )
        of_neither = describe("Else", "", "technique stripe parallelism: MENTIONS")
        links = linked(catalogue, ring, norm, of_ring, of_norm, of_neither)
        first = "entity/stripe-parallelism--stripe-parallelism-long-inputs-on-a-ring"
        second = "entity/stripe-parallelism--less-recomputation"
        assert meaning(links, ring, "stripe parallelism") == first
        assert meaning(links, norm, "stripe parallelism") == second
        assert meaning(links, of_ring, "stripe parallelism") == first
        assert meaning(links, of_norm, "Stripe Parallelism") == second
        assert meaning(links, of_neither, "stripe parallelism") == first, "introduced first"

    def test_papers_titled_with_one_name_mean_two_things_unless_one_is_a_version_of_the_other(
        self, catalogue, describe
    ):
        def titled(subtitle: str, abstract: str) -> Extraction:
            return describe(f"ReGrip: {subtitle}", abstract, "model ReGrip: INTRODUCES")

        hands = titled("grasping", "Robots grasp cups with learnt fingers and touch sensors.")
        again = titled("grasp more", "Robots grasp bowls with learnt fingers and touch sensors.")
        stocks = titled("prices", "Robots grasp nothing; markets are forecast from learnt prices.")
        assert len(linked(catalogue, hands, again).entities) == 1
        assert len(linked(catalogue, hands, stocks).entities) == 2

    def test_what_an_older_paper_calls_by_a_name_is_not_what_a_later_one_introduces(
        self, catalogue, describe
    ):
        orchard = describe(
            "Fruit counting in orchards",
            "Robots count apples on trees. We evaluate on the SALT images of trees.",
            "dataset SALT: EVALUATED_ON",
            published="2014",
        )
        salt = describe(
            "SALT: self-adapting learning of translation",
            "We present SALT, which adapts translation to new languages.",
            "model SALT: INTRODUCES",
            published="2021",
        )
        harvest = describe(
            "Harvest", "Apples on trees, as in SALT.", "dataset SALT: USES", published="2023"
        )
        subtitles = describe(
            "Subtitles",
            "SALT translates to new languages.",
            "model SALT: BUILDS_ON",
            published="2023",
        )
        preprint = describe("Soon", "SALT is awaited.", "model SALT: MENTIONS", published="2020")
        undated = describe("Whenever", "SALT is used.", "model SALT: USES")
        links = linked(catalogue, orchard, salt, harvest, subtitles, preprint, undated)
        images = "entity/salt--fruit-counting-in-orchards"
        assert meaning(links, orchard, "SALT") == images
        assert meaning(links, salt, "SALT") == "entity/salt", "what is introduced keeps the id"
        assert meaning(links, harvest, "SALT") == images, "it fits by its words"
        assert meaning(links, subtitles, "SALT") == "entity/salt"
        assert meaning(links, preprint, "SALT") == "entity/salt", "only a year before"
        assert meaning(links, undated, "SALT") == "entity/salt"

    def test_a_paper_that_is_older_than_a_concept_means_something_else_by_its_name(self, describe):
        concepts = (
            Entity("entity/mamba", "Mamba", EntityKind.MODEL, year=2023),
            Entity("entity/gqa", "grouped-query attention", EntityKind.TECHNIQUE, ("GQA",),
                   year=2023),
            Entity("entity/gqa-dataset", "GQA dataset", EntityKind.DATASET, ("GQA",), year=2019),
            Entity("entity/torchdirect", "TorchDirect", EntityKind.FRAMEWORK, year=2023),
        )  # fmt: skip
        catalogue = Catalogue({each.id: each for each in concepts}, (), "dated")
        certain = "model Mamba: USES [entity/mamba]"
        snake = describe("A robot like a snake", "Mamba crawls.", certain, published="2012")
        text = describe("On text", "Mamba reads.", certain, published="2022")
        undated = describe("Whenever", "Mamba reads.", certain)
        images = describe("On images", "GQA has questions.", "dataset GQA: USES", published="2020")
        odd = describe("Odd", "TorchDirect.", "framework TorchDirect: USES", published="2012")
        links = linked(catalogue, snake, text, undated, images, odd)
        assert meaning(links, snake, "Mamba") == "entity/mamba--a-robot-like-a-snake"
        assert meaning(links, text, "Mamba") == "entity/mamba", "only a year before"
        assert meaning(links, undated, "Mamba") == "entity/mamba"
        assert meaning(links, images, "GQA") == "entity/gqa-dataset", "not all are younger"
        assert meaning(links, odd, "TorchDirect") == "entity/torchdirect", "hardly chosen twice"

    def test_what_a_paper_introduces_years_after_a_concept_is_something_else(self, describe):
        concepts = (
            Entity("entity/lime", "LIME", EntityKind.TECHNIQUE, year=2016),
            Entity("entity/gan", "GAN", EntityKind.MODEL,
                   ("generative adversarial network",), general=True, year=2014),
            Entity("entity/julia", "Julia", EntityKind.FRAMEWORK, year=2012),
            Entity("entity/torchdirect", "TorchDirect", EntityKind.TECHNIQUE, year=2016),
        )  # fmt: skip
        catalogue = Catalogue({each.id: each for each in concepts}, (), "dated")
        stones = describe("Stones", "We propose LIME.", "technique LIME: INTRODUCES [entity/lime]",
                          published="2018")  # fmt: skip
        soon = describe("Soon", "We propose LIME.", "technique LIME: INTRODUCES [entity/lime]",
                        published="2017")  # fmt: skip
        long = describe("Repairs", "We present generative adversarial networks (GANs) for repairs.",
                        "model generative adversarial networks = GANs: INTRODUCES",
                        published="2018")  # fmt: skip
        steps = describe("Steps", "We present the Stepwise GAN (GAN).",
                         "model Stepwise GAN = GAN: INTRODUCES", published="2018")  # fmt: skip
        julia = describe("Julia", "We present Julia.", "framework Julia: INTRODUCES",
                         published="2017")  # fmt: skip
        thesis = describe("A thesis", "TorchDirect is ours.", "technique TorchDirect: INTRODUCES",
                          published="2024")  # fmt: skip
        links = linked(catalogue, stones, soon, long, steps, julia, thesis)
        assert meaning(links, stones, "LIME") == "entity/lime--stones"
        assert meaning(links, soon, "LIME") == "entity/lime", "its year may be that of a preprint"
        assert meaning(links, long, "generative adversarial networks") == "entity/gan", "misread"
        assert meaning(links, steps, "Stepwise GAN") == "entity/stepwise-gan"
        assert meaning(links, julia, "Julia") == "entity/julia", "software is older than its paper"
        assert meaning(links, thesis, "TorchDirect") == "entity/torchdirect", "hardly chosen twice"

    def test_names_of_networks_are_often_chosen_twice(self, catalogue, describe):
        scans = "It reconstructs surfaces of buildings from sparse laser scans and camera images."
        eyes = "It segments vessels of retinas in camera images, with noise from sparse labels."
        for name, entities in (("FFNet", 2), ("MapNets", 2), ("TorchDirect", 1)):
            one, other = (
                describe(title, f"We present {name}. {text}", f"model {name}: INTRODUCES")
                for title, text in (("Surfaces", scans), ("Vessels", eyes))
            )
            assert len(linked(catalogue, one, other).entities) == entities, name

    def test_an_undated_paper_is_hardly_older_than_what_it_names(self, describe):
        concepts = (
            Entity("entity/saga", "SAGA", EntityKind.TECHNIQUE, year=2014),
            Entity("entity/mamba", "Mamba", EntityKind.MODEL, year=2023),
            Entity("entity/adam", "Adam", EntityKind.TECHNIQUE, year=2014),
        )
        catalogue = Catalogue({each.id: each for each in concepts}, (), "dated")
        late = describe("Segments", "We present SAGA, after Mamba.", "technique SAGA: INTRODUCES",
                        "model Mamba: BUILDS_ON")  # fmt: skip
        early = describe("Gradients", "We present SAGA, after Adam.", "technique SAGA: INTRODUCES",
                         "technique Adam: BUILDS_ON")  # fmt: skip
        mamba = describe("States", "We present Mamba, after Adam.", "model Mamba: INTRODUCES",
                         "technique Adam: USES")  # fmt: skip
        links = linked(catalogue, late, early, mamba)
        assert meaning(links, late, "SAGA") == "entity/saga--segments", "it names what is of 2023"
        assert meaning(links, early, "SAGA") == "entity/saga"
        assert meaning(links, mamba, "Mamba") == "entity/mamba", "it may be years after Adam"

    def test_a_general_term_that_is_older_than_what_is_introduced_by_its_name_keeps_the_id(
        self, catalogue, describe
    ):
        old = describe(
            "Old", "Weight folding is common.", "technique weight folding: USES", published="2010"
        )
        own = describe(
            "Own",
            "We propose weight folding, which folds weights.",
            "technique weight folding: INTRODUCES",
            published="2020",
        )
        links = linked(catalogue, old, own)
        assert meaning(links, old, "weight folding") == "entity/weight-folding"
        assert meaning(links, own, "weight folding") == "entity/weight-folding--own"

    def test_a_name_that_is_hardly_chosen_twice_means_one_thing_whenever_it_is_used(
        self, catalogue, describe
    ):
        for name, forms in (
            ("TorchDirect", ""),
            ("Walking Ant Robot", " = WAR"),
            ("Blue Heron", ""),
        ):
            text = f"{name} (WAR) is here."
            old = describe("Old", text, f"framework {name}{forms}: USES", published="2010")
            own = describe("Own", text, f"framework {name}{forms}: INTRODUCES", published="2020")
            assert len(linked(catalogue, old, own).entities) == 1, name

    def test_a_name_that_is_short_for_other_words_is_not_what_was_introduced(
        self, catalogue, describe
    ):
        own = describe(
            "One",
            "Sparse Gate Routing (SGR) it is.",
            "technique SGR = Sparse Gate Routing: INTRODUCES",
        )
        other = describe(
            "Two", "Soft Graph Rewiring (SGR) it is.", "technique SGR = Soft Graph Rewiring: USES"
        )
        same = describe(
            "Three",
            "sparse routing of gates (SGR) it is.",
            "technique SGR = sparse routing of gates: USES",
        )
        links = linked(catalogue, own, other, same)
        assert meaning(links, own, "SGR") == meaning(links, same, "SGR") == "entity/sgr"
        assert meaning(links, other, "SGR") == "entity/sgr--two"

    def test_two_known_things_of_one_name_are_disambiguated_by_context(self, catalogue, describe):
        language = describe(
            "Kernels",
            "Tiled kernels compile from Triton to registers.",
            "framework Triton language = Triton: USES [entity/triton]",
        )
        server = describe(
            "Serving",
            "Requests are batched and queued by Triton behind endpoints.",
            "framework Triton Inference Server = Triton: USES [entity/triton-inference-server]",
        )
        of_language = describe("Tiles", "Triton kernels tiled by hand.", "framework Triton: USES")
        of_server = describe("Queues", "Batched requests meet Triton.", "framework Triton: USES")
        links = linked(catalogue, language, server, of_language, of_server)
        assert meaning(links, of_language, "Triton") == "entity/triton"
        assert meaning(links, of_server, "Triton") == "entity/triton-inference-server"


# Few names and long forms, so that they meet often.
_FORMS = [
    "SGR",
    "Sparse Gate Routing",
    "Soft Graph Rewiring",
    "sgrs",
    "A100",
    "NVIDIA A100",
    "CUDA",
    "Curves Under Drifting Axes",
    "Wombat",
    "Wombat-2",
    "Intel Wombat",
    "Triton",
]
_WORDS = ["ring", "chunk", "dropout", "kernel", "server", "poison", "image", "tensor"]


@st.composite
def corpora(draw: st.DrawFn) -> list[PaperNames]:
    papers = []
    for number in range(draw(st.integers(1, 7))):
        names = draw(st.lists(st.sampled_from(_FORMS), min_size=1, max_size=4, unique=True))
        papers.append(
            PaperNames(
                f"paper/{number}",
                (draw(st.integers(2019, 2021)), 13, 32),
                tuple(
                    Name(
                        name,
                        draw(st.sampled_from(list(EntityKind))),
                        None,
                        tuple(sorted({name, *draw(st.sets(st.sampled_from(_FORMS), max_size=1))})),
                        draw(st.booleans()),
                        draw(st.booleans()),
                    )
                    for name in names
                ),
            )
        )
    return papers


SMALL = Catalogue(
    {
        each.id: each
        for each in (
            Entity("entity/nvidia-a100", "NVIDIA A100", EntityKind.HARDWARE, ("A100",)),
            Entity("entity/cuda", "CUDA", EntityKind.FRAMEWORK),
            Entity("entity/triton", "Triton", EntityKind.FRAMEWORK),
            Entity("entity/triton-server", "Triton Server", EntityKind.FRAMEWORK, ("Triton",)),
        )
    },
    (),
    "small",
)


@given(papers=corpora(), words=st.data())
def test_every_name_is_linked_to_an_entity_whatever_the_order_of_papers(papers, words):
    contexts = {each.paper: words.draw(st.frozensets(st.sampled_from(_WORDS))) for each in papers}
    shuffled = words.draw(st.permutations(papers))
    links = link(papers, SMALL, contexts.__getitem__)
    again = link(shuffled, SMALL, contexts.__getitem__)
    assert links.ids == again.ids
    assert list(links.entities.items()) == list(again.entities.items())
    for paper in papers:
        assert set(links.ids[paper.paper]) == {name.name for name in paper.names}
        assert set(links.ids[paper.paper].values()) <= set(links.entities)
    for id_, entity in links.entities.items():
        assert entity.id == id_
        assert entity.name not in entity.aliases


def test_a_name_coined_for_another_kind_of_thing_is_another_entity(catalogue, describe):
    coined = describe("Triton and Adam: A Chip", "Adam is a chip.", "hardware Adam: INTRODUCES")
    known = describe("Training", "Adam converges.", "technique Adam: USES [entity/adam]")
    links = linked(catalogue, coined, known)
    assert meaning(links, coined, "Adam") == "entity/adam--triton-and-adam-a-chip"
    assert meaning(links, known, "Adam") == "entity/adam"


def test_a_possessive_is_no_part_of_a_name_and_no_alias(catalogue, describe):
    links = linked(
        catalogue,
        describe("One", "Kelp's scheduler.", "framework Kelp's: INTRODUCES"),
        describe("Two", "Kelp and Kelp's cache; a GPU's.", "framework Kelp = Kelp's: USES",
                 "hardware GPU = GPU's: RUNS_ON"),
    )  # fmt: skip
    assert links.entities["entity/kelp"] == Entity("entity/kelp", "Kelp", EntityKind.FRAMEWORK)
    assert links.entities["entity/gpu"] == catalogue.concepts["entity/gpu"]
