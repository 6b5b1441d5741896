"""The examples of GraphQL and SPARQL with names of the graph that they are offered for."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pyoxigraph as ox
import pytest
from graphql import StringValueNode, Visitor, parse, visit
from hypothesis import given
from hypothesis import strategies as st

from described import describe
from filled import put
from stemma.graph import Reader, Store, StoreError, open_store
from stemma.graph.sqlite import SqliteStore
from stemma.schema import (
    Bound,
    Comparison,
    Direction,
    Extraction,
    RelationType,
)
from stemma.schema.paper import Author
from stemma.server.example import Example
from stemma.server.graphql import playground as graphql_example
from stemma.server.http.responses import UNREADABLE
from stemma.server.sparql import example_queries as sparql_example

LANGUAGES = {"graphql": graphql_example, "sparql": sparql_example}
OWN_NAMES = {
    name for each in LANGUAGES.values() for _, *own in each._ROLES.values() for name in own
}
"""All that the files name."""
AWKWARD = 'Quill "Q" two'
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


def a_field() -> list[Extraction]:
    """Papers on works that nobody has heard of, one of them with an awkward name."""
    beside = ("hardware Zed Board: RUNS_ON", "dataset Crumbset: EVALUATED_ON")
    folding = "technique paper folding: USES"
    return [
        invented("Zen of Writing", 2017, "framework Quill: INTRODUCES", *beside),
        invented(
            TITLE,
            2018,
            f"framework {AWKWARD}: INTRODUCES",
            "framework Quill: BUILDS_ON",
            "framework Gnawer: COMPARES_WITH",
            "technique leaf turning: USES",
            folding,
            *beside,
        ),
        invented(
            "Writing with Chewer",
            2019,
            "framework Chewer: INTRODUCES",
            f"framework {AWKWARD}: BUILDS_ON",
            f"framework {AWKWARD}: COMPARES_WITH",
            folding,
        ),
        invented("A Survey", 2020, author=""),
    ]


@pytest.fixture(scope="module")
def invented_store(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = str(tmp_path_factory.mktemp("invented") / "stemma.db")
    with open_store(path) as store:
        put(store, *a_field())
    return path


def _empty(store: Store) -> None:
    """Leave nothing in a store but commits."""
    paper = invented("Gone", 2020)
    put(store, paper)
    with store.writer() as writer:
        writer.drop([paper.paper.id])
        writer.commit()


@pytest.fixture(scope="module")
def empty_store(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = str(tmp_path_factory.mktemp("empty") / "stemma.db")
    with open_store(path) as store:
        _empty(store)
    return path


@pytest.fixture(scope="module")
def invented_url(invented_store: str, serve: Any) -> Iterator[str]:
    with serve(invented_store) as url:
        yield url


def found(store: str, language: str) -> tuple[Example, ...]:
    with open_store(store) as opened, opened.snapshot() as reader:
        return LANGUAGES[language].graph_examples().of(reader)


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_file_has_a_role_for_each_name(language: str) -> None:
    folder = Path(LANGUAGES[language].__file__).parent / "examples"
    files = {path.stem: path.read_text() for path in folder.iterdir()}
    roles = LANGUAGES[language]._ROLES
    assert list(roles) == sorted(files)
    for stem, (_, *own) in roles.items():
        for name in own:
            assert name in files[stem]
        # A name that has no role would stay in the query.
        without = partial(re.sub, "|".join(map(re.escape, sorted(own, key=len, reverse=True))))
        left = without("", files[stem]) if own else files[stem]
        assert not [name for name in OWN_NAMES if name in left], stem


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_graph_of_the_example_papers_gets_the_examples_as_they_are(
    example_store: str, language: str
) -> None:
    folder = Path(LANGUAGES[language].__file__).parent / "examples"
    offered = found(example_store, language)
    assert [each.query for each in offered] == [
        path.read_text() for path in sorted(folder.iterdir())
    ]
    assert all(each.question.endswith("?") and "#" not in each.question for each in offered)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_graph_of_other_works_gets_examples_with_its_own_names(
    invented_store: str, language: str
) -> None:
    offered = found(invented_store, language)
    assert len(offered) == len(LANGUAGES[language]._ROLES)
    for each in offered:
        assert not [name for name in OWN_NAMES - {"2023"} if name in each.query], each.query
    assert any(json.dumps(AWKWARD)[1:-1] in each.query for each in offered)
    assert any(AWKWARD in each.question for each in offered)


def test_the_title_of_a_paper_may_be_anything(invented_store: str) -> None:
    (example,) = (each for each in found(invented_store, "graphql") if "paper on" in each.question)
    assert f"title: {json.dumps(TITLE)}" in example.query


def lists(answer: object) -> Iterator[list[Any]]:
    match answer:
        case list():
            yield answer
            for each in answer:
                yield from lists(each)
        case Mapping():
            for each in answer.values():
                yield from lists(each)


@pytest.mark.parametrize("store", ["example", "invented"])
def test_each_example_in_graphql_has_an_answer(
    store: str, server_url: str, invented_url: str, request: pytest.FixtureRequest
) -> None:
    offered = found(request.getfixturevalue(f"{store}_store"), "graphql")
    url = {"example": server_url, "invented": invented_url}[store]
    asked = set[str]()
    for each in offered:
        answer = httpx.post(f"{url}/graphql", json={"query": each.query}).json()
        assert "errors" not in answer, (each.query, answer)
        (*_, data) = answer["data"].values()
        assert data, each.query
        assert any(lists(data)), each.query
        asked |= answer["data"].keys()
    assert len(offered) >= 12
    assert asked >= {"ask", "lineage", "path", "compare", "papers", "entitiesWhere"}


def test_each_example_in_sparql_has_an_answer(invented_store: str, invented_url: str) -> None:
    for each in found(invented_store, "sparql"):
        accept = {"accept": "application/sparql-results+json, application/n-triples"}
        answer = httpx.get(f"{invented_url}/sparql", params={"query": each.query}, headers=accept)
        assert answer.status_code == 200, (each.query, answer.text)
        if each.query.count("CONSTRUCT"):
            assert answer.text.count("\n") > 3, each.query
        else:
            assert answer.json()["results"]["bindings"], each.query


def test_an_empty_store_has_only_what_needs_no_name(empty_store: str, serve: Any) -> None:
    assert [each.question for each in found(empty_store, "graphql")] == [
        "How much does this store hold, and which works do most of the others derive from?"
    ]
    assert found(empty_store, "sparql") == ()
    with serve(empty_store) as url:
        assert len(httpx.get(f"{url}/graphql/examples").json()["examples"]) == 1
        page = httpx.get(f"{url}/sparql", headers={"accept": "text/html"})
        assert page.status_code == 200
        assert "<textarea" in page.text
        assert "<select" not in page.text


def test_examples_are_those_of_the_graph_as_it_is_now(tmp_path: Path) -> None:
    examples = graphql_example.graph_examples()

    def now() -> list[str]:
        with open_store(str(tmp_path / "stemma.db")) as store, store.snapshot() as reader:
            return [each.query for each in examples.of(reader)]

    with open_store(str(tmp_path / "stemma.db")) as store:
        _empty(store)
    before = now()
    with open_store(str(tmp_path / "stemma.db")) as store:
        put(store, *a_field())
    assert len(now()) > len(before)


# What stands for a name, whatever it is.

NAMES = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1)
UGLY = NAMES | st.sampled_from(
    ['"', "\\", '\\"', "a\nquery X { y }", "\\u0022", "\\u000A}", "a\r\nb", '"""', "#", "\u2028"]
)


