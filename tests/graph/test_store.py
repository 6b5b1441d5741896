"""What every store answers, through the protocol."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import product

import pytest

from latest import latest
from stemma.graph import (
    AmbiguousNameError,
    BadCursorError,
    PageOrder,
    StatementFilter,
    Store,
    StoreError,
    UnknownNameError,
    WorkFilter,
    WorkType,
)
from stemma.schema import (
    Catalogue,
    Citation,
    Entity,
    EntityKind,
    Evidence,
    Field,
    FoundRelation,
    FullText,
    Mention,
    PartialDate,
    Reference,
    RelationType,
    Section,
    Source,
    Statement,
)


@pytest.fixture
def store(any_store: Store) -> Store:
    return any_store


@pytest.fixture
def library(store: Store, describe) -> Store:
    with store.writer() as writer:
        writer.put(
            [
                describe(
                    "Quill: a Store of Things",
                    "We present Quill. It runs on A100. Unlike Ink, Quill is quick.",
                    "framework Quill: INTRODUCES 0.95",
                    "hardware A100: RUNS_ON 0.9",
                    "technique Ink: IMPROVES_ON 0.7",
                    "technique Ink: COMPARES_WITH 0.6",
                    published="2021-04",
                ),
                describe(
                    "Mélange of Inks",
                    "Ink Blend extends Quill.",
                    "model Ink Blend: INTRODUCES",
                    "framework Quill: BUILDS_ON 0.8",
                    published="2023",
                ),
                describe("A Study", "Of A100 alone.", "hardware A100: RUNS_ON 0.4"),
            ],
            "hand",
        )
        writer.commit()
    return store


def ids(works) -> list[str]:
    return [work.id for work in works]


class TestResolving:
    @pytest.mark.parametrize("spelling", ["quill", "QUILL", "Quills", " quill ", "entity/quill"])
    def test_knows_a_name_by_any_spelling(self, library, spelling):
        assert latest(library).resolve(spelling) == "entity/quill"

    def test_takes_a_final_s_for_part_of_the_name_before_it_takes_it_for_a_plural(
        self, store, describe
    ):
        with store.writer() as writer:
            writer.put(
                [describe("One", "L40 or L40S.", "hardware L40: USES", "hardware L40S: USES")],
                "hand",
            )
            writer.commit()
        assert latest(store).resolve("l40s") == "entity/l40s"
        assert latest(store).resolve("l40") == "entity/l40"

    def test_knows_aliases_and_titles(self, library):
        assert latest(library).resolve("a100") == "entity/nvidia-a100"
        assert latest(library).resolve("melange of inks") == "paper/melange-of-inks"
        assert latest(library).resolve("paper/a-study") == "paper/a-study"

    def test_suggests_what_an_unknown_name_may_mean(self, library):
        with pytest.raises(UnknownNameError) as error:
            latest(library).resolve("Qill")
        assert error.value.nearest == ("Quill",)
        with pytest.raises(UnknownNameError) as error:
            latest(library).resolve("entity/quil")
        assert error.value.nearest[0] == "Quill"
        with pytest.raises(UnknownNameError) as error:
            latest(library).resolve("something else altogether")
        assert error.value.nearest == ()

    def test_lists_what_an_ambiguous_name_may_mean(self, store, describe):
        with store.writer() as writer:
            writer.put(
                [
                    describe("Grip: hands", "Robots grip.", "model Grip: INTRODUCES"),
                    describe("Grip: stocks", "Markets grip.", "model Grip: INTRODUCES"),
                ],
                "hand",
            )
            writer.commit()
        for name in ("grip", "entity/grip"):
            with pytest.raises(AmbiguousNameError) as error:
                latest(store).resolve(name)
            assert ids(error.value.candidates) == [
                "entity/grip--grip-hands",
                "entity/grip--grip-stocks",
            ]
        assert latest(store).resolve("entity/grip--grip-hands") == "entity/grip--grip-hands"


class TestReading:
    def test_works_come_back_as_they_were_put(self, library):
        works = latest(library).works(["paper/a-study", "entity/nvidia-a100", "entity/nowhere"])
        assert list(works) == ["paper/a-study", "entity/nvidia-a100"]
        assert works["paper/a-study"].abstract == "Of A100 alone."
        assert works["entity/nvidia-a100"] == Entity(
            "entity/nvidia-a100", "NVIDIA A100", EntityKind.HARDWARE, ("A100",), ("entity/gpu",)
        )
        assert latest(library).narrower(["entity/gpu"]) == {"entity/gpu": ["entity/nvidia-a100"]}

    def test_statements_of_a_paper_are_the_surest_first_with_their_sentence(self, library):
        (found,) = latest(library).statements(["paper/quill-a-store-of-things"]).values()
        assert [(each.relation.value, each.confidence) for each in found] == [
            ("INTRODUCES", 0.95),
            ("RUNS_ON", 0.9),
            ("IMPROVES_ON", 0.7),
            ("COMPARES_WITH", 0.6),
        ]
        assert found[1] == Statement(
            "paper/quill-a-store-of-things",
            RelationType.RUNS_ON,
            "entity/nvidia-a100",
            0.9,
            (Evidence("It runs on A100.", Field.ABSTRACT, 18, 34),),
            "by-hand 1",
        )

    def test_statements_of_an_entity_come_from_all_papers(self, library):
        found = latest(library).statements(
            ["entity/nvidia-a100", "entity/quill"], [RelationType.RUNS_ON]
        )
        assert [each.subject for each in found["entity/nvidia-a100"]] == [
            "paper/quill-a-store-of-things",
            "paper/a-study",
        ]
        assert found["entity/quill"] == []

    def test_what_several_names_of_one_paper_say_of_one_entity_is_one_statement(
        self, store, describe
    ):
        paper = describe(
            "One",
            "We use A100. And NVIDIA A100.",
            "hardware A100: RUNS_ON 0.5",
            "hardware NVIDIA A100: RUNS_ON 0.8",
        )
        with store.writer() as writer:
            writer.put([paper], "hand")
            writer.commit()
        (statement,) = latest(store).statements(["paper/one"])["paper/one"]
        assert statement.confidence == 0.8
        assert [each.text for each in statement.evidence] == ["And NVIDIA A100.", "We use A100."]
        assert store.statistics().statements == 1

    def test_evidence_keeps_its_order(self, store, describe):
        paper = describe("On Ink", "Ink is old. Ink dries. Ink runs.", "technique Ink: USES")
        places = [(12, 22), (23, 32), (0, 11)]
        evidence = tuple(
            Evidence(paper.paper.abstract[start:end], Field.ABSTRACT, start, end)
            for start, end in places
        )
        relation = FoundRelation(RelationType.USES, "Ink", 0.5, evidence, "by-hand 1")
        with store.writer() as writer:
            writer.put([replace(paper, relations=(relation,))], "hand")
            writer.commit()
        (statement,) = latest(store).statements(["paper/on-ink"])["paper/on-ink"]
        assert statement.evidence == evidence

    def test_sentences_of_sections_come_back_with_their_sections_and_citations(
        self, store, describe
    ):
        paper = describe("On Ink", "Ink is old.", "technique Ink: BUILDS_ON")
        cited = Citation(13, 14, Reference("doi:10.1000/x", "A Kiln"))
        text = FullText(
            (
                Section(Field.RELATED_WORK, "2 Past", "Some dry.\nOthers run."),
                Section(Field.METHOD, "", "We ex Ink as [1].", (cited,)),
                Section(Field.RELATED_WORK, "3 More of it", "Ink [2] 漢字 \U0001f98a runs."),
            ),
            4000,
            "abc",
        )
        own = replace(paper.paper, full_text=text)
        places = [(Field.RELATED_WORK, 23, 38), (Field.METHOD, 0, 17), (Field.RELATED_WORK, 0, 9)]
        evidence = tuple(
            Evidence(own.text(field)[start:end], field, start, end) for field, start, end in places
        )
        (entity,) = paper.entities
        mention = Mention("Ink", Field.METHOD, 6, 9)
        entity = replace(entity, mentions=(*entity.mentions, mention))
        relation = FoundRelation(RelationType.BUILDS_ON, "Ink", 0.5, evidence, "by-hand 1")
        found = replace(paper, paper=own, entities=(entity,), relations=(relation,))
        with store.writer() as writer:
            writer.put([found], "hand")
            writer.commit()
        assert latest(store).works([own.id])[own.id].full_text == text
        (statement,) = latest(store).statements([own.id])[own.id]
        assert statement.evidence == evidence
        assert [each.section for each in statement.evidence] == [
            "related work",
            "method",
            "related work",
        ]
        with store.writer() as writer:
            writer.update([replace(own, venue="Ink Days")])
            writer.commit()
        assert latest(store).works([own.id])[own.id] == replace(own, venue="Ink Days")

    def test_dates_of_entities_are_those_of_the_first_paper_that_introduces_them(self, library):
        assert latest(library).published(
            ["entity/quill", "entity/ink", "paper/melange-of-inks"]
        ) == {
            "entity/quill": PartialDate(2021, 4),
            "paper/melange-of-inks": PartialDate(2023),
        }

    def test_contributions_are_the_main_ones(self, library):
        papers = ["paper/quill-a-store-of-things", "paper/a-study"]
        assert latest(library).contributions(papers) == {papers[0]: "entity/quill"}

    def test_texts_of_every_sort_come_back_unchanged(self, store, describe):
        strange = (
            'A "quoted" \\back\\slash,\nnew\r\nlines, \ttabs, Mélange δ 漢字 \U0001f98a \x0c end.'
        )
        with store.writer() as writer:
            writer.put([describe("Strange <one>", strange, "technique end: USES")], "hand")
            writer.commit()
        assert latest(store).works(["paper/strange-one"])["paper/strange-one"].abstract == strange

    def test_what_utf_8_cannot_hold_is_replaced_and_offsets_stay(self, store, describe):
        with store.writer() as writer:
            writer.put(
                [describe("Odd", "Half \ud83e a fox. Ink runs.", "technique Ink: USES")], "x"
            )
            writer.commit()
        assert (
            latest(store).works(["paper/odd"])["paper/odd"].abstract
            == "Half \ufffd a fox. Ink runs."
        )
        (statement,) = latest(store).statements(["paper/odd"])["paper/odd"]
        assert statement.evidence == (Evidence("Ink runs.", Field.ABSTRACT, 14, 23),)

    def test_many_threads_may_read_at_once(self, library):
        def ask(number: int) -> object:
            paper = ["paper/a-study", "paper/melange-of-inks"][number % 2]
            return (
                latest(library).statements([paper]),
                latest(library).search("ink"),
                latest(library).works([latest(library).resolve("quill"), paper]),
            )

        with ThreadPoolExecutor(8) as threads:
            answers = list(threads.map(ask, range(200)))
        assert answers == [ask(number) for number in range(200)]


class TestSearching:
    def test_exact_names_come_first_then_beginnings_then_the_rest(self, library):
        assert ids(latest(library).search("ink")) == [
            "entity/ink",
            "entity/ink-blend",
            "paper/melange-of-inks",
        ]

    def test_all_words_count_in_any_order_and_any_spelling(self, library):
        assert ids(latest(library).search("THINGS store")) == ["paper/quill-a-store-of-things"]
        assert ids(latest(library).search("mélanges")) == ["paper/melange-of-inks"]

    def test_general_terms_and_named_works_can_be_sought_alone(self, library):
        def found(general: bool | None) -> list[str]:
            assert latest(library).matching("g", general=general) == [
                work.id for work in latest(library).search("g", general=general)
            ]
            return latest(library).matching("g", general=general)

        assert "entity/gpu" in found(True)
        assert "entity/gpu" not in found(False)
        assert {*found(True), *found(False)} <= {*found(None)}
        assert latest(library).works(["entity/gpu"])["entity/gpu"].general

    def test_kinds_leave_entities_alone(self, library):
        assert ids(latest(library).search("ink", [EntityKind.MODEL])) == ["entity/ink-blend"]

    def test_entities_with_more_papers_come_first(self, store, describe):
        with store.writer() as writer:
            lines = ("model Hen One: USES", "model Hen Two: USES")
            writer.put([describe("A", "", *lines), describe("B", "", lines[1])], "hand")
            writer.commit()
        assert ids(latest(store).search("hen")) == ["entity/hen-two", "entity/hen-one"]

    @pytest.mark.parametrize("text", ["", "  ", "---", "'; DROP TABLE work", "%", "nothing such"])
    def test_what_matches_nothing_finds_nothing(self, library, text):
        assert latest(library).search(text) == []


class TestPages:
    def test_follow_each_other(self, library):
        first = latest(library).page(WorkType.ENTITY, first=2)
        assert ids(first.works) == ["entity/gpu", "entity/ink"]
        assert (first.total, first.has_next) == (5, True)
        rest = latest(library).page(WorkType.ENTITY, after="entity/ink", first=10)
        assert ids(rest.works) == ["entity/ink-blend", "entity/nvidia-a100", "entity/quill"]
        assert not rest.has_next
        for cursors in ({"after": "entity/nowhere"}, {"before": "paper/nowhere"}):
            with pytest.raises(BadCursorError):
                latest(library).page(WorkType.ENTITY, **cursors)

    @pytest.mark.parametrize("order", PageOrder)
    @pytest.mark.parametrize("type_", WorkType)
    def test_are_the_same_pieces_forward_and_backward(self, library, type_, order):
        whole = ids(latest(library).page(type_, order=order, first=100).works)
        assert len(whole) >= 3
        for size, (begin, after), (end, before) in product(
            (1, 3),
            [(0, None), *((place + 1, id_) for place, id_ in enumerate(whole))],
            [(len(whole), None), *enumerate(whole)],
        ):
            between = whole[begin : max(begin, end)]
            forward, backward = (
                latest(library).page(
                    type_, order=order, after=after, before=before, first=size, backward=backward
                )
                for backward in (False, True)
            )
            assert ids(forward.works) == between[:size]
            assert ids(backward.works) == between[max(0, len(between) - size) :]
            assert forward.total == backward.total == len(whole)
            if between:
                assert forward.has_previous == (begin > 0)
                assert forward.has_next == (end < len(whole) or size < len(between))
                assert backward.has_next == (end < len(whole))
                assert backward.has_previous == (begin > 0 or size < len(between))

    def test_are_ordered_by_date_or_papers(self, library):
        papers = latest(library).page(WorkType.PAPER, order=PageOrder.PUBLISHED)
        assert ids(papers.works) == [
            "paper/quill-a-store-of-things",
            "paper/melange-of-inks",
            "paper/a-study",
        ]
        newest = latest(library).page(WorkType.PAPER, order=PageOrder.NEWEST)
        assert ids(newest.works) == [
            "paper/melange-of-inks",
            "paper/quill-a-store-of-things",
            "paper/a-study",
        ]
        entities = latest(library).page(WorkType.ENTITY, order=PageOrder.PAPERS, first=2)
        assert ids(entities.works) == ["entity/nvidia-a100", "entity/quill"]
        after = latest(library).page(
            WorkType.ENTITY, order=PageOrder.PAPERS, first=2, after="entity/nvidia-a100"
        )
        assert ids(after.works) == ["entity/quill", "entity/ink"]

    @pytest.mark.parametrize(
        ("chosen", "expected"),
        [
            (WorkFilter(text="blend"), ["entity/ink-blend"]),
            (WorkFilter(kinds=(EntityKind.FRAMEWORK,)), ["entity/quill"]),
            (WorkFilter(kinds=(EntityKind.HARDWARE,), general=True), ["entity/gpu"]),
            (WorkFilter(kinds=(EntityKind.HARDWARE,), general=False), ["entity/nvidia-a100"]),
            (WorkFilter(relations=(RelationType.COMPARES_WITH,)), ["entity/ink"]),
        ],
    )
    def test_hold_the_entities_that_a_filter_lets_through(self, library, chosen, expected):
        assert ids(latest(library).page(WorkType.ENTITY, chosen).works) == expected

    @pytest.mark.parametrize(
        ("chosen", "expected"),
        [
            (WorkFilter(text="STUDY"), ["paper/a-study"]),
            (WorkFilter(year_from=2022), ["paper/melange-of-inks"]),
            (WorkFilter(year_to=2022), ["paper/quill-a-store-of-things"]),
            (WorkFilter(relations=(RelationType.BUILDS_ON,)), ["paper/melange-of-inks"]),
            (
                WorkFilter(entity="entity/nvidia-a100"),
                ["paper/a-study", "paper/quill-a-store-of-things"],
            ),
            (WorkFilter(entity="entity/quill", relations=(RelationType.RUNS_ON,)), []),
            (
                WorkFilter(stated=(StatementFilter(("entity/nvidia-a100", "entity/nowhere")),)),
                ["paper/a-study", "paper/quill-a-store-of-things"],
            ),
            (
                WorkFilter(
                    stated=(
                        StatementFilter(("entity/nvidia-a100",)),
                        StatementFilter(("entity/quill",), (RelationType.INTRODUCES,)),
                    )
                ),
                ["paper/quill-a-store-of-things"],
            ),
            (
                WorkFilter(stated=(StatementFilter(("paper/a-study", "entity/nowhere")),)),
                ["paper/a-study"],
            ),
        ],
    )
    def test_hold_the_papers_that_a_filter_lets_through(self, library, chosen, expected):
        page = latest(library).page(WorkType.PAPER, chosen)
        assert ids(page.works) == expected
        assert page.total == len(expected)


class TestNames:
    def test_lead_from_papers_to_entities_and_back(self, library):
        papers = [work.id for work in latest(library).page(WorkType.PAPER, first=100).works]
        entities = [work.id for work in latest(library).page(WorkType.ENTITY, first=100).works]
        named = latest(library).entities_named([*papers, "paper/nowhere"])
        naming = latest(library).papers_naming(entities)
        assert named.pop("paper/nowhere") == []
        assert {(paper, entity) for paper in papers for entity in named[paper]} == {
            (paper, entity) for entity in entities for paper in naming[entity]
        }
        for paper, statements in latest(library).statements(papers).items():
            own = [each for each in statements if each.subject == paper]
            assert set(named[paper]) == {each.entity for each in own}
            surest = {
                entity: max(each.confidence for each in own if each.entity == entity)
                for entity in named[paper]
            }
            assert list(surest.values()) == sorted(surest.values(), reverse=True)

    def test_are_those_of_some_relations(self, library):
        introduces = (RelationType.INTRODUCES,)
        assert latest(library).papers_naming(["entity/quill"], introduces) == {
            "entity/quill": ["paper/quill-a-store-of-things"]
        }
        named = latest(library).entities_named(["paper/quill-a-store-of-things"], introduces)
        assert named == {"paper/quill-a-store-of-things": ["entity/quill"]}

    def test_of_papers_come_by_date(self, library):
        naming = latest(library).papers_naming(["entity/nvidia-a100", "entity/quill"])
        assert naming["entity/nvidia-a100"] == ["paper/quill-a-store-of-things", "paper/a-study"]
        assert naming["entity/quill"][0] == "paper/quill-a-store-of-things"

    def test_the_first_statements_are_the_surest(self, library):
        everything = latest(library).statements(["entity/quill", "entity/nvidia-a100"])
        for number in (0, 1, 2):
            assert latest(library).statements(list(everything), first=number) == {
                id_: statements[:number] for id_, statements in everything.items()
            }


class TestWriting:
    def test_counts_what_there_is(self, library):
        counts = library.statistics()
        assert (counts.papers, counts.entities, counts.statements) == (3, 5, 7)
        assert counts.lineage_edges == 2
        assert counts.by_kind[EntityKind.HARDWARE] == 2
        assert counts.by_relation[RelationType.RUNS_ON] == 2
        assert counts.by_relation[RelationType.USES] == 0

    def test_nothing_is_seen_before_the_commit_and_nothing_stays_without_one(
        self, library, describe
    ):
        with library.writer() as writer:
            writer.put([describe("New", "")], "hand")
            assert list(writer.stored(["paper/new"])) == ["paper/new"]
            assert latest(library).works(["paper/new"]) == {}
        assert library.statistics().papers == 3

    def test_the_same_again_changes_nothing(self, library, describe):
        before = latest(library).generation
        with library.writer() as writer:
            held = writer.stored(["paper/a-study", "paper/nowhere"])
            assert held["paper/a-study"].extractor == "hand"
            again = describe("A Study", "Of A100 alone.", "hardware A100: RUNS_ON 0.4")
            writer.put([again], "hand")
            writer.update([held["paper/a-study"].paper])
            assert not writer.commit()
        assert latest(library).generation == before

    def test_another_extractor_or_another_reading_is_an_update(self, library, describe):
        with library.writer() as writer:
            again = describe("A Study", "Of A100 alone.", "hardware A100: RUNS_ON 0.4")
            writer.put([again], "better")
            assert writer.commit().updated == ["paper/a-study"]
            writer.put([describe("A Study", "Of Ink alone.", "technique Ink: USES")], "better")
            assert writer.commit().updated == ["paper/a-study"]
        assert [
            each.entity for each in latest(library).statements(["paper/a-study"])["paper/a-study"]
        ] == ["entity/ink"]

    def test_sources_can_be_added_to_a_paper_without_reading_it_again(self, library):
        with library.writer() as writer:
            paper = writer.stored(["paper/a-study"])["paper/a-study"].paper
            other = Source("other.txt", "1" * 64, 7, "2020-01-02")
            writer.update([replace(paper, sources=(*paper.sources, other))])
            assert writer.commit().updated == ["paper/a-study"]
        paper = latest(library).works(["paper/a-study"])["paper/a-study"]
        assert str(paper.published) == "2020-01-02"
        assert len(latest(library).statements(["paper/a-study"])["paper/a-study"]) == 1

    def test_dropping_takes_out_a_paper_with_all_that_only_it_said(self, library):
        with library.writer() as writer:
            writer.drop(["paper/quill-a-store-of-things", "paper/nowhere"])
            assert writer.commit().removed == ["paper/quill-a-store-of-things"]
        assert latest(library).works(["paper/quill-a-store-of-things", "entity/ink"]) == {}
        assert latest(library).page(WorkType.ENTITY).total == 4
        with pytest.raises(UnknownNameError):
            latest(library).resolve("Quill: a Store of Things")
        quill = latest(library).works(["entity/quill"])["entity/quill"]
        assert quill.kind is EntityKind.FRAMEWORK, "another paper builds on it"
        assert latest(library).published(["entity/quill"]) == {}

    def test_new_papers_may_give_old_names_another_meaning_and_the_commit_says_so(
        self, store, describe
    ):
        old = describe("Old", "Rings of chunks; stripe parallelism.",
                       "technique stripe parallelism: USES")  # fmt: skip
        new = [
            describe(title, abstract, "technique stripe parallelism: INTRODUCES")
            for title, abstract in (
                ("Rings", "We propose stripe parallelism: chunks go around rings."),
                ("Dropout", "We propose stripe parallelism: dropout beside tensors."),
            )
        ]
        with store.writer() as writer:
            writer.put([old], "hand")
            assert not writer.commit().relinked
            writer.put(new, "hand")
            (relinked,) = writer.commit().relinked
        assert (relinked.paper, relinked.name) == ("paper/old", "stripe parallelism")
        assert relinked.before == "entity/stripe-parallelism"
        assert relinked.after == "entity/stripe-parallelism--rings"
        (statement,) = latest(store).statements(["paper/old"])["paper/old"]
        assert statement.entity == relinked.after
        assert statement.evidence[0].text == "Rings of chunks; stripe parallelism."
        assert latest(store).works([relinked.before]) == {}

    def test_another_catalogue_relinks_what_is_held(self, library, open_again):
        grown = Entity("entity/plume", "Plume", EntityKind.FRAMEWORK, ("Quill",))
        other = open_again(Catalogue({grown.id: grown}, (), "grown"))
        with other.writer() as writer:
            changes = writer.commit()
        assert "paper/melange-of-inks" in {each.paper for each in changes.relinked}
        assert latest(other).resolve("quill") == "entity/plume"
        assert latest(other).works(["entity/gpu"]) == {}

    def test_files_that_were_read_are_remembered(self, library):
        with library.writer() as writer:
            writer.mark_read("listing.txt", "0" * 64, "reading-1")
            assert not writer.commit()
        assert library.already_read("reading-1") == {("listing.txt", "0" * 64)}
        assert library.already_read("reading-2") == frozenset()
        generation = latest(library).generation
        with library.writer() as writer:
            writer.mark_read("listing.txt", "0" * 64, "reading-1")
            writer.commit()
        assert latest(library).generation == generation


class TestSessions:
    def test_a_store_without_a_graph_tells_how_to_make_one(self, store):
        with pytest.raises(StoreError, match="stemma build"):
            store.statistics()
        with pytest.raises(StoreError, match="stemma build"):
            latest(store).works(["paper/one"])
        assert store.already_read("reading") == frozenset()
        assert not store.lacks_decisions()

    def test_a_second_writer_is_refused_and_told_why(self, library, open_again, describe):
        with library.writer() as writer:
            with pytest.raises(StoreError, match="is writing to"), open_again().writer():
                pass
            writer.put([describe("Two", "")], "hand")
            writer.commit()
        with open_again().writer() as writer:
            writer.put([describe("Three", "")], "hand")
            writer.commit()
        assert library.statistics().papers == 5

    def test_a_writer_that_fails_leaves_the_graph_as_it_was(self, library, describe):
        with pytest.raises(ZeroDivisionError), library.writer() as writer:
            writer.put([describe("Two", "")], "hand")
            _ = 1 / 0
        assert library.statistics().papers == 3
        with library.writer() as writer:
            writer.put([describe("Two", "")], "hand")
            writer.commit()
        assert library.statistics().papers == 4

    def test_others_see_what_was_written(self, library, open_again, describe):
        other = open_again()
        before = latest(other).generation
        with library.writer() as writer:
            writer.put([describe("Two", "")], "hand")
            writer.commit()
        assert other.statistics().papers == 4
        assert latest(other).generation != before

    def test_a_snapshot_answers_from_many_threads(self, library):
        with library.snapshot() as reader, ThreadPoolExecutor(4) as threads:
            found = list(threads.map(lambda _: reader.resolve("quill"), range(20)))
        assert set(found) == {"entity/quill"}
