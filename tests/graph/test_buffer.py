"""The buffer gives back what it was given."""

from stemma.graph.buffer import Buffer


def test_gives_back_in_any_order_and_takes_more_in_between():
    buffer = Buffer()
    first, second = buffer.put(b"first"), buffer.put(b"")
    assert buffer.get(second) == b""
    third = buffer.put(b"third\n" * 100_000)
    assert [buffer.get(each) for each in (third, first)] == [b"third\n" * 100_000, b"first"]
    buffer.close()
