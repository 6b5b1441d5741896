"""Works that many papers name are read in other ways, by which they come out the same."""

import random
from collections.abc import Callable, Iterator

import pytest

from filled import put
from stemma.graph import PageOrder, Reader, Selection, WorkType
from stemma.graph.sqlite import SqliteStore
from stemma.schema import Extraction, RelationType

HUB = "entity/ink"
PAPERS = 90
DATES = (None, "2019", "2021", "2021", "2022-05", "2023-01-02", "2023-01-02")
RELATIONS = ("BUILDS_ON", "IMPROVES_ON", "USES", "COMPARES_WITH")
Describe = Callable[..., Extraction]


def paper(describe: Describe, number: int) -> Extraction:
    """A paper on a work that derives from others; most papers name the hub."""
    chance = random.Random(number)
    others = {f"Nib{chance.randrange(number + 1)}" for _ in range(3)} - {f"Nib{number}"}
    # A general term, and works that derive from each other.
    also = ["GPU"] if number % 6 == 1 else {9: ["Nib16"], 16: ["Nib9"]}.get(number, [])
    named = [*(["Ink"] if number % 5 else []), *sorted(others - {*also})]
    return describe(
        f"Nib{number}: a pen",
        f"We present Nib{number}. It extends {', '.join([*named, *also])}.",
        f"framework Nib{number}: INTRODUCES",
        *(
            f"framework {each}: {chance.choice(RELATIONS)} {chance.choice((0.3, 0.5, 0.5, 0.9))}"
            for each in named
        ),
        *(f"framework {each}: BUILDS_ON 0.5" for each in also),
        published=chance.choice(DATES),
    )


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory, describe: Describe) -> Iterator[Reader]:
    store = SqliteStore(tmp_path_factory.mktemp("hubs") / "stemma.db")
    put(store, *(paper(describe, number) for number in range(PAPERS)))
    with store.snapshot() as reader:
        yield reader


@pytest.mark.parametrize("relations", [(), (RelationType.USES, RelationType.BUILDS_ON)])
@pytest.mark.parametrize("first", [0, 7])
def test_the_surest_statements_are_the_first_of_all(reader, relations, first):
    for work in (HUB, "entity/nib0", "paper/nib7-a-pen", "paper/nothing"):
        every = reader.statements([work], relations)
        some = reader.statements([work], relations, first)
        assert some == {id_: own[:first] for id_, own in every.items()}


@pytest.mark.parametrize("order", [PageOrder.PUBLISHED, PageOrder.NEWEST])
@pytest.mark.parametrize("backward", [False, True])
@pytest.mark.parametrize("entity", [None, HUB])
def test_papers_come_in_the_same_order_however_many_come_at_once(reader, order, backward, entity):
    """Few at a time are looked for in the order of their dates, all at once are sorted."""
    chosen = Selection(entity=entity, order=order, first=1000)
    last = reader.page(WorkType.PAPER, chosen).items[-1].id

    def ids(size: int) -> list[str]:
        found, cursor = [], last if backward else None
        while True:
            after, before = (None, cursor) if backward else (cursor, None)
            page = reader.page(WorkType.PAPER, chosen.changed(after=after, first=size), before)
            found += [each.id for each in (reversed(page.items) if backward else page.items)]
            if not (page.has_previous if backward else page.has_next):
                return found
            cursor = found[-1]

    assert ids(1000) == ids(4)
