"""The examples of GraphQL and SPARQL with names of the graph that they are offered for."""

import json
from dataclasses import replace
from pathlib import Path

import httpx
import pyoxigraph as ox
import pytest
from graphql import parse
from hypothesis import given
from hypothesis import strategies as st

from asked import by_graphql, client_of
from described import describe
from filled import drop, stored
from service import BROWSER
from stemma.graph import open_store
from stemma.schema import Bound, Comparison, Direction, Extraction, RelationType
from stemma.schema.paper import Author
from stemma.server.example import Example
from stemma.server.graphql import playground as graphql_example
from stemma.server.sparql import example_queries as sparql_example

LANGUAGES = {"graphql": graphql_example, "sparql": sparql_example}
OWN_NAMES = {
    name for each in LANGUAGES.values() for _, *own in each._ROLES.values() for name in own
}
"""All that the files name."""
AWKWARD = 'Quill "Q" two'
BESIDE = ("hardware Zed Board: RUNS_ON", "dataset Crumbset: EVALUATED_ON")
TITLE = 'Writing with \\u0022Nibbler\\n" and more'


def invented(title: str, year: int, *lines: str, author: str = "Ada Quill") -> Extraction:
    """Return a paper that says all these lines (see `describe`) in one sentence."""
    names = [line.partition(" ")[2].rpartition(":")[0] for line in lines]
    abstract = f"We study {', '.join(names)}, much faster."
    found = describe(title, abstract, *lines, published=str(year), position=year)
    better = Comparison(factor=1.5, bound=Bound.EXACT, metric="speed", direction=Direction.BETTER)
    return replace(
        found,
        paper=replace(found.paper, authors=(Author(author),) if author else ()),
        relations=tuple(
            replace(each, comparison=better) if each.type is RelationType.COMPARES_WITH else each
            for each in found.relations
        ),
    )


FIELD = [
    invented("Zen of Writing", 2017, "framework Quill: INTRODUCES", *BESIDE),
    invented(
        TITLE,
        2018,
        f"framework {AWKWARD}: INTRODUCES",
        "framework Quill: BUILDS_ON",
        "framework Gnawer: COMPARES_WITH",
        "technique leaf turning: USES",
        "technique paper folding: USES",
        *BESIDE,
    ),
    invented(
        "Writing with Chewer",
        2019,
        "framework Chewer: INTRODUCES",
        f"framework {AWKWARD}: BUILDS_ON",
        f"framework {AWKWARD}: COMPARES_WITH",
        "technique paper folding: USES",
    ),
    invented("A Survey", 2020, author=""),
]
"""Papers on works that nobody has heard of, one of them with an awkward name."""


@pytest.fixture(scope="module")
def invented_store(tmp_path_factory) -> str:
    return stored(tmp_path_factory.mktemp("invented"), *FIELD)


def found(store: str, language: str) -> tuple[Example, ...]:
    with open_store(store) as opened, opened.snapshot() as reader:
        return LANGUAGES[language].graph_examples().of(reader)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_graph_of_the_example_papers_gets_the_examples_as_they_are(example_store, language):
    folder = Path(LANGUAGES[language].__file__).parent / "examples"
    offered = found(example_store, language)
    assert [each.query for each in offered] == [
        path.read_text() for path in sorted(folder.iterdir())
    ]
    assert all(each.question.endswith("?") and "#" not in each.question for each in offered)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_graph_of_other_works_gets_examples_with_its_own_names(invented_store, language):
    offered = found(invented_store, language)
    assert len(offered) == len(LANGUAGES[language]._ROLES)
    for each in offered:
        assert not [name for name in OWN_NAMES if name in each.query], each.query
    assert any(json.dumps(AWKWARD)[1:-1] in each.query for each in offered)
    assert any(AWKWARD in each.question for each in offered)


# What stands for a name, whatever it is.

NAMES = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1)
UGLY = NAMES | st.sampled_from(
    ['"', "\\", '\\"', "a\nquery X { y }", "\\u0022", "\\u000A}", "a\r\nb", '"""', "#", "\u2028"]
)


@given(UGLY)
def test_in_graphql_a_name_stays_a_string(name):
    text = '# What builds on Quill?\nquery Q {\n  lineage(of: "Quill") {\n    totalCount\n  }\n}\n'
    changed = Example("What builds on Quill?", text).about({"Quill": name})
    (operation,) = parse(changed.query).definitions
    (lineage,) = operation.selection_set.selections
    assert [each.value.value for each in lineage.arguments] == [name]
    assert changed.question.count("\n") == 0


@given(UGLY)
def test_in_sparql_a_name_stays_a_string(name):
    text = '# What is Quill?\nSELECT ?name WHERE {\n  BIND ("Quill" AS ?name)\n}\n'
    changed = Example("What is Quill?", text).about({"Quill": name})
    (row,) = ox.Store().query(changed.query)
    assert row["name"].value == name
    comment, _, rest = changed.query.partition("\n")
    assert comment.startswith("# What is ")
    assert "\\" not in comment
    assert rest.startswith("SELECT")


@pytest.mark.parametrize("store", ["example_store", "invented_store"])
def test_each_example_has_an_answer_where_it_is_offered(store, request, serve):
    path = request.getfixturevalue(store)
    in_graphql, in_sparql = (found(path, language) for language in LANGUAGES)
    with serve(path) as url, httpx.Client(base_url=url, timeout=60) as client:
        assert client.get("/graphql/examples").json()["examples"] == [
            {"question": each.question, "query": each.query} for each in in_graphql
        ]
        for each in in_graphql:
            answer = by_graphql(client, each.query)
            assert "[{" in json.dumps(answer).replace(" ", ""), each.query
        page = client.get("/sparql", headers=BROWSER).text
        assert page.count("<option") == 1 + len(in_sparql)
        # Those of the example papers are answered in `test_sparql_questions`.
        for each in in_sparql if store == "invented_store" else ():
            accept = {"accept": "application/sparql-results+json, application/n-triples"}
            answer = client.get("/sparql", params={"query": each.query}, headers=accept)
            assert answer.text.count("\n") > 3 or answer.json()["results"]["bindings"], each.query


def test_examples_are_those_of_the_graph_as_it_is_now(tmp_path):
    paper = invented("Gone", 2020)
    path = stored(tmp_path, paper)
    with open_store(path) as store:
        drop(store, paper.paper.id)
    (only,) = found(path, "graphql")
    assert only.question.startswith("How much does this store hold"), "it needs no name"
    assert found(path, "sparql") == ()
    page = client_of(path).get("/sparql", headers=BROWSER).text
    assert "<textarea" in page and "<select" not in page
    stored(tmp_path, *FIELD)
    assert len(found(path, "graphql")) > 1


def test_names_are_replaced_at_once_and_the_longest_first():
    example = Example("How are A and A-2 related?", '# A, A-2\n{ a(b: "A", c: "A-2") }\n')
    changed = example.about({"A": "A-2", "A-2": "A"})
    assert changed == Example("How are A-2 and A related?", '# A-2, A\n{ a(b: "A-2", c: "A") }\n')
