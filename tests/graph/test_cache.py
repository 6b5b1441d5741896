"""What was read of a generation is remembered, up to so many things."""

from stemma.graph.store import Cache


def test_only_what_is_not_known_is_read_and_that_at_once() -> None:
    memory, asked = Cache[str, int | None](10), list[list[str]]()

    def read(names: list[str]) -> dict[str, int | None]:
        asked.append(names)
        return {name: len(name) or None for name in names if name != "nobody"}

    assert memory.get_many(["elm", "", "nobody"], read) == {"elm": 3, "": None}
    assert list(memory.get_many(["", "larch", "elm"], read).items()) == [
        ("", None), ("larch", 5), ("elm", 3),
    ]  # fmt: skip
    assert memory.get_many(["larch", ""], read) == {"larch": 5, "": None}
    assert asked == [["elm", "", "nobody"], ["larch"]]


def test_more_than_there_is_room_for_is_returned_all_the_same() -> None:
    memory = Cache[int, int](3)
    memory[1] = -1
    squares = memory.get_many([1, 2, 3, 4, 5], lambda numbers: {n: n * n for n in numbers})
    assert squares == {1: -1, 2: 4, 3: 9, 4: 16, 5: 25}
    assert len(memory) <= 3
