"""Questions and their answers."""

from collections import Counter

import pytest

from described import describe
from filled import put
from stemma.graph import (
    BadCursorError,
    LineageDirection,
    LineageFilter,
    WorkFilter,
    WorkType,
    open_store,
    trace,
)
from stemma.graph.analysis import Analysis
from stemma.graph.path import find_path
from stemma.schema import (
    EntityKind,
    Paper,
    PartialDate,
    RelationType,
)
from stemma.server.asking import ask


def names(answer) -> set[str]:
    return {work.name for work in answer.works}


def ids(answer) -> set[str]:
    return {work.id for work in answer.works}


def subjects(reader, entity: str, *relations: RelationType) -> set[str]:
    return {
        each.subject
        for each in reader.statements([entity], relations)[entity]
        if each.subject.startswith("paper/")
    }


def objects(reader, entity: str, relation: RelationType) -> set[str]:
    """What the papers that introduce an entity have a relation to."""
    papers = subjects(reader, entity, RelationType.INTRODUCES)
    return {
        each.entity
        for paper in papers
        for each in reader.statements([paper], [relation])[paper]
        if each.subject == paper
    }


def test_what_builds_on_a_work_are_its_descendants(asked, reader):
    answer = asked("what builds on ZeRO-Infinity?")
    lineage = trace(reader, "entity/zero-infinity")
    assert [work.id for work in answer.works] == [node.work.id for node in lineage.nodes]
    assert "Fuyou" in answer.text
    assert "is based on the offloading of ZeRO-Infinity" in answer.text
    assert "ZeRO-Infinity" in (answer.understood_as or "")


def test_what_a_work_builds_on_are_its_ancestors(asked, reader):
    answer = asked("what does Fuyou build on")
    lineage = trace(reader, "entity/fuyou", LineageDirection.ANCESTORS)
    assert ids(answer) == {node.work.id for node in lineage.nodes}


def test_directly_means_one_step(asked, reader):
    near, far = asked("what directly builds on LoRA"), asked("what builds on LoRA")
    assert {"DoRA", "QLoRA"} <= names(near) < names(far)
    assert ids(far) == {node.work.id for node in trace(reader, "entity/lora").nodes}
    assert names(asked("what builds on LoRA in 1 step")) == names(near)


def test_the_catalogue_can_be_left_out(asked):
    whole = asked("what builds on LoRA")
    papers_only = asked("what builds on LoRA without the catalogue")
    assert {"DoRA"} <= names(papers_only) < names(whole)
    assert "catalogue" in (papers_only.understood_as or "")


def test_kinds_and_years_narrow_a_lineage_down(asked):
    techniques = asked("which techniques build on LoRA since 2024")
    assert {"DoRA", "GaLore"} <= names(techniques)
    assert "AdaLoRA" not in names(techniques), "it is of 2023"
    assert "S-LoRA" not in names(asked("which techniques build on LoRA")), "it is a framework"


def test_which_papers_run_on_a_device(asked, reader):
    answer = asked("which papers run on H100")
    assert ids(answer) == subjects(reader, "entity/nvidia-h100", RelationType.RUNS_ON)
    assert all(each.entity == "entity/nvidia-h100" for each in answer.statements)


def test_hardware_includes_its_cases(asked):
    assert names(asked("which papers run on H100")) < names(asked("which papers run on GPUs"))
    assert "or a narrower entity" in (asked("papers that run on GPUs").understood_as or "")


def test_a_restatement_can_be_read_at_once(asked):
    nested = asked("what techniques do papers that use LoRA use").understood_as
    assert nested == (
        "in papers that use or build on LoRA, the techniques that they use or build on"
    )
    both = asked("papers that use LoRA and run on GPUs").understood_as
    assert both == "papers that use or build on LoRA, and run on GPU or a narrower entity"


def test_what_a_work_runs_on_is_compared_with_and_is_evaluated_on(asked, reader):
    vellum = "entity/fuyou"
    assert ids(asked("what hardware does Fuyou run on")) == objects(
        reader, vellum, RelationType.RUNS_ON
    )
    baselines = objects(reader, vellum, RelationType.COMPARES_WITH)
    assert baselines
    for question in ("baselines of Fuyou", "what does Fuyou compare with", "Fuyou's baselines"):
        assert ids(asked(question)) == baselines


