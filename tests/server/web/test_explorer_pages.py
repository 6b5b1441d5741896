"""Views of the explorer beside the family tree: compare and path."""

import csv
import json
import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from html import unescape
from io import StringIO
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit
from xml.etree import ElementTree

import httpx
import pyoxigraph as ox
import pytest
from bibtexparser.entrypoint import parse_string
from bibtexparser.middlewares import LatexDecodingMiddleware
from starlette.requests import Request

from command import answer
from service import BROWSER
from stemma import Stemma
from stemma.graph import LineageDirection, Reader, WorkType
from stemma.graph.criteria import Criterion, entities_where
from stemma.graph.lineage import traverse
from stemma.graph.selection import Selection
from stemma.schema import Entity, Paper, RelationType
from stemma.schema.paper import Author
from stemma.server.views.bibtex import bibtex
from stemma.server.views.wording import finder
from stemma.server.web.explorer import statements_page
from stemma.server.web.linked_data import work_page

Serve = Callable[..., AbstractContextManager[str]]
COMPARE = "/compare?a=LoRA&b=QLoRA"
PATH = "/path?from=Fuyou&to=ZeRO"
VIEWS = [
    COMPARE,
    "/compare?a=FlashAttention&b=FlashAttention-2&maxDepth=2&includeGeneral=true",
    PATH,
    "/path?from=Fuyou&to=FlashAttention&maxLength=8",
    "/papers?entity=LoRA&relations=USES,BUILDS_ON&order=newest",
    "/papers?text=attention&since=2022&until=2024",
    "/statements?of=LoRA",
    "/statements?of=LoRA&relations=USES,BUILDS_ON,COMPARES_WITH&minConfidence=0.5"
    "&since=2023&order=newest",
    "/statements?of=Adding NVMe SSDs to Enable and Accelerate 100B Model Fine-tuning on a Single "
    "GPU&kinds=framework,hardware&order=oldest",
]


@pytest.fixture(scope="module")
def client(client: httpx.Client) -> httpx.Client:
    client.headers.update(BROWSER)
    return client


@pytest.fixture
def reader(graph: Stemma) -> Iterator[Reader]:
    with graph.store.snapshot() as reader:
        yield reader


def as_file(address: str, suffix: str) -> str:
    path, _, query = address.partition("?")
    return f"{path}.{suffix}{'?' if query else ''}{query}"


def linked_works(page: str) -> set[str]:
    return {unquote(each) for each in re.findall(r'href="/page/((?:entity|paper)/[^"?#]+)', page)}


def text_of(page: str) -> str:
    """Return a page without escapes, and without marks of names in its sentences."""
    return unescape(re.sub(r'<span class="named">(.*?)</span>', r"\1", page))


# Compare.


def test_two_works_stand_side_by_side_with_what_they_share(
    client: httpx.Client, graph: Stemma
) -> None:
    page = text_of(client.get(COMPARE).text)
    found = graph.compare("LoRA", "QLoRA")
    for aspect in found.aspects().values():
        for each in (*aspect.left[:12], *aspect.shared[:12], *aspect.right[:12]):
            assert f'href="/page/{each.id}"' in page
    assert found.statements
    for statement in found.statements:
        assert all(each.text in page for each in statement.evidence)
    for side in (found.left, found.right):
        assert all(paper.name in page for paper in side.papers)


def test_what_only_the_catalogue_says_of_two_works_is_marked_as_such(
    client: httpx.Client, graph: Stemma
) -> None:
    found = graph.compare("LoRA", "QLoRA").statements
    assert any(each.origin == "catalogue" for each in found)
    page = client.get(COMPARE).text
    expected = sum(each.origin == "catalogue" for each in found)
    assert page.count("From the catalogue.") == expected


@pytest.mark.parametrize("direction", LineageDirection)
def test_what_both_descend_from_and_what_descends_from_both_is_what_lineages_share(
    client: httpx.Client, reader: Reader, direction: LineageDirection
) -> None:
    address = "/compare?a=entity/lora&b=entity/qlora&maxDepth=2&includeGeneral=true"
    data = client.get(as_file(address, "json")).json()
    reached = [
        traverse(reader, f"entity/{each}", direction, 2).depths for each in ("lora", "qlora")
    ]
    expected = (reached[0].keys() & reached[1].keys()) - {"entity/lora", "entity/qlora"}
    assert {each["id"] for each in data[direction.value]["shared"]} == expected


