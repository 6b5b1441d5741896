"""What every store answers, through the protocol: questions to one store of each kind."""

import tracemalloc
from concurrent.futures import ThreadPoolExecutor

import pytest

from filled import put
from latest import latest
from stemma.graph import BadCursorError, PageOrder, Selection, Store, UnknownNameError, WorkType
from stemma.schema import Entity, EntityKind, Evidence, Extraction, Field, RelationType, Statement


@pytest.fixture(scope="module")
def library(store_of_module: Store, library_papers: list[Extraction]) -> Store:
    """A store that nothing here changes."""
    put(store_of_module, *library_papers)
    return store_of_module


QUILL, INKS, STUDY = "paper/quill-a-store-of-things", "paper/melange-of-inks", "paper/a-study"
A100 = "entity/nvidia-a100"


def ids(works) -> list[str]:
    return [work.id for work in works]


class TestResolving:
    @pytest.mark.parametrize("spelling", ["quill", "QUILL", "Quills", " quill ", "entity/quill"])
    def test_knows_a_name_by_any_spelling(self, library, spelling):
        assert latest(library).resolve(spelling) == "entity/quill"

    def test_knows_aliases_and_titles(self, library):
        assert latest(library).resolve("a100") == "entity/nvidia-a100"
        assert latest(library).resolve("melange of inks") == "paper/melange-of-inks"
        assert latest(library).resolve("paper/a-study") == "paper/a-study"

    def test_suggests_what_an_unknown_name_may_mean(self, library):
        for name, nearest in (("Qill", ["Quill"]), ("entity/quil", ["Quill"]), ("altogether", [])):
            with pytest.raises(UnknownNameError) as error:
                latest(library).resolve(name)
            assert [*error.value.nearest[:1]] == nearest


class TestReading:
    def test_works_come_back_as_they_were_put(self, library):
        works = latest(library).works(["paper/a-study", "entity/nvidia-a100", "entity/nowhere"])
        assert list(works) == ["paper/a-study", "entity/nvidia-a100"]
        assert works["paper/a-study"].abstract == "Of A100 alone."
        assert works[A100] == Entity(
            *(A100, "NVIDIA A100", EntityKind.HARDWARE, ("A100",), ("entity/gpu",)), year=2020
        )
        assert latest(library).narrower(["entity/gpu"]) == {"entity/gpu": ["entity/nvidia-a100"]}

    def test_statements_of_a_paper_are_the_surest_first_with_their_sentence(self, library):
        (statements,) = latest(library).statements([QUILL]).values()
        assert [f"{each.relation} {each.confidence}" for each in statements] == [
            *("INTRODUCES 0.95", "RUNS_ON 0.9", "IMPROVES_ON 0.7", "COMPARES_WITH 0.6")
        ]
        sentence = Evidence("It runs on A100.", Field.ABSTRACT, 18, 34)
        own = (QUILL, RelationType.RUNS_ON, A100, 0.9, (sentence,), "by-hand 1")
        assert statements[1] == Statement(*own)

    @pytest.mark.parametrize("relations", [(), (RelationType.RUNS_ON, RelationType.INTRODUCES)])
    def test_the_surest_statements_are_the_first_of_all(self, library, relations):
        works = [QUILL, A100, "entity/quill", "paper/nothing"]
        every = latest(library).statements(works, relations)
        for first in range(3):
            some = latest(library).statements(works, relations, first)
            assert some == {id_: own[:first] for id_, own in every.items()}

    def test_statements_follow_one_that_there_is(self, library):
        reader = latest(library)
        every = reader.statement_page(Selection()).items
        for number, statement in enumerate(every, start=1):
            rest = reader.statement_page(Selection(), statement.key).items
            assert rest == every[number:]
        with pytest.raises(BadCursorError):
            nothing = ("paper/a-study", RelationType.USES, "entity/nvidia-a100")
            reader.statement_page(Selection(), nothing)

    def test_many_threads_may_read_at_once(self, library):
        def ask(number: int) -> object:
            paper = ["paper/a-study", "paper/melange-of-inks"][number % 2]
            return (
                latest(library).statements([paper]),
                latest(library).matching("ink"),
                latest(library).works([latest(library).resolve("quill"), paper]),
            )

        with ThreadPoolExecutor(8) as threads:
            answers = list(threads.map(ask, range(100)))
        assert answers == [ask(0), ask(1)] * 50


class TestSearching:
    def test_exact_names_come_first_then_beginnings_then_the_rest(self, library):
        assert latest(library).matching("ink") == ["entity/ink", "entity/ink-blend", INKS]

    def test_all_words_count_in_any_order_and_any_spelling(self, library):
        assert latest(library).matching("THINGS store") == ["paper/quill-a-store-of-things"]
        assert latest(library).matching("mélanges") == ["paper/melange-of-inks"]

    @pytest.mark.parametrize("text", ["", "  ", "---", "'; DROP TABLE work", "%", "nothing such"])
    def test_what_matches_nothing_finds_nothing(self, library, text):
        assert latest(library).matching(text) == []