def test_years_bound_what_compares_with_a_work(asked, reader):
    every = asked("what compares with vLLM")
    assert ids(every) == subjects(reader, "entity/vllm", RelationType.COMPARES_WITH)
    late = asked("what compares with vLLM since 2024")
    assert ids(late) < ids(every)
    assert all(work.published.year >= 2024 for work in late.works)
    early = asked("what compares with vLLM before 2024")
    assert ids(early) | ids(late) == ids(every)


@pytest.mark.parametrize(
    ("years", "first", "last"),
    [
        ("since 2023", 2023, 9999),
        ("after 2022", 2023, 9999),
        ("before 2022", 0, 2021),
        ("until 2021", 0, 2021),
        ("in 2023", 2023, 2023),
        ("from 2022 to 2023", 2022, 2023),
        ("between 2022 and 2023", 2022, 2023),
        ("since 2022 until 2023", 2022, 2023),
    ],
)
def test_years_are_understood(asked, years: str, first: int, last: int):
    answer = asked(f"papers {years}")
    every = asked("papers")
    assert len(every.works) == 66
    expected = {
        work.id for work in every.works if work.published and first <= work.published.year <= last
    }
    assert ids(answer) == expected != ids(every)
    assert ids(asked(f"{years}, which papers are there?")) == expected


def test_how_two_works_are_related_is_the_way_between_them(asked, reader):
    answer = asked("how is Fuyou related to ZeRO")
    path = find_path(reader, "entity/fuyou", "entity/zero")
    assert [work.id for work in answer.works] == path.works
    assert "improves on ZeRO-Infinity; ZeRO-Infinity builds on" in answer.text


def test_whether_one_builds_on_the_other_is_answered_with_yes_or_no(asked):
    assert asked("does Fuyou build on ZeRO?").text.startswith("Yes, in 2 steps")
    assert asked("does ZeRO build on Fuyou?").text.startswith("Not in this graph")
    assert asked("does Fuyou run on an RTX 4090?").text.startswith("Yes")
    assert asked("does Fuyou run on H100?").text.startswith("No paper")


def test_what_is_used_together(asked, reader):
    answer = asked("techniques used with LoRA")
    assert answer.works
    assert all(work.kind is EntityKind.TECHNIQUE for work in answer.works)
    together = subjects(reader, "entity/lora", RelationType.USES, RelationType.BUILDS_ON)
    assert {each.subject for each in answer.statements} <= together
    assert "LoRA" not in names(answer)


def test_who_introduced_something(asked):
    (paper,) = asked("who introduced FlashAttention?").works
    assert paper.name.startswith("FlashAttention: Fast and Memory-Efficient")
    assert ids(asked("when was FlashAttention introduced")) == {paper.id}
    assert ids(asked("who wrote the FlashAttention paper?")) == {paper.id}


def test_what_a_field_is_evaluated_on(asked):
    answer = asked("datasets that LoRA papers evaluate on")
    assert "GLUE" in names(answer)
    assert all(work.kind is EntityKind.DATASET for work in answer.works)
    assert asked("which datasets do papers about LoRA evaluate on").works == answer.works


def test_several_criteria_hold_at_once(asked):
    both = asked("papers about LoRA and quantization")
    assert any("LoftQ" in name for name in names(both))
    assert ids(both) == ids(asked("papers about LoRA")) & ids(asked("papers about quantization"))
    narrower = asked("papers that use LoRA and run on A100")
    assert ids(narrower) == ids(asked("papers that use LoRA")) & ids(asked("papers on A100"))


def test_what_papers_that_do_something_introduce(asked):
    answer = asked("which techniques run on H100")
    assert "FlashAttention-3" in names(answer)
    assert all(work.kind is EntityKind.TECHNIQUE for work in answer.works)


def test_what_something_is(asked):
    answer = asked("what is Medusa")
    assert names(answer) == {"Medusa"}
    assert answer.text.startswith("Medusa is a technique, a kind of speculative decoding.")
    assert names(asked("Medusa")) == {"Medusa"}


