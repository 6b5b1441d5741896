"""Wording that leaves no doubt of a relation, whatever the network takes it for."""

import pipelines

WORDED = [
    ("FooServe builds on vLLM and improves on Orca.", "Orca", "IMPROVES_ON"),
    ("FooServe, our system, improves upon Orca and vLLM.", "vLLM", "IMPROVES_ON"),
    ("We present FooServe, which extends vLLM, and Zib, which extends Orca.", "Zib", "INTRODUCES"),
    ("It uses vLLM. vLLM improves on Orca.", "Orca", None),
]


def test_wording_that_leaves_no_doubt_decides_on_a_relation() -> None:
    texts = [("FooServe: Serving", f"We present FooServe. {text}") for text, *_ in WORDED]
    for (_, name, relation), found in zip(WORDED, pipelines.extractor().find(texts), strict=True):
        assert not isinstance(found, str)
        own = [each for each in found[1] if each.entity == name]
        types = {each.type.value for each in own}
        if relation is None:
            assert "IMPROVES_ON" not in types, "what another work improves on"
            continue
        assert relation in types
        assert len({e.text for each in own for e in each.evidence if name in e.text}) == 1
