"""What every store answers, through the protocol."""

from dataclasses import replace

import pytest

from described import describe, described
from filled import drop, put
from latest import latest
from stemma.graph import AmbiguousNameError, Selection, Store, WorkType
from stemma.graph.matching import Topic, ranked
from stemma.graph.searching import meaning, namesakes
from stemma.graph.sqlite import SqliteStore
from stemma.schema import (
    Catalogue,
    Entity,
    EntityKind,
    Evidence,
    FoundRelation,
    Mention,
    RelationType,
)
from stemma.schema.comparison import Bound, Comparison
from stemma.schema.model import VECTOR_SIZE
from stemma.schema.paper import Citation, Field, FullText, Reference, Section, Source


@pytest.fixture
def library(store: Store, library_papers) -> Store:
    put(store, *library_papers)
    return store


def ids(works) -> list[str]:
    return [work.id for work in works]


class TestResolving:
    def test_takes_a_final_s_for_part_of_the_name_before_a_plural(self, store):
        put(store, describe("One", "L40 or L40S.", "hardware L40: USES", "hardware L40S: USES"))
        assert latest(store).resolve("l40s") == "entity/l40s"
        assert latest(store).resolve("l40") == "entity/l40"

    def test_lists_what_an_ambiguous_name_may_mean(self, store):
        put(
            store,
            describe("Grip: hands", "Robots grip.", "model Grip: INTRODUCES"),
            describe("Grip: stocks", "Markets grip.", "model Grip: INTRODUCES"),
        )
        for name in ("grip", "entity/grip"):
            with pytest.raises(AmbiguousNameError) as error:
                latest(store).resolve(name)
            assert ids(error.value.candidates) == [
                "entity/grip--grip-hands",
                "entity/grip--grip-stocks",
            ]
        assert latest(store).resolve("entity/grip--grip-hands") == "entity/grip--grip-hands"

    def test_a_work_that_ten_times_as_many_papers_name_is_what_a_name_means(self, store):
        uses = [describe(f"Use {n}", "Grip.", "hardware Grip: USES") for n in range(9)]
        put(
            store,
            describe("Grip: stocks", "Markets.", "dataset Grip: INTRODUCES"),
            *(describe("Grip: hands", "Robots.", "hardware Grip: INTRODUCES"), *uses[1:]),
        )
        with pytest.raises(AmbiguousNameError):
            latest(store).resolve("grip")
        put(store, *uses)
        reader = latest(store)
        hands, stocks = "entity/grip--grip-hands", "entity/grip--grip-stocks"
        assert reader.all_called(["Grips", "Grip: hands", "no such name"]) == {
            "Grips": {hands: 10, stocks: 1},
            "Grip: hands": {"paper/grip-hands": 0},
            "no such name": {},
        }
        assert reader.resolve("grip") == hands
        assert ids(namesakes(reader, reader.called("grip"), hands)) == [stocks]
        meant, others = meaning(reader, "grip")
        assert (meant, ids(others)) == (hands, [stocks])
        assert meaning(reader, hands) == (hands, ())
        for ask in (lambda: meaning(reader, "entity/grip"), lambda: reader.resolve("entity/grip")):
            with pytest.raises(AmbiguousNameError):
                ask()