class TestPages:
    @pytest.mark.parametrize(
        ("chosen", "before"),
        [(Selection(after="entity/nowhere"), None), (Selection(), "paper/nowhere")],
    )
    def test_begin_at_works_that_there_are(self, library, chosen, before):
        with pytest.raises(BadCursorError):
            latest(library).page(WorkType.ENTITY, chosen, before)

    @pytest.mark.parametrize("order", PageOrder)
    @pytest.mark.parametrize(
        ("type_", "entity"),
        [(WorkType.PAPER, None), (WorkType.PAPER, A100), (WorkType.ENTITY, None)],
    )
    def test_are_the_pieces_after_or_before_a_work(self, library, type_, entity, order):
        """Few papers of many are looked for in the order of their dates, all are sorted."""
        chosen = Selection(entity=entity, order=order)
        whole = ids(latest(library).page(type_, chosen).items)
        assert len(whole) >= 2
        with library.snapshot() as reader:
            for size in (1, 2):
                for place, cursor in enumerate([None, *whole]):
                    page = reader.page(type_, chosen.changed(after=cursor, first=size))
                    assert ids(page.items) == whole[place : place + size]
                    assert (page.has_previous, page.total) == (place > 0, len(whole))
                    assert page.has_next == (place + size < len(whole))
                for place, id_ in enumerate(whole):
                    page = reader.page(type_, chosen.changed(first=size), before=id_)
                    assert ids(page.items) == whole[max(0, place - size) : place]
                    assert page.has_next
                    assert page.has_previous == (place > size)

    def test_are_ordered_by_date_or_papers(self, library):
        for order, expected in (
            (PageOrder.PUBLISHED, [QUILL, INKS, STUDY]),
            (PageOrder.NEWEST, [INKS, QUILL, STUDY]),
        ):
            assert latest(library).ids(WorkType.PAPER, Selection(order=order)) == expected
        most = Selection(order=PageOrder.PAPERS, first=2)
        entities = latest(library).page(WorkType.ENTITY, most)
        assert ids(entities.items) == [A100, "entity/quill"]

    @pytest.mark.parametrize(
        ("chosen", "expected"),
        [
            (Selection(text="blend"), ["ink-blend"]),
            (Selection(kinds=(EntityKind.FRAMEWORK,)), ["quill"]),
            (Selection(kinds=(EntityKind.HARDWARE,), general=True), ["gpu"]),
            (Selection(kinds=(EntityKind.HARDWARE,), general=False), ["nvidia-a100"]),
            (Selection(relations=(RelationType.COMPARES_WITH,)), ["ink"]),
            (Selection(broader="entity/gpu"), ["nvidia-a100"]),
            (Selection(broader="entity/nvidia-a100"), []),
        ],
    )
    def test_hold_the_entities_that_a_filter_lets_through(self, library, chosen, expected):
        page = latest(library).page(WorkType.ENTITY, chosen)
        assert ids(page.items) == [f"entity/{each}" for each in expected]

    @pytest.mark.parametrize(
        ("chosen", "expected"),
        [
            (Selection(text="STUDY"), [STUDY]),
            (Selection(since=2022), [INKS]),
            (Selection(until=2022), [QUILL]),
            (Selection(relations=(RelationType.BUILDS_ON,)), [INKS]),
            (Selection(entity=A100), [STUDY, QUILL]),
            (Selection(entity="entity/quill", relations=(RelationType.RUNS_ON,)), []),
        ],
    )
    def test_hold_the_papers_that_a_filter_lets_through(self, library, chosen, expected):
        page = latest(library).page(WorkType.PAPER, chosen)
        assert ids(page.items) == expected
        assert page.total == len(expected)


class TestNames:
    def test_lead_from_papers_to_entities_the_surest_first_and_back(self, library):
        reader = latest(library)
        named = reader.entities_named([QUILL, STUDY, "paper/nowhere"])
        assert named[QUILL] == ["entity/quill", A100, "entity/ink"]
        assert (named[STUDY], named["paper/nowhere"]) == ([A100], [])
        assert sorted(reader.papers_naming([A100])[A100]) == [STUDY, QUILL]

    def test_are_those_of_some_relations(self, library):
        introduces = (RelationType.INTRODUCES,)
        naming = latest(library).papers_naming(["entity/quill"], introduces)
        assert naming == {"entity/quill": [QUILL]}
        assert latest(library).entities_named([QUILL], introduces) == {QUILL: ["entity/quill"]}


def test_it_is_counted_what_there_is(library):
    counts = library.statistics()
    assert (counts.papers, counts.entities, counts.statements) == (3, 5, 7)
    assert (counts.lineage_edges, counts.by_kind[EntityKind.HARDWARE]) == (2, 2)
    assert counts.by_relation[RelationType.RUNS_ON] == 2
    assert counts.by_relation[RelationType.USES] == 0


def test_what_is_sought_is_not_kept_where_it_is_very_long(library):
    tracemalloc.start()
    for number in range(20):
        chosen = Selection(venue=f"{number}" * 50_000)
        assert not latest(library).page(WorkType.PAPER, chosen).items
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert held < 500_000


def test_named_works_that_most_others_derive_from_come_first(library):
    assert latest(library).most_derived(1000) == {"entity/ink": 1, "entity/quill": 1}
    assert list(latest(library).most_derived(1)) == ["entity/ink"]