def test_without_two_works_it_asks_for_them(client: httpx.Client) -> None:
    for address, name in (("/compare", "a"), ("/path", "from")):
        page = client.get(address)
        assert page.status_code == 200
        assert f'name="{name}"' in page.text
    assert 'value="LoRA"' in client.get("/compare?a=lora").text


def test_the_confidence_of_a_mere_mention_is_not_shown(client: httpx.Client, graph: Stemma) -> None:
    mention = next(
        each
        for paper in graph.papers()
        for each in graph.statements(paper.id)
        if each.relation is RelationType.MENTIONS
    )
    page = client.get(f"/statements?of={mention.subject}&relations=MENTIONS").text
    assert mention.evidence[0].text in text_of(page)
    assert 'class="confidence">confidence' not in page
    others = client.get(f"/statements?of={mention.subject}&relations=INTRODUCES,USES,RUNS_ON").text
    assert 'class="confidence">confidence' in others


def test_percent_signs_are_shown_without_their_backslash(
    client: httpx.Client, reader: Reader
) -> None:
    papers = reader.page(WorkType.PAPER, first=1000).works
    paper = next(each for each in papers if isinstance(each, Paper) and "\\%" in each.abstract)
    page = client.get(f"/page/{paper.id}").text
    assert "\\%" not in page
    number = re.search(r"[0-9.]+(?=\\%)", paper.abstract)
    assert number and f"{number[0]}%" in page


def test_what_only_the_catalogue_says_has_no_abstract_to_view(client: httpx.Client) -> None:
    page = client.get("/lineage/entity/lora?maxDepth=1").text
    cards = re.findall(r'<li id="entity/[^"]*">(.*?)</li>', page, re.DOTALL)
    assert {("<blockquote>" in card, "View in abstracts" in card) for card in cards} == {
        (True, True),
        (False, False),
    }
    evidence = client.get("/evidence?child=entity/qlora&parent=entity/lora").text
    assert "From the catalogue." in evidence
    assert "found by catalogue" not in evidence


def test_what_found_a_statement_is_named_in_words(client: httpx.Client) -> None:
    evidence = client.get("/evidence?child=entity/galore&parent=entity/relora").text
    assert "found by the trained network" in evidence or "found by a rule (" in evidence
    assert "found by encoder" not in evidence


@pytest.mark.parametrize(
    ("origin", "words"),
    [
        ("encoder:relations/1", "the trained network"),
        ("cue:builds-on/1", "a rule (builds-on)"),
        ("coined/1", "a rule (coined)"),
        ("tables/1", "a table of results"),
        ("llm/orca-2", "the language model orca-2"),
        ("hand", "hand"),
    ],
)
def test_each_sort_of_origin_has_words(origin: str, words: str) -> None:
    assert finder(origin) == words


@pytest.mark.parametrize("view", ["/compare?a=LoRA&b=entity/lora", "/path?from=LoRA&to=lora"])
def test_a_work_is_not_set_beside_itself(client: httpx.Client, view: str) -> None:
    page = client.get(view).text
    assert 'Both names mean the same work: <a href="/page/entity/lora">LoRA</a>' in page
    assert "<table" not in page
    assert "Compare the two" not in page


def test_an_unknown_name_is_answered_with_similar_ones(client: httpx.Client) -> None:
    answer = client.get("/compare?a=zero-infinty&b=LoRA")
    assert answer.status_code == 404
    assert 'href="/compare?a=ZeRO-Infinity&amp;b=LoRA"' in answer.text
    assert 'value="zero-infinty"' in answer.text
    assert (
        'href="/path?from=ZeRO-Infinity&amp;to=LoRA"'
        in client.get("/path?from=zero-infinty&to=LoRA").text
    )
    assert client.get("/compare.json?a=zero-infinty&b=LoRA").status_code == 404
    assert (
        "<"
        not in client.get("/compare?a=zero-infinty&b=LoRA", headers={"accept": "text/plain"}).text
    )