class TestReading:
    def test_what_several_names_of_a_paper_say_of_an_entity_is_one_statement(self, store):
        claims = "hardware A100: RUNS_ON 0.5", "hardware NVIDIA A100: RUNS_ON 0.8"
        put(store, describe("One", "We use A100. And NVIDIA A100.", *claims))
        (statement,) = latest(store).statements(["paper/one"])["paper/one"]
        assert statement.confidence == 0.8
        assert [each.text for each in statement.evidence] == ["And NVIDIA A100.", "We use A100."]
        assert store.statistics().statements == 1

    def test_sentences_of_sections_and_comparisons_come_back_whole(self, store):
        paper = describe("On Ink", "Ink is old.", "technique Ink: BUILDS_ON")
        cited = Citation(13, 14, Reference("doi:10.1000/x", "A Kiln"))
        sections = (
            Section(Field.RELATED_WORK, "2 Past", "Some dry.\nOthers run."),
            Section(Field.METHOD, "", "We ex Ink as [1].", (cited,)),
            Section(Field.RELATED_WORK, "3 More of it", "Ink [2] 漢字 \U0001f98a runs."),
        )
        own = replace(paper.paper, full_text=FullText(sections, 4000, "abc"))
        places = [(Field.RELATED_WORK, 23, 38), (Field.METHOD, 0, 17), (Field.RELATED_WORK, 0, 9)]
        evidence = tuple(
            Evidence(own.text(field)[start:end], field, start, end) for field, start, end in places
        )
        (entity,) = paper.entities
        entity = replace(entity, mentions=(*entity.mentions, Mention("Ink", Field.METHOD, 6, 9)))
        compared = Comparison(2.2, metric="speed", bound=Bound.UP_TO, condition='on "eight" nibs')
        said = (RelationType.COMPARES_WITH, "Ink", 0.5, evidence, "by-hand 1")
        relation = FoundRelation(*said, comparison=compared)
        put(store, replace(paper, paper=own, entities=(entity,), relations=(relation,)))
        (statement,) = latest(store).statements([own.id])[own.id]
        assert (statement.evidence, statement.comparison) == (evidence, compared)
        fields = ["related work", "method", "related work"]
        assert [sentence.section for sentence in statement.evidence] == fields
        with store.writer() as writer:
            writer.update([replace(own, venue="Ink Days")])
            writer.commit()
        assert latest(store).works([own.id])[own.id] == replace(own, venue="Ink Days")

    def test_what_utf_8_cannot_hold_is_replaced_and_offsets_stay(self, store):
        put(store, describe("Odd", "Half \ud83e a fox. Ink runs.", "technique Ink: USES"))
        paper = latest(store).works(["paper/odd"])["paper/odd"]
        assert paper.abstract == "Half \ufffd a fox. Ink runs."
        (statement,) = latest(store).statements(["paper/odd"])["paper/odd"]
        assert statement.evidence == (Evidence("Ink runs.", Field.ABSTRACT, 14, 23),)


class TestSearching:
    def test_papers_are_ranked_by_topics(self, store):
        put(
            store,
            describe("Hens and eggs", "Of hens.", published="2020"),
            describe("Barns", "A barn is for a hen.", published="2021"),
            describe("Bantams", "They are small.", "model Hen One: USES"),
            *(describe(f"Ducks {n}", "Of ducks, with eggs.") for n in range(5)),
        )
        hens, eggs = Topic(("hens", "chicken"), ("entity/hen-one",)), Topic(("eggs",))
        papers = latest(store).ranked([hens, eggs], Selection(first=3))
        assert papers[0].id == "paper/hens-and-eggs"
        assert {each.id for each in papers[1:]} == {"paper/barns", "paper/bantams"}
        assert all(0 < each.score <= 1 for each in papers)
        matches = [{"rare": 1.0, "both": 1.0}, dict.fromkeys(["both", *"abcdefgh"], 0.1)]
        assert ranked(matches, 10, 1)[0].id == "both"
        dated = latest(store).ranked([hens], Selection(since=2021))
        assert [each.id for each in dated] == ["paper/barns"]
        assert latest(store).ranked([Topic(("'\"\0* NEAR(",))]) == []


