"""A name that nearly all papers give to one work: interfaces take that one, and name the others."""

import warnings

import httpx
import pytest

from asked import by_assistant, by_graphql, client_of
from command import answer, stemma
from described import describe
from filled import stored
from stemma import Stemma

HANDS, STOCKS = "entity/grip--grip-hands", "entity/grip--grip-stocks"


@pytest.fixture(scope="module")
def store(tmp_path_factory) -> str:
    """A store in which ten papers mean one Grip, and one another."""
    text = "Grip is here."
    return stored(
        tmp_path_factory.mktemp("namesakes"),
        describe("Grip: stocks", text, "dataset Grip: INTRODUCES"),
        describe("Grip: hands", text, "hardware Grip: INTRODUCES"),
        *(describe(f"Use {n}", text, "hardware Grip: BUILDS_ON") for n in range(9)),
    )


@pytest.fixture(scope="module")
def client(store) -> httpx.Client:
    return client_of(store)


def test_commands_say_which_others_have_the_name(store):
    shown = stemma("lineage", "Grip", "--store", store)
    assert shown.returncode == 0, shown.stderr
    assert f"Grip is taken to be {HANDS}; it is also the name of {STOCKS}" in shown.stderr
    by_id = stemma("lineage", HANDS, "--store", store)
    assert by_id.stdout == shown.stdout
    assert "taken to be" not in by_id.stderr


def test_answers_say_so(store):
    shown = answer("ask", "what builds on Grip?", "--store", store)
    assert "What builds or improves on Grip, in all: 9." in shown
    assert f"also so called: {STOCKS}" in " ".join(shown.split())


def test_pages_of_both_link_to_the_other(client):
    for shown, other, paper in ((HANDS, STOCKS, "Grip: stocks"), (STOCKS, HANDS, "Grip: hands")):
        page = client.get(f"/page/{shown}", headers={"accept": "text/html"}).text
        assert f'also the name of:</span> <a href="/page/{other}">Grip</a>' in page
        assert f"in “{paper}”" in page


def test_graphql_has_the_others_of_the_name(client):
    found = by_graphql(
        client,
        """{ lineage(of: "grip") { root { id namesakes { id ... on Entity { kind } } } }
          other: entity(id: "entity/grip--grip-stocks") { namesakes { id } }
          papers(text: "Grip: hands") { nodes {
            namesakes { id } introduces { namesakes { id } } } } }""",
    )
    assert found == {
        "lineage": {"root": {"id": HANDS, "namesakes": [{"id": STOCKS, "kind": "DATASET"}]}},
        "other": {"namesakes": [{"id": HANDS}]},
        "papers": {"nodes": [{"namesakes": [], "introduces": [{"namesakes": [{"id": STOCKS}]}]}]},
    }


def test_graphql_has_only_some_of_many_others(tmp_path):
    papers = (describe(f"Pen {n}", "A pen.", "hardware Pen: INTRODUCES") for n in range(25))
    query = '{ entity(id: "entity/pen--pen-1") { namesakes { id } } }'
    found = by_graphql(client_of(stored(tmp_path, *papers)), query)
    assert len(found["entity"]["namesakes"]) == 20


def test_python_warns_which_others_have_the_name(store):
    with Stemma(store) as graph:
        with pytest.warns(UserWarning, match=f"grip is taken to be {HANDS}; .* {STOCKS}") as caught:
            assert graph.lineage("grip").root.id == HANDS
        assert caught[0].filename == __file__
        with pytest.warns(UserWarning, match="grip is taken to be"):
            exec("graph.lineage('grip')", {"graph": graph})  # code without a module
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            graph.lineage(HANDS)


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("compare", {"left": STOCKS, "right": "Grip"}),
        ("papers", {"conditions": [{"entity": "Grip"}]}),
    ],
)
def test_assistants_learn_which_others_have_the_name(store, tool, arguments):
    [found] = by_assistant(store, tool, **arguments)["namesakes"]
    assert (found["name"].lower(), found["takenAs"]) == ("grip", HANDS)
    assert found["others"] == [{"id": STOCKS, "name": "Grip", "type": "Entity", "kind": "DATASET"}]
    assert "namesakes" not in by_assistant(store, "lineage", of=HANDS)