def test_long_lists_lead_to_the_rest(client: httpx.Client) -> None:
    address, shown = f"{COMPARE}&first=1", -1
    while address:
        page = client.get(address).text
        found = len(linked_works(page))
        assert found >= shown
        shown = found
        more = re.search(r'href="(/compare\?[^"]*first=\d+)">and \d+ more', page)
        address = unescape(more[1]) if more else ""
    data = client.get(as_file(COMPARE, "json")).json()
    named = {e["id"] for part in data["techniques"].values() for e in part}
    assert named <= linked_works(page)


# Path.


def test_a_path_has_each_step_with_its_sentence(client: httpx.Client, graph: Stemma) -> None:
    page = unescape(client.get(PATH).text)
    found = graph.path("Fuyou", "ZeRO")
    steps = re.findall(r'<li class="work"><a href="/page/([^"]+)"', page)
    assert steps == ["entity/fuyou", *_ways(found.edges, "entity/fuyou")]
    for edge in found.edges:
        for statement in edge.statements[:3]:
            assert all(each.text in page for each in statement.evidence)
    assert "<svg" in page


def test_works_have_their_dates_on_every_page(client: httpx.Client) -> None:
    dated = {
        PATH: ("Fuyou", "2024-03-11"),
        "/page/entity/zero-infinity": ("Fuyou", "2024-03-11"),
        "/page/entity/fuyou": ("ZeRO-Infinity", "2021-04-15"),
    }
    for address, (name, date) in dated.items():
        page = " ".join(client.get(address).text.split())
        line = f'>{name}</a> <span class="kind">framework</span> <span class="says date">'
        assert f"{line}{date}</span>" in page, address
    evidence = client.get("/evidence?child=entity/fuyou&parent=entity/zero-infinity").text
    assert "Fuyou: 2024-03-11 · ZeRO-Infinity: 2021-04-15" in evidence
    lora = " ".join(client.get("/page/entity/lora").text.split())
    assert re.search(r'first appeared in 2021</span> · <span class="says">also ', lora)


def test_if_there_is_no_path_it_says_so(client: httpx.Client) -> None:
    page = client.get("/path?from=Fuyou&to=ZeRO&maxLength=1").text
    assert "No path of at most 1 step connects Fuyou and ZeRO" in page
    longer = re.search(r'href="(/path[^"]+)">Look for a longer path', page)
    assert longer
    assert "No path of" not in client.get(unescape(longer[1])).text
    assert "Both names mean the same work" in client.get("/path?from=LoRA&to=LoRA").text


@pytest.mark.parametrize(
    "address",
    [
        *("/papers?order=colour", "/papers?since=x", "/papers?since=2024&until=2020"),
        *("/path?from=LoRA&to=ZeRO&maxLength=99", "/path?from=LoRA&to=ZeRO&minConfidence=2"),
        *("/compare?a=LoRA&b=ZeRO&maxDepth=0", "/compare?a=LoRA&b=ZeRO&colour=red"),
        *("/evidence", "/evidence?child=LoRA&parent=%20"),
    ],
)
def test_what_cannot_be_asked_is_refused_with_a_reason(client: httpx.Client, address: str) -> None:
    answer = client.get(address)
    assert answer.status_code == 400
    assert f'href="{address.partition("?")[0]}"' in answer.text
    plain = client.get(address, headers={"accept": "application/json"})
    assert plain.status_code == 400
    assert plain.text.strip() in unescape(answer.text)


# The card of a work, and the lists that lead on from it.