@given(UGLY)
def test_in_graphql_a_name_stays_a_string(name: str) -> None:
    text = '# What builds on Quill?\nquery Q {\n  lineage(of: "Quill") {\n    truncated\n  }\n}\n'
    changed = Example("What builds on Quill?", text).about({"Quill": name})
    strings = []

    class Strings(Visitor):
        def enter_string_value(self, node: StringValueNode, *_: object) -> None:
            strings.append(node.value)

    document = parse(changed.query)
    visit(document, Strings())
    assert strings == [name]
    assert len(document.definitions) == 1
    assert changed.question.count("\n") == 0


@given(UGLY)
def test_in_sparql_a_name_stays_a_string(name: str) -> None:
    text = '# What is Quill?\nSELECT ?name WHERE {\n  BIND ("Quill" AS ?name)\n}\n'
    changed = Example("What is Quill?", text).about({"Quill": name})
    (row,) = ox.Store().query(changed.query)
    assert row["name"].value == name
    comment, _, rest = changed.query.partition("\n")
    assert comment.startswith("# What is ")
    assert "\\" not in comment
    assert rest.startswith("SELECT")


def test_names_are_replaced_at_once_and_the_longest_first() -> None:
    example = Example("How are A and A-2 related?", '# A, A-2\n{ a(b: "A", c: "A-2") }\n')
    changed = example.about({"A": "A-2", "A-2": "A"})
    assert changed == Example("How are A-2 and A related?", '# A-2, A\n{ a(b: "A-2", c: "A") }\n')


# The address that the playground asks.


def test_the_playground_gets_them_as_json(invented_store: str, invented_url: str) -> None:
    answer = httpx.get(f"{invented_url}/graphql/examples")
    assert answer.headers["content-type"].startswith("application/json")
    offered = found(invented_store, "graphql")
    assert answer.json() == {
        "examples": [{"question": each.question, "query": each.query} for each in offered]
    }


def test_the_page_of_sparql_has_them(invented_store: str, invented_url: str) -> None:
    page = httpx.get(f"{invented_url}/sparql", headers={"accept": "text/html"}).text
    assert page.count("<option") == 1 + len(found(invented_store, "sparql"))
    assert "ZeRO" not in page
    assert "Zed Board" in page or "Quill" in page


def test_where_the_store_fails_the_pages_work_without_them(
    invented_store: str, serve: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(store: Store) -> Reader:
        raise StoreError("the disk is gone")

    with serve(invented_store) as url:
        monkeypatch.setattr(SqliteStore, "snapshot", fail)
        assert httpx.get(f"{url}/graphql/examples").text == f"{UNREADABLE}\n"
        page = httpx.get(f"{url}/sparql", headers={"accept": "text/html"})
        assert page.status_code == 200
        assert "<textarea" in page.text