def test_a_timeline_goes_by_year(asked):
    text = asked("timeline of FlashAttention").text
    assert text.index("2023") < text.index("2024")
    assert ids(asked("timeline of LoRA")) == ids(asked("what builds on LoRA"))


def test_two_works_side_by_side(asked):
    for question in ("compare Punica and S-LoRA", "Punica vs. S-LoRA", "how does Punica differ "
                     "from S-LoRA?"):  # fmt: skip
        answer = asked(question)
        assert names(answer) == {"Punica", "S-LoRA"}
        assert "They share the hardware NVIDIA A100" in answer.text


def test_works_of_one_lineage_are_compared_with_their_relation(asked):
    text = asked("compare Fuyou and ZeRO").text
    assert "improves on ZeRO-Infinity; ZeRO-Infinity builds on" in text
    unrelated = asked("compare LoRA and NVIDIA A100")
    assert names(unrelated) == {"LoRA", "NVIDIA A100"}
    assert "builds on" not in unrelated.text.partition("“")[0]


def test_the_most_influential_works_are_those_of_the_analysis(asked, reader):
    analysis = Analysis(reader)
    answer = ask(reader, "most influential works", first=100_000)
    page = ask(reader, "most influential works", first=8)
    assert f"and {answer.total - 6} more." in page.text, "six are named"
    assert [work.id for work in answer.works] == [
        each.work for each in analysis.influential(answer.total)
    ]
    assert all(each.children for each in analysis.influential(answer.total))
    techniques = asked("what are the most influential techniques until 2021?")
    assert techniques.works == tuple(
        work
        for work in answer.works
        if getattr(work, "kind", None) is EntityKind.TECHNIQUE
        and (date := reader.published([work.id]).get(work.id))
        and date.year <= 2021
    )
    assert {"LoRA", "ZeRO"} <= names(techniques)
    assert "rather than the papers" in asked("most influential papers").text


def test_what_is_new_is_what_appeared_in_the_year(asked, reader):
    answer = asked("what is new in 2025")
    papers = ids(asked("papers in 2025"))
    introduced = {
        each.entity
        for own in reader.statements(papers, [RelationType.INTRODUCES]).values()
        for each in own
    }
    dates = reader.published(introduced | ids(answer))
    assert {id_ for id_ in introduced if dates[id_].year == 2025} <= ids(answer)
    assert ids(answer) - introduced, "the catalogue knows works that no paper introduces"
    assert {dates[id_].year for id_ in ids(answer)} == {2025}
    assert {each.subject for each in answer.statements} <= papers
    assert asked("what's new?").works == answer.works, "it is the latest year of the graph"
    assert ids(asked("latest papers")) == papers
    assert all(
        work.kind is EntityKind.TECHNIQUE for work in asked("new techniques since 2024").works
    )


def test_what_papers_use_are_the_entities_that_any_paper_uses(asked, reader):
    answer = asked("which GPUs do papers use")
    hardware = asked("list all hardware").works
    used = (RelationType.RUNS_ON, RelationType.USES)
    in_use = tuple(work for work in hardware if subjects(reader, work.id, *used))
    assert asked("hardware used by papers").works == in_use
    assert answer.works == tuple(work for work in in_use if is_a(reader, work, "entity/gpu"))
    assert {"NVIDIA A100", "RTX 4090"} <= names(answer)
    assert answer.understood_as == (
        "GPUs that papers run on or use, by the number of papers that name them"
    )
    assert answer.text.startswith(f"This graph has {len(answer.works)} GPUs that papers run on")
    assert "GLUE" in names(asked("which datasets do papers evaluate on"))


def test_a_ranking_says_what_ranks_each_work(asked, reader):
    most_used = asked("most used hardware")
    papers = [
        reader.page(WorkType.PAPER, WorkFilter(entity=work.id), first=1).total
        for work in most_used.works
    ]
    assert papers == sorted(papers, reverse=True)
    assert [most_used.notes[work.id] for work in most_used.works] == [
        f"{number} paper{'s' * (number != 1)}" for number in papers
    ]
    first, second = most_used.works[:2]
    assert f"{first.name} (named in {papers[0]} papers), {second.name} ({papers[1]})" in (
        most_used.text
    )
    in_years = asked("most used GPUs since 2023")
    assert in_years.notes[in_years.works[0].id].endswith(" papers")
    influential = asked("most influential works")
    assert influential.notes[influential.works[0].id].endswith(" works build on it")