def test_a_card_has_what_the_papers_say_beside_the_lineage(
    client: httpx.Client, graph: Stemma, reader: Reader
) -> None:
    page = unescape(client.get("/page/entity/qlora").text)
    found = graph.compare("QLoRA", "ZeRO")
    named = [each for both in found.aspects().values() for each in (*both.left, *both.shared)]
    assert named
    facts = page[page.index('<dl class="facts">') : page.index("</dl>")]
    assert {each.id for each in named} <= linked_works(facts)
    users = Criterion("entity/lora", (RelationType.USES, RelationType.BUILDS_ON))
    beside = entities_where(
        reader, [users], Selection(relations=tuple(users.relations), first=1000)
    ).matches
    papers = {each.entity.id: len({one.subject for one in each.statements}) for each in beside}
    facts = client.get("/page/entity/lora").text.partition("<dt>Used with</dt>")[2]
    shown = [papers[each] for each in linked_works(facts.partition("</dd>")[0])]
    assert sorted(shown, reverse=True) == sorted(papers.values(), reverse=True)[:12]


def test_a_card_counts_the_children_that_it_does_not_show(
    client: httpx.Client, reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(work_page, "_CHILDREN_SHOWN", 2)
    lora = reader.works(["entity/lora"])["entity/lora"]
    assert isinstance(lora, Entity)
    family = work_page.entity_page(reader, lora).family
    every = traverse(reader, "entity/lora", LineageDirection.DESCENDANTS, 1).depths.keys()
    assert len(family.children) == 2
    assert family.more_children == len(every) - 3 > 0


def test_the_bars_of_a_card_lead_to_the_papers_of_their_year(client: httpx.Client) -> None:
    page = client.get("/page/entity/nvidia-a100").text
    bars = re.findall(r'<a href="([^"]+)" aria-label="(\d+) in (\d+)">', page)
    assert bars
    for address, number, year in bars:
        assert f", {year} <small>{number}</small>" in client.get(unescape(address)).text


def test_a_list_of_papers_is_filtered_and_ordered(client: httpx.Client) -> None:
    listed = {}
    for order in ("published", "newest"):
        data = client.get(f"/papers.json?entity=LoRA&relations=USES,BUILDS_ON&order={order}").json()
        listed[order] = [each["id"] for each in data["nodes"] if each["published"]]
    assert listed["published"] == listed["newest"][::-1]
    assert len(listed["published"]) > 1
    empty = client.get("/papers?entity=LoRA&relations=RUNS_ON&since=1900&until=1901")
    assert "No paper matches" in empty.text


def test_the_pages_of_a_list_have_each_paper_once(client: httpx.Client) -> None:
    whole = client.get("/papers.json?order=newest").json()
    address, seen = "/papers?order=newest", list[str]()
    while address:
        page = client.get(address).text
        seen += re.findall(r'<li><a href="/page/(paper/[^"]+)"', page)
        more = re.search(r'rel="next" href="([^"]+)"', page)
        address = unescape(more[1]) if more else ""
    assert seen == [each["id"] for each in whole["nodes"]]
    assert len(seen) == whole["totalCount"] > 50


def test_the_kind_of_the_other_work_stands_beside_its_name(
    client: httpx.Client, reader: Reader
) -> None:
    page = client.get("/statements?of=LoRA").text
    named = re.findall(
        r'href="/page/((?:entity|paper)/[^"#]+)">[^<]*</a> <span class="kind">(\w+)', page
    )
    assert len(named) == page.count('class="kind"') > 5
    works = reader.works({unquote(work) for work, _ in named})
    assert "entity/lora" not in works
    for work, kind in named:
        assert kind == getattr(works[unquote(work)], "kind", "paper")


def test_of_very_many_statements_the_surest_are_listed_and_the_page_says_so(
    reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    scope = {"type": "http", "path": "/statements", "query_string": b"of=LoRA", "headers": []}
    every = statements_page.make_statements_page(Request(scope), reader)
    monkeypatch.setattr(statements_page, "_MOST", 3)
    some = statements_page.make_statements_page(Request(scope), reader)
    assert some.view().nodes == every.view().nodes[:3]
    assert (every.values["most"], some.values["most"]) == (None, 3)


def test_statements_can_begin_with_the_newest(client: httpx.Client) -> None:
    found = client.get("/statements.json?of=LoRA&order=newest").json()["nodes"]
    dates = [each["paper"]["published"] for each in found if each["paper"]]
    assert dates == sorted(dates, reverse=True)
    assert len(set(dates)) > 1
    surest = client.get("/statements.json?of=LoRA").json()["nodes"]
    sure = [each["confidence"] for each in surest]
    assert sure == sorted(sure, reverse=True)
    assert len(surest) == len(found)


# Take it away.


PAGES = [
    *("/page/entity/lora", "/page/paper/dora-weight-decomposed-low-rank-adaptation"),
    *("/page?q=what builds on LoRA since 2023", "/page?q=does LoRA run on V100"),
]


@pytest.mark.parametrize("address", [*VIEWS, *PAGES])
def test_every_file_of_a_view_is_what_it_says(client: httpx.Client, address: str) -> None:
    page = client.get(address)
    assert page.status_code == 200
    files = re.findall(r'<a href="([^"]+)" download="([^"]+)">', page.text)
    suffixes = {name.rpartition(".")[2] for _, name in files}
    assert suffixes >= {"json", "csv", "ttl", "bib"}
    assert query_in(page.text)
    for file, name in files:
        text = client.get(unescape(file)).text
        match name.rpartition(".")[2]:
            case "json":
                json.loads(text)
            case "csv":
                rows = list(csv.reader(StringIO(text)))
                assert len(rows) > 1
                assert len({len(row) for row in rows}) == 1
            case "ttl":
                assert list(ox.parse(text, ox.RdfFormat.TURTLE))
            case "bib":
                library = parse_string(text)
                assert library.entries
                assert not library.failed_blocks
            case "svg" | "png":
                ElementTree.fromstring(text)
            case other:
                pytest.fail(other)


def test_bibtex_gives_titles_back_whatever_is_in_them() -> None:
    titles = ["50% of {GPU} & C# \\ unbalanced } ~^_$x <b>", "É 中文 “x”", 'A "quoted" title', "É"]
    papers = [Paper(f"paper/a-{n % 2}", title) for n, title in enumerate(titles)]
    library = parse_string(bibtex(papers), append_middleware=[LatexDecodingMiddleware()])
    assert not library.failed_blocks
    assert len({entry.key for entry in library.entries}) == len(titles)
    for entry, title in zip(library.entries, titles, strict=True):
        known = title.replace("{", "").replace("}", "")  # Words for braces have no decoding.
        decoded = re.sub(r"\\textbrace(?:left|right)", "", str(entry["title"]))
        assert decoded.replace("ˆ", "^").split() == known.split()


def test_bibtex_has_the_links_and_dates_of_papers() -> None:
    links = ("https://arxiv.org/abs/2106.09685v2", "https://doi.org/10.1000/a_b")
    [entry] = parse_string(bibtex([Paper("paper/x", "X", links=links)])).entries
    assert entry["eprint"] == "2106.09685"
    assert entry["doi"] == "10.1000/a_b"


def test_bibtex_has_the_authors_of_papers() -> None:
    authors = (Author("Ada Löwe"), Author("Bits and Bytes"))
    [entry] = parse_string(bibtex([Paper("paper/x", "X", authors=authors)])).entries
    assert entry["author"] == r"Ada L{\"o}we and {Bits and Bytes}"


# Open in GraphQL: the query yields what the view shows.


def query_in(page: str) -> str:
    [query] = re.findall(r'href="/graphql#query=([^"]+)"', page)
    return unquote(unescape(query))


def expected_works(client: httpx.Client, address: str) -> set[str]:
    """Return the works (ids) that a view is about."""
    data = client.get(as_file(address, "json")).json()
    match address.split("?", maxsplit=1)[0].split("/")[1]:
        case "papers":
            return {each["id"] for each in data["nodes"]}
        case "statements":
            ends = [{e[end]["id"] for end in ("subject", "entity")} for e in data["nodes"]]
            return set().union(*ends) - set.intersection(*ends)
        case "path":
            return {e[end]["id"] for e in data["edges"] for end in ("child", "parent")}
        case _:
            aspects = ("hardware", "frameworks", "techniques", "models", "datasets", "baselines")
            return {e["id"] for a in aspects for part in data[a].values() for e in part}


@pytest.mark.parametrize("address", VIEWS)
def test_the_query_in_graphql_yields_the_works_of_the_view(
    client: httpx.Client, address: str
) -> None:
    page = client.get(address).text
    answer = client.post("/graphql", json={"query": query_in(page)}).json()
    assert "errors" not in answer
    assert expected_works(client, address) <= ids_in(answer["data"])
    if address.startswith("/papers"):
        assert expected_works(client, address) == ids_in(answer["data"])


TREES = [
    "/lineage/entity/lora",
    "/lineage/entity/lora?direction=descendants&maxDepth=3",
    "/lineage/entity/fuyou?includeGeneral=true&minConfidence=0.6&includeCatalogue=false",
    "/lineage/entity/zero-infinity?relations=IMPROVES_ON",
    "/lineage/entity/lora?kinds=technique,framework&since=2023&until=2024",
    # Works that the catalogue alone dates.
    "/lineage/entity/colossal-ai?until=2020",
]


@pytest.mark.parametrize("address", TREES)
def test_a_family_tree_is_yielded_by_its_query(client: httpx.Client, address: str) -> None:
    separator = "&" if "?" in address else "?"
    page = client.get(f"{address}{separator}first=300").text
    drawn = {unescape(each) for each in re.findall(r'<a href="[^"]*" data-work="([^"]+)"', page)}
    root = urlsplit(address).path.removeprefix("/lineage/")
    expected = drawn - {root}
    assert expected
    answer = client.post("/graphql", json={"query": query_in(page)}).json()
    yielded = ids_in(answer["data"]) - {root}
    assert yielded == expected
    for suffix in ("ttl", "bib"):
        text = client.get(as_file(address, suffix)).text
        if suffix == "ttl":
            assert list(ox.parse(text, ox.RdfFormat.TURTLE))
        else:
            assert not parse_string(text).failed_blocks


def ids_in(data: Any) -> set[str]:
    """Return the ids of works anywhere in an answer of GraphQL."""
    if isinstance(data, list):
        return {id_ for each in data for id_ in ids_in(each)}
    if isinstance(data, dict):
        own = {data["id"]} if str(data.get("id", "")).startswith(("entity/", "paper/")) else set()
        return own.union(*(ids_in(each) for each in data.values()))
    return set()


def _ways(edges: Any, start: str) -> list[str]:
    found, here = [], start
    for edge in edges:
        here = edge.parent.id if edge.child.id == here else edge.child.id
        found.append(here)
    return found


def test_general_terms_are_left_out_of_a_lineage(reader: Reader, graph: Stemma) -> None:
    found = graph.lineage("Fuyou", "ancestors", include_general=False)
    assert found.nodes
    assert not any(getattr(node.work, "general", False) for node in found.nodes)
    everything = graph.lineage("Fuyou", "ancestors")
    assert {node.work.id for node in found.nodes} < {node.work.id for node in everything.nodes}


def test_spreadsheets_take_no_title_for_a_formula(tmp_path: Path, serve: Serve) -> None:
    dangerous = [
        '=HYPERLINK("https://example.org","Kettle")',
        "@SUM(1+1) of kettles",
        "=cmd|' /C kettle'!A0",
    ]
    papers, store = tmp_path / "papers.jsonl", str(tmp_path / "stemma.db")
    abstract = "We present Kettle, which builds on LoRA."
    titles = [*dangerous, "Kettle = pot"]
    lines = [json.dumps({"title": each, "abstract": abstract}) for each in titles]
    papers.write_text("\n".join(lines), "utf-8")
    Stemma(store).build(papers, fast=True)
    answer("export", "--store", store, "-o", str(tmp_path / "graph.csv"))
    with serve(store) as url:
        tables = [
            httpx.get(f"{url}/papers.csv?text=kettle").text,
            (tmp_path / "graph-nodes.csv").read_text("utf-8"),
            answer("cypher", "MATCH (p:Paper) RETURN p.title", "-s", store, "-f", "csv"),
        ]
    for table in tables:
        cells = {cell for row in csv.reader(StringIO(table)) for cell in row}
        assert {f"'{each}" for each in dangerous} | {"Kettle = pot"} <= cells
        assert cells.isdisjoint(dangerous)
