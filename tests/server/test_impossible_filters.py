"""What filters leave out is reported in every interface."""

import json

import httpx
import pytest

from command import stemma
from stemma import Stemma
from stemma.graph import FilterError


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("lineage", "LoRA", "--relation", "uses"), "not a lineage relation: USES"),
        (("lineage", "LoRA", "--min-confidence", "2"), "Invalid value for '--min-confidence'"),
        (("lineage", "LoRA", "--since", "2030", "--until", "2020"), "is after the last (2020)"),
    ],
)
def test_the_command_line_refuses_what_nothing_can_pass(
    example_store: str, arguments: tuple[str, ...], reason: str
) -> None:
    done = stemma(*arguments, "-s", example_store)
    assert done.returncode == 2
    assert done.stdout == ""
    assert reason in done.stderr
    assert "Traceback" not in done.stderr


def test_the_command_line_names_what_left_out_all(example_store: str) -> None:
    done = stemma("lineage", "LoRA", "--since", "2030", "-s", example_store)
    assert "what builds on it is excluded by --since" in done.stdout
    ancestors = ("ZeRO-Infinity", "--direction", "ancestors", "--no-catalogue")
    done = stemma("lineage", *ancestors, "--min-confidence", "1", "-s", example_store)
    assert "what it builds on is excluded by" in done.stdout
    done = stemma("lineage", "LoRA", "--since", "2030", "-f", "json", "-s", example_store)
    assert json.loads(done.stdout)["emptiedBy"] == ["YEARS"]


def test_the_api_says_so(example_store: str) -> None:
    with Stemma(example_store) as graph:
        with pytest.raises(FilterError, match="not a lineage relation: USES"):
            graph.lineage("LoRA", relations="uses")
        with pytest.raises(FilterError, match="between 0 and 1"):
            graph.lineage("LoRA", min_confidence=2)
        with pytest.raises(FilterError, match="the first year"):
            graph.lineage("LoRA", since=2030, until=2020)
        assert "all excluded by years" in repr(graph.lineage("LoRA", since=2030))


def test_a_question_says_so(example_store: str) -> None:
    with Stemma(example_store) as graph:
        answer = graph.ask("what builds on LoRA since 2030?")
        assert answer.text.startswith("No paper since 2030 is known to match")
        assert "Left out" not in answer.text
        impossible = graph.ask("what builds on LoRA since 2030 until 2020?")
        assert "The first year (2030) is after the last (2020)." in impossible.text


def test_graphql_says_so(server_url: str) -> None:
    query = """{
      relations: lineage(of: "LoRA", relations: [USES]) { truncated }
      confidence: lineage(of: "LoRA", minConfidence: 2) { truncated }
      years: lineage(of: "LoRA", since: 2030, until: 2020) { truncated }
      papers(since: 2030, until: 2020) { totalCount }
      entities(since: 2030, until: 2020) { totalCount }
      later: lineage(of: "LoRA", since: 2030) { emptiedBy }
      whole: lineage(of: "LoRA") { emptiedBy }
    }"""
    answer = httpx.post(f"{server_url}/graphql", json={"query": query}).json()
    refused = {each["path"][0]: each["extensions"]["code"] for each in answer["errors"]}
    names = ("relations", "confidence", "years", "papers", "entities")
    assert refused == dict.fromkeys(names, "BAD_ARGUMENT")
    assert answer["data"]["later"] == {"emptiedBy": ["YEARS"]}
    assert answer["data"]["whole"] == {"emptiedBy": []}