@pytest.mark.parametrize(
    ("question", "whole", "number"),
    [
        ("top 3 techniques", "top techniques", 3),
        ("the five most used GPUs", "most used GPUs", 5),
        ("3 most influential techniques", "most influential techniques", 3),
        ("give me 2 papers about LoRA", "papers about LoRA", 2),
        ("list 4 datasets", "list datasets", 4),
        ("the 3 newest papers about LoRA", "newest papers about LoRA", 3),
    ],
)
def test_a_number_asks_for_so_many_of_the_works(
    asked, reader, question: str, whole: str, number: int
):
    answer = asked(question)
    assert answer.works == asked(whole).works[:number]
    assert (answer.total, answer.end_cursor) == (number, None)
    assert answer.understood_as == f"{asked(whole).understood_as}: the first {number}"
    page = ask(reader, question, 1)
    assert (page.works, page.total) == (answer.works[:1], number)
    last = ask(reader, question, number, page.end_cursor)
    assert (last.works, last.end_cursor) == (answer.works[1:], None)


def test_so_many_of_the_newest_are_not_from_the_latest_year_alone(asked, reader):
    papers = asked("60 newest papers").works
    dates = [str(each.published) for each in papers if each.published]
    assert dates == sorted(dates, reverse=True)
    assert len({date[:4] for date in dates}) > 1
    techniques = reader.published([each.id for each in asked("9 newest techniques").works])
    assert len(techniques) == 9


def test_a_number_in_a_name_or_a_year_is_no_number_of_works(asked):
    assert asked("papers about GPT-3 since 2021").total == asked("since 2021 GPT-3 papers").total
    assert asked("papers of the last 2 years").works == asked("papers in the past two years").works
    assert asked("the 2 Step papers").understood_as is None


def test_the_newest_papers_begin_with_the_newest(asked):
    dates = [str(each.published) for each in asked("latest papers").works]
    assert dates == sorted(dates, reverse=True)


def test_the_top_papers_are_those_that_most_works_build_on(asked):
    assert asked("top papers").works == asked("most influential works").works


def test_how_something_works_is_what_it_is(asked):
    assert asked("how does vLLM work?").text == asked("what is vLLM?").text


def test_the_number_of_all_works_of_a_lineage_is_told(asked, reader):
    whole = len(asked("what builds on FlashAttention").works)
    cut = ask(reader, "what builds on FlashAttention", 2)
    assert (len(cut.works), cut.total) == (2, whole)
    assert cut.text.startswith(f"{whole} works build or improve on FlashAttention: ")
    assert f" and {whole - 2} more." in cut.text


def test_the_works_of_a_lineage_have_their_dates(asked):
    answer = asked("what builds on ZeRO-Infinity?")
    assert answer.notes["entity/fuyou"] == "2024-03-11"
    with_papers = asked("what builds on DeepSpeed")
    papers = {work.id for work in with_papers.works if isinstance(work, Paper)}
    assert papers
    assert not papers & with_papers.notes.keys(), "lists show the date of a paper anyway"


@pytest.mark.parametrize(
    ("question", "expected", "others"),
    [
        ("which TPUs do papers use", "TPU v4", "NVIDIA A100"),
        ("most used GPUs since 2023", "NVIDIA H100", "TPU v4"),
        ("most popular graphics cards", "NVIDIA H100", "GPU"),
    ],
)
def test_hardware_of_a_sort_is_what_the_catalogue_says(asked, question, expected, others):
    found = names(asked(question))
    assert expected in found
    assert others not in found


def test_all_hardware_of_a_sort_is_listed_whether_papers_use_it_or_not(asked, reader):
    answer = asked("list all GPUs")
    hardware = asked("list all hardware").works
    assert answer.works == tuple(each for each in hardware if is_a(reader, each, "entity/gpu"))
    assert set(asked("which GPUs do papers use").works) <= set(answer.works)
    assert names(asked("GPUs")) == {"GPU"}, "a name alone asks what it is"
    newest = asked("newest GPUs").works
    assert {*newest} == {*answer.works}
    years = [each.year for each in newest if each.year]
    assert years == sorted(years, reverse=True)
    assert len(set(years)) > 1