class TestWriting:
    def test_the_same_again_changes_nothing(self, library):
        before = latest(library).generation
        with library.writer() as writer:
            held = writer.stored(["paper/a-study", "paper/nowhere"])
            assert held["paper/a-study"].extractor == "hand"
            again = describe("A Study", "Of A100 alone.", "hardware A100: RUNS_ON 0.4")
            writer.put([again], "hand")
            writer.update([held["paper/a-study"].paper])
            assert not writer.commit()
        assert latest(library).generation == before

    def test_another_extractor_or_another_reading_is_an_update(self, library):
        with library.writer() as writer:
            again = describe("A Study", "Of A100 alone.", "hardware A100: RUNS_ON 0.4")
            writer.put([again], "better")
            assert writer.commit().updated == ["paper/a-study"]
            writer.put([describe("A Study", "Of Ink alone.", "technique Ink: USES")], "better")
            assert writer.commit().updated == ["paper/a-study"]
        assert latest(library).entities_named(["paper/a-study"]) == {
            "paper/a-study": ["entity/ink"]
        }

    def test_sources_can_be_added_to_a_paper_without_reading_it_again(self, library):
        with library.writer() as writer:
            paper = writer.stored(["paper/a-study"])["paper/a-study"].paper
            other = Source("other.txt", "1" * 64, 7, "2020-01-02")
            writer.update([replace(paper, sources=(*paper.sources, other))])
            assert writer.commit().updated == ["paper/a-study"]
        paper = latest(library).works(["paper/a-study"])["paper/a-study"]
        assert str(paper.published) == "2020-01-02"
        assert len(latest(library).statements(["paper/a-study"])["paper/a-study"]) == 1

    def test_what_papers_mean_is_kept_with_them_and_goes_with_them(self, library):
        vectors = {f"paper/{each}": each.encode() * VECTOR_SIZE for each in "abc"}
        papers = [describe(id_.removeprefix("paper/")) for id_ in vectors]
        put(library, *(replace(reading, vector=vectors[reading.paper.id]) for reading in papers))
        assert latest(library).vectors() == vectors
        assert latest(library).vectors(Selection(text="b")).keys() == {"paper/b"}
        with library.writer() as writer:
            writer.update([replace(papers[0].paper, venue="Ink Days")])
            writer.put([papers[1]], "hand")
            writer.drop(["paper/c"])
            assert writer.commit()
        assert latest(library).vectors() == {"paper/a": vectors["paper/a"]}

    def test_dropping_removes_a_paper_with_all_that_only_it_stated(self, library):
        with library.writer() as writer:
            writer.drop(["paper/quill-a-store-of-things", "paper/nowhere"])
            assert writer.commit().removed == ["paper/quill-a-store-of-things"]
        assert latest(library).works(["paper/quill-a-store-of-things", "entity/ink"]) == {}
        assert latest(library).works(["entity/quill"]), "another paper builds on it"

    def test_new_papers_may_give_old_names_another_meaning_as_commits_say(self, store):
        old, *new = described("""
            Old | Rings of chunks; stripe parallelism. | technique stripe parallelism: USES
            Rings | We propose stripe parallelism: chunks go around rings.
                | technique stripe parallelism: INTRODUCES
            Dropout | We propose stripe parallelism: dropout beside tensors.
                | technique stripe parallelism: INTRODUCES
        """)
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

    def test_another_catalogue_relinks_what_is_held(self, library):
        grown = Entity("entity/plume", "Plume", EntityKind.FRAMEWORK, ("Quill",))
        other = SqliteStore(library.url, None, Catalogue({grown.id: grown}, (), "grown"))
        with other.writer() as writer:
            changes = writer.commit()
        assert "paper/melange-of-inks" in {relinked.paper for relinked in changes.relinked}
        assert latest(other).resolve("quill") == "entity/plume"
        assert latest(other).works(["entity/gpu"]) == {}

    def test_what_the_catalogue_dates_is_not_younger_than_that(self, library):
        def dates(quill: int, ink: int) -> list[str]:
            concepts = [
                Entity("entity/quill", "Quill", EntityKind.FRAMEWORK, year=quill),
                Entity("entity/ink", "Ink", EntityKind.TECHNIQUE, year=ink),
            ]
            catalogue = Catalogue({concept.id: concept for concept in concepts}, (), f"{quill}")
            other = SqliteStore(library.url, None, catalogue)
            with other.writer() as writer:
                writer.commit()
            in_years = Selection(since=ink, until=ink)
            assert ids(latest(other).page(WorkType.ENTITY, in_years).items) == ["entity/ink"]
            return list(map(str, latest(other).published(["entity/quill", "entity/ink"]).values()))

        # Of the year of a paper, its date is more exact.
        assert dates(2021, 2019) == ["2021-04", "2019"]
        assert dates(2019, 2018) == ["2019", "2018"]
        assert dates(2022, 820) == ["2021-04", "0820"]
        drop(library, "paper/quill-a-store-of-things")
        dated = latest(library).published(["entity/quill", "entity/ink"])
        assert dated.keys() <= {"entity/quill"}, "what no paper introduces"

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
