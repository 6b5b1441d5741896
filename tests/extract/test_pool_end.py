"""A pool of an extractor ends with it, before the interpreter does."""

import pytest

from stemma.extract import Extractor
from stemma.schema import Paper


@pytest.mark.process
def test_an_extractor_that_is_gone_leaves_no_pool_that_could_still_work() -> None:
    extractor = Extractor(fast=True)
    assert list(extractor.extract([Paper("paper/x", "Kelpie: On GPUs", "")], processes=2))
    (pool,) = extractor._pools.values()
    del extractor
    with pytest.raises(RuntimeError, match="after shutdown"):
        pool.submit(print)