def test_what_no_paper_introduces_has_the_year_of_the_catalogue(asked):
    dated = "PyTorch first appeared in 2016, according to the catalogue."
    for question in ("when was PyTorch introduced", "how old is PyTorch", "who developed PyTorch"):
        assert asked(question).text.startswith(dated)
    assert "It first appeared in 2016, according to the catalogue." in asked("what is PyTorch").text
    assert "first appeared" not in asked("what is LoRA").text, "a paper introduces it"
    assert "first appeared" not in asked("when was data parallelism introduced").text


def test_what_an_undated_or_later_paper_introduces_has_the_year_of_the_catalogue(tmp_path):
    with open_store(str(tmp_path / "stemma.db")) as store:
        put(store, describe("LoRA again", "We propose LoRA.", "technique LoRA: INTRODUCES"))
        with store.snapshot() as reader:
            dated = "LoRA first appeared in 2021, according to the catalogue."
            assert dated in ask(reader, "when was LoRA introduced").text
            assert dated[5:] in ask(reader, "what is LoRA").text


def test_works_of_some_years_are_those_that_appeared_then(asked, reader):
    answer = asked("models of the 2010s")
    every = ask(reader, "list all models", first=1000)
    dates = reader.published(ids(every))
    expected = {id_ for id_, date in dates.items() if 2010 <= (date.year or 0) <= 2019}
    assert ids(answer) == expected != ids(every)
    assert answer.understood_as == (
        "models that appeared from 2010 to 2019, by the number of papers that name them"
    )
    assert "BERT (2018)" in answer.text, "of several years, each work has its own"
    assert "LoRA (named in" in asked("techniques of 2021").text, "of one year, they are all of it"
    assert answer.notes["entity/bert"].startswith("2018")


def test_a_work_stands_for_the_year_in_which_it_appeared(asked):
    answer = asked("models older than GPT-3")
    assert answer.works == asked("models before 2020").works
    assert "GPT-3 appeared in 2020." in answer.text
    assert asked("papers about quantization since LoRA").works == (
        asked("papers about quantization since 2021").works
    )
    assert asked("what builds on ZeRO after LoRA").works == (
        asked("what builds on ZeRO after 2021").works
    )
    assert asked("what came before Fuyou").works == asked("ancestors of Fuyou").works
    undated = asked("models older than GPU")
    assert undated.understood_as is None
    assert undated.text == "It is not known when GPU appeared."


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("which came first, QLoRA or LoRA?", "LoRA (2021-06-17) appeared 2 years before QLoRA ("),
        ("is LoRA older than QLoRA", "Yes: LoRA (2021"),
        ("is LoRA newer than QLoRA", "No: LoRA (2021"),
        ("was QLoRA after LoRA", "Yes: LoRA (2021"),
        ("did QLoRA come out before LoRA", "No: LoRA (2021"),
        ("is PyTorch older than SQuAD", "both appeared in 2016."),
        ("which is older, LoRA or GPU", "It is not known when GPU appeared."),
        ("is LoRA older than LoRA", "Both are the same: LoRA."),
    ],
)
def test_which_of_two_works_appeared_first(asked, question: str, told: str):
    assert told in asked(question).text


def test_a_lineage_can_be_asked_for_the_oldest_or_the_newest_first(asked, reader):
    newest = asked("newest works that build on LoRA")
    every = asked("what builds on LoRA")
    assert ids(newest) == ids(every)
    dates = [newest.notes[each.id] for each in newest.works if each.id in newest.notes]
    assert dates == sorted(dates, reverse=True) != sorted(dates)
    assert "order: NEWEST" in newest.query
    oldest = asked("first work to build on LoRA")
    assert "the oldest first" in oldest.text
    assert oldest.works[0].name == "AdaLoRA"
    assert ask(reader, "2 newest works that build on LoRA").works == newest.works[:2]


