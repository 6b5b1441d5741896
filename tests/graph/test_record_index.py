"""Authors and references are linked again only where papers change; the result is the same."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from latest import latest
from stemma.graph.identity import keys_of, keys_of_reference
from stemma.graph.linking.people import people
from stemma.graph.sqlite import SqliteStore
from stemma.schema import Extraction, Paper
from stemma.schema.paper import Author, Reference

ORCIDS = ("0000-0002-1825-0097", "0000-0001-5109-3700", "0000-0003-1415-9269")
TITLES = ("Quill", "Nib", "Ink", "Pen", "Quire", "Folio", "Gall", "Reed")

authors = st.builds(
    Author,
    st.sampled_from(["Ada Quill", "A. Quill", "ada quill", "Bo Nib", "Cy Ink", "Di Pen"]),
    st.sampled_from([None, None, *ORCIDS]),
    st.none(),
    st.sampled_from([None, None, "s2:1", "s2:2", "openalex:A1"]),
)
references = st.builds(
    Reference,
    st.sampled_from([None, "doi:10.1000/0", "doi:10.1000/1", "arxiv:2104.00001"]),
    st.sampled_from(TITLES),
)
records = st.tuples(
    st.sampled_from(TITLES),
    st.lists(authors, max_size=4).map(tuple),
    st.lists(references, max_size=3).map(tuple),
    st.sampled_from([None, None, "10.1000/0", "10.1000/1"]),
)
commits = st.lists(
    st.dictionaries(st.integers(0, 7), st.none() | records, min_size=1, max_size=4), max_size=5
)


def made(number, title, authors, references, doi) -> Paper:
    id_ = f"paper/{number}"
    return Paper(id_, title, "", authors=authors, references=references, doi=doi)


def change(store: SqliteStore, papers: Mapping[int, Paper | None]) -> None:
    """Put papers, by their numbers, and drop those that are None."""
    with store.writer() as writer:
        writer.put([Extraction(each) for each in papers.values() if each], "hand")
        writer.drop([f"paper/{number}" for number, each in papers.items() if not each])
        writer.commit()


def citations(papers: Collection[Paper]) -> Iterator[tuple[str, str]]:
    """Yield which papers cite which: by the first key of a reference that only one of them has."""
    named: dict[str, set[str]] = defaultdict(set)
    for paper in papers:
        for key in keys_of(paper):
            named[key].add(paper.id)
    for paper in papers:
        for reference in paper.references:
            found = (named[key] for key in keys_of_reference(reference) if len(named[key]) == 1)
            yield from ((paper.id, cited) for cited in next(found, ()) if cited != paper.id)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(commits)
def test_whatever_came_and_went_before(tmp_path_factory, catalogue, commits) -> None:
    store = SqliteStore(tmp_path_factory.mktemp("records") / "stemma.db", catalogue=catalogue)
    # Enough others that few of all papers change.
    held: dict[int, Paper | None] = {
        number: Paper(f"paper/{number}", f"Other {number}") for number in range(100, 140)
    }
    change(store, held)
    for commit in commits:
        changes = {number: record and made(number, *record) for number, record in commit.items()}
        change(store, changes)
        held |= changes
        papers = [each for each in held.values() if each]
        ids = [each.id for each in papers]
        expected = people((each.id, each.authors) for each in papers)
        wrote: dict[str, dict[int, str]] = defaultdict(dict)
        for person, own in expected:
            for paper, place in own:
                wrote[paper][place] = person.id
        reader = latest(store)
        authors = {id_: [own[place] for place in sorted(own)] for id_, own in wrote.items()}
        assert {id_: own for id_, own in reader.authors(ids).items() if own} == authors
        assert reader.people([each.id for each, _ in expected]) == {
            each.id: each for each, _ in expected
        }
        cites = {(citing, each) for citing, own in reader.cites(ids).items() for each in own}
        assert cites == set(citations(papers))
        assert not list(store.check()), "nobody is left who wrote nothing"


def test_only_what_is_connected_is_linked_again(store: SqliteStore) -> None:
    papers = {
        number: Paper(
            *(f"paper/{number}", f"Paper {number}"),
            authors=(Author(f"Ada Quill {number}"), Author("Bo Nib")),
            references=(Reference(None, f"Paper {number + 1}"),),
        )
        for number in range(50)
    }
    change(store, papers)
    before = latest(store).changed_since(None).now
    added = Paper("paper/50", "Paper 50", authors=(Author("Ada Quill 3"), Author("Cy Ink")))
    change(store, {50: added})
    changes = latest(store).changed_since(before)
    assert {*changes.changed, *changes.gone} == {
        *("author/ada-quill-3", "author/ada-quill-3--3", "author/ada-quill-3--50"),
        *("author/cy-ink", "paper/3", "paper/49", "paper/50"),
    }
