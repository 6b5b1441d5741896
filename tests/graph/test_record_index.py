"""Authors and references are linked again only where papers change; the result is the same."""

import sqlite3
from collections import defaultdict
from collections.abc import Collection, Iterator
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

import stemma.graph.sqlite
from stemma.graph.identity import keys_of, keys_of_reference
from stemma.graph.linking.people import people
from stemma.graph.sqlite import change_log
from stemma.graph.sqlite.record_index import RecordIndex, read_person
from stemma.schema import Paper
from stemma.schema.paper import Author, Reference

TABLES = Path(stemma.graph.sqlite.__file__).with_name("schema.sql").read_text("utf-8")
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


class Index:
    """An index of records in memory."""

    def __init__(self) -> None:
        self.db = sqlite3.connect(":memory:", isolation_level=None)
        self.db.executescript(TABLES)
        self.papers: dict[str, Paper] = {}
        self.numbers: dict[str, int] = {}

    def commit(self, changes: dict[int, Paper | None]) -> None:
        index = RecordIndex(self.db, self.numbers)
        for id_ in [f"paper/{number}" for number in changes]:
            if self.papers.pop(id_, None):
                self.db.execute("DELETE FROM paper WHERE work = ?", [self.numbers[id_]])
                index.clear(self.numbers[id_])
        for number, paper in changes.items():
            id_ = f"paper/{number}"
            if paper is None:
                if id_ in self.numbers:
                    self.db.execute("DELETE FROM work WHERE no = ?", [self.numbers.pop(id_)])
                continue
            self.papers[id_] = paper
            self.numbers.setdefault(id_, 1 + max(self.numbers.values(), default=0))
            self.db.execute(
                "INSERT OR IGNORE INTO work (no, id, type, name, date_order) "
                "VALUES (?, ?, 'paper', '', '')",
                [self.numbers[id_], id_],
            )
            self.db.execute("INSERT INTO paper VALUES (?, '', '', '', NULL)", [self.numbers[id_]])
            index.put(self.numbers[id_], paper)
        index.link()

    def people(self) -> list[object]:
        ids = {number: id_ for id_, number in self.numbers.items()}
        found = []
        for number, *own in self.db.execute(
            "SELECT no, id, name, orcid, details, papers FROM person ORDER BY id"
        ).fetchall():
            wrote = self.db.execute(
                "SELECT paper, place FROM authorship WHERE person = ?", [number]
            )
            found.append((read_person(*own), sorted((ids[paper], place) for paper, place in wrote)))
        return found

    def citations(self) -> set[tuple[str, str]]:
        ids = {number: id_ for id_, number in self.numbers.items()}
        return {(ids[a], ids[b]) for a, b in self.db.execute("SELECT * FROM citation")}


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


@given(commits)
def test_whatever_came_and_went_before(commits) -> None:
    index = Index()
    # Enough others that few of all papers change.
    others = {number: Paper(f"paper/{number}", f"Other {number}") for number in range(100, 140)}
    index.commit(others)
    for commit in commits:
        index.commit(
            {
                number: record
                and Paper(
                    f"paper/{number}",
                    record[0],
                    authors=record[1],
                    references=record[2],
                    doi=record[3],
                )
                for number, record in commit.items()
            }
        )
        papers = index.papers.values()
        expected = people((each.id, each.authors) for each in papers)
        assert index.people() == [(each, sorted(map(tuple, own))) for each, own in expected]
        names = (
            index.db.execute("SELECT COUNT(*) FROM person_name WHERE person NOT IN "
                             "(SELECT no FROM person)").fetchone()
        )  # fmt: skip
        assert names == (0,)
        assert index.citations() == set(citations(papers))


def test_only_what_is_connected_is_linked_again() -> None:
    index = Index()
    index.commit(
        {
            number: Paper(
                f"paper/{number}",
                f"Paper {number}",
                authors=(Author(f"Ada Quill {number}"), Author("Bo Nib")),
                references=(Reference(None, f"Paper {number + 1}"),),
            )
            for number in range(50)
        }
    )
    added = Paper("paper/50", "Paper 50", authors=(Author("Ada Quill 3"), Author("Cy Ink")))
    before = index.citations()
    change_log.watch(index.db)
    index.commit({50: added})
    touched = {id_ for (id_,) in index.db.execute("SELECT id FROM touched")}
    assert {each for each in touched if each.startswith("author/")} == {
        "author/ada-quill-3",
        "author/ada-quill-3--3",
        "author/ada-quill-3--50",
        "author/cy-ink",
    }
    assert {citing for citing, _ in index.citations() ^ before} == {"paper/49"}