def test_ancestors_go_by_year_up_to_the_work(asked):
    text = asked("ancestors of Fuyou by year").text
    assert text.startswith("9 works, up to Fuyou: 2016 PyTorch, 2019 Megatron-LM, ZeRO, 2020 ")
    assert asked("what does Fuyou build on by year").text == text


def test_the_newest_of_a_sort_of_hardware_is_no_question_of_what_it_is(asked):
    assert asked("which is the newest GPU").works == asked("newest GPUs").works
    assert names(asked("what is the GPU")) == {"GPU"}


def test_where_nothing_is_new_the_newest_come_first(asked, reader):
    newest = asked("newest hardware").works
    assert newest == asked("list all hardware, newest first").works
    years = [each.year for each in newest if each.year]
    assert years == sorted(years, reverse=True)


def test_hardware_of_a_sort_can_be_asked_of_a_work_and_of_a_field(asked, reader):
    hardware = asked("which hardware does Fuyou run on").works
    gpus = asked("which GPUs does Fuyou run on").works
    assert set(gpus) == {each for each in hardware if is_a(reader, each, "entity/gpu")} != set()
    assert "NVIDIA A100" in names(asked("which GPUs do papers that use LoRA run on"))


def test_the_kinds_of_an_entity_are_those_narrower_than_it(asked, reader):
    answer = asked("what kinds of quantization are there")
    assert "GPTQ" in names(answer)
    assert all(is_a(reader, work, "entity/quantization") for work in answer.works)
    assert asked("which quantization techniques exist").works == answer.works
    assert "TinyChat" in names(asked("list all quantization frameworks"))


def test_alternatives_to_a_work_are_of_its_kind_and_in_the_same_comparisons(asked, reader):
    answer = asked("alternatives to vLLM")
    assert {"SGLang", "Sarathi-Serve"} & names(answer)
    assert all(work.kind is EntityKind.FRAMEWORK for work in answer.works)
    comparing = subjects(reader, "entity/vllm", RelationType.COMPARES_WITH)
    assert {each.subject for each in answer.statements} <= comparing
    assert "vLLM" not in names(answer)


def test_where_nothing_compares_with_a_work_its_own_comparisons_are_its_alternatives(asked):
    assert ids(asked("alternatives to Fuyou")) <= ids(asked("baselines of Fuyou"))
    assert asked("alternatives to Fuyou").works


def test_papers_can_be_asked_for_the_newest_or_the_oldest_first(asked):
    newest = asked("newest papers about LoRA").works
    years = [work.published.year for work in newest if work.published]
    assert years == sorted(years, reverse=True)
    assert len(set(years)) > 1
    oldest = asked("oldest papers about LoRA")
    assert oldest.works == asked("papers about LoRA").works
    assert {*oldest.works} == {*newest}
    assert oldest.works != newest
    assert "the newest first" in asked("newest papers about LoRA").understood_as
    assert "“newest” has no effect" in asked("newest models trained on A100").text


def test_entities_can_be_asked_for_by_when_they_were_introduced(asked, reader):
    oldest = asked("oldest techniques").works
    years = [date.year for work in oldest if (date := reader.published([work.id]).get(work.id))]
    assert years == sorted(years)
    assert len(set(years)) > 2


def test_the_last_years_count_back_from_the_newest_paper(asked):
    year = max(work.published.year for work in asked("papers").works if work.published)
    assert asked("papers in the last 3 years").works == asked(f"papers since {year - 2}").works
    assert asked("papers from the past year").works == asked(f"papers since {year}").works


def test_where_nothing_is_found_a_wider_question_is_suggested(asked):
    assert "which papers mention LoRA?" in asked("papers about LoRA before 2020").suggestions
    suggested = asked("which hardware does ZeRO-Infinity compare with").suggestions
    assert "what compares with ZeRO-Infinity?" in suggested


def test_a_sort_that_papers_only_name_in_general_is_said_to_be(asked):
    answer = asked("which CPUs do papers use")
    assert answer.works == ()
    assert answer.text == (
        "This graph has no CPUs that papers run on or use. Papers name only CPU in general."
    )
    assert "in general" not in asked("which NPUs do papers use").text


def is_a(reader, work, concept):
    """Return whether a work has a concept as a broader one, step by step."""
    above = reader.works(work.broader).values()
    return any(each.id == concept or is_a(reader, each, concept) for each in above)


def test_what_papers_of_some_years_use_counts_these_papers_alone(asked, reader):
    answer = asked("which frameworks do papers use since 2024")
    assert answer.understood_as == (
        "in papers since 2024, the frameworks that they use or build on"
    )
    assert 0 < answer.total < asked("which frameworks do papers use").total
    for work in answer.works:
        papers = reader.works(
            subjects(reader, work.id, RelationType.USES, RelationType.BUILDS_ON)
        ).values()
        assert any(paper.published and paper.published.year >= 2024 for paper in papers), work.name
    kinds = {work.kind for work in asked("which works do papers use").works}
    assert len(kinds) > 1, "works are not only hardware"


def test_which_of_two_works_is_better_is_not_decided(asked):
    answer = asked("is ZeRO-Infinity faster than Fuyou")
    assert not answer.text.startswith(("Yes", "No"))
    assert "Fuyou improves on ZeRO-Infinity" in answer.text
    assert "See the quoted sentences" not in asked("frameworks faster than Adafactor").text


def test_papers_by_somebody_unknown_are_not_found(asked):
    for question in ("papers by Microsoft", "which papers were written by LoRA since 2022"):
        answer = asked(question)
        assert answer.works == ()
        assert "No author, organization or venue" in answer.text
    assert asked("papers by 2020").works == asked("papers until 2020").works != ()


def test_what_nothing_compares_with_suggests_what_it_compares_with(asked):
    answer = asked("models compared with LLaMA")
    assert answer.works == ()
    assert asked(answer.suggestions[0]).works


def test_a_kind_is_listed_those_of_most_papers_first(asked):
    hardware = asked("list all hardware").works
    assert hardware[0].name == "GPU"
    assert all(work.kind is EntityKind.HARDWARE for work in hardware)


def test_a_topic_that_is_not_an_entity_is_searched_in_titles(asked):
    answer = asked("papers about breaking the gpu memory wall")
    (paper,) = answer.works
    assert paper.name.startswith("ZeRO-Infinity")
    assert "showing papers whose title contains it" in answer.text


def test_where_no_paper_introduces_a_work_others_are_asked_about_it(asked):
    answer = asked("baselines of PyTorch")
    assert "No paper in this graph introduces PyTorch" in answer.text
    others = "which entities do papers that compare with PyTorch introduce"
    assert answer.works == asked(others).works
    answer = asked("which techniques does PyTorch use")
    assert answer.works == asked("which techniques do papers about PyTorch use?").works
    assert answer.works


def test_pages_of_an_answer_add_up_to_the_whole(reader):
    for question, relations in (
        ("list all techniques", False),
        ("papers since 2020", False),
        ("what hardware do papers that compare with vLLM run on", True),
        ("what builds on LoRA", True),
        ("what builds on LoRA since 2023", True),
    ):
        whole = ask(reader, question, first=100_000)
        assert whole.end_cursor is None
        assert whole.total == len(whole.works) > 3, question
        paged, after = [], None
        while True:
            page = ask(reader, question, first=3, after=after)
            assert page.total == whole.total
            assert not relations or page.statements
            paged += page.works
            after = page.end_cursor
            if after is None:
                break
        assert paged == list(whole.works), question


def test_an_invalid_cursor_is_rejected(reader):
    for cursor in ("", "x", "-3", "²"):
        with pytest.raises(BadCursorError):
            ask(reader, "list all techniques", after=cursor)
    assert ask(reader, "list all techniques", after="9" * 100).works == ()


def test_an_answer_counts_the_statements_beyond_those_that_it_carries(tmp_path):
    with open_store(str(tmp_path / "stemma.db")) as store:
        put(
            store,
            *(describe(f"P {n}", "We use Quill.", "framework Quill: USES") for n in range(123)),
        )
        with store.snapshot() as reader:
            answer = ask(reader, "which papers use Quill", first=200)
            assert (len(answer.statements), answer.statement_total) == (100, 123)
            few = ask(reader, "which papers use Quill", first=2)
            assert (len(few.statements), few.statement_total) == (2, 2)


def test_a_lineage_as_of_a_year_leaves_out_what_was_published_later(asked, reader):
    early = asked("what builds on ZeRO as of 2021")
    assert early.understood_as.endswith("in up to 3 steps, as of 2021")
    expected = trace(reader, "entity/zero", filter=LineageFilter(as_of=PartialDate(2021)))
    assert ids(early) == {each.work.id for each in expected.nodes}
    assert 0 < early.total < asked("what builds on ZeRO").total
    assert "from later papers" in asked("what builds on ZeRO as of 2017").text
    assert 'asOf: "2021"' in early.query
    assert "has no effect" in asked("what compares with vLLM as of 2021").text


def test_papers_are_counted_by_year(asked, reader):
    answer = asked("papers about LoRA by year")
    years = Counter(work.published.year for work in answer.works)
    counts = ", ".join(f"{year}: {years[year]}" for year in sorted(years))
    assert f"By year: {counts}." in answer.text
    assert answer.understood_as.endswith(", by year")


def test_what_is_becoming_popular_is_what_papers_of_the_latest_year_use(asked):
    assert "in papers in 2025" in asked("which techniques are becoming popular").understood_as
    assert "in papers in 2023" in asked("trending techniques in 2023").understood_as


def test_a_word_of_the_grammar_is_a_name_only_with_a_capital(asked):
    assert asked("which papers cite vLLM and improve on it").understood_as is None


def test_a_kind_that_a_work_is_not_asks_the_papers_about_it(asked):
    answer = asked("quantization frameworks")
    assert (
        "in papers that are about quantization or a narrower entity, the frameworks"
        in answer.understood_as
    )


def test_papers_without_something_are_found_with_a_caveat(asked):
    with_it = {work.id for work in asked("papers about LoRA and quantization").works}
    answer = asked("papers about LoRA without quantization")
    everything = {work.id for work in asked("papers about LoRA").works}
    assert with_it
    assert {work.id for work in answer.works} == everything - with_it
    assert "Papers may do so and not say it" in answer.text
    assert answer.works == asked("papers about LoRA but not about quantization").works
    assert asked("papers about LoRA that do not use quantization").works


def test_what_holds_for_neither_of_two_names_holds_for_none(asked):
    answer = asked("papers that do not use LoRA and FlashAttention")
    assert answer.understood_as == (
        "papers that do not use or build on LoRA, and do not use or build on FlashAttention"
    )
    assert answer.works == asked("papers that do not use LoRA or FlashAttention").works
    assert asked("papers without LoRA and QLoRA").works
    again = asked("papers that do not use LoRA and run on H100")
    assert again.understood_as == "papers that do not use or build on LoRA, and run on NVIDIA H100"


def test_one_of_two_names_will_do(asked):
    either = {work.id for work in asked("papers that run on A100 or H100").works}
    each = [asked(f"papers that run on {name}").works for name in ("A100", "H100")]
    assert either == {work.id for works in each for work in works}


def test_one_of_two_names_may_be_of_another_kind(asked, reader):
    either = ids(asked("papers that use FlashAttention or H100"))
    assert either > subjects(reader, "entity/nvidia-h100", RelationType.RUNS_ON) > set()
    assert either == ids(asked("papers that use H100 or FlashAttention"))
    assert ids(asked("papers that run on A100 or TPUs")) == ids(
        asked("papers that run on TPUs or A100")
    )


def test_queries_with_or_and_not_are_what_they_say(asked):
    query = asked("papers that run on A100 or H100 and do not use LoRA").query
    assert 'or: ["entity/nvidia-h100"]' in query
    assert "not: true" in query


def test_conditions_that_no_statement_joins_lead_to_the_papers_with_the_names(asked):
    answer = asked("which papers use LoRA and Adam")
    assert (answer.works, answer.total) == ((), 0)
    assert "But 2 papers name LoRA and Adam: “LoRA: Low-Rank Adaptation" in answer.text
    assert "GaLore" in answer.text
    none = asked("which papers use QLoRA and CUDA").text
    assert "But" not in none
    assert none.endswith("not say it in what was read of them.")
